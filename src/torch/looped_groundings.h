// For benchmarks: messages by loops over all groundings of all formulas, what LogicMP does without
// its tensors. As there, literals count as independent even if they are the same atom.
#pragma once

#include <cstddef>
#include <vector>

#include "meanfield/model.h"

namespace sorites {

class LoopedGroundings {
 public:
  explicit LoopedGroundings(const MeanFieldModel& model) : model_(model) {}

  // `truth` has the marginals of open and the truth of closed predicates. Weights are one per
  // formula, and terms variables.
  AtomValues<float> messages(const AtomValues<float>& truth) const {
    AtomValues<float> result;
    for (const auto& values : truth) result.emplace_back(values.size(), 0.0F);
    for (const MeanFieldFormula& formula : model_.formulas) {
      for (const MeanFieldClause& clause : formula.clauses) add(formula, clause, truth, result);
    }
    return result;
  }

 private:
  struct Literal {
    const float* truth;
    float* message;
    bool negated;
    std::vector<std::size_t> strides;  // per variable
    std::size_t atom = 0;
  };

  std::size_t num_constants(const MeanFieldFormula& formula, std::size_t variable) const {
    return model_.domains[formula.variables[variable]].size();
  }

  void add(const MeanFieldFormula& formula,
           const MeanFieldClause& clause,
           const AtomValues<float>& truth,
           AtomValues<float>& messages) const {
    std::vector<Literal> literals;
    for (const MeanFieldLiteral& literal : clause) {
      const std::size_t p = literal.predicate;
      std::vector<std::size_t> strides(formula.variables.size(), 0);
      std::size_t stride = 1;
      for (std::size_t k = literal.terms.size(); k-- > 0;) {
        strides[literal.terms[k].index] += stride;
        stride *= num_constants(formula, literal.terms[k].index);
      }
      literals.push_back({truth[p].data(), messages[p].data(), literal.values[0] == 0, strides});
    }
    const auto weight = static_cast<float>(formula.weights[0]);
    loop(formula, 0, weight, literals);
  }

  void loop(const MeanFieldFormula& formula,
            std::size_t variable,
            float weight,
            std::vector<Literal>& literals) const {
    if (variable == formula.variables.size()) return add_grounding(weight, literals);
    const std::size_t size = num_constants(formula, variable);
    for (std::size_t c = 0; c < size; ++c) {
      loop(formula, variable + 1, weight, literals);
      for (Literal& literal : literals) literal.atom += literal.strides[variable];
    }
    for (Literal& literal : literals) literal.atom -= size * literal.strides[variable];
  }

  // An implication per literal: it is pushed as far as all others are false.
  static void add_grounding(float weight, const std::vector<Literal>& literals) {
    for (const Literal& target : literals) {
      float push = target.negated ? -weight : weight;
      for (const Literal& other : literals) {
        if (&other == &target) continue;
        push *= other.negated ? other.truth[other.atom] : 1.0F - other.truth[other.atom];
      }
      target.message[target.atom] += push;
    }
  }

  const MeanFieldModel& model_;
};

}  // namespace sorites
