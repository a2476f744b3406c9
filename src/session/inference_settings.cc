#include "session/inference_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "base/constant.h"
#include "base/diagnostics.h"
#include "hinge/model/relax.h"
#include "modelfile/options.h"

namespace sorites {
namespace {

using Options = std::map<std::string, std::string>;

const std::string& text_of(const Options& options, const std::string& name) {
  static const std::string kNone;
  const auto found = options.find(name);
  return found == options.end() ? kNone : found->second;
}

[[noreturn]] void fail(const std::string& name, std::string_view takes, const std::string& value) {
  Diagnostics sink;
  sink.error(DiagnosticCode::kBadOptionValue,
             Span{},
             fmt::format("`{}` takes {}, not `{}`", name, takes, value));
  throw InputError(sink.take_sorted());
}

// A number that is not negative, if the option is set.
std::optional<double> real(const Options& options, const std::string& name) {
  const std::string& text = text_of(options, name);
  if (text.empty()) return std::nullopt;
  const double number =
      parse_real(text).value_or(std::numeric_limits<double>::infinity());  // it was checked
  if (number < 0) fail(name, "a number that is not negative", text);
  return number;
}

std::optional<std::uint64_t> count(const Options& options, const std::string& name) {
  const std::string& text = text_of(options, name);
  if (text.empty()) return std::nullopt;
  const std::int64_t number = parse_integer(text).value_or(0);
  if (number < 0) fail(name, "an integer that is not negative", text);
  return static_cast<std::uint64_t>(number);
}

InitialValue initial_value(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  });
  if (text == "ZERO") return InitialValue::kZero;
  if (text == "ONE") return InitialValue::kOne;
  if (text == "HALF") return InitialValue::kHalf;
  if (text == "ATOM") return InitialValue::kAtom;
  return InitialValue::kRandom;
}

SolveOptions solve_options(const Options& options) {
  SolveOptions solve;
  solve.solver = solver_named(text_of(options, "inference.solver")).value_or(solve.solver);
  solve.gap = real(options, "inference.gap").value_or(solve.gap);
  solve.violation = real(options, "inference.violation").value_or(solve.violation);
  solve.max_iterations = count(options, "inference.max_iterations").value_or(solve.max_iterations);
  solve.time_limit_seconds =
      real(options, "inference.time_limit").value_or(solve.time_limit_seconds);
  solve.threads = static_cast<unsigned>(count(options, "parallel.numthreads").value_or(0));
  if (const std::string& seed = text_of(options, "random.seed"); !seed.empty()) {
    solve.seed = static_cast<std::uint64_t>(parse_integer(seed).value_or(0));
  }
  return solve;
}

}  // namespace

InferenceSettings inference_settings(const Options& options) {
  InferenceSettings settings;
  settings.solve = solve_options(options);
  settings.normalize = is_true(options, "inference.normalize");
  settings.skip = is_true(options, "inference.skip");
  if (is_true(options, "inference.relax")) {
    settings.relaxation = Relaxation{real(options, "inference.relax.multiplier").value_or(100.0),
                                     is_true(options, "inference.relax.squared")};
  }
  settings.initial_value = initial_value(text_of(options, "inference.initialvalue"));
  settings.skip_missing_targets = !is_true(options, "pam.throw");
  settings.write_results = is_true(options, "runtime.inference.output.results");
  settings.results_directory = text_of(options, "runtime.inference.output.results.dir");
  return settings;
}

std::vector<AtomRange> integer_atoms(const ModelFile& file,
                                     const Program& program,
                                     const Model& model) {
  std::vector<AtomRange> ranges;
  for (const PredicateDeclaration& declaration : file.predicates) {
    const auto says = [&](const char* name) {
      const auto found = declaration.options.find(name);
      return found != declaration.options.end() && found->second == "true";
    };
    if (!says("integer") && !says("categorical")) continue;
    const auto predicate = program.find_predicate(declaration.name);
    for (const AtomRange& range : model.atom_ranges) {
      if (range.predicate == predicate) ranges.push_back(range);
    }
  }
  std::sort(ranges.begin(), ranges.end(), [](const AtomRange& a, const AtomRange& b) {
    return a.first < b.first;
  });
  return ranges;
}

std::vector<double> initial_truth(InitialValue what,
                                  const Model& model,
                                  const Database& database,
                                  std::uint64_t seed) {
  std::vector<double> truth(model.num_atoms,
                            what == InitialValue::kOne    ? 1.0
                            : what == InitialValue::kHalf ? 0.5
                                                          : 0.0);
  if (what == InitialValue::kRandom) {
    constexpr double kSteps = 1ULL << 53U;  // doubles of [0, 1) that are equally far apart
    std::mt19937_64 random(seed);
    for (double& value : truth) value = static_cast<double>(random() >> 11U) / kSteps;
  }
  if (what == InitialValue::kAtom) {
    for (const AtomRange& range : model.atom_ranges) {
      const Table& targets = database.relation(range.predicate).table(Partition::kTarget);
      for (std::size_t i = 0; i < range.count; ++i) truth[range.first + i] = targets.value(i);
    }
  }
  return truth;
}

Parameters inference_parameters(const InferenceSettings& settings, Model& model) {
  Parameters parameters = parameters_of(model, settings.normalize);
  if (!settings.relaxation) return parameters;
  double largest = 0.0;
  for (const GroundRule& rule : model.rules) largest = std::max(largest, rule.weight);
  if (largest == 0.0) largest = 1.0;
  const std::vector<GroundRule> before = model.rules;
  relax_hard_rules(model, settings.relaxation->multiplier * largest, settings.relaxation->squared);
  for (std::size_t r = 0; r < model.rules.size(); ++r) {
    if (before[r].hard) parameters.weights[r] = model.rules[r].weight / parameters.weight_scale;
  }
  return parameters;
}

}  // namespace sorites
