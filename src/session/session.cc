// Opening a session, and what it says of itself.
#include "sorites/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <ostream>
#include <set>
#include <stdexcept>
#include <stop_token>
#include <streambuf>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "base/shown_text.h"
#include "base/whole_file.h"
#include "data/insert.h"
#include "data/same_predicates.h"
#include "eval/results.h"
#include "hinge/model/rule_numbers.h"
#include "modelfile/finish_diagnostics.h"
#include "modelfile/model_reader.h"
#include "modelfile/options.h"
#include "semantics/inference_settings.h"
#include "session/input_files.h"
#include "session/model_loader.h"
#include "session/option_catalog.h"
#include "session/session_state.h"
#include "session/stopwatch.h"
#include "session/time_limit.h"

namespace sorites {
namespace {

// Changes of weights, and learned ones, name rules by their numbers. A program made by hand may
// have none.
void settle_rule_numbers(Program& program) {
  const auto is_new = [](const Rule& rule) { return rule.id == 0; };
  if (std::all_of(program.rules.begin(), program.rules.end(), is_new)) {
    for (RuleId id = 0; Rule & rule : program.rules) rule.id = id++;
  }
  std::set<RuleId> seen;
  for (const Rule& rule : program.rules) {
    if (seen.insert(rule.id).second) continue;
    throw std::invalid_argument(
        fmt::format("two rules of the program have the number {}; the second is `{}`",
                    rule_number(rule.id),
                    rule.text));
  }
}

// Mistyped options are mistakes of the caller: they come before any work.
void check_options(const SessionOptions& options) {
  Diagnostics sink;
  check_overrides(options.settings, option_catalog(), sink);
  std::vector<OptionSetting> flags = options.flags;
  std::erase_if(flags, [](const OptionSetting& flag) { return flag.value.empty(); });  // unset one
  check_overrides(flags, option_catalog(), sink);
  if (sink.has_errors()) throw InputError(sink.take_sorted());
}

// The time that the caller's options leave to a session; those of the file are not known yet.
double time_limit_of(const SessionOptions& options) {
  for (const OptionSetting& flag : options.flags) {
    if (flag.name == "learn.time_limit" && !flag.value.empty()) return std::stod(flag.value);
  }
  const auto given = settings_of({}, options.phase, options.settings, options.flags);
  return inference_settings(given).solve.time_limit_seconds;
}

// Opens a model file, which may be a long one, within the time that there is. Throws InputError
// with all its mistakes; warnings are for the first call that reads data.
std::unique_ptr<Session::State> open_in_time(
    SessionOptions options,
    const std::function<ModelDraft(Diagnostics&, const std::stop_token&)>& open) {
  ModelDraft draft;
  std::vector<Diagnostic> said;
  double seconds = 0.0;
  {
    const Stopwatch watch(seconds);
    const TimeLimit limit(options.events, time_limit_of(options));
    try {
      Diagnostics sink;
      draft = open(sink, options.events.stop);
      const bool wrong = sink.has_errors();
      said = finish_diagnostics(draft.model, sink);
      if (wrong) throw InputError(std::move(said));
      std::erase_if(said, [](const Diagnostic& one) {  // an error where the network has to run
        return one.code == info(DiagnosticCode::kPythonNetwork).name;
      });
    } catch (const Interrupted&) {
      if (limit.is_up()) limit.fail();
      throw;
    }
  }
  auto state = std::make_unique<Session::State>(std::move(draft.model), std::move(options));
  state->opening_seconds = seconds;
  state->opening_warnings = std::move(said);
  return state;
}

// What is written to it goes to the file; to a terminal as it may be shown there.
class WholeFileStream : public std::streambuf {
 public:
  WholeFileStream(WholeFile& file, bool is_terminal) : file_(file), is_terminal_(is_terminal) {}

 private:
  std::streamsize xsputn(const char* bytes, std::streamsize count) override {
    const std::string_view text(bytes, static_cast<std::size_t>(count));
    if (is_terminal_) {
      file_.write(shown_text(text));
    } else {
      file_.write(text);
    }
    return count;
  }
  int_type overflow(int_type byte) override {
    const char c = traits_type::to_char_type(byte);
    xsputn(&c, 1);
    return byte;
  }

  WholeFile& file_;
  const bool is_terminal_;
};

}  // namespace

Session::Session(std::unique_ptr<State> state) : state_(std::move(state)) {}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

Session Session::open(const std::string& path, SessionOptions options) {
  check_options(options);
  const auto open = [&, data = options.data_path](Diagnostics& sink, const std::stop_token& stop) {
    return open_model(path, data, sink, stop);
  };
  return Session(open_in_time(std::move(options), open));
}

Session Session::from_text(std::string text, SessionOptions options) {
  check_options(options);
  const auto open = [&, texts = options.texts](Diagnostics& sink, const std::stop_token& stop) {
    return open_text(std::move(text), texts, sink, stop);
  };
  return Session(open_in_time(std::move(options), open));
}

Session::Session(Program program, Database database, SessionOptions options) {
  check_options(options);
  require_same_predicates(program, database);
  settle_rule_numbers(program);
  state_ = std::make_unique<State>(ModelFile{}, std::move(options));
  State& state = *state_;
  const std::size_t num_predicates = program.predicates.size();
  state.current = std::make_unique<LoadedPhase>(LoadedPhase{
      state.options.phase,
      LoadedModel{
          std::move(program),
          std::move(database),
          std::vector<std::vector<Evaluation>>(num_predicates),
          settings_of(state.file, state.options.phase, state.options.settings, state.options.flags),
          {}},
      nullptr});
}

std::string_view Session::semantics() const { return state_->semantics; }

std::vector<Phase> Session::phases() const {
  return phases_of(state_->file, state_->options.settings);
}

ResultFiles Session::result_files() {
  const InferenceSettings settings = inference_settings(state_->present_options());
  return {settings.write_results, settings.results_directory};
}

const Program& Session::program() { return state_->loaded().loaded.program; }
const Database& Session::database() { return state_->loaded().loaded.database; }

const std::vector<OptionSetting>& Session::settings() const { return state_->options.settings; }

void Session::set_stop(std::stop_token stop) { state_->options.events.stop = std::move(stop); }

// A snapshot or a state may be written where one was read: what it was is in the new one.
void Session::save_snapshot(const std::string& path) {
  refuse_to_replace_inputs(state_->file, {&path, 1}, {&state_->warm_start, 1});
  state_->reasoner().save_snapshot(path);
}

void Session::save_state(const std::string& path) {
  refuse_to_replace_inputs(state_->file, {&path, 1}, {&state_->snapshot, 1});
  state_->reasoner().save_state(path);
}

void Session::write_ground_rules(const std::string& path) {
  refuse_to_replace_inputs(*state_, {&path, 1});
  WholeFile file(path);
  WholeFileStream stream(file, is_terminal_file(path));
  std::ostream out(&stream);
  out.exceptions(std::ios::badbit);  // those of the file come through
  state_->reasoner().write_ground_rules(out, state_->options.events);
  file.put_in_place();
}

void Session::write_results(const InferResult& result, const std::string& folder) {
  std::vector<std::string> files;
  for (const AtomRange& range : result.ranges) {
    const std::string name = results_file_name(program().predicates[range.predicate]);
    files.push_back((std::filesystem::path(folder) / name).string());
  }
  refuse_to_replace_inputs(*state_, files);
  sorites::write_results(folder, database(), result.ranges, result.values);
}

}  // namespace sorites
