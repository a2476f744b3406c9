#include "hinge/ground/linear_emitter.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "hinge/model/residual.h"

namespace sorites {
namespace {

constexpr std::size_t kMostShaped = 64;  // atoms, each with a bit

// What add_term() does, of which there is little to do for most terms.
void append_term(TermBlock& block, const OwnVector<AtomId>& atoms, double offset) {
  if (block.num_terms == 0 || (block.offsets.empty() && offset != block.offset)) {
    return add_term(block, atoms, {}, offset);
  }
  const std::size_t first = block.atoms.size();
  block.atoms.extend(atoms.size());
  for (std::size_t k = 0; k < atoms.size(); ++k) block.atoms[first + k] = atoms[k];
  if (!block.offsets.empty()) block.offsets.push_back(offset);
  ++block.num_terms;
}

}  // namespace

LinearEmitter::LinearEmitter(const EmitContext& context,
                             const RuleQuery& rule,
                             const JoinPlan& plan)
    : Emitter(context, rule, plan),
      constant_(evaluate(rule.constant, {})),
      sign_(rule.decisive_sign().value_or(0.0)),
      fixed_(sign_ * constant_),
      counts_missing_(context.on_missing_target != OnMissingTarget::kZero),
      has_shapes_(!context.count_all && sign_ != 0.0 && rule.atoms.size() <= kMostShaped),
      parts_(rule.atoms.size()) {
  for (std::size_t i = 0; i < rule.atoms.size(); ++i) {
    const LinearAtom& atom = rule.atoms[i];
    const double coefficient = evaluate(atom.coefficient, {});
    coefficient_.push_back(coefficient);
    if (rule.query.atoms[atom.atom].implied) {  // of value 1
      parts_[i] = {.value = coefficient};
      fixed_ += sign_ * coefficient;
    } else {
      sources_.push_back(
          {i, atom.atom, plan.tries[atom.atom], &context_.layout[atom.predicate], coefficient});
    }
  }
}

LinearEmitter::Part LinearEmitter::part_of(const Source& source, Range range) const {
  const PredicateLayout& layout = *source.layout;
  if (range.empty()) {
    return {.kind = layout.open ? Part::Kind::kMissing : Part::Kind::kValue};  // closed world: 0
  }
  const std::uint32_t row = source.trie->row(range.begin);
  if (row >= layout.num_observed) {
    return {.kind = layout.neural ? Part::Kind::kOutput : Part::Kind::kTarget,
            .id = layout.first + row - layout.num_observed};
  }
  const double value = layout.observed_value(row);
  return {.satisfies = rule_.is_clause && satisfies_clause(source.coefficient, value),
          .value = source.coefficient * value};
}

// Finds the parts of the atoms that vary within the batch, or of the others.
LinearEmitter::Outlook LinearEmitter::resolve(const JoinBatch& batch,
                                              std::uint32_t binding,
                                              bool varying) {
  Outlook outlook;
  for (const Source& source : sources_) {
    if (batch.varies(source.atom) != varying) continue;
    Part& part = parts_[source.part];
    part = part_of(source, batch.range(source.atom, binding));
    if (part.kind == Part::Kind::kValue) {
      outlook.satisfied |= part.satisfies;
      outlook.largest += sign_ * part.value;
    } else {
      outlook.unknown |= counts_missing_ || part.kind != Part::Kind::kMissing;
      outlook.special |= part.kind != Part::Kind::kTarget;
      outlook.largest += std::max(0.0, sign_ * source.coefficient);
    }
  }
  return outlook;
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

// One binding, whatever its atoms are. Those that do not vary are resolved.
void LinearEmitter::add_one(const JoinBatch& batch, std::uint32_t binding, const Outlook& outer) {
  const Outlook inner = resolve(batch, binding, true);
  const bool unknown = outer.unknown || inner.unknown;
  // So for most, where most is observed. Of hard rules it matters whether they hold.
  if (!unknown && !writer_.is_hard_rule()) return writer_.count_observed();
  const bool satisfied =
      outer.satisfied || inner.satisfied || fixed_ + outer.largest + inner.largest <= 0.0;
  if (unknown && sign_ != 0.0 && satisfied) return writer_.count_satisfied();
  put_together();
  if (!writer_.write(draft_)) writer_.count_missing(batch, binding);
}

// Finds the parts of the atoms that vary; false if one of them is missing, or of a network. Does
// what part_of() does, for the bindings of which there are most.
bool LinearEmitter::find_varying(std::uint32_t binding, std::uint64_t& targets, bool& satisfied) {
  for (const auto& [source, ranges] : varying_) {
    const Range range = ranges[binding];
    const PredicateLayout& layout = *source->layout;
    Part& part = parts_[source->part];
    if (range.empty() || layout.neural) {
      part = part_of(*source, range);
      satisfied |= part.satisfies;
      if (part.kind != Part::Kind::kValue) return false;
      continue;
    }
    const std::uint32_t row = source->trie->row(range.begin);
    if (row < layout.num_observed) {
      const double value = source->trie->value(range.begin);
      part.kind = Part::Kind::kValue;
      part.value = source->coefficient * value;
      satisfied |= rule_.is_clause && satisfies_clause(source->coefficient, value);
    } else {
      part.kind = Part::Kind::kTarget;
      part.id = layout.first + row - layout.num_observed;
      part.value = 0.0;
      if (source->coefficient != 0.0) targets |= std::uint64_t{1} << source->part;
    }
  }
  return true;
}

LinearEmitter::Shape& LinearEmitter::shape_of(std::uint64_t targets) {
  if (last_shape_ < shapes_.size() && shapes_[last_shape_].targets == targets) {
    return shapes_[last_shape_];
  }
  for (last_shape_ = 0; last_shape_ < shapes_.size(); ++last_shape_) {
    if (shapes_[last_shape_].targets == targets) return shapes_[last_shape_];
  }
  Shape& shape = shapes_.emplace_back();
  shape.targets = targets;
  for (std::size_t i = 0; i < coefficient_.size(); ++i) {
    if ((targets >> i & 1U) == 0) continue;
    shape.coefficients.push_back(sign_ * coefficient_[i]);
    shape.reach += std::max(0.0, shape.coefficients.back());
    shape.size += std::abs(coefficient_[i]);
  }
  return shape;
}

// Writes the term of the current parts; false if two of its targets are the same.
bool LinearEmitter::write_shape(std::uint64_t targets, double offset) {
  Shape& shape = shape_of(targets);
  const double negligible = writer_.is_hard_rule() ? kResidualRounding : kSumRounding * shape.size;
  if (sign_ * offset + shape.reach <= negligible) {
    writer_.count_satisfied();
    return true;
  }
  ids_.clear();
  for (std::uint64_t rest = targets; rest != 0; rest &= rest - 1) {
    ids_.push_back(parts_[static_cast<std::size_t>(std::countr_zero(rest))].id);
  }
  if (writer_.may_repeat()) {
    for (std::size_t i = 1; i < ids_.size(); ++i) {
      if (std::find(ids_.begin(), ids_.begin() + static_cast<std::ptrdiff_t>(i), ids_[i]) !=
          ids_.begin() + static_cast<std::ptrdiff_t>(i)) {
        return false;
      }
    }
  }
  TaskResult& result = writer_.result();
  if (shape.result != num_results_) {
    shape.result = num_results_;
    const TermBlock& block = result.blocks.find(rule_.forms[0].kind, shape.coefficients, {});
    shape.block = static_cast<std::size_t>(&block - result.blocks.blocks().data());
  }
  append_term(result.blocks.blocks()[shape.block], ids_, sign_ * offset);
  ++result.counts.terms;
  return true;
}

// All bindings of a batch whose other atoms are resolved: observed values and targets. Gives what
// add_one() gives.
void LinearEmitter::add_by_shape(const JoinBatch& batch, const Outlook& outer) {
  if (outer.satisfied) return;
  varying_.clear();
  std::uint64_t outer_targets = 0;
  std::size_t first = parts_.size();  // that varies
  for (const Source& source : sources_) {
    if (batch.varies(source.atom)) {
      varying_.emplace_back(&source, batch.ranges(source.atom));
      first = std::min(first, source.part);
    } else if (parts_[source.part].kind == Part::Kind::kTarget && source.coefficient != 0.0) {
      outer_targets |= std::uint64_t{1} << source.part;
    }
  }
  double before = constant_;  // in the order of the expression, as put_together() does
  for (std::size_t i = 0; i < first; ++i) before += parts_[i].value;
  const bool may_be_excluded = !rule_.excluded.empty();
  for (const std::uint32_t binding : batch.selected()) {
    if (may_be_excluded && is_excluded(batch, binding)) continue;
    std::uint64_t targets = outer_targets;
    bool satisfied = false;
    const bool plain = find_varying(binding, targets, satisfied);
    if (plain && satisfied) {
      writer_.count_satisfied();
      continue;
    }
    double offset = before;
    for (std::size_t i = first; plain && i < parts_.size(); ++i) offset += parts_[i].value;
    if (!plain || targets == 0 || !write_shape(targets, offset)) add_one(batch, binding, outer);
  }
}

void LinearEmitter::add(const JoinBatch& batch) {
  const Outlook outer = resolve(batch, 0, false);
  if (has_shapes_ && !outer.special) return add_by_shape(batch, outer);
  for (const std::uint32_t binding : batch.selected()) {
    if (!is_excluded(batch, binding)) add_one(batch, binding, outer);
  }
}

std::vector<RuleAtom> LinearEmitter::atoms(const JoinBatch& batch, std::uint32_t binding) {
  std::vector<RuleAtom> atoms;
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
