// The terms of clauses with existential atoms.
//
// `exists Y: F(X, Y)` is the Lukasiewicz disjunction of F(X, y) over all constants y of the domain
// for which its guard holds: the sum of their values. Atoms without a row are false, whether their
// predicate is closed or open. So positive ones add nothing, and a negated one satisfies the
// clause.
#pragma once

#include <optional>
#include <vector>

#include "hinge/ground/emitter.h"
#include "hinge/ground/filter.h"

namespace sorites {

class ExistentialEmitter : public Emitter {
 public:
  ExistentialEmitter(const EmitContext& context, const RuleQuery& rule, const JoinPlan& plan);

  void add(const JoinBatch& batch) override;
  std::vector<RuleAtom> atoms(const JoinBatch& batch, std::uint32_t binding) override;
  double constant(const JoinBatch& batch, std::uint32_t binding) override;

 private:
  void bind(const JoinBatch& batch, std::uint32_t binding);
  void put_together(const JoinBatch& batch, std::uint32_t binding);
  void add_literal(std::size_t i, std::uint32_t row);
  std::vector<std::uint32_t> rows_of(std::size_t i, Range range);
  std::uint64_t num_values(std::size_t i);
  void count_values(std::size_t i, std::size_t variable, std::uint64_t& count);

  std::vector<std::optional<FilterCondition>> guards_;    // per atom of the expression
  std::vector<std::vector<VariableId>> summed_;           // per atom: its variables, each once
  std::vector<std::vector<std::uint32_t>> domain_sizes_;  // per atom, per such variable
  double constant_ = 0.0;
  std::vector<double> coefficient_;  // per atom of the expression
  std::vector<Code> codes_;          // per variable of the rule, of the current binding
  TermDraft draft_;
};

}  // namespace sorites
