// For tests: the terms of a model in a form that can be compared.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sorites/database.h"
#include "sorites/model.h"

namespace sorites {

// One term, in a form that can be compared: rule, kind, coefficient per atom, per network output,
// and offset (rounded). Atoms are named by their text.
struct PlainTerm {
  std::uint32_t rule = 0;
  TermKind kind = TermKind::kHinge;
  std::map<std::string, double> atoms;
  std::map<std::string, double> outputs;
  double offset = 0.0;

  auto operator<=>(const PlainTerm&) const = default;
};

inline double rounded(double value) {
  constexpr double kUnits = 1e7;  // sums in another order differ by less
  return std::round(value * kUnits) / kUnits + 0.0;
}

// All terms of a model, sorted.
inline std::vector<PlainTerm> plain_terms(const Model& model, const Database& database) {
  const auto name = [&](const std::vector<AtomRange>& ranges, std::uint32_t id) {
    for (const AtomRange& range : ranges) {
      if (id < range.first || id >= range.first + range.count) continue;
      std::string text = database.predicates()[range.predicate].name;
      for (const auto& argument :
           database.arguments(range.predicate, {Partition::kTarget, id - range.first})) {
        text += "|" + argument;
      }
      return text;
    }
    return std::string("?");
  };
  std::vector<PlainTerm> terms;
  for (const TermBlock& block : model.blocks) {
    for (std::size_t t = 0; t < block.num_terms; ++t) {
      PlainTerm term{block.rule, block.kind, {}, {}, rounded(block.offset_of(t))};
      for (std::size_t k = 0; k < block.width(); ++k) {
        term.atoms[name(model.atom_ranges, block.atoms_of(t)[k])] += rounded(block.coefficients[k]);
      }
      for (std::size_t k = 0; k < block.output_coefficients.size(); ++k) {
        term.outputs[name(model.output_ranges, block.outputs_of(t)[k])] +=
            rounded(block.output_coefficients[k]);
      }
      terms.push_back(std::move(term));
    }
  }
  std::sort(terms.begin(), terms.end());
  return terms;
}

}  // namespace sorites
