#include "session/sample_energies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/shown_number.h"
#include "base/shown_text.h"
#include "base/whole_file.h"
#include "data/atom_text.h"

namespace sorites {
namespace {

// The atom that has this number among the targets or outputs of a reasoner.
std::string atom_in(const Database& database,
                    std::span<const AtomRange> ranges,
                    std::uint32_t number) {
  for (const AtomRange& range : ranges) {
    if (number < range.first || number - range.first >= range.count) continue;
    const RowId row{Partition::kTarget, number - range.first};
    return atom_text(database.predicates()[range.predicate],
                     database.arguments(range.predicate, row));
  }
  return {};
}

std::string first_atom(const LoadedModel& model,
                       const Reasoner& reasoner,
                       const ComponentEnergy& component) {
  if (!component.atoms.empty()) {
    return atom_in(model.database, reasoner.targets(), component.atoms.front());
  }
  if (component.outputs.empty()) return {};
  return atom_in(model.database, reasoner.outputs(), component.outputs.front());
}

// In a line of its own, whatever constants hold.
std::string in_one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return text;
}

}  // namespace

void write_energies(const LoadedModel& model,
                    const Reasoner& reasoner,
                    std::span<const double> values,
                    std::span<const double> labels,
                    const std::string& path) {
  const std::vector<ComponentEnergy> found = reasoner.energies(values);
  const std::vector<ComponentEnergy> of_truth = reasoner.energies(labels);
  std::vector<std::size_t> order(found.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return found[a].energy > found[b].energy;
  });
  std::string text = "energy\tviolation\tground_rules\ttargets\ttruth_energy\tatom\n";
  for (const std::size_t c : order) {
    const ComponentEnergy& one = found[c];
    const double truth = of_truth[c].energy;
    const bool is_known = std::all_of(
        one.atoms.begin(), one.atoms.end(), [&](AtomId atom) { return !std::isnan(labels[atom]); });
    text += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\n",
                        one.energy,
                        one.violation,
                        one.terms,
                        one.atoms.size(),
                        is_known ? fmt::format("{}", truth) : "",
                        in_one_line(first_atom(model, reasoner, one)));
  }
  write_whole_file(path, text_for_file(path, std::move(text)));
}

}  // namespace sorites
