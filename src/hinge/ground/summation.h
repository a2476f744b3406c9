// The terms of arithmetic rules with summation variables.
//
// For a binding of the ordinary variables, an atom with summation variables stands for all its rows
// below that binding. Atoms of a closed predicate that have no row are 0: they add nothing to a
// sum, but count in the cardinality |V|; those of an open predicate do not exist.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "hinge/ground/emitter.h"
#include "hinge/ground/filter.h"

namespace sorites {

class SummationEmitter : public Emitter {
 public:
  SummationEmitter(const EmitContext& context,
                   const Rule& rule,
                   const RuleQuery& query,
                   const JoinPlan& plan);

  void add(const JoinBatch& batch) override;
  std::vector<RuleAtom> atoms(const JoinBatch& batch, std::uint32_t binding) override;
  double constant(const JoinBatch& batch, std::uint32_t binding) override;

 private:
  void add_binding(const JoinBatch& batch, std::uint32_t binding);
  bool expand_all(const JoinBatch& batch, std::uint32_t binding);
  void expand(std::size_t i, Range range);
  void count_closed(const LinearAtom& atom);
  bool passes(VariableId variable, Code code);
  const std::vector<Code>& distinct_codes(PredicateId predicate, std::uint32_t column);

  std::vector<std::optional<FilterCondition>> filters_;  // per variable of the rule
  bool has_filters_ = false;
  std::map<std::pair<PredicateId, std::uint32_t>, std::vector<Code>> distinct_;
  // Of the current binding:
  std::vector<Code> codes_;                       // per variable of the rule
  std::vector<double> cardinality_;               // per variable of the rule
  std::vector<std::vector<std::uint32_t>> rows_;  // per atom: the rows it stands for
  TermDraft draft_;
};

}  // namespace sorites
