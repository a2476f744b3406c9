// The terms of rules without summation variables.
#pragma once

#include <vector>

#include "ground/emitter.h"

namespace sorites {

class LinearEmitter : public Emitter {
 public:
  LinearEmitter(const EmitContext& context, const RuleQuery& rule, const JoinPlan& plan);

  void add(const JoinBatch& batch) override;
  std::vector<GroundAtom> atoms(const JoinBatch& batch, std::uint32_t binding) override;
  double constant(const JoinBatch& batch, std::uint32_t binding) override;

 private:
  void add_atom(std::size_t i, Range range);
  bool is_target(const LinearAtom& linear, Range range) const;
  bool has_target(const JoinBatch& batch, std::uint32_t binding) const;

  double constant_ = 0.0;
  std::vector<double> coefficient_;  // per atom of the expression
  TermDraft draft_;
};

}  // namespace sorites
