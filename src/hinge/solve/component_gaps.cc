#include "hinge/solve/component_gaps.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

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

ComponentRules::ComponentRules(const Model& model,
                               const AtomMap& atoms,
                               std::span<const std::uint32_t> component_of_variable) {
  std::uint32_t count = 0;
  for (const std::uint32_t c : component_of_variable) count = std::max(count, c + 1);
  node_of_.assign(count, 0);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> after;  // by node and rule
  for (const TermBlock& block : model.blocks) {
    if (is_hard(block.kind)) continue;
    for (std::size_t t = 0; t < block.num_terms; ++t) {
      for (const AtomId atom : block.atoms_of(t)) {
        const std::uint32_t variable = atoms.variable[atom];
        if (variable == kFixedAtom) continue;
        std::uint32_t& node = node_of_[component_of_variable[variable]];
        if (node != 0 && nodes_[node].rule == block.rule) break;
        const auto [at, is_new] =
            after.try_emplace({node, block.rule}, static_cast<std::uint32_t>(nodes_.size()));
        if (is_new) nodes_.push_back({node, block.rule});
        node = at->second;
        break;
      }
    }
  }
}

std::vector<WeightRange> ComponentRules::ranges(const Parameters& parameters) const {
  std::vector<WeightRange> of_nodes(nodes_.size());
  for (std::size_t n = 1; n < nodes_.size(); ++n) {
    const auto [before, rule] = nodes_[n];
    of_nodes[n] = of_nodes[before];
    of_nodes[n].add(rule, parameters.weights[rule]);
  }
  std::vector<WeightRange> ranges;
  ranges.reserve(node_of_.size());
  for (const std::uint32_t node : node_of_) ranges.push_back(of_nodes[node]);
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
