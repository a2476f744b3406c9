#include "hinge/model/split_components.h"

#include <algorithm>
#include <numeric>

#include "hinge/model/term_block.h"

namespace sorites {
namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};

// Sets of connected nodes, by union and find.
class Sets {
 public:
  explicit Sets(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), std::uint32_t{0});
  }
  std::uint32_t find(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

// Nodes are the atoms, then the outputs; these matter for terms that have no atoms.
struct Parts {
  std::vector<std::uint32_t> of_node;
  std::uint32_t count = 1;

  std::uint32_t of_term(const TermBlock& block, std::size_t t, std::size_t num_atoms) const {
    if (!block.atoms_of(t).empty()) return of_node[block.atoms_of(t)[0]];
    return block.outputs_of(t).empty() ? 0 : of_node[num_atoms + block.outputs_of(t)[0]];
  }
};

// Which nodes are in terms, and with what.
struct Connections {
  Sets sets;
  std::vector<bool> touched;
};

Connections connect(const Model& model) {
  const auto first_output = static_cast<std::uint32_t>(model.num_atoms);
  const std::size_t nodes = model.num_atoms + model.num_outputs;
  Connections result{Sets(nodes), std::vector<bool>(nodes, false)};
  std::vector<std::uint32_t> home(model.num_outputs, kNone);  // an atom that an output is with
  const auto connect = [&](std::span<const std::uint32_t> term, std::uint32_t first) {
    for (const std::uint32_t node : term) {
      result.touched[first + node] = true;
      result.sets.join(first + term[0], first + node);
    }
  };
  for (const TermBlock& block : model.blocks) {
    for (std::size_t t = 0; t < block.num_terms; ++t) {
      const auto atoms = block.atoms_of(t);
      connect(atoms, 0);
      if (atoms.empty()) connect(block.outputs_of(t), first_output);
      for (const std::uint32_t j : block.outputs_of(t)) {
        if (!atoms.empty() && home[j] == kNone) home[j] = atoms[0];
      }
    }
  }
  for (std::uint32_t j = 0; j < home.size(); ++j) {
    if (result.touched[first_output + j] && home[j] != kNone) {
      result.sets.join(first_output + j, home[j]);
    }
  }
  return result;
}

Parts parts_of(const Model& model, std::size_t components_per_part) {
  Connections connections = connect(model);
  Parts parts;
  parts.of_node.assign(connections.touched.size(), 0);
  std::size_t components = 0;
  std::vector<std::uint32_t> part_of_set(connections.touched.size(), kNone);
  for (std::uint32_t i = 0; i < connections.touched.size(); ++i) {
    if (!connections.touched[i]) continue;
    std::uint32_t& part = part_of_set[connections.sets.find(i)];
    if (part == kNone) part = static_cast<std::uint32_t>(components++ / components_per_part);
    parts.of_node[i] = part;
    parts.count = std::max(parts.count, part + 1);
  }
  return parts;
}

// Puts the terms of a model into its parts.
class Distributor {
 public:
  Distributor(const Model& model, const Parts& parts)
      : model_(model), parts_(parts), result_(parts.count), number_(model.num_atoms) {
    for (AtomId i = 0; i < model.num_atoms; ++i) {
      ModelPart& part = result_[parts.of_node[i]];
      number_[i] = static_cast<AtomId>(part.atoms.size());
      part.atoms.push_back(i);
    }
    for (ModelPart& part : result_) {
      part.model.num_atoms = part.atoms.size();
      part.model.rules = model.rules;
    }
    number_outputs();
  }

  std::vector<ModelPart> distribute() {
    for (const TermBlock& block : model_.blocks) add_block(block);
    return std::move(result_);
  }

 private:
  // An output may be in several parts: the pairs of part and output, sorted, number them.
  void number_outputs() {
    for (const TermBlock& block : model_.blocks) {
      for (std::size_t t = 0; t < block.num_terms; ++t) {
        const std::uint32_t p = parts_.of_term(block, t, model_.num_atoms);
        const auto outputs = block.outputs_of(t);
        result_[p].outputs.insert(result_[p].outputs.end(), outputs.begin(), outputs.end());
      }
    }
    for (ModelPart& part : result_) {
      std::sort(part.outputs.begin(), part.outputs.end());
      part.outputs.erase(std::unique(part.outputs.begin(), part.outputs.end()), part.outputs.end());
      part.model.num_outputs = part.outputs.size();
    }
  }

  void add_block(const TermBlock& block) {
    std::vector<TermBlock*> to(parts_.count, nullptr);  // the block of each part that terms go to
    std::vector<std::uint32_t> atoms, outputs;
    for (std::size_t t = 0; t < block.num_terms; ++t) {
      const std::uint32_t p = parts_.of_term(block, t, model_.num_atoms);
      atoms.clear();
      outputs.clear();
      for (const AtomId atom : block.atoms_of(t)) atoms.push_back(number_[atom]);
      const std::vector<std::uint32_t>& known = result_[p].outputs;
      for (const std::uint32_t j : block.outputs_of(t)) {
        const auto found = std::lower_bound(known.begin(), known.end(), j);
        outputs.push_back(static_cast<std::uint32_t>(found - known.begin()));
      }
      if (to[p] == nullptr) to[p] = &add_empty_block(block, result_[p].model);
      add_term(*to[p], atoms, outputs, block.offset_of(t));
    }
  }

  static TermBlock& add_empty_block(const TermBlock& like, Model& model) {
    TermBlock& block = model.blocks.emplace_back();
    block.rule = like.rule;
    block.kind = like.kind;
    block.coefficients = like.coefficients;
    block.output_coefficients = like.output_coefficients;
    return block;
  }

  const Model& model_;
  const Parts& parts_;
  std::vector<ModelPart> result_;
  std::vector<AtomId> number_;  // per atom: in its part
};

}  // namespace

std::vector<ModelPart> split_by_components(const Model& model, std::size_t components_per_part) {
  const Parts parts = parts_of(model, std::max<std::size_t>(components_per_part, 1));
  return Distributor(model, parts).distribute();
}

}  // namespace sorites
