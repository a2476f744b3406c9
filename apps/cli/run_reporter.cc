#include "run_reporter.h"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

#include "base/read_file.h"
#include "base/shown_text.h"
#include "exit_code.h"
#include "output.h"

namespace sorites {

SessionOptions RunReporter::options(const std::vector<OptionSetting>& own) {
  SessionOptions options;
  options.data_path = flags_.data;
  options.semantics = flags_.semantics;
  options.settings = option_settings(flags_);
  for (const Phase phase : kPhases) {
    if (flags_.phase == name_of(phase)) options.phase = phase;
  }
  options.flags = settings_of_flags(flags_.options);
  options.flags.insert(options.flags.end(), own.begin(), own.end());
  options.events.stop = context_.stop;
  options.events.diagnostic = [this](const Diagnostic& diagnostic) { tell(diagnostic); };
  if (!flags_.quiet && !flags_.json) {
    options.events.progress = [this](const Progress& progress) { show(progress); };
  }
  return options;
}

std::string RunReporter::standard_input() const {
  std::string text;
  const std::string problem = read_text(STDIN_FILENO, text, context_.stop);
  if (!problem.empty()) throw IoError("cannot read standard input: " + problem);
  return text;
}

Session RunReporter::open(SessionOptions options) const {
  return flags_.model == "-" ? Session::from_text(standard_input(), std::move(options))
                             : Session::open(flags_.model, std::move(options));
}

void RunReporter::show(const Progress& progress) {
  if (!line_ || stage_ != progress.stage) {
    line_.reset();
    stage_ = progress.stage;
    line_ = std::make_unique<ProgressLine>(stage_, true);
  }
  if (progress.share >= 0.0) {
    constexpr std::uint64_t kSteps = 1'000'000;  // finer than any bar
    line_->update(static_cast<std::uint64_t>(progress.share * static_cast<double>(kSteps)), kSteps);
  } else {
    line_->update(progress.state);
  }
}

void RunReporter::tell(const Diagnostic& diagnostic) {
  finish();
  diagnostics_.push_back(diagnostic);
  print_diagnostics({&diagnostic, 1}, flags_);
}

int run_on_model(const CommonFlags& flags, const std::function<int()>& run) {
  try {
    return run();
  } catch (const InputError& error) {
    print_diagnostics(error.diagnostics(), flags);
    if (flags.json) {
      print_json({{"ok", false}, {"diagnostics", to_json(error.diagnostics())}});
    } else {
      say(fmt::format("{}: {}\n", shown_text(flags.model), count_text(error.diagnostics())));
    }
    return kInputWrong;
  }
}

}  // namespace sorites
