#include "meanfield/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/bytes_text.h"
#include "base/diagnostics.h"
#include "meanfield/contraction.h"
#include "meanfield/plan_text.h"

namespace sorites {
namespace {

// Lists of evidence pay below this share of true atoms.
constexpr double kSparse = 1.0 / 16;

class Planner {
 public:
  Planner(const PlanInput& input, const CompiledModel& compiled)
      : input_(input), compiled_(compiled) {}

  MeanFieldPlan plan() const {
    MeanFieldPlan plan = compiled_.plan;
    const std::vector<bool> needed = needed_nodes();
    const std::vector<bool> dense = dense_nodes(needed);
    const auto density = [this](NodeId id) { return density_of(compiled_, input_.options, id); };
    double bytes = 0.0;
    std::size_t formula = 0;
    for (NodeId id = 0; id < needed.size(); ++id) {
      if (!needed[id]) continue;
      while (formula < input_.model.formulas.size() && id >= input_.first_node[formula + 1])
        ++formula;
      const Node& node = compiled_.expression[id];
      bytes += bytes_of(id, dense);
      if (node.kind == NodeKind::kLeaf) continue;
      const double operations = operations_of(compiled_.expression, id, density);
      if (node.changes == Changes::kWithMarginals) plan.operations += operations;
      auto& steps =
          formula < input_.model.formulas.size() ? plan.formulas[formula].steps : plan.steps;
      steps.push_back(step_text(input_.model, compiled_.expression, id, operations));
    }
    for (const MeanFieldFormulaPlan& part : plan.formulas) plan.groundings += part.groundings;
    for (std::uint32_t p = 0; p < input_.model.predicates.size(); ++p) {
      const auto atoms =
          static_cast<std::size_t>(num_atoms(input_.model, input_.model.predicates[p]));
      plan.atoms += atoms;
      if (!input_.model.predicates[p].closed) {
        plan.unknown_atoms += atoms - known_atoms(input_.model, p).size();
      }
    }
    if (bytes > static_cast<double>(input_.options.max_bytes)) refuse_plan(needed, dense, bytes);
    plan.bytes = static_cast<std::size_t>(bytes);
    return plan;
  }

 private:
  // The nodes that an iteration computes.
  std::vector<bool> needed_nodes() const {
    std::vector<bool> needed(compiled_.expression.nodes().size(), false);
    for (const auto& of_predicate : compiled_.slopes) {
      for (const NodeId slope : of_predicate) {
        if (slope != kNoNode) needed[slope] = true;
      }
    }
    for (auto id = static_cast<NodeId>(needed.size()); id-- > 0;) {
      if (!needed[id]) continue;
      for (const NodeId operand : operands_of(compiled_.expression[id])) needed[operand] = true;
    }
    return needed;
  }

  // Nodes whose elements are all in memory when their turn comes: those that are needed, but for
  // evidence that is read as a list alone (as the evaluator does).
  std::vector<bool> dense_nodes(const std::vector<bool>& needed) const {
    std::vector<bool> dense = needed;
    const auto& nodes = compiled_.expression.nodes();
    for (NodeId id = 0; id < needed.size(); ++id)
      dense[id] = needed[id] && density_of(compiled_, input_.options, id) == 1.0;
    for (NodeId id = 0; id < needed.size(); ++id) {
      if (!needed[id]) continue;
      for (const SumTerm& term : nodes[id].terms) dense[term.node] = true;
      if (nodes[id].kind != NodeKind::kProduct) continue;
      const NodeId a = nodes[id].a, b = nodes[id].b;  // of two lists the larger tensor stays one
      if (density_of(compiled_, input_.options, a) == 1.0 ||
          density_of(compiled_, input_.options, b) == 1.0)
        continue;
      dense[num_elements(nodes[a].shape) > num_elements(nodes[b].shape) ? b : a] = true;
    }
    return dense;
  }

  double bytes_of(NodeId id, const std::vector<bool>& dense) const {
    const Node& node = compiled_.expression[id];
    if (dense[id]) {
      return static_cast<double>(num_elements(node.shape)) *
             static_cast<double>(input_.bytes_per_number);
    }
    return static_cast<double>(compiled_.evidence[node.leaf.of].atoms.size() *
                               sizeof(std::uint64_t));
  }

  // Names the formula whose own tensors are largest.
  [[noreturn]] void refuse_plan(const std::vector<bool>& needed,
                                const std::vector<bool>& dense,
                                double bytes_of_all) const {
    std::size_t worst = 0;
    double worst_bytes = -1.0;
    for (std::size_t f = 0; f < input_.model.formulas.size(); ++f) {
      double bytes = 0.0;
      for (std::size_t id = input_.first_node[f]; id < input_.first_node[f + 1]; ++id) {
        if (needed[id]) bytes += bytes_of(static_cast<NodeId>(id), dense);
      }
      if (bytes > worst_bytes) {
        worst = f;
        worst_bytes = bytes;
      }
    }
    refuse_size(fmt::format("all tensors take {}, most of them for `{}`",
                            bytes_text(bytes_of_all),
                            input_.model.formulas[worst].text),
                input_.model.formulas[worst].place,
                input_.options.max_bytes);
  }

  const PlanInput& input_;
  const CompiledModel& compiled_;
};

}  // namespace

double density_of(const CompiledModel& compiled, const MeanFieldPlanOptions& options, NodeId node) {
  const Node& leaf = compiled.expression[node];
  if (!options.sparse_evidence || leaf.kind != NodeKind::kLeaf ||
      leaf.leaf.kind != LeafKind::kEvidence) {
    return 1.0;
  }
  const auto entries = static_cast<double>(compiled.evidence[leaf.leaf.of].atoms.size());
  const double share = entries / std::max(1.0, static_cast<double>(num_elements(leaf.shape)));
  return share < kSparse ? share : 1.0;
}

void finish_plan(const PlanInput& input, CompiledModel& compiled) {
  compiled.plan = Planner(input, compiled).plan();
}

void refuse_size(const std::string& what, const Span& place, std::size_t max_bytes) {
  Diagnostics diagnostics;
  diagnostics
      .error(DiagnosticCode::kPlanTooLarge,
             place,
             fmt::format("{}: more than the {} that inference may take",
                         what,
                         bytes_text(static_cast<double>(max_bytes))))
      .notes.push_back({"raise the limit (meanfield.max_bytes), or make domains smaller", {}});
  throw InputError(diagnostics.take_sorted());
}

void refuse_form(const MeanFieldFormula& formula, const std::string& why) {
  constexpr std::size_t kShown = 100;  // characters
  Diagnostics diagnostics;
  diagnostics
      .error(DiagnosticCode::kPlanTooLarge,
             formula.place,
             fmt::format("`{}{}` {}",
                         formula.text.substr(0, kShown),
                         formula.text.size() > kShown ? "..." : "",
                         why))
      .notes.push_back({"write it as several formulas", {}});
  throw InputError(diagnostics.take_sorted());
}

}  // namespace sorites
