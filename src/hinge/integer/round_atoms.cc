#include "hinge/integer/round_atoms.h"

#include <algorithm>
#include <cmath>

#include "hinge/model/residual.h"

namespace sorites {
namespace {

constexpr int kMaxSweeps = 20;     // it is for when there is no time left
constexpr double kNoGain = 1e-12;  // rounding of a change of the objective

struct Merit {
  double violation = 0.0, objective = 0.0;  // sums over rows
};

class Rounding {
 public:
  Rounding(const MixedProgram& program,
           const ProgramPart& part,
           std::span<const std::uint32_t> place,
           std::span<double> truth)
      : program_(program), part_(part), truth_(truth), begin_(part.atoms.size() + 1, 0) {
    for (const std::uint32_t r : part.rows) {
      residual_.push_back(program.rows[r].residual(truth));
      for (const AtomId atom : program.rows[r].atoms) ++begin_[place[atom] + 1];
    }
    for (std::size_t i = 0; i < part.atoms.size(); ++i) begin_[i + 1] += begin_[i];
    entries_.resize(begin_.back());
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    for (std::uint32_t r = 0; r < part.rows.size(); ++r) {
      const ProgramRow& row = program.rows[part.rows[r]];
      for (std::size_t k = 0; k < row.atoms.size(); ++k) {
        entries_[next[place[row.atoms[k]]]++] = {r, row.coefficients[k]};
      }
    }
  }

  // True if some atom was flipped.
  bool sweep() {
    bool flipped = false;
    for (std::size_t i = 0; i < part_.atoms.size(); ++i) {
      const AtomId atom = part_.atoms[i];
      const double step = 1.0 - 2.0 * truth_[atom];
      const double to = truth_[atom] + step;
      if (program_.is_integer[atom] == 0) continue;
      if (to < program_.lower[atom] || to > program_.upper[atom]) continue;
      const Merit change = change_of(i, step);
      const bool better = change.violation < -kResidualRounding ||
                          (change.violation < kResidualRounding && change.objective < -kNoGain);
      if (!better) continue;
      flipped = true;
      truth_[atom] = to;
      for (std::size_t e = begin_[i]; e < begin_[i + 1]; ++e) {
        residual_[entries_[e].row] += entries_[e].coefficient * step;
      }
    }
    return flipped;
  }

 private:
  struct Entry {
    std::uint32_t row;  // in the part
    double coefficient;
  };

  Merit change_of(std::size_t i, double step) const {
    Merit change{0.0, program_.cost[part_.atoms[i]] * step};
    for (std::size_t e = begin_[i]; e < begin_[i + 1]; ++e) {
      const ProgramRow& row = program_.rows[part_.rows[entries_[e].row]];
      const double before = residual_[entries_[e].row];
      const double after = before + entries_[e].coefficient * step;
      change.violation += violation(row.kind, after) - violation(row.kind, before);
      change.objective +=
          potential(row.kind, row.weight, after) - potential(row.kind, row.weight, before);
    }
    return change;
  }

  const MixedProgram& program_;
  const ProgramPart& part_;
  std::span<double> truth_;
  std::vector<double> residual_;    // per row of the part
  std::vector<std::size_t> begin_;  // per atom of the part, and the end: its entries
  std::vector<Entry> entries_;
};

}  // namespace

void round_greedily(const MixedProgram& program,
                    const ProgramParts& parts,
                    std::uint32_t part,
                    std::span<double> truth) {
  const ProgramPart& own = parts.parts[part];
  for (const AtomId atom : own.atoms) {
    if (program.is_integer[atom] == 0) continue;
    truth[atom] = std::clamp(std::round(truth[atom]), program.lower[atom], program.upper[atom]);
  }
  Rounding rounding(program, own, parts.place, truth);
  for (int sweep = 0; sweep < kMaxSweeps && rounding.sweep(); ++sweep) {
  }
}

}  // namespace sorites
