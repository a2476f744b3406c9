// The terms of rules without summation variables.
#pragma once

#include <vector>

#include "hinge/ground/emitter.h"

namespace sorites {

class LinearEmitter : public Emitter {
 public:
  LinearEmitter(const EmitContext& context, const RuleQuery& rule, const JoinPlan& plan);

  void add(const JoinBatch& batch) override;
  std::vector<GroundAtom> atoms(const JoinBatch& batch, std::uint32_t binding) override;
  double constant(const JoinBatch& batch, std::uint32_t binding) override;

 private:
  // What an atom of the expression adds to a term.
  struct Part {
    enum class Kind : std::uint8_t { kValue, kTarget, kOutput, kMissing };
    Kind kind = Kind::kValue;
    bool satisfies = false;  // the clause, whatever the others are
    std::uint32_t id = 0;    // of a target or output
    double value = 0.0;      // coefficient * observed value
  };

  Part part_of(std::size_t i, Range range) const;
  bool resolve(const JoinBatch& batch, std::uint32_t binding, bool varying);
  void put_together();

  double constant_ = 0.0;
  OwnVector<double> coefficient_;  // per atom of the expression
  OwnVector<Part> parts_;          // per atom of the expression, for the current binding
  TermDraft draft_;
};

}  // namespace sorites
