#include "semantics/mean_field_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "hinge/solve/solve_option_table.h"
#include "semantics/inference_settings.h"

namespace sorites {
namespace {

std::vector<std::string_view> words_of(std::string_view text) {
  constexpr std::string_view kBetween = " ,\t\n";
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t begin = text.find_first_not_of(kBetween);
    if (begin == std::string_view::npos) return words;
    const std::size_t end = std::min(text.find_first_of(kBetween, begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    text.remove_prefix(end);
  }
}

bool is_meant(std::string_view word, std::string_view name) {
  if (!word.ends_with('*')) return word == name;
  word.remove_suffix(1);
  return name.starts_with(word);
}

// Closes worlds that `meanfield.closed` names.
class WorldCloser {
 public:
  WorldCloser(Program& program, const Database& database, Span option, Diagnostics& sink)
      : program_(program), database_(database), option_(std::move(option)), sink_(sink) {}

  void close(std::string_view word) {
    bool found = false;
    for (PredicateId p = 0; p < program_.predicates.size(); ++p) {
      if (!is_meant(word, program_.predicates[p].name)) continue;
      found = true;
      if (program_.predicates[p].open) close_predicate(p);
    }
    if (found) return;
    std::vector<std::string_view> names;
    for (const Predicate& predicate : program_.predicates) names.push_back(predicate.name);
    suggest_name(sink_.error(DiagnosticCode::kBadOptionValue,
                             option_,
                             fmt::format("`meanfield.closed`: there is no predicate `{}`", word)),
                 word,
                 names);
  }

 private:
  void close_predicate(PredicateId p) {
    Predicate& predicate = program_.predicates[p];
    if (predicate.has_classes) {
      sink_.error(DiagnosticCode::kBadOptionValue,
                  option_,
                  fmt::format("`meanfield.closed`: `{}` has classes, and every atom has some class",
                              predicate.name));
    }
    if (database_.relation(p).table(Partition::kTarget).num_rows > 0) {
      sink_
          .error(DiagnosticCode::kClosedWithTargets,
                 database_.origin(p, {Partition::kTarget, 0}),
                 fmt::format("this is asked for, but `meanfield.closed` names `{}`, so none of its "
                             "atoms can be unknown",
                             predicate.name))
          .notes.push_back({"take it out of the option, or leave out its targets", option_});
    }
    predicate.open = predicate.open_world = false;
  }

  Program& program_;
  const Database& database_;
  const Span option_;  // where it stands
  Diagnostics& sink_;
};

const Setting* closed_worlds(const Settings& settings) {
  return internal::chosen_setting("meanfield.closed", "markov.closed", settings);
}

bool is_set(const Settings& settings, std::string_view name) {
  return internal::chosen_setting(name, "", settings) != nullptr;
}

// What plain updates have unless it is set: the steps of LogicMP.
void make_plain(const Settings& settings, bool limited, MeanFieldOptions& options) {
  const MeanFieldOptions plain;
  options.updates = MeanFieldUpdates::kPlain;
  if (!limited && !is_set(settings, "meanfield.iterations")) options.iterations = plain.iterations;
  if (!is_set(settings, "meanfield.tolerance")) options.tolerance = plain.tolerance;
}

// Updates of inference and of learning, which differ unless they are set.
void choose_updates(const Settings& settings,
                    bool limited,
                    MeanFieldSettings& result,
                    Diagnostics& sink) {
  MeanFieldOptions& options = result.options;
  const bool chosen = is_set(settings, "meanfield.updates");
  const bool falls = options.weight_scale != WeightScale::kMeanMessage && !options.centre_messages;
  if (chosen && !falls && options.updates == MeanFieldUpdates::kDescending) {
    sink.error(DiagnosticCode::kBadOptionValue,
               Span{},
               "`meanfield.updates`: messages that are means or centred follow no free energy that "
               "could fall")
        .notes.push_back({"leave it out, or take away `meanfield.weight_scale=mean-message` and "
                          "`meanfield.centre_messages`",
                          {}});
  }
  if (!falls || options.updates == MeanFieldUpdates::kPlain) {
    make_plain(settings, limited, options);
  }
  result.learning = options;
  if (!chosen) make_plain(settings, limited, result.learning);
}

// Where all formulas weigh the same, their weights do not say how they compare, and one with
// a thousand groundings per atom drowns the others, whatever it says. So each pushes an atom by
// the mean of its groundings, and what it pushes all atoms by alike is left out: formulas only rank
// atoms. Ten steps that go half of the way come within a thousandth of where they lead.
std::optional<MeanFieldOptions> ranking_of(const Settings& settings,
                                           bool limited,
                                           MeanFieldOptions options) {
  for (const char* name :
       {"meanfield.weight_scale", "meanfield.centre_messages", "meanfield.updates"}) {
    if (is_set(settings, name)) return std::nullopt;
  }
  options.weight_scale = WeightScale::kMeanMessage;
  options.centre_messages = true;
  make_plain(settings, limited, options);
  if (!limited && !is_set(settings, "meanfield.iterations")) options.iterations = 10;
  if (!is_set(settings, "meanfield.damping")) options.damping = 0.5;
  return options;
}

}  // namespace

std::map<std::string, std::string> ranking_options(const MeanFieldOptions& options) {
  return {{"meanfield.weight_scale", std::string(name_of(options.weight_scale))},
          {"meanfield.centre_messages", options.centre_messages ? "true" : "false"},
          {"meanfield.iterations", std::to_string(options.iterations)},
          {"meanfield.damping", fmt::format("{}", options.damping)}};
}

MeanFieldSettings mean_field_settings(const Settings& settings) {
  Diagnostics sink;
  SolveOptions limits;  // of any method
  read_options(kSolveOptions, settings, limits, sink);
  InferenceSettings inference;
  read_options(kInferenceOptions, settings, inference, sink);
  MeanFieldSettings result;
  result.options = mean_field_defaults();
  result.time_limit_seconds = limits.time_limit_seconds;
  result.all_atoms = inference.all_atoms;
  read_options(kFactLearnOptions, settings, result.facts, sink);
  read_options(kMeanFieldOptions, settings, result.options, sink);
  read_options(kHardPropagationOptions, settings, result.propagation, sink);
  read_options(kMarkovMethodOptions, settings, result.method, sink);
  result.method.sampling.seed = limits.seed;
  result.method.sampling.threads = limits.threads;
  result.method.sampling.time_limit_seconds = limits.time_limit_seconds;
  if (limits.max_iterations > 0) result.options.iterations = limits.max_iterations;
  result.ranking = ranking_of(settings, limits.max_iterations > 0, result.options);
  choose_updates(settings, limits.max_iterations > 0, result, sink);
  if (sink.has_errors()) throw InputError(sink.take_sorted());
  return result;
}

Program with_world_options(Program program, const Database& database, const Settings& settings) {
  Diagnostics sink;
  MeanFieldModelOptions changes;
  read_options(kMeanFieldModelOptions, settings, changes, sink);
  const Setting* closed = closed_worlds(settings);
  WorldCloser closer(program, database, closed == nullptr ? Span{} : closed->value_at, sink);
  for (const std::string_view word : words_of(changes.closed)) closer.close(word);
  if (sink.has_errors()) throw InputError(sink.take_sorted());
  for (Rule& rule : program.rules) {
    if (!rule.weight) continue;
    if (changes.plus_weight && !rule.weighted.empty()) {
      rule.weight = *changes.plus_weight;
      rule.constant_weights.clear();
    }
    *rule.weight *= changes.weight_factor;
    for (ConstantWeight& special : rule.constant_weights) special.weight *= changes.weight_factor;
  }
  return program;
}

bool guesses_closed_worlds(const Settings& settings) {
  return closed_worlds(settings) == nullptr && inference_settings(settings).guess_closed;
}

}  // namespace sorites
