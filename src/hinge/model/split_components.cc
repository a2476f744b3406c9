#include "hinge/model/split_components.h"

#include <algorithm>

#include "base/joined_sets.h"
#include "hinge/model/term_block.h"

namespace sorites {
namespace {

// Nodes are the atoms, then the outputs; these matter for terms that have no atoms.
struct Parts {
  const Model& model;
  ComponentsOfModel components;
  std::size_t components_per_part = 1;

  std::size_t count() const {
    return std::max<std::size_t>((components.count + components_per_part - 1) / components_per_part,
                                 1);
  }
  std::size_t of_node(std::size_t node) const {
    const std::uint32_t component = components.of_node[node];
    return component == kNoComponent ? 0 : component / components_per_part;
  }
  std::size_t of_term(const TermBlock& block, std::size_t t) const {
    const bool connects = !block.atoms_of(t).empty() || !block.outputs_of(t).empty();
    return connects ? components.of_term(model, block, t) / components_per_part : 0;
  }
};

// Which nodes are in terms, and with what.
struct Connections {
  JoinedSets sets;
  std::vector<bool> touched;
};

Connections connect(const Model& model) {
  const auto first_output = static_cast<std::uint32_t>(model.num_atoms);
  const std::size_t nodes = model.num_atoms + model.num_outputs;
  Connections result{JoinedSets(nodes), std::vector<bool>(nodes, false)};
  std::vector<std::uint32_t> home(model.num_outputs,
                                  kNoComponent);  // an atom that an output is with
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
        if (!atoms.empty() && home[j] == kNoComponent) home[j] = atoms[0];
      }
    }
  }
  for (std::uint32_t j = 0; j < home.size(); ++j) {
    if (result.touched[first_output + j] && home[j] != kNoComponent) {
      result.sets.join(first_output + j, home[j]);
    }
  }
  return result;
}

// Puts the terms of a model into its parts.
class Distributor {
 public:
  Distributor(const Model& model, const Parts& parts)
      : model_(model), parts_(parts), result_(parts.count()), number_(model.num_atoms) {
    for (AtomId i = 0; i < model.num_atoms; ++i) {
      ModelPart& part = result_[parts.of_node(i)];
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
        const std::size_t p = parts_.of_term(block, t);
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
    std::vector<TermBlock*> to(parts_.count(), nullptr);  // the block of each part that terms go to
    std::vector<std::uint32_t> atoms, outputs;
    for (std::size_t t = 0; t < block.num_terms; ++t) {
      const std::size_t p = parts_.of_term(block, t);
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

std::uint32_t ComponentsOfModel::of_term(const Model& model,
                                         const TermBlock& block,
                                         std::size_t term) const {
  const auto atoms = block.atoms_of(term);
  return of_node[atoms.empty() ? model.num_atoms + block.outputs_of(term)[0] : atoms[0]];
}

ComponentsOfModel components_of(const Model& model) {
  Connections connections = connect(model);
  const std::size_t nodes = connections.touched.size();
  ComponentsOfModel result{std::vector<std::uint32_t>(nodes, kNoComponent), 0};
  std::vector<std::uint32_t> of_set(nodes, kNoComponent);
  for (std::uint32_t i = 0; i < nodes; ++i) {
    if (!connections.touched[i]) continue;
    std::uint32_t& component = of_set[connections.sets.find(i)];
    if (component == kNoComponent) component = result.count++;
    result.of_node[i] = component;
  }
  return result;
}

std::vector<ModelPart> split_by_components(const Model& model, std::size_t components_per_part) {
  const Parts parts{model, components_of(model), std::max<std::size_t>(components_per_part, 1)};
  return Distributor(model, parts).distribute();
}

}  // namespace sorites
