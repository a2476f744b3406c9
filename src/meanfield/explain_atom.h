// Why an atom of a Markov logic model has its marginal: which formulas push it, how far, and by
// which groundings. And how well a formula holds.
//
// Mean field sets the log-odds of an atom to its unary potential plus what every formula adds
// (Xu et al. 2024, equations 2 and 3). A grounding adds something as far as everything else in it
// leaves the matter to this atom: its weight times the probability that all its other literals
// fail.
//
//   const auto why = explain_atom(model, marginals, unaries, predicate, atom);
//   for (const FormulaPush& push : why.formulas) {
//     use(model.formulas[push.formula].text, push.log_odds);
//   }
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "meanfield/model.h"

namespace sorites {

// An atom and values: it has one of them.
struct MeanFieldCondition {
  std::uint32_t predicate = 0;
  std::uint64_t atom = 0;
  std::vector<std::uint32_t> values;
  double probability = 0.0;
};

// One grounding of a clause of a formula.
struct MeanFieldGrounding {
  std::size_t clause = 0;  // which of the formula's
  // Weight (as MeanFieldOptions::weight_scale has it) times the probability of all conditions: what
  // it adds to the log-odds of each of `values`, against the others.
  double push = 0.0;
  std::vector<std::uint32_t> values;           // of the atom, at which the clause holds
  std::vector<MeanFieldCondition> conditions;  // the other literals fail
};

// How well a formula holds if atoms were independent with their marginals.
struct MeanFieldFormulaExplanation {
  std::size_t formula = 0;
  double groundings = 0.0;
  double violated = 0.0;  // how many of them are expected to be violated
  double cost = 0.0;  // the same, each times its weight: below 0 if the weight is; 0 of hard ones
  // Those that cost most: `push` is the cost, of a hard formula how often it is expected to be
  // violated; the conditions are all its literals, and `values` are empty.
  std::vector<MeanFieldGrounding> worst;
  bool all_seen = true;  // false: too many to look at, there may be worse ones
};

// What a formula does to the atom.
struct FormulaPush {
  std::size_t formula = 0;
  // What it adds to the log-odds: one number, for true against false; with classes one per class,
  // against their mean. If messages are centred, less their mean over the predicate's atoms.
  std::vector<double> log_odds;
  std::vector<MeanFieldGrounding> groundings;  // those that push hardest, hardest first
  bool all_seen = true;  // false: too many to look at, there may be harder ones
};

struct MeanFieldAtomExplanation {
  // All in the form of FormulaPush::log_odds.
  std::vector<double> marginal;  // with classes one per class
  std::vector<double> log_odds;  // of one more iteration: unary plus all pushes
  std::vector<double> unary;
  std::vector<FormulaPush> formulas;  // that may have the atom, hardest push first
};

struct MeanFieldExplainOptions {
  MeanFieldOptions mean_field;         // hard_weight, weight_scale, centre_messages, threads, plan
  std::size_t max_formulas = 10;       // of the hardest so many, groundings are looked for
  std::size_t max_groundings = 5;      // per formula: the hardest, or the worst
  std::size_t max_steps = 20'000'000;  // of the search for them, per formula
};

// `marginals` and `unaries` as of ExactMeanField. Throws std::invalid_argument if the predicate is
// closed, or the atom is none of it.
MeanFieldAtomExplanation explain_atom(const MeanFieldModel& model,
                                      const AtomValues<double>& marginals,
                                      const AtomValues<double>& unaries,
                                      std::uint32_t predicate,
                                      std::uint64_t atom,
                                      const MeanFieldExplainOptions& options = {});

// Weights are as they are, whatever `weight_scale` says. Throws std::invalid_argument if there is
// no such formula.
MeanFieldFormulaExplanation explain_formula(const MeanFieldModel& model,
                                            const AtomValues<double>& marginals,
                                            std::size_t formula,
                                            const MeanFieldExplainOptions& options = {});

// The size of a push: by how much it moves values apart.
double strength_of(const std::vector<double>& log_odds);

// The numbers of one atom among those of all: one, or one per class.
std::vector<double> numbers_of(const MeanFieldModel& model,
                               const AtomValues<double>& values,
                               std::uint32_t predicate,
                               std::uint64_t atom);

// Numbers of classes matter up to a constant: with a mean of zero.
std::vector<double> centred(std::vector<double> log_odds);

// The messages of one formula are those of a model that has no other.
MeanFieldModel with_formula_alone(const MeanFieldModel& model, std::size_t formula);

}  // namespace sorites
