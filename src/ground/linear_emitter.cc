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

bool LinearEmitter::is_target(const LinearAtom& linear, Range range) const {
  const PredicateLayout& layout = context_.layout[linear.predicate];
  return layout.open && !range.empty() &&
         plan_.tries[linear.atom]->row(range.begin) >= layout.num_observed;
}

// Whether some atom that varies within the batch is a target.
bool LinearEmitter::has_target(const JoinBatch& batch, std::uint32_t binding) const {
  return std::any_of(rule_.atoms.begin(), rule_.atoms.end(), [&](const LinearAtom& linear) {
    return batch.varies(linear.atom) && is_target(linear, batch.range(linear.atom, binding));
  });
}

// Atoms are added in the order of the expression whatever the plan was, so that a ground rule
// always gives the same term.
void LinearEmitter::add(const JoinBatch& batch) {
  bool outer_target = false;
  for (const LinearAtom& linear : rule_.atoms) {
    if (!batch.varies(linear.atom)) outer_target |= is_target(linear, batch.range(linear.atom, 0));
  }
  for (const std::uint32_t binding : batch.selected()) {
    if (is_excluded(batch, binding)) continue;
    if (!outer_target && !has_target(batch, binding)) {  // so for most, where most is observed
      writer_.count_observed();
      continue;
    }
    draft_.clear();
    draft_.offset = constant_;
    for (std::size_t i = 0; i < rule_.atoms.size(); ++i) {
      add_atom(i, batch.range(rule_.atoms[i].atom, binding));
    }
    if (!writer_.write(draft_)) writer_.count_missing(batch, binding);
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
