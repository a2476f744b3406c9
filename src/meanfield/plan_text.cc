#include "meanfield/plan_text.h"

#include <fmt/format.h>

#include <array>
#include <vector>

namespace sorites {
namespace {

std::string letter(std::uint32_t label) {
  return label < 26 ? std::string(1, static_cast<char>('a' + label)) : fmt::format("v{}", label);
}

std::string name_of(const MeanFieldModel& model, const Expression& expression, NodeId id) {
  const Node& node = expression[id];
  if (node.kind != NodeKind::kLeaf) return fmt::format("t{}", id);
  if (node.leaf.kind == LeafKind::kWeight) return fmt::format("weights {}", node.leaf.of + 1);
  const MeanFieldPredicate& predicate = model.predicates[node.leaf.of];
  if (predicate.class_names.empty()) return fmt::format("{}", predicate.name);
  return fmt::format("{}={}", predicate.name, predicate.class_names[node.leaf.value]);
}

std::string bracket(const std::vector<std::string>& axes) {
  return axes.empty() ? "" : fmt::format("[{}]", fmt::join(axes, ","));
}

std::string bracket(const Labels& labels) {
  std::vector<std::string> axes;
  for (const std::uint32_t label : labels) axes.push_back(letter(label));
  return bracket(axes);
}

std::string bracket(const std::vector<Axis>& fixed_or_not) {
  std::vector<std::string> axes;
  axes.reserve(fixed_or_not.size());
  for (const Axis axis : fixed_or_not) {
    axes.push_back(axis.fixed ? fmt::format("{}", axis.at) : letter(axis.at));
  }
  return bracket(axes);
}

std::string coefficient_text(const WeightSum& coefficient) {
  std::vector<std::string> parts;
  if (coefficient.constant != 0.0) parts.push_back(fmt::format("{:g}", coefficient.constant));
  for (const auto& [formula, factor] : coefficient.factors) {
    parts.push_back(fmt::format("{:g} w{}", factor, formula + 1));
  }
  return parts.size() == 1 ? parts.front() : fmt::format("({})", fmt::join(parts, " + "));
}

std::string sum_text(const MeanFieldModel& model, const Expression& expression, const Node& node) {
  std::vector<std::string> parts;
  if (node.offset != 0.0) parts.push_back(fmt::format("{:g}", node.offset));
  for (const SumTerm& term : node.terms) {
    parts.push_back(fmt::format(
        "{} {}", coefficient_text(term.coefficient), name_of(model, expression, term.node)));
  }
  return fmt::format("{}", fmt::join(parts, " + "));
}

std::string right_side(const MeanFieldModel& model,
                       const Expression& expression,
                       const Node& node) {
  switch (node.kind) {
    case NodeKind::kLeaf:
      return "";
    case NodeKind::kSum:
      return sum_text(model, expression, node);
    case NodeKind::kMap:
      return name_of(model, expression, node.a) + bracket(node.a_axes);
    case NodeKind::kProduct:
      break;
  }
  return fmt::format("{}{} * {}{}",
                     name_of(model, expression, node.a),
                     bracket(node.a_labels),
                     name_of(model, expression, node.b),
                     bracket(node.b_labels));
}

std::string axes_text(const Node& node) {
  if (node.kind == NodeKind::kProduct) return bracket(node.out_labels);
  if (node.kind == NodeKind::kMap) return bracket(node.out_axes);
  return "";
}

}  // namespace

std::string step_text(const MeanFieldModel& model,
                      const Expression& expression,
                      NodeId id,
                      double operations) {
  const Node& node = expression[id];
  constexpr std::array<const char*, 3> kWhen{", once", ", when weights change", ""};
  return fmt::format("t{}{} = {}   ({:.3g} operations{})",
                     id,
                     axes_text(node),
                     right_side(model, expression, node),
                     operations,
                     kWhen[static_cast<std::size_t>(node.changes)]);
}

}  // namespace sorites
