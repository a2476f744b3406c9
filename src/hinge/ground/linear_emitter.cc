#include "hinge/ground/linear_emitter.h"

namespace sorites {

LinearEmitter::LinearEmitter(const EmitContext& context,
                             const RuleQuery& rule,
                             const JoinPlan& plan)
    : Emitter(context, rule, plan),
      constant_(evaluate(rule.constant, {})),
      parts_(rule.atoms.size()) {
  for (const LinearAtom& atom : rule.atoms) coefficient_.push_back(evaluate(atom.coefficient, {}));
}

LinearEmitter::Part LinearEmitter::part_of(std::size_t i, Range range) const {
  const LinearAtom& linear = rule_.atoms[i];
  const PredicateLayout& layout = context_.layout[linear.predicate];
  if (range.empty()) {
    return {.kind = layout.open ? Part::Kind::kMissing : Part::Kind::kValue};  // closed world: 0
  }
  const std::uint32_t row = plan_.tries[linear.atom]->row(range.begin);
  if (row >= layout.num_observed) {
    return {.kind = layout.neural ? Part::Kind::kOutput : Part::Kind::kTarget,
            .id = layout.first + row - layout.num_observed};
  }
  const double value = layout.observed_value(row);
  return {.satisfies = rule_.is_clause && satisfies_clause(coefficient_[i], value),
          .value = coefficient_[i] * value};
}

// Finds the parts of the atoms that vary within the batch, or of the others. Whether one of them is
// not observed.
bool LinearEmitter::resolve(const JoinBatch& batch, std::uint32_t binding, bool varying) {
  bool unknown = false;
  for (std::size_t i = 0; i < rule_.atoms.size(); ++i) {
    const std::size_t atom = rule_.atoms[i].atom;
    if (batch.varies(atom) != varying) continue;
    parts_[i] = part_of(i, batch.range(atom, binding));
    unknown |= parts_[i].kind != Part::Kind::kValue;
  }
  return unknown;
}

// In the order of the expression whatever the plan was, so that a ground rule always gives the same
// term.
void LinearEmitter::put_together() {
  draft_.clear();
  draft_.offset = constant_;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    const double coefficient = coefficient_[i];
    switch (part.kind) {
      case Part::Kind::kValue:
        draft_.offset += part.value;
        draft_.satisfied |= part.satisfies;
        break;
      case Part::Kind::kMissing:
        draft_.missing.push_back(coefficient);
        break;
      case Part::Kind::kTarget:
        if (coefficient == 0.0) break;
        draft_.atoms.push_back(part.id);
        draft_.coefficients.push_back(coefficient);
        break;
      case Part::Kind::kOutput:
        if (coefficient == 0.0) break;
        draft_.outputs.push_back(part.id);
        draft_.output_coefficients.push_back(coefficient);
        break;
    }
  }
}

void LinearEmitter::add(const JoinBatch& batch) {
  const bool outer_unknown = resolve(batch, 0, false);
  for (const std::uint32_t binding : batch.selected()) {
    if (is_excluded(batch, binding)) continue;
    const bool unknown = resolve(batch, binding, true);
    // So for most, where most is observed. Of hard rules it matters whether they hold.
    if (!outer_unknown && !unknown && !writer_.is_hard_rule()) {
      writer_.count_observed();
      continue;
    }
    put_together();
    if (!writer_.write(draft_)) writer_.count_missing(batch, binding);
  }
}

std::vector<GroundAtom> LinearEmitter::atoms(const JoinBatch& batch, std::uint32_t binding) {
  std::vector<GroundAtom> atoms;
  for (std::size_t i = 0; i < rule_.atoms.size(); ++i) {
    atoms.push_back(
        {rule_.atoms[i].predicate, coefficient_[i], arguments_of(rule_.atoms[i], batch, binding)});
  }
  return atoms;
}

double LinearEmitter::constant(const JoinBatch& /*batch*/, std::uint32_t /*binding*/) {
  return constant_;
}

}  // namespace sorites
