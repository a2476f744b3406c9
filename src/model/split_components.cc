#include "model/split_components.h"

#include <algorithm>
#include <numeric>

#include "model/term_block.h"

namespace sorites {
namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};

// Sets of connected atoms, by union and find.
class Sets {
 public:
  explicit Sets(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), AtomId{0});
  }
  AtomId find(AtomId i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(AtomId a, AtomId b) {
    a = find(a);
    b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<AtomId> parent_;
};

// The part of each atom, and how many parts there are.
struct Parts {
  std::vector<std::uint32_t> of_atom;
  std::uint32_t count = 1;
};

Parts parts_of(const Model& model, std::size_t components_per_part) {
  Sets sets(model.num_atoms);
  std::vector<bool> touched(model.num_atoms, false);
  for (const TermBlock& block : model.blocks) {
    for (std::size_t t = 0; t < block.num_terms; ++t) {
      for (const AtomId atom : block.atoms_of(t)) {
        touched[atom] = true;
        sets.join(block.atoms_of(t)[0], atom);
      }
    }
  }
  Parts parts;
  parts.of_atom.assign(model.num_atoms, 0);
  std::size_t components = 0;
  std::vector<std::uint32_t> part_of_set(model.num_atoms, kNone);
  for (AtomId i = 0; i < model.num_atoms; ++i) {
    if (!touched[i]) continue;
    std::uint32_t& part = part_of_set[sets.find(i)];
    if (part == kNone) part = static_cast<std::uint32_t>(components++ / components_per_part);
    parts.of_atom[i] = part;
    parts.count = std::max(parts.count, part + 1);
  }
  return parts;
}

}  // namespace

std::vector<ModelPart> split_by_components(const Model& model, std::size_t components_per_part) {
  const Parts parts = parts_of(model, std::max<std::size_t>(components_per_part, 1));
  std::vector<ModelPart> result(parts.count);
  std::vector<AtomId> number(model.num_atoms);  // in its part
  for (AtomId i = 0; i < model.num_atoms; ++i) {
    ModelPart& part = result[parts.of_atom[i]];
    number[i] = static_cast<AtomId>(part.atoms.size());
    part.atoms.push_back(i);
  }
  for (ModelPart& part : result) {
    part.model.num_atoms = part.atoms.size();
    part.model.num_outputs = model.num_outputs;
    part.model.output_ranges = model.output_ranges;
    part.model.rules = model.rules;
  }
  std::vector<AtomId> atoms;
  std::vector<TermBlock*> to(parts.count);  // the block of each part that terms go to
  for (const TermBlock& block : model.blocks) {
    std::fill(to.begin(), to.end(), nullptr);
    for (std::size_t t = 0; t < block.num_terms; ++t) {
      atoms.assign(block.atoms_of(t).begin(), block.atoms_of(t).end());
      const std::uint32_t p = atoms.empty() ? 0 : parts.of_atom[atoms[0]];
      for (AtomId& atom : atoms) atom = number[atom];
      if (to[p] == nullptr) {
        to[p] = &result[p].model.blocks.emplace_back();
        to[p]->rule = block.rule;
        to[p]->kind = block.kind;
        to[p]->coefficients = block.coefficients;
        to[p]->output_coefficients = block.output_coefficients;
      }
      add_term(*to[p], atoms, block.outputs_of(t), block.offset_of(t));
    }
  }
  return result;
}

}  // namespace sorites
