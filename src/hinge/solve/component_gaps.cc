#include "hinge/solve/component_gaps.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace sorites {
namespace {

double size_of(const Bounds& bounds) {
  return std::max(std::abs(bounds.objective), std::abs(bounds.lower_bound));
}

// O_c by u_c. Components have few different largest weights: those of the rules.
class SeenObjective {
 public:
  SeenObjective(std::span<const ComponentBounds> bounds, std::span<const WeightRange> ranges) {
    for (std::size_t c = 0; c < bounds.size(); ++c) {
      if (!ranges[c].empty()) seen_[ranges[c].largest] += size_of(bounds[c]);
    }
    double below = 0.0, above = 0.0;  // above: in units of one
    for (const auto& [unit, size] : seen_) above += size / unit;
    for (auto& [unit, size] : seen_) {
      below += size;
      above -= size / unit;
      size = below + unit * std::max(above, 0.0);
    }
  }

  double from(double unit) const { return seen_.at(unit); }

 private:
  std::map<double, double> seen_;
};

}  // namespace

std::vector<WeightRange> weight_ranges(const Model& model,
                                       const Parameters& parameters,
                                       const AtomMap& atoms,
                                       std::span<const std::uint32_t> component_of_variable) {
  std::uint32_t count = 0;
  for (const std::uint32_t c : component_of_variable) count = std::max(count, c + 1);
  std::vector<WeightRange> ranges(count);
  for (const TermBlock& block : model.blocks) {
    const double weight = parameters.weights[block.rule];
    if (is_hard(block.kind) || weight == 0.0) continue;
    for (std::size_t t = 0; t < block.num_terms; ++t) {
      for (const AtomId atom : block.atoms_of(t)) {
        const std::uint32_t variable = atoms.variable[atom];
        if (variable == kFixedAtom) continue;
        ranges[component_of_variable[variable]].add(block.rule, weight);
        break;
      }
    }
  }
  return ranges;
}

std::vector<double> component_gaps(std::span<const ComponentBounds> bounds,
                                   std::span<const WeightRange> ranges,
                                   double smallest_objective) {
  const SeenObjective seen(bounds, ranges);
  std::vector<double> gaps(bounds.size(), 0.0);
  for (std::size_t c = 0; c < bounds.size(); ++c) {
    if (ranges[c].empty()) continue;
    const double size =
        std::max(seen.from(ranges[c].largest), smallest_size(ranges[c], smallest_objective));
    gaps[c] = bounds[c].error() / size;
  }
  return gaps;
}

}  // namespace sorites
