#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "base/shown_text.h"
#include "commands.h"
#include "exit_code.h"
#include "interrupt.h"
#include "output.h"
#include "sorites/diagnostic.h"

namespace sorites {
namespace {

int usage_error(const std::string& message, const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  const std::string name = (parent == nullptr ? "" : parent->get_name() + " ") + command.get_name();
  say(fmt::format("sorites: {}\nSee `{} --help`.\n", shown_text(message), name));
  return kInputWrong;
}

std::string did_you_mean(const std::string& wrong, const std::vector<std::string>& known) {
  const std::vector<std::string_view> views(known.begin(), known.end());
  const std::string_view near = nearest_name(wrong, views);
  return near.empty() ? "" : fmt::format("; did you mean `{}`?", near);
}

std::vector<std::string> flags_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!command->get_group().empty()) names.push_back(command->get_name());
  }
  return names;
}

// What was given but means nothing.
int report_extra(const CLI::App& command, const std::string& extra, bool is_command_place) {
  const bool flag = extra.starts_with("-");
  if (!flag && !is_command_place) {
    return usage_error(fmt::format("`{}` is one argument too many", extra), command);
  }
  const std::string name = flag ? extra.substr(0, extra.find('=')) : extra;
  return usage_error(
      fmt::format("there is no {} `{}`{}",
                  flag ? "flag" : "command",
                  name,
                  did_you_mean(name, flag ? flags_of(command) : commands_of(command))),
      command);
}

// torch tells where in its code something went wrong; that is no news to a user.
std::string_view without_trace(std::string_view message) {
  return message.substr(0, message.find("\nException raised from "));
}

int run(int argc, char** argv) {
  const InterruptWatch interrupt;
  RunContext context{interrupt.token(), {}};
  const auto app = make_app(context);
  std::string problem;
  try {
    app->parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app->exit(success);  // --help and --version
  } catch (const CLI::ParseError& error) {
    problem = error.what();
  }
  const auto chosen = app->get_subcommands();
  const CLI::App& command = chosen.empty() ? *app : *chosen.front();
  // A mistyped flag may be why something else is missing: it comes first.
  if (const auto extras = app->remaining(true); !extras.empty()) {
    return report_extra(command, extras.front(), chosen.empty());
  }
  try {
    if (problem.empty() && context.run) return context.run();
  } catch (const CLI::ParseError& error) {
    problem = error.what();
  }
  if (!problem.empty()) return usage_error(problem, command);
  print_text(app->help());
  return kDone;
}

// OpenBLAS starts a thread per core before main(), which nothing here needs. If their stacks do not
// fit into what `ulimit -v` allows, it waits for them for ever at exit. A setting that it reads
// before main() prevents that: then the program begins anew.
void begin_without_blas_threads(char** argv) {
  constexpr const char* kSetting = "OPENBLAS_NUM_THREADS";
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  if (std::getenv(kSetting) != nullptr) return;  // NOLINT(concurrency-mt-unsafe): one thread yet
  if (::setenv(kSetting, "1", 0) == 0) ::execv("/proc/self/exe", argv);
}

}  // namespace
}  // namespace sorites

int main(int argc, char** argv) {
  using namespace sorites;  // NOLINT(google-build-using-namespace): main cannot be inside
  begin_without_blas_threads(argv);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of write()
  int code = kRunFailed;
  try {
    code = run(argc, argv);
  } catch (const Interrupted&) {
    say("sorites: interrupted\n");
    code = kInterrupted;
  } catch (const std::bad_alloc&) {
    say("sorites: out of memory; `sorites estimate` tells what the rules of a model need\n");
  } catch (const std::exception& error) {
    say(fmt::format("sorites: {}\n", without_trace(error.what())));
  }
  // An error of an earlier write stays, though the last one went well.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    if (code == kDone) say("sorites: cannot write the output\n");
    return code == kDone ? kRunFailed : code;
  }
  return code;
}
