#include "hinge/integer/mixed_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/joined_sets.h"
#include "hinge/problem/certificate.h"

namespace sorites {
namespace {

constexpr double kTolerance = 1e-7;   // of hard rows of no atom or one: below kFeasible
constexpr std::size_t kMaxSums = 64;  // six literals with different coefficients; rows have few
constexpr double kSameSum = 1e-12;    // rounding of a sum of a few coefficients
constexpr double kLeastStep = 1e-6;   // between two sums, for a secant to have digits

// All values that a sum of some of the coefficients can have; none if they are too many, or so
// close that secants between them would be mere noise.
std::vector<double> subset_sums(std::span<const double> coefficients) {
  std::vector<double> sums{0.0}, next;
  for (const double a : coefficients) {
    next.clear();
    for (const double sum : sums) next.push_back(sum + a);
    next.insert(next.end(), sums.begin(), sums.end());
    std::sort(next.begin(), next.end());
    sums.clear();
    for (const double sum : next) {
      if (sums.empty() || sum - sums.back() > kSameSum) sums.push_back(sum);
    }
    if (sums.size() > kMaxSums) return {};
  }
  for (std::size_t i = 1; i < sums.size(); ++i) {
    if (sums[i] - sums[i - 1] < kLeastStep) return {};
  }
  return sums;
}

// The largest number that all coefficients are multiples of, if they are decimals of a few digits;
// else 0. Over integer atoms a sum moves in such steps.
double common_step(std::span<const double> coefficients) {
  constexpr double kMostSteps = 1e9;  // a whole number up to this is known to many digits
  // Decimals of up to six digits.
  for (const double unit : {1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
    std::int64_t step = 0;
    bool are_whole = true;
    for (const double a : coefficients) {
      const double count = std::round(a / unit);
      are_whole =
          are_whole && std::abs(count) < kMostSteps && std::abs(a - count * unit) <= kSameSum;
      if (!are_whole) break;
      step = std::gcd(step, static_cast<std::int64_t>(count));
    }
    if (are_whole) return static_cast<double>(step) * unit;
  }
  return 0.0;
}

class Builder {
 public:
  Builder(const Model& model, const Parameters& parameters, MixedProgram& program)
      : model_(model), parameters_(parameters), program_(program) {}

  void set_bounds() {
    for (const TermBlock& block : model_.blocks) {
      if (!is_hard(block.kind) || block.width() > 1) continue;
      for (std::size_t t = 0; t < block.num_terms; ++t) {
        const double b = offset_of(block, t, parameters_.outputs);
        if (block.width() == 0) {
          if (violation(block.kind, b) > kTolerance) program_.contradictory = true;
        } else {
          tighten(block.atoms_of(t)[0], block.kind, block.coefficients[0], b);
        }
      }
    }
    for (std::size_t i = 0; i < model_.num_atoms; ++i) settle_bounds(i);
  }

  void add_rows() {
    for (std::uint32_t b = 0; b < model_.blocks.size(); ++b) {
      const TermBlock& block = model_.blocks[b];
      shape_ = kNoShape;
      shape_is_known_ = false;
      step_ = kUnknown;
      const double weight = is_hard(block.kind) ? 0.0 : parameters_.weights[block.rule];
      if (is_hard(block.kind) ? block.width() < 2 : weight == 0.0) continue;
      for (std::uint32_t t = 0; t < block.num_terms; ++t) add_row({b, t}, weight);
    }
  }

 private:
  void tighten(AtomId atom, TermKind kind, double a, double b) {
    double& lower = program_.lower[atom];
    double& upper = program_.upper[atom];
    const double value = -b / a;
    if (a > 0.0 || kind == TermKind::kEqual) upper = std::min(upper, value);
    if (a < 0.0 || kind == TermKind::kEqual) lower = std::max(lower, value);
  }

  void settle_bounds(std::size_t i) {
    double& lower = program_.lower[i];
    double& upper = program_.upper[i];
    if (program_.is_integer[i] != 0) {
      lower = std::ceil(lower - kTolerance);
      upper = std::floor(upper + kTolerance);
    }
    if (lower <= upper) return;
    if (lower > upper + kTolerance) {
      program_.contradictory = true;
      program_.contradictory_atoms.push_back(static_cast<AtomId>(i));
    }
    lower = upper = std::clamp(0.5 * (lower + upper), 0.0, 1.0);
    if (program_.is_integer[i] != 0) lower = upper = std::round(lower);
  }

  void add_row(TermId id, double weight) {
    const TermBlock& block = model_.blocks[id.block];
    ProgramRow row{.kind = block.kind,
                   .weight = weight,
                   .offset = offset_of(block, id.term, parameters_.outputs),
                   .coefficients = block.coefficients,
                   .atoms = block.atoms_of(id.term)};
    double smallest = row.offset;
    bool all_integer = true;
    row.largest = row.offset;
    for (std::size_t k = 0; k < row.atoms.size(); ++k) {
      const double at_lower = row.coefficients[k] * program_.lower[row.atoms[k]];
      const double at_upper = row.coefficients[k] * program_.upper[row.atoms[k]];
      smallest += std::min(at_lower, at_upper);
      row.largest += std::max(at_lower, at_upper);
      all_integer = all_integer && program_.is_integer[row.atoms[k]] != 0;
    }
    if (row.kind != TermKind::kEqual && row.largest <= 0.0) return;
    if (!is_hard(row.kind) && is_linear(row, smallest, all_integer)) {
      add_to_cost(row);
      return;
    }
    if (all_integer && !is_hard(row.kind)) row.shape = shape_of(row.coefficients);
    if (all_integer && row.kind == TermKind::kEqual) check_steps(id, row);
    program_.rows.push_back(row);
  }

  // A sum of integer atoms moves in steps: an equality between two of them cannot hold, which
  // branching would find out state by state.
  void check_steps(TermId id, const ProgramRow& row) {
    if (step_ == kUnknown) step_ = common_step(row.coefficients);
    if (step_ == 0.0) return;
    const double steps = -row.offset / step_;
    if (std::abs(steps - std::round(steps)) * step_ <= kFeasible) return;
    program_.contradictory = true;
    program_.contradictory_atoms.push_back(row.atoms[0]);
    program_.off_steps = id;
  }

  static bool is_linear(const ProgramRow& row, double smallest, bool all_integer) {
    return row.atoms.empty() || (row.atoms.size() == 1 && all_integer) ||
           (row.kind == TermKind::kHinge && smallest >= 0.0);
  }

  void add_to_cost(const ProgramRow& row) {
    const double at_zero = potential(row.kind, row.weight, row.offset);
    if (row.atoms.size() < 2) {
      program_.constant += at_zero;
      if (row.atoms.empty()) return;
      const double at_one = potential(row.kind, row.weight, row.offset + row.coefficients[0]);
      program_.cost[row.atoms[0]] += at_one - at_zero;
      program_.cost_size[row.atoms[0]] += at_one + at_zero;
      return;
    }
    program_.constant += row.weight * row.offset;
    for (std::size_t k = 0; k < row.atoms.size(); ++k) {
      program_.cost[row.atoms[k]] += row.weight * row.coefficients[k];
      program_.cost_size[row.atoms[k]] += row.weight * std::abs(row.coefficients[k]);
    }
  }

  std::uint32_t shape_of(std::span<const double> coefficients) {
    if (shape_is_known_) return shape_;
    shape_is_known_ = true;
    std::vector<double> sums = subset_sums(coefficients);
    if (!sums.empty()) {
      shape_ = static_cast<std::uint32_t>(program_.shapes.size());
      program_.shapes.push_back(std::move(sums));
    }
    return shape_;
  }

  const Model& model_;
  const Parameters& parameters_;
  MixedProgram& program_;
  std::uint32_t shape_ = kNoShape;  // of the block at hand
  bool shape_is_known_ = false;
  static constexpr double kUnknown = -1.0;
  double step_ = kUnknown;  // of the block at hand, once it is asked for
};

}  // namespace

Piece MixedProgram::piece_at(const ProgramRow& row, double residual) const {
  if (row.shape == kNoShape) {
    if (residual <= 0.0) return {};
    if (row.kind == TermKind::kHinge) return {1.0, 0.0};
    return {2.0 * residual, -residual * residual};
  }
  const std::vector<double>& sums = shapes[row.shape];
  const auto above = std::upper_bound(sums.begin() + 1, sums.end() - 1, residual - row.offset);
  const double right = *above + row.offset, left = *(above - 1) + row.offset;
  const double at_right = potential(row.kind, 1.0, right), at_left = potential(row.kind, 1.0, left);
  const double slope = (at_right - at_left) / (right - left);
  return {slope, at_left - slope * left};
}

std::string find_bad_number(const Model& model, const Parameters& parameters) {
  for (const TermBlock& block : model.blocks) {
    if (block.num_terms == 0) continue;
    const double weight = parameters.weights[block.rule];
    if (!is_hard(block.kind) && !(std::isfinite(weight) && weight >= 0.0)) {
      return fmt::format("the weight of rule {} is {}", block.rule, weight);
    }
    for (const double a : block.coefficients) {
      if (!std::isfinite(a)) return fmt::format("rule {} has a coefficient {}", block.rule, a);
    }
    for (std::size_t t = 0; t < block.num_terms; ++t) {
      const double b = offset_of(block, t, parameters.outputs);
      if (!std::isfinite(b)) return fmt::format("rule {} has a term with offset {}", block.rule, b);
    }
  }
  return {};
}

MixedProgram mixed_program_of(const Model& model,
                              const Parameters& parameters,
                              std::span<const AtomRange> integer) {
  MixedProgram program;
  program.lower.assign(model.num_atoms, 0.0);
  program.upper.assign(model.num_atoms, 1.0);
  program.cost.assign(model.num_atoms, 0.0);
  program.cost_size.assign(model.num_atoms, 0.0);
  program.weights = weight_range(model, parameters);
  program.is_integer.assign(model.num_atoms, 0);
  for (const AtomRange& range : integer) {
    std::fill_n(program.is_integer.begin() + range.first, range.count, char{1});
  }
  Builder builder(model, parameters, program);
  builder.set_bounds();
  builder.add_rows();
  return program;
}

ProgramParts connected_parts(const MixedProgram& program) {
  const std::size_t num_atoms = program.lower.size();
  JoinedSets joined(num_atoms);
  std::vector<char> stands_in_row(num_atoms, 0);
  for (const ProgramRow& row : program.rows) {
    for (const AtomId atom : row.atoms) {
      stands_in_row[atom] = 1;
      joined.join(row.atoms[0], atom);
    }
  }
  ProgramParts result;
  result.place.assign(num_atoms, 0);
  std::vector<ProgramPart>& parts = result.parts;
  std::vector<std::uint32_t> part_of_root(num_atoms);
  for (AtomId i = 0; i < num_atoms; ++i) {
    if (stands_in_row[i] == 0) continue;
    if (joined.find(i) == i) {
      part_of_root[i] = static_cast<std::uint32_t>(parts.size());
      parts.emplace_back();
    }
    ProgramPart& part = parts[part_of_root[joined.find(i)]];
    result.place[i] = static_cast<std::uint32_t>(part.atoms.size());
    part.atoms.push_back(i);
    (program.is_integer[i] != 0 ? part.has_integer : part.has_continuous) = true;
  }
  for (std::uint32_t r = 0; r < program.rows.size(); ++r) {
    parts[part_of_root[joined.find(program.rows[r].atoms[0])]].rows.push_back(r);
  }
  return result;
}

ProgramValue evaluate(const MixedProgram& program,
                      const ProgramPart& part,
                      std::span<const double> truth) {
  ProgramValue value;
  for (const AtomId atom : part.atoms) value.objective += program.cost[atom] * truth[atom];
  for (const std::uint32_t r : part.rows) {
    const ProgramRow& row = program.rows[r];
    const double residual = row.residual(truth);
    value.objective += potential(row.kind, row.weight, residual);
    value.violation = std::max(value.violation, violation(row.kind, residual));
  }
  return value;
}

}  // namespace sorites
