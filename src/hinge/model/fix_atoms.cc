#include "hinge/model/fix_atoms.h"

#include <cmath>
#include <cstdint>

#include "hinge/model/residual.h"
#include "hinge/model/term_block.h"
#include "hinge/model/term_kind.h"

namespace sorites {
namespace {

constexpr AtomId kFixed = ~AtomId{0};

Model without_terms(const Model& model) {
  Model result;
  result.num_outputs = model.num_outputs;
  result.output_ranges = model.output_ranges;
  result.rules = model.rules;
  return result;
}

// Whether some state of the free atoms keeps a hard term. Terms with network outputs count as kept:
// outputs change.
bool can_hold(TermKind kind,
              std::span<const double> coefficients,
              std::span<const double> output_coefficients,
              double offset,
              double tolerance = kResidualRounding) {
  if (!output_coefficients.empty()) return true;
  double low = offset, high = offset;
  for (const double a : coefficients) (a < 0.0 ? low : high) += a;
  return low <= tolerance && (kind == TermKind::kAtMost || high >= -tolerance);
}

// Takes terms apart into what is free and what is fixed.
class Fixer {
 public:
  Fixer(const Model& model, std::span<const double> values)
      : model_(model), values_(values), number_(model.num_atoms, kFixed) {
    fixed_.open = without_terms(model);
    fixed_.settled = without_terms(model);
    for (AtomId i = 0; i < model.num_atoms; ++i) {
      if (!std::isnan(values[i])) continue;
      number_[i] = static_cast<AtomId>(fixed_.atoms.size());
      fixed_.atoms.push_back(i);
    }
    fixed_.open.num_atoms = fixed_.atoms.size();
  }

  FixedModel run() {
    // Blocks stand by rule: those of one rule share their new blocks.
    for (std::size_t b = 0; b < model_.blocks.size();) {
      BlockSet open, settled;
      const std::uint32_t rule = model_.blocks[b].rule;
      for (; b < model_.blocks.size() && model_.blocks[b].rule == rule; ++b) {
        for (std::size_t t = 0; t < model_.blocks[b].num_terms; ++t) {
          add(model_.blocks[b], t, open, settled);
        }
      }
      take(open, rule, fixed_.open);
      take(settled, rule, fixed_.settled);
    }
    return std::move(fixed_);
  }

 private:
  void add(const TermBlock& block, std::size_t t, BlockSet& open, BlockSet& settled) {
    coefficients_.clear();
    atoms_.clear();
    double offset = block.offset_of(t);
    const auto atoms = block.atoms_of(t);
    for (std::size_t k = 0; k < atoms.size(); ++k) {
      const double a = block.coefficients[k];
      if (number_[atoms[k]] == kFixed) {
        offset += a * values_[atoms[k]];
      } else {
        coefficients_.push_back(a);
        atoms_.push_back(number_[atoms[k]]);
      }
    }
    if (is_hard(block.kind)) {
      if (!can_hold(block.kind, coefficients_, block.output_coefficients, offset)) return;
      if (atoms_.empty()) return;
    }
    BlockSet& to = atoms_.empty() ? settled : open;
    add_term(to.find(block.kind, coefficients_, block.output_coefficients),
             atoms_,
             block.outputs_of(t),
             offset);
  }

  static void take(BlockSet& from, std::uint32_t rule, Model& to) {
    for (TermBlock& block : from.blocks()) {
      block.rule = rule;
      to.blocks.push_back(std::move(block));
    }
  }

  const Model& model_;
  std::span<const double> values_;
  std::vector<AtomId> number_;  // per atom: its number in `open`, or kFixed
  FixedModel fixed_;
  std::vector<double> coefficients_;  // of the term at hand
  std::vector<AtomId> atoms_;
};

}  // namespace

FixedModel fix_atoms(const Model& model, std::span<const double> values) {
  return Fixer(model, values).run();
}

std::vector<std::size_t> broken_hard_terms(const Model& model,
                                           std::span<const double> values,
                                           double tolerance) {
  std::vector<std::size_t> broken(model.rules.size(), 0);
  std::vector<double> free;  // coefficients of free atoms
  for (const TermBlock& block : model.blocks) {
    if (!is_hard(block.kind)) continue;
    for (std::size_t t = 0; t < block.num_terms; ++t) {
      free.clear();
      double offset = block.offset_of(t);
      const auto atoms = block.atoms_of(t);
      for (std::size_t k = 0; k < atoms.size(); ++k) {
        const double a = block.coefficients[k], value = values[atoms[k]];
        if (std::isnan(value)) {
          free.push_back(a);
        } else {
          offset += a * value;
        }
      }
      if (!can_hold(block.kind, free, block.output_coefficients, offset, tolerance)) {
        ++broken[block.rule];
      }
    }
  }
  return broken;
}

}  // namespace sorites
