#include "semantics/hinge_reasoner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "base/diagnostics.h"
#include "base/stable_hash.h"
#include "data/unused_constants.h"
#include "hinge/energy/given_state.h"
#include "hinge/energy/potentials.h"
#include "hinge/explain/explain.h"
#include "hinge/ground/fingerprint.h"
#include "hinge/ground/layout.h"
#include "hinge/ground/rule_query.h"
#include "hinge/ground/write_ground_rules.h"
#include "hinge/lower/lower.h"
#include "hinge/model/fix_atoms.h"
#include "hinge/model/relax.h"
#include "hinge/model/rule_numbers.h"
#include "hinge/model/snapshot.h"
#include "hinge/model/split_components.h"
#include "hinge/problem/unfit_method.h"
#include "hinge/solve/inference.h"
#include "hinge/solve/state_file.h"
#include "semantics/inference_settings.h"

namespace sorites {
namespace {

GroundOptions ground_options(const InferenceSettings& settings, const RunEvents& events) {
  GroundOptions options;
  options.threads = settings.solve.threads;
  options.on_missing_target = settings.missing_targets();
  if (settings.count_all) options.plan = GroundPlan::kAllBindings;
  options.stop = events.stop;
  if (events.progress) {
    options.progress = [&events](std::uint64_t done, std::uint64_t total) {
      const double share =
          total == 0 ? 1.0 : static_cast<double>(done) / static_cast<double>(total);
      events.progress({"grounding", share, {}});
    };
  }
  return options;
}

[[noreturn]] void throw_unfit(const std::string& why) {
  Diagnostics sink;
  sink.error(DiagnosticCode::kUnfitSolver, Span{}, why)
      .notes.push_back({"`--solver auto` chooses one that can", {}});
  throw InputError(sink.take_sorted());
}

std::string progress_text(const SolveProgress& progress) {
  const std::string gap = std::isfinite(progress.relative_gap)
                              ? fmt::format("gap {:.1e}", progress.relative_gap)
                              : "no bound yet";
  return fmt::format("{}, violation {:.1e} ({}, {} iterations)",
                     gap,
                     progress.max_violation,
                     progress.solver,
                     progress.iterations);
}

// The program as grounding takes it. Unknown atoms become targets of the database.
Program lowered(const ReasonerInput& input, const std::stop_token& stop) {
  Diagnostics sink;
  Program program = lower_to_hinge(input.program, input.database, sink, stop);
  if (sink.has_errors()) throw InputError(sink.take_sorted());
  return program;
}

// A snapshot belongs to rules and data, and, where atoms are missing, to what became of their
// ground rules. If none is missing (kError would have told), that makes no difference.
std::uint64_t snapshot_fingerprint(const Program& program,
                                   const Database& database,
                                   OnMissingTarget on_missing_target) {
  return fingerprint(program, database) + static_cast<std::uint64_t>(on_missing_target);
}

Model model_of_snapshot(const std::string& path,
                        const Program& program,
                        const Database& database,
                        OnMissingTarget on_missing_target) {
  const std::uint64_t none_missing =
      snapshot_fingerprint(program, database, OnMissingTarget::kError);
  if (on_missing_target == OnMissingTarget::kError) return load_snapshot(path, none_missing);
  try {
    return load_snapshot(path, snapshot_fingerprint(program, database, on_missing_target));
  } catch (const InputError&) {
    return load_snapshot(path, none_missing);
  }
}

class HingeReasoner : public Reasoner {
 public:
  HingeReasoner(const ReasonerInput& input, const RunEvents& events)
      : program_(lowered(input, events.stop)),
        is_lowered_from_data_(lowering_depends_on_data(input.program)),
        database_(input.database),
        settings_(inference_settings(input.options)) {
    const GroundOptions options = ground_options(settings_, events);
    model_ =
        input.from_snapshot.empty()
            ? sorites::ground(program_, database_, options, &report_)
            : fitting(model_of_snapshot(
                          input.from_snapshot, program_, database_, settings_.missing_targets()),
                      input.from_snapshot,
                      program_,
                      database_);
    rules_ = model_.rules;
    choose_integer_solver(input.integer);
    if (settings_.relax) relax();
  }

  // What solving looks at; the ground model stays.
  bool set_options(const Settings& options) override {
    InferenceSettings settings = inference_settings(options);
    const bool ground_alike = settings.missing_targets() == settings_.missing_targets() &&
                              !settings.relax && !settings_.relax &&
                              (!settings.count_all || report_.all_counted);
    if (!ground_alike || !settings_.solve.integer.empty()) return false;
    if (settings.solve.threads != settings_.solve.threads) inference_.reset();
    settings_ = std::move(settings);
    return true;
  }

  std::span<const AtomRange> targets() const override { return model_.atom_ranges; }
  std::span<const AtomRange> outputs() const override { return model_.output_ranges; }
  const std::vector<GroundRule>& rules() const override { return rules_; }
  Grounding ground(const RunEvents& /*events*/) override { return {report_, size()}; }

  ModelSize size() const override {
    ModelSize size{.atoms = static_cast<double>(model_.num_atoms),
                   .terms = static_cast<double>(model_.num_terms()),
                   .nonzeros = static_cast<double>(model_.num_nonzeros()),
                   .bytes = static_cast<double>(model_.memory_bytes()),
                   .rule_terms = std::vector<double>(rules_.size()),
                   .rule_bytes = std::vector<double>(rules_.size())};
    for (const TermBlock& block : model_.blocks) {
      size.rule_terms[block.rule] += static_cast<double>(block.num_terms);
      size.rule_bytes[block.rule] += static_cast<double>(block.memory_bytes());
    }
    return size;
  }

  std::vector<double> weights() const override {
    std::vector<double> weights;
    for (const GroundRule& rule : rules_) weights.push_back(rule.weight);
    return weights;
  }

  std::vector<WeightSlot> weight_slots() const override {
    std::vector<WeightSlot> slots(rules_.size());
    for (std::uint32_t r = 0; r < slots.size(); ++r) {
      slots[r].rule = r;
      const auto& special = program_.rules[r].constant_weights;
      if (!special.empty()) slots[r].constants = special.front().constants;
    }
    return slots;
  }

  void set_weights(std::vector<double> weights) override {
    for (std::size_t r = 0; r < rules_.size(); ++r) {
      if (!rules_[r].hard) rules_[r].weight = weights[r];
    }
  }

  // Weights divided by the largest; hard rules that are relaxed weigh a multiple of that.
  Parameters parameters(std::span<const double> weights) const override {
    Parameters result;
    double largest = 0.0;
    for (std::size_t r = 0; r < rules_.size(); ++r) {
      result.weights.push_back(rules_[r].hard ? 0.0 : weights[r]);
      largest = std::max(largest, result.weights.back());
    }
    if (settings_.normalize && largest > 0.0) {
      result.weight_scale = largest;
      for (double& weight : result.weights) weight /= largest;
      largest = 1.0;
    }
    if (largest == 0.0) largest = 1.0;
    for (std::size_t r = 0; settings_.relax && r < rules_.size(); ++r) {
      if (rules_[r].hard) result.weights[r] = settings_.relaxation.multiplier * largest;
    }
    result.outputs.assign(model_.num_outputs, 0.0);
    return result;
  }

  Answer infer(std::span<const double> network_outputs, const RunEvents& events) override {
    parameters_ = parameters(weights());
    parameters_.outputs.assign(network_outputs.begin(), network_outputs.end());
    if (settings_.skip) {
      skip();
    } else {
      solve(events);
    }
    return answer(events);
  }

  std::vector<RuleStatistics> statistics() const override {
    return rule_statistics(model_, parameters_, solution_.truth, settings_.solve.threads);
  }

  AtomExplanation explain_atom(TargetRow atom,
                               std::size_t limit,
                               const RunEvents& events) const override {
    for (const AtomRange& range : model_.atom_ranges) {
      if (range.predicate != atom.predicate) continue;
      const AtomId id = range.first + atom.row;
      const ExplainOptions options{limit, ground_options(settings_, events)};
      AtomExplanation result = sorites::explain_atom(explained(), id, options);
      if (is_integer(id) && is_usable()) {
        SolveOptions solve = settings_.solve;
        solve.stop = events.stop;
        explain_integer_atom(explained(), id, solve, options, result);
        result.flip_cost *= parameters_.weight_scale;
        result.flip_bound *= parameters_.weight_scale;
      }
      result.own -= 2.0 * settings_.solve.regularization / parameters_.weight_scale * result.value;
      return result;
    }
    throw std::invalid_argument("explain_atom: the predicate has no targets");
  }

  RuleExplanation explain_rule(std::uint32_t rule,
                               std::size_t limit,
                               const RunEvents& events) const override {
    return sorites::explain_rule(explained(), rule, {limit, ground_options(settings_, events)});
  }

  std::vector<ComponentEnergy> energies(std::span<const double> values) const override {
    std::vector<ComponentEnergy> result = component_energies(model_, parameters_, values);
    for (ComponentEnergy& one : result) one.energy *= parameters_.weight_scale;
    return result;
  }

  Samples samples(const std::vector<double>& labels, const SampleOptions& options) const override;

  std::vector<std::size_t> broken_by(std::span<const double> labels) const override {
    constexpr double kTolerance = 1e-3;  // truth is rounded
    return broken_hard_terms(model_, labels, kTolerance);
  }

  std::uint64_t fingerprint() const override {
    StableHash hash;
    hash.add(structure_fingerprint(model_));
    for (const GroundRule& rule : rules_) hash.add(std::uint64_t{rule.hard});
    return hash.value();
  }

  bool update(std::span<const RowChange> changes, const RunEvents& events) override {
    if (settings_.relax) return false;  // the model is no longer the one that was ground
    if (is_lowered_from_data_) return false;
    if (depends_on_domains() && leave_unused_constants(database_, changes)) return false;
    GroundOptions options = ground_options(settings_, events);
    std::vector<double>& multipliers = solution_.multipliers;
    if (multipliers.size() != model_.num_terms()) multipliers.clear();
    sorites::update(program_,
                    database_,
                    model_,
                    changes,
                    options,
                    multipliers.empty() ? nullptr : &multipliers);
    if (!multipliers.empty()) guess_new_multipliers();
    inference_.reset();
    return true;
  }

  void start_from(std::vector<double> values) override {
    solution_ = {};
    solution_.truth = std::move(values);
    has_start_ = true;
  }

  std::span<const double> last_values() const override { return solution_.truth; }

  void load_state(const std::string& path) override {
    solution_ = sorites::load_state(path, model_);
    has_start_ = true;
  }
  void save_state(const std::string& path) const override {
    sorites::save_state(solution_, model_, path);
  }
  void save_snapshot(const std::string& path) const override {
    sorites::save_snapshot(
        model_, snapshot_fingerprint(program_, database_, settings_.missing_targets()), path);
  }
  void write_ground_rules(std::ostream& out, const RunEvents& events) override {
    sorites::write_ground_rules(program_, database_, ground_options(settings_, events), out);
  }

 private:
  bool is_integer(AtomId atom) const {
    const auto& ranges = settings_.solve.integer;
    return std::any_of(ranges.begin(), ranges.end(), [&](const AtomRange& range) {
      return atom >= range.first && atom - range.first < range.count;
    });
  }
  // Whether some rule means something else if a domain loses a constant.
  bool depends_on_domains() {
    const auto depends = [&](const Rule& rule) {
      const std::vector<RuleQuery> queries = rule_queries(rule, program_, database_);
      return std::any_of(queries.begin(), queries.end(), [](const RuleQuery& query) {
        return query.depends_on_domains();
      });
    };
    if (!depends_on_domains_) {
      depends_on_domains_ = std::any_of(program_.rules.begin(), program_.rules.end(), depends);
    }
    return *depends_on_domains_;
  }
  bool is_usable() const {
    return solution_.status != SolveStatus::kInfeasible &&
           solution_.status != SolveStatus::kNumericalError &&
           solution_.status != SolveStatus::kSkipped;
  }
  Explained explained() const { return {program_, database_, model_, parameters_, solution_}; }

  // Integer atoms need the integer solver; another would take them as continuous.
  void choose_integer_solver(const std::vector<PredicateId>& integer) {
    SolveOptions& options = settings_.solve;
    for (const AtomRange& range : model_.atom_ranges) {
      const bool is_integer =
          std::find(integer.begin(), integer.end(), range.predicate) != integer.end();
      if (is_integer) options.integer.push_back(range);
    }
    if (options.integer.empty()) return;
    if (options.solver == Solver::kAuto) options.solver = Solver::kInteger;
    if (options.solver == Solver::kInteger) return;
    throw_unfit(fmt::format("the atoms of `{}` are integer, which solver `{}` cannot do",
                            program_.predicates[options.integer.front().predicate].name,
                            name_of(options.solver)));
  }

  // Of terms that came by an update: what they are if the state stays as it is.
  void guess_new_multipliers() {
    const std::vector<double> guess = slopes_at(model_, parameters_, solution_.truth);
    for (std::size_t t = 0; t < guess.size(); ++t) {
      if (std::isnan(solution_.multipliers[t])) solution_.multipliers[t] = guess[t];
    }
  }

  // The weight comes with the parameters.
  void relax() { relax_hard_rules(model_, 1.0, settings_.relaxation.squared); }

  void solve(const RunEvents& events) {
    SolveOptions options = settings_.solve;
    options.stop = events.stop;
    if (events.progress) {
      options.progress = [&](const SolveProgress& progress) {
        events.progress({"solving", -1.0, progress_text(progress)});
      };
    }
    const bool again = inference_.has_value() && options.integer.empty();
    try {
      if (!inference_) inference_.emplace(model_, options.threads);
      if (again) {
        solution_ = inference_->resolve(parameters_, options);
        return;
      }
      const std::optional<Solution> start = first_start();
      solution_ = inference_->solve(parameters_, options, start ? &*start : nullptr);
    } catch (const UnfitMethod& error) {
      throw_unfit(error.what());
    }
    has_start_ = true;
  }

  // The last solution, or what the options say; none: as the solver likes.
  std::optional<Solution> first_start() const {
    if (has_start_) return solution_;
    if (settings_.initial_value == InitialValue::kRandom) return std::nullopt;
    return initial_solution();
  }

  Solution initial_solution() const {
    Solution solution;
    solution.truth =
        initial_truth(settings_.initial_value, model_, database_, settings_.solve.seed);
    return solution;
  }

  // The initial values as the result. Nothing bounds them.
  void skip() {
    solution_ = initial_solution();
    solution_.status = SolveStatus::kSkipped;
    solution_.solver = "none";
    const auto rules = statistics();
    for (std::size_t r = 0; r < rules.size(); ++r) {
      solution_.objective += rules[r].energy;
      if (!model_.rules[r].hard) continue;
      solution_.max_violation = std::max(solution_.max_violation, *rules[r].worst);
    }
    solution_.lower_bound = -std::numeric_limits<double>::infinity();
    solution_.relative_gap = std::numeric_limits<double>::infinity();
  }

  Answer answer(const RunEvents& events) const {
    Answer answer;
    answer.status = solution_.status;
    answer.message = solution_.message;
    answer.method = solution_.solver;
    answer.values = solution_.truth;
    answer.objective = solution_.objective;
    // Distances are never negative, whatever rounding has left of a bound.
    if (std::isfinite(solution_.lower_bound)) {
      answer.lower_bound = std::max(solution_.lower_bound, 0.0);
    }
    if (std::isfinite(solution_.relative_gap)) answer.relative_gap = solution_.relative_gap;
    answer.max_violation = solution_.max_violation;
    answer.weight_scale = parameters_.weight_scale;
    answer.regularization = settings_.solve.regularization;
    answer.iterations = solution_.iterations;
    answer.presolve = solution_.presolve;
    answer.conflict_is_irreducible = solution_.conflict_is_irreducible;
    if (solution_.status == SolveStatus::kInfeasible) {
      answer.relaxing_option = "inference.relax=true";
    }
    if (solution_.conflict.empty()) return answer;
    const auto texts = ground_rule_texts(
        program_, database_, model_, solution_.conflict, ground_options(settings_, events));
    for (std::size_t i = 0; i < texts.size(); ++i) {
      answer.conflict.push_back({model_.blocks[solution_.conflict[i].block].rule, texts[i].text});
    }
    return answer;
  }

  Program program_;  // as lower_to_hinge() makes it
  bool is_lowered_from_data_;
  std::optional<bool> depends_on_domains_;  // none until an update asks
  Database& database_;
  InferenceSettings settings_;
  GroundReport report_;
  Model model_;
  std::vector<GroundRule> rules_;  // as written: the model's hard ones may be relaxed
  Parameters parameters_;          // of the last answer
  Solution solution_;              // the last answer, or what to start from
  bool has_start_ = false;
  std::optional<Inference> inference_;  // none after the model's structure has changed
};

// Parts of the model, and what they are parts of.
Samples HingeReasoner::samples(const std::vector<double>& labels,
                               const SampleOptions& options) const {
  Samples samples;
  if (options.components_per_sample == 0) {
    samples.energies.push_back(make_hinge_energy(model_, labels, options.energy));
    return samples;
  }
  auto parts = std::make_shared<std::vector<ModelPart>>(
      split_by_components(model_, options.components_per_sample));
  for (const ModelPart& part : *parts) {
    samples.targets.emplace_back(part.atoms.begin(), part.atoms.end());
    samples.outputs.push_back(part.outputs);
  }
  if (options.share_outputs) options.share_outputs(samples.outputs);
  HingeEnergyOptions energy = options.energy;
  energy.solve.threads = 1;  // parts are small, and each has threads of its own
  for (std::size_t p = 0; p < parts->size(); ++p) {
    (*parts)[p].model.num_outputs = samples.outputs[p].size();
    std::vector<double> of_part;
    for (const AtomId atom : (*parts)[p].atoms) of_part.push_back(labels[atom]);
    samples.energies.push_back(make_hinge_energy((*parts)[p].model, std::move(of_part), energy));
  }
  samples.kept = std::move(parts);
  return samples;
}

}  // namespace

std::unique_ptr<Reasoner> make_hinge_reasoner(const ReasonerInput& input, const RunEvents& events) {
  return std::make_unique<HingeReasoner>(input, events);
}

Forecast estimate_hinge(const ReasonerInput& input,
                        double time_limit_seconds,
                        const RunEvents& events) {
  GroundOptions options;
  options.threads = inference_settings(input.options).solve.threads;
  options.on_missing_target = OnMissingTarget::kSkip;
  options.stop = events.stop;
  const Program program = lowered(input, events.stop);
  Forecast forecast = estimate(program, input.database, options, time_limit_seconds);
  forecast.sources = ground_rules_of(program);
  return forecast;
}

}  // namespace sorites
