// Data to learn from, and whether anything can be learned from it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "session/learn_settings.h"
#include "session/session_state.h"
#include "sorites/evaluate.h"
#include "sorites/learn.h"

namespace sorites {

// A data set, ready to be asked.
struct LearningSet {
  std::unique_ptr<LoadedPhase> data;  // with its reasoner
  std::vector<double> labels;         // per target; kLatent where there is none

  LoadedModel& loaded() const { return data->loaded; }
  Reasoner& reasoner() const { return *data->reasoner; }
};

LearningSet learning_set(std::unique_ptr<LoadedPhase> data);

// The truth of the data per target, kLatent where there is none.
std::vector<double> labels_of(const Reasoner& reasoner, const Database& database);

// Whether the targets of a predicate are inferred: where semantics take what networks say as a
// potential, those of networks are too.
bool is_inferred(const Reasoner& reasoner, PredicateId predicate);

// Values of inferred targets and of networks, one after the other, and where each stands.
struct TargetValues {
  std::vector<AtomRange> ranges;
  std::vector<double> values;
};
TargetValues target_values(const Reasoner& reasoner,
                           std::span<const double> state,
                           std::span<const double> outputs);

// Throws InputError if it is a text of Markov logic, which has facts and queries, but nothing that
// is labelled to learn from.
void require_labels(const ModelFile& file);

// Before grounding. Throws InputError if there are no weighted rules, no targets, or no truth of
// any target, or no metric that the loss needs; where networks learn, what it needs of these.
// Returns warnings: truth of atoms that are no targets, data that is inferred too.
std::vector<Diagnostic> check_learning_data(const ModelFile& file,
                                            const LoadedModel& training,
                                            const LossMix& loss = {.structured_perceptron = 1.0});

// The program of the validation phase: its predicates with the rules that are learned. Warns of
// rules that stand for validation alone.
Program validation_program(const ModelFile& file,
                           const LoadedModel& training,
                           const LoadedModel& validation,
                           std::vector<Diagnostic>& warnings);

// After grounding, per weight: whether it can be learned, which takes a soft rule with ground
// rules. Warns of rules without ground rules; throws InputError if none is left and no network
// learns instead.
std::vector<bool> learnable_weights(const ModelFile& file,
                                    const Reasoner& reasoner,
                                    std::vector<Diagnostic>& warnings);

// The rules that `learn.fixed_rules` names, whatever the semantics makes of them. Throws InputError
// if there is no such rule, or it is hard.
std::vector<RuleId> fixed_rules(const ModelFile& file,
                                const Program& program,
                                const LearnSettings& settings);

// Which weights are learned, after all that says so. Throws InputError as learnable_weights(),
// fix_rules() and require_weights_in_domain().
std::vector<bool> weights_to_learn(const ModelFile& file,
                                   const Program& program,
                                   const Reasoner& reasoner,
                                   const LearnSettings& settings,
                                   std::vector<Diagnostic>& warnings);

// Their weights are not learned. Throws InputError as above, and if nothing is left to learn.
void fix_rules(const ModelFile& file,
               const Program& program,
               const Reasoner& reasoner,
               const LearnSettings& settings,
               std::vector<bool>& learnable);

// Throws InputError if a weight to start from is negative, and the domain has no such weights.
void require_weights_in_domain(const ModelFile& file,
                               const Reasoner& reasoner,
                               const LearnSettings& settings,
                               const std::vector<bool>& learnable);

// Only weights of these rules are learned.
void keep_learned(LearnedRules rules, const Reasoner& reasoner, std::vector<bool>& learnable);

// Warns of hard rules that the labels break, once per rule.
void warn_of_broken_rules(const ModelFile& file,
                          const LearningSet& set,
                          std::vector<Diagnostic>& warnings);

// The metric that stands for the primary evaluation of a model; null if there is none.
struct PrimaryMetric {
  PredicateId predicate = 0;
  Metric metric;
};
std::optional<PrimaryMetric> primary_metric(std::span<const EvaluationResult> results);

// What the primary metric of a set is called, and which way it is better; its value means nothing.
std::optional<Metric> primary_metric_of(const LearningSet& set);

// The primary metric of targets and outputs as learning wants it: larger is better. Empty if the
// model lists no evaluations, or the primary one is of a predicate without truth. Drops the other
// evaluations of the set, which must outlive the function.
using LearningMetric =
    std::function<double(std::span<const double> state, std::span<const double> outputs)>;
LearningMetric learning_metric(LearningSet& set);

}  // namespace sorites
