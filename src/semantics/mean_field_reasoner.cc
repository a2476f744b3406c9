#include "semantics/mean_field_reasoner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <stop_token>
#include <utility>

#include "base/diagnostics.h"
#include "base/stable_hash.h"
#include "data/open_world.h"
#include "hinge/model/rule_numbers.h"
#include "hinge/problem/deadline.h"
#include "meanfield/explain_program.h"
#include "meanfield/hard_propagation.h"
#include "meanfield/lower.h"
#include "meanfield/mean_field_energy.h"
#include "meanfield/narrow_domains.h"
#include "meanfield/split_model.h"
#include "semantics/fact_samples.h"
#include "semantics/mean_field_explanation.h"
#include "semantics/mean_field_settings.h"
#include "sorites/learn.h"

namespace sorites {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void refuse(std::string_view what) {
  Diagnostics sink;
  sink.error(DiagnosticCode::kUnfitSemantics,
             Span{},
             fmt::format("Markov logic is inferred without grounding: there is no {}", what))
      .notes.push_back({"`sorites estimate` shows what inference does; `--semantics hinge` grounds "
                        "the same rules",
                        {}});
  throw InputError(sink.take_sorted());
}

void require_room(const Predicate& predicate, double count) {
  constexpr double kMostRows = 1e9;  // rows of a table
  if (count <= kMostRows) return;
  Diagnostics sink;
  sink.error(DiagnosticCode::kTooManyAtoms,
             Span{},
             fmt::format(
                 "`{}` has {:.3g} unknown atoms, more than can be shown", predicate.name, count))
      .notes.push_back({"name the atoms that matter as queries", {}});
  throw InputError(sink.take_sorted());
}

// Ranges of the target rows of predicates, in their order.
void add_range(const Database& database, PredicateId predicate, std::vector<AtomRange>& ranges) {
  const auto count =
      static_cast<std::uint32_t>(database.relation(predicate).table(Partition::kTarget).num_rows);
  if (count == 0) return;
  const std::uint32_t first = ranges.empty() ? 0 : ranges.back().first + ranges.back().count;
  ranges.push_back({predicate, first, count});
}

bool has_targets(const Program& program, const Database& database) {
  for (PredicateId p = 0; p < program.predicates.size(); ++p) {
    if (database.relation(p).table(Partition::kTarget).num_rows > 0) return true;
  }
  return false;
}

// The program as options change it. If nothing is asked for, or everything is, all unknown atoms of
// open worlds become targets. Throws Interrupted.
Program with_targets(const ReasonerInput& input, const std::stop_token& stop) {
  Program program = with_world_options(input.program, input.database, input.options);
  const bool all = mean_field_settings(input.options).all_atoms;
  if (!all && has_targets(program, input.database)) return program;
  for (PredicateId p = 0; p < program.predicates.size(); ++p) {
    const Predicate& predicate = program.predicates[p];
    if (!predicate.open || !predicate.open_world) continue;
    require_room(predicate, num_atoms(input.database, p));
    add_unknown_atoms(input.database, p, stop);
  }
  return program;
}

std::size_t num_known(const std::vector<double>& labels) {
  return static_cast<std::size_t>(
      std::count_if(labels.begin(), labels.end(), [](double label) { return !std::isnan(label); }));
}

// Scales and means of messages are those of the whole model, which parts of it do not know.
bool looks_at_all_atoms(const MeanFieldOptions& options) {
  return options.centre_messages || options.weight_scale == WeightScale::kLargestMessage ||
         options.weight_scale == WeightScale::kSmallestMessage;
}

MeanFieldOptions with_stop(MeanFieldOptions options, std::stop_token stop) {
  options.stop = std::move(stop);
  return options;
}

class MeanFieldReasoner : public Reasoner {
 public:
  MeanFieldReasoner(const ReasonerInput& input, const RunEvents& events)
      : program_(with_targets(input, events.stop)),
        database_(input.database),
        settings_(mean_field_settings(input.options)),
        model_(mean_field_model(program_, database_, events.stop)),
        layer_(model_, with_stop(settings_.options, events.stop)),
        rules_(ground_rules_of(program_)) {
    for (PredicateId p = 0; p < program_.predicates.size(); ++p) {
      if (!program_.predicates[p].open) continue;
      add_range(database_, p, targets_);
      if (program_.predicates[p].neural) add_range(database_, p, outputs_);
    }
  }

  std::span<const AtomRange> targets() const override { return targets_; }
  std::span<const AtomRange> outputs() const override { return outputs_; }
  const std::vector<GroundRule>& rules() const override { return rules_; }

  void apply_options(Program& program) const override {
    for (std::size_t p = 0; p < program.predicates.size(); ++p) {
      program.predicates[p].open = program_.predicates[p].open;
      program.predicates[p].open_world = program_.predicates[p].open_world;
    }
  }

  ModelSize size() const override {
    const MeanFieldPlan& plan = layer_.plan();
    ModelSize size{.atoms = static_cast<double>(plan.unknown_atoms),
                   .terms = plan.groundings,
                   .bytes = static_cast<double>(plan.bytes),
                   .rule_terms = std::vector<double>(rules_.size()),
                   .rule_bytes = std::vector<double>(rules_.size())};
    for (std::size_t f = 0; f < model_.formulas.size(); ++f) {
      size.rule_terms[model_.formulas[f].rule] += plan.formulas[f].groundings;
    }
    return size;
  }

  // Whether hard formulas contradict each other, inference finds out.
  void require_fitting_method(const RunEvents& events) override {
    const MarkovMethod method = settings_.method.method;
    if (method == MarkovMethod::kMeanField) return;
    propagate(events);
    if (!propagated_->conflict.empty()) return;
    const AtomValues<double> unaries = unaries_of<double>(model_);
    require_fitting(method,
                    network_of({model_, unaries, propagated_->determined}, name_of(method), events),
                    model_);
  }

  std::vector<double> weights() const override { return model_.weights; }

  std::vector<WeightSlot> weight_slots() const override {
    std::vector<WeightSlot> slots;
    std::optional<meanfield::NarrowedDomains> domains;
    for (std::uint32_t r = 0; r < model_.rules.size(); ++r) {
      if (model_.rules[r].plus && !domains) {
        domains = meanfield::narrow_domains(program_, database_);
      }
      for (std::size_t i = 0; i < model_.rules[r].num_weights; ++i) {
        slots.push_back({r, {}});
        if (model_.rules[r].plus) slots.back().constants = constants_of(r, i, *domains);
      }
    }
    return slots;
  }

  void set_weights(std::vector<double> weights) override {
    sorites::set_weights(model_, weights);
    for (std::size_t r = 0; r < rules_.size(); ++r) {
      const MeanFieldRule& rule = model_.rules[r];
      if (!rule.hard && !rule.plus) rules_[r].weight = weights[rule.first_weight];
    }
    network_.reset();
    for (std::size_t f = 0; f < model_.formulas.size(); ++f) {
      if (!model_.formulas[f].hard) layer_.set_weights(f, model_.formulas[f].weights);
    }
  }

  Parameters parameters(std::span<const double> weights) const override {
    Parameters result;
    result.weights.assign(weights.begin(), weights.end());
    return result;
  }

  Answer infer(std::span<const double> network_outputs, const RunEvents& events) override {
    propagate(events);
    unaries_ = unaries_of<double>(model_);
    add_outputs(network_outputs);
    if (settings_.method.method != MarkovMethod::kMeanField) return infer_on_ground(events);
    MeanFieldResult<double> result = iterate(events);
    Answer answer;
    answer.status = status_of(result, events.stop.stop_requested());
    answer.method = "mean-field";
    answer.iterations = result.iterations;
    answer.change = result.change;
    answer.free_energy = std::move(result.free_energy);
    violations_ = std::move(result.violations);
    marginals_ = std::move(result.marginals);
    judge(answer);
    for (const MeanFieldAtom& target : model_.task.targets) {
      answer.values.push_back(number_of(target, marginals_));
    }
    const auto is_finite = [](double value) { return std::isfinite(value); };
    if (!std::all_of(answer.values.begin(), answer.values.end(), is_finite)) {
      answer.status = SolveStatus::kNumericalError;
      answer.message =
          "a probability is not a number: weights or outputs of networks are too large";
    }
    tell_conflict(answer);
    if (answer.status == SolveStatus::kInfeasible) {
      answer.relaxing_option = "meanfield.propagation_steps=0";
    }
    values_ = answer.values;
    return answer;
  }

  std::vector<RuleStatistics> statistics() const override {
    std::vector<RuleStatistics> rules(rules_.size());
    const ModelSize sizes = size();
    for (std::size_t r = 0; r < rules.size(); ++r) rules[r].terms = sizes.rule_terms[r];
    for (std::size_t f = 0; f < violations_.size(); ++f) {
      const MeanFieldFormula& formula = model_.formulas[f];
      RuleStatistics& rule = rules[formula.rule];
      for (std::size_t i = 0; i < violations_[f].size(); ++i) {
        rule.distance += std::max(violations_[f][i], 0.0);
        if (!formula.hard) rule.energy += formula.weights[i] * violations_[f][i];
      }
    }
    for (RuleStatistics& rule : rules) rule.satisfied = std::max(rule.terms - rule.distance, 0.0);
    return rules;
  }

  bool infers_all_of(PredicateId predicate) const override {
    return program_.predicates[predicate].open && program_.predicates[predicate].open_world;
  }

  AtomExplanation explain_atom(TargetRow atom,
                               std::size_t limit,
                               const RunEvents& /*events*/) const override {
    if (atom.row == kNoTarget) {
      const auto found = find_atom(model_, atom.predicate, atom.arguments);
      if (!found) throw std::invalid_argument("explain_atom: there is no such atom");
      return explain_mean_field_atom(question(), *found, limit);
    }
    for (const AtomRange& range : targets_) {
      if (range.predicate != atom.predicate) continue;
      return explain_mean_field_atom(
          question(), model_.task.targets[range.first + atom.row], limit);
    }
    throw std::invalid_argument("explain_atom: the predicate has no targets");
  }

  RuleExplanation explain_rule(std::uint32_t rule,
                               std::size_t limit,
                               const RunEvents& /*events*/) const override {
    RuleExplanation result = explain_mean_field_rule(question(), rule, limit);
    result.statistics = statistics()[rule];
    std::optional<double>& worst = result.statistics.worst;
    if (result.all_seen && limit > 0) worst = 0.0;
    for (const GroundRuleEffect& effect : result.worst) {
      worst = std::max(worst.value_or(0.0), effect.distance);
    }
    return result;
  }

  Samples samples(const std::vector<double>& labels, const SampleOptions& options) const override {
    MeanFieldOptions inference = settings_.learning;
    inference.track_free_energy = false;
    inference.stop = options.energy.solve.stop;
    MeanFieldModel model = model_;
    model.task.labels = labels;
    Samples samples;
    samples.loss_scale = 1.0 / static_cast<double>(std::max<std::size_t>(num_known(labels), 1));
    std::vector<MeanFieldPart> parts;
    if (options.components_per_sample > 0) {
      if (looks_at_all_atoms(inference)) {
        samples.undivided = "its inference looks at all atoms at once";
      } else {
        parts = split_by_constants(model, options.components_per_sample);
        if (parts.empty()) samples.undivided = "there is no domain whose constants fall into parts";
      }
    }
    if (parts.size() < 2) {
      samples.energies.push_back(make_mean_field_energy(std::move(model), inference));
      return samples;
    }
    samples.regularizer_scale = static_cast<double>(parts.size());
    samples.loss_scale *= samples.regularizer_scale;  // a mean per step
    for (MeanFieldPart& part : parts) {
      samples.targets.push_back(std::move(part.targets));
      samples.outputs.push_back(std::move(part.outputs));
      samples.energies.push_back(make_mean_field_energy(std::move(part.model), inference));
    }
    return samples;
  }

  std::optional<FactSamples> fact_samples(std::uint64_t seed, const RunEvents& events) override {
    propagate(events);
    if (!propagated_->conflict.empty()) throw_conflict();
    return samples_of_facts(program_, model_, settings_, seed, events);
  }

  std::vector<std::size_t> broken_by(std::span<const double> /*labels*/) const override {
    return std::vector<std::size_t>(rules_.size(), 0);
  }

  std::uint64_t fingerprint() const override {
    StableHash hash;
    const auto add = [&](std::uint64_t number) { hash.add(number); };
    for (const MeanFieldDomain& domain : model_.domains) add(domain.size());
    for (const MeanFieldAtom& target : model_.task.targets) {
      add(target.predicate);
      add(target.atom);
      add(target.value);
    }
    for (const MeanFieldFormula& formula : model_.formulas) {
      add(formula.hard ? 1 : 0);
      hash.add(std::string_view(formula.text));
    }
    return hash.value();
  }

  bool update(std::span<const RowChange> /*changes*/, const RunEvents& /*events*/) override {
    return false;
  }
  void start_from(std::vector<double> values) override { values_ = std::move(values); }
  std::span<const double> last_values() const override { return values_; }

  void require_energies() const override { refuse("energy per ground component"); }
  std::vector<ComponentEnergy> energies(std::span<const double> /*values*/) const override {
    refuse("energy per ground component");
  }

  void require_states() const override { refuse("state to keep"); }
  void load_state(const std::string& /*path*/) override { refuse("state to start from"); }
  void save_state(const std::string& /*path*/) const override { refuse("state to keep"); }
  void save_snapshot(const std::string& /*path*/) const override { refuse("snapshot"); }

  // Inference mostly does without.
  Grounding ground(const RunEvents& events) override {
    return {{}, size_of(ground_network(events), model_)};
  }
  void write_ground_rules(std::ostream& out, const RunEvents& events) override {
    write_network({program_, database_, model_, marginals_}, ground_network(events), out);
  }

 private:
  // Throws Interrupted if not one iteration was made.
  MeanFieldResult<double> iterate(const RunEvents& events) {
    std::stop_source stop;
    const std::stop_callback pass_on(events.stop, [&] { stop.request_stop(); });
    const auto start = Clock::now();
    double before = 0.0, longest = 0.0;  // seconds
    const bool judged = settings_.options.updates == MeanFieldUpdates::kDescending;
    MeanFieldOptions options = with_stop(settings_.options, stop.get_token());
    options.on_iteration = [&](std::size_t iteration, double change) {
      if (events.progress) {
        events.progress({"solving",
                         -1.0,
                         fmt::format("iteration {} of at most {}, change {:.1e}",
                                     iteration,
                                     options.iterations,
                                     change)});
      }
      const double elapsed = std::chrono::duration<double>(Clock::now() - start).count();
      longest = std::max(longest, elapsed - std::exchange(before, elapsed));
      // Another iteration, and to judge where it leads, which takes about as long.
      const double next = judged ? 0.0 : 2.0 * longest;
      if (elapsed + next > settings_.time_limit_seconds) stop.request_stop();
    };
    layer_.set_options(options);
    MeanFieldResult<double> result = layer_.infer(unaries_);
    if (result.stopped && result.iterations == 0) throw Interrupted();
    // What is judged in a moment is judged when time is over, too; and always if it was the user
    // who has stopped it, since he can do that again.
    constexpr double kMoment = 0.2;  // seconds
    const bool out_of_time = settings_.time_limit_seconds < Deadline::kYear;
    const bool hurries = out_of_time && longest > kMoment;
    layer_.set_options(with_stop(settings_.options, hurries ? events.stop : std::stop_token{}));
    return result;
  }

  // Made when it is looked at first.
  const GroundNetwork& ground_network(const RunEvents& events) {
    if (network_) return *network_;
    propagate(events);
    if (!propagated_->conflict.empty()) throw_conflict();
    const AtomValues<double> unaries = unaries_of<double>(model_);
    network_ = network_of({model_, unaries, propagated_->determined}, "ground", events);
    return *network_;
  }

  // Exactly, or by samples.
  Answer infer_on_ground(const RunEvents& events) {
    MeanFieldOptions none = with_stop(settings_.options, events.stop);
    none.updates = MeanFieldUpdates::kPlain;  // what the potentials alone say
    none.iterations = 0;
    layer_.set_options(none);
    marginals_ = layer_.infer(unaries_).marginals;
    AtomValues<double> errors;
    Answer answer;
    if (propagated_->conflict.empty()) {
      answer = infer_ground({model_, unaries_, propagated_->determined},
                            settings_.method,
                            events,
                            marginals_,
                            errors);
    }
    answer.method = name_of(settings_.method.method);
    violations_.clear();
    const double objective = answer.objective;
    judge(answer);
    if (answer.lower_bound) answer.objective = objective;
    for (const MeanFieldAtom& target : model_.task.targets) {
      answer.values.push_back(number_of(target, marginals_));
      if (!errors.empty()) answer.errors.push_back(number_of(target, errors));
    }
    tell_conflict(answer);
    values_ = answer.values;
    return answer;
  }

  // Makes what hard formulas entail known, once; it does not depend on weights.
  void propagate(const RunEvents& events) {
    if (propagated_) return;
    propagated_.emplace();
    if (settings_.propagation.max_steps == 0) return;
    HardPropagationOptions options = settings_.propagation;
    options.stop = events.stop;
    *propagated_ = propagate_hard(model_, options);
    if (events.stop.stop_requested()) throw Interrupted();
    for (std::uint32_t p = 0; p < model_.predicates.size(); ++p) {
      const std::vector<KnownAtom>& determined = propagated_->determined[p];
      if (determined.empty()) continue;
      std::vector<KnownAtom> known = known_atoms(model_, p);
      known.insert(known.end(), determined.begin(), determined.end());
      layer_.set_known(p, std::move(known));
    }
    if (propagated_->complete || !events.diagnostic) return;
    Diagnostics sink;
    sink.warning(DiagnosticCode::kHardRulesInPart,
                 Span{},
                 fmt::format("what hard formulas entail was followed for {} steps only: "
                             "contradictions may be unseen, and atoms that follow from facts may "
                             "have probabilities between 0 and 1",
                             options.max_steps))
        .notes.push_back({"raise the limit (meanfield.propagation_steps)", {}});
    for (const Diagnostic& diagnostic : sink.take_sorted()) events.diagnostic(diagnostic);
  }

  // Where there is no answer that could tell.
  [[noreturn]] void throw_conflict() const {
    Diagnostics sink;
    Diagnostic& error = sink.error(DiagnosticCode::kContradiction,
                                   Span{},
                                   "the facts and the hard formulas contradict each other");
    for (const HardGrounding& grounding : propagated_->conflict) {
      error.notes.push_back({hard_grounding_text(program_, database_, model_, grounding),
                             model_.formulas[grounding.formula].place});
    }
    throw InputError(sink.take_sorted());
  }

  void tell_conflict(Answer& answer) const {
    if (propagated_->conflict.empty()) return;
    answer.status = SolveStatus::kInfeasible;
    answer.conflict_is_irreducible = propagated_->conflict.size() == 1;
    for (const HardGrounding& grounding : propagated_->conflict) {
      answer.conflict.push_back({model_.formulas[grounding.formula].rule,
                                 hard_grounding_text(program_, database_, model_, grounding)});
    }
  }

  // What the marginals are worth, and how far hard formulas are violated by them: the largest
  // expected number of groundings. Not known, if the time is over and it would take long.
  void judge(Answer& answer) {
    try {
      if (violations_.empty()) violations_ = layer_.violations(marginals_);
      answer.objective = layer_.free_energy(unaries_, marginals_, violations_);
    } catch (const Interrupted&) {
      answer.objective = answer.max_violation = std::numeric_limits<double>::quiet_NaN();
      return;
    }
    answer.max_violation = 0.0;
    for (std::size_t f = 0; f < model_.formulas.size(); ++f) {
      if (!model_.formulas[f].hard) continue;
      answer.max_violation = std::max(answer.max_violation, violations_[f][0]);
    }
  }

  SolveStatus status_of(const MeanFieldResult<double>& result, bool interrupted) const {
    if (result.stopped) return interrupted ? SolveStatus::kInterrupted : SolveStatus::kTimeLimit;
    if (result.change <= settings_.options.tolerance) return SolveStatus::kConverged;
    return settings_.options.tolerance > 0.0 ? SolveStatus::kIterationLimit : SolveStatus::kDone;
  }

  // The texts of the constants that one of the weights of a rule is for.
  std::vector<std::string> constants_of(std::uint32_t r,
                                        std::size_t weight,
                                        const meanfield::NarrowedDomains& domains) const {
    const Rule& rule = program_.rules[r];
    std::vector<std::string> constants(rule.weighted.size());
    for (std::size_t i = rule.weighted.size(); i-- > 0;) {
      const MeanFieldDomain& domain = domains.domains[domains.of_variable[r][rule.weighted[i]]];
      const Code code = domain.codes[weight % domain.size()];
      weight /= domain.size();
      constants[i] = database_.dictionary(domain.domain).text(code);
    }
    return constants;
  }

  // What networks say, as log-odds.
  void add_outputs(std::span<const double> network_outputs) {
    for (std::size_t k = 0; k < network_outputs.size(); ++k) {
      const MeanFieldAtom& atom = model_.task.outputs[k];
      const bool of_class = model_.predicates[atom.predicate].num_classes() > 0;
      unaries_[atom.predicate][place_of(atom)] += unary_of_output(network_outputs[k], of_class);
    }
  }

  std::size_t place_of(const MeanFieldAtom& atom) const {
    const std::uint32_t classes = model_.predicates[atom.predicate].num_classes();
    return classes == 0 ? atom.atom : atom.atom * classes + atom.value;
  }

  double number_of(const MeanFieldAtom& atom, const AtomValues<double>& numbers) const {
    return std::clamp(numbers[atom.predicate][place_of(atom)], 0.0, 1.0);
  }

  MeanFieldQuestion question() const {
    return {program_, database_, model_, settings_.options, marginals_, unaries_};
  }

  Program program_;
  Database& database_;
  MeanFieldSettings settings_;
  MeanFieldModel model_;
  // In double precision: of a free energy that sums millions of groundings, single precision does
  // not see whether it falls.
  ExactMeanField layer_;
  std::optional<HardPropagation> propagated_;
  std::optional<GroundNetwork> network_;  // with present weights
  std::vector<GroundRule> rules_;
  std::vector<AtomRange> targets_, outputs_;
  // Of the last answer.
  AtomValues<double> unaries_, marginals_;
  std::vector<std::vector<double>> violations_;  // empty: not known, as time was over
  std::vector<double> values_;                   // of the targets
};

}  // namespace

std::unique_ptr<Reasoner> make_mean_field_reasoner(const ReasonerInput& input,
                                                   const RunEvents& events) {
  if (!input.from_snapshot.empty()) refuse("snapshot");
  // Integer atoms are nothing special: all are 0 or 1, and values are the probabilities of 1.
  return std::make_unique<MeanFieldReasoner>(input, events);
}

Forecast estimate_mean_field(const ReasonerInput& input,
                             double /*time_limit_seconds*/,
                             const RunEvents& events) {
  const auto start = Clock::now();
  const Program program = with_world_options(input.program, input.database, input.options);
  const MeanFieldModel model = mean_field_model(program, input.database, events.stop);
  const MeanFieldOptions options =
      with_stop(mean_field_settings(input.options).options, events.stop);
  MeanFieldPlan plan = plan_mean_field(model, options, sizeof(double));
  Forecast forecast;
  forecast.rules.resize(program.rules.size());
  for (RuleForecast& rule : forecast.rules) rule.exact = true;
  for (std::size_t f = 0; f < model.formulas.size(); ++f) {
    RuleForecast& rule = forecast.rules[model.formulas[f].rule];
    rule.terms += plan.formulas[f].groundings;
    rule.operations += plan.formulas[f].operations;
    auto& steps = plan.formulas[f].steps;
    rule.steps.insert(rule.steps.end(), steps.begin(), steps.end());
  }
  forecast.sources = ground_rules_of(program);
  forecast.index_memory_bytes = plan.bytes;
  forecast.atoms = static_cast<double>(plan.unknown_atoms);
  forecast.operations = plan.operations;
  forecast.steps = std::move(plan.steps);
  forecast.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return forecast;
}

}  // namespace sorites
