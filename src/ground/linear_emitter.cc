#include "ground/linear_emitter.h"

#include <algorithm>

namespace sorites {

LinearEmitter::LinearEmitter(const EmitContext& context,
                             const RuleQuery& rule,
                             const JoinPlan& plan)
    : Emitter(context, rule, plan), constant_(evaluate(rule.constant, {})) {
  for (const LinearAtom& atom : rule.atoms) coefficient_.push_back(evaluate(atom.coefficient, {}));
}

void LinearEmitter::add_atom(std::size_t i, Range range) {
  const LinearAtom& linear = rule_.atoms[i];
  if (range.empty()) {
    writer_.add_absent(linear.predicate, coefficient_[i], draft_);
  } else {
    writer_.add_row(
        linear.predicate, plan_.tries[linear.atom]->row(range.begin), coefficient_[i], draft_);
  }
}

// Whether some atom that varies within the batch is a target.
bool LinearEmitter::has_target(const JoinBatch& batch, std::uint32_t binding) const {
  return std::any_of(rule_.atoms.begin(), rule_.atoms.end(), [&](const LinearAtom& linear) {
    const PredicateLayout& layout = context_.layout[linear.predicate];
    if (!layout.open || !batch.varies(linear.atom)) return false;
    const Range range = batch.range(linear.atom, binding);
    return !range.empty() && plan_.tries[linear.atom]->row(range.begin) >= layout.num_observed;
  });
}

// Atoms whose row is the same for the whole batch are added once; each binding goes on from there.
void LinearEmitter::add(const JoinBatch& batch) {
  draft_.clear();
  draft_.offset = constant_;
  for (std::size_t i = 0; i < rule_.atoms.size(); ++i) {
    const std::size_t atom = rule_.atoms[i].atom;
    if (!batch.varies(atom)) add_atom(i, batch.range(atom, 0));
  }
  const TermDraft::Mark mark = draft_.mark();
  const bool outer_target = !draft_.atoms.empty() || !draft_.outputs.empty();
  for (const std::uint32_t binding : batch.selected()) {
    if (!outer_target && !has_target(batch, binding)) {  // so for most, where most is observed
      writer_.count_observed();
      continue;
    }
    for (std::size_t i = 0; i < rule_.atoms.size(); ++i) {
      const std::size_t atom = rule_.atoms[i].atom;
      if (batch.varies(atom)) add_atom(i, batch.range(atom, binding));
    }
    if (!writer_.write(draft_)) writer_.count_missing(batch, binding);
    draft_.cut(mark);
  }
}

std::vector<GroundAtom> LinearEmitter::atoms(const JoinBatch& batch, std::uint32_t binding) {
  std::vector<GroundAtom> atoms;
  for (std::size_t i = 0; i < rule_.atoms.size(); ++i) {
    GroundAtom atom{rule_.atoms[i].predicate, coefficient_[i], {}};
    for (const JoinArgument& argument : rule_.query.atoms[rule_.atoms[i].atom].arguments) {
      atom.arguments.push_back(argument.kind == JoinArgument::Kind::kVariable
                                   ? batch.value(argument.value, binding)
                                   : argument.value);
    }
    atoms.push_back(std::move(atom));
  }
  return atoms;
}

double LinearEmitter::constant(const JoinBatch& /*batch*/, std::uint32_t /*binding*/) {
  return constant_;
}

}  // namespace sorites
