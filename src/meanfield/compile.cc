#include "meanfield/compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "base/bytes_text.h"
#include "meanfield/contraction.h"
#include "meanfield/plan.h"
#include "meanfield/square_sums.h"
#include "meanfield/unification.h"
#include "sorites/diagnostic.h"

namespace sorites {
namespace {

// More complements than this are not all tried: each doubles the number of products.
constexpr std::size_t kMaxExpanded = 4;

// A literal's probability of being violated: that of some values, or one minus that.
struct Probability {
  std::uint32_t predicate = 0;
  std::vector<std::uint32_t> values;
  bool complement = false;
  std::vector<MeanFieldTerm> terms;
};

// A product of a formula, and which complements of it are multiplied out.
struct Expansion {
  std::uint32_t formula = 0;
  const ViolationProduct& product;
  const std::vector<Probability>& probabilities;
  std::vector<std::size_t> complements = {};  // among the probabilities: those that may be
  std::uint32_t chosen = 0;                   // a bit for each of these
};

class Compiler {
 public:
  Compiler(const MeanFieldModel& model,
           const MeanFieldPlanOptions& options,
           std::size_t bytes_per_number,
           std::stop_token stop)
      : model_(model),
        options_(options),
        bytes_per_number_(bytes_per_number),
        stop_(std::move(stop)),
        result_() {
    if (!options.share) result_.expression.stop_sharing();
    contraction_.order = options.order;
    contraction_.max_elements = options.max_bytes / bytes_per_number;
    contraction_.is_differentiated = [this](NodeId node) {
      return result_.expression[node].changes == Changes::kWithMarginals;
    };
    contraction_.density = [this](NodeId node) { return density_of(result_, options_, node); };
  }

  CompiledModel compile() {
    prepare_predicates();
    result_.weights.assign(model_.formulas.size(), kNoNode);
    result_.plan.formulas.resize(model_.formulas.size());
    for (std::uint32_t f = 0; f < model_.formulas.size(); ++f) add_formula(f);
    add_slopes();
    finish_plan({model_, options_, bytes_per_number_, first_node_}, result_);
    return std::move(result_);
  }

 private:
  Expression& expression() { return result_.expression; }

  void prepare_predicates() {
    check_num_atoms(model_, options_, bytes_per_number_);
    for (const MeanFieldPredicate& predicate : model_.predicates) {
      result_.marginals.emplace_back(predicate.num_values(), kNoNode);
    }
    result_.evidence.resize(model_.predicates.size());
    for (std::uint32_t p = 0; p < model_.predicates.size(); ++p) {
      if (model_.predicates[p].closed) result_.evidence[p] = evidence_of(p);
    }
  }

  Evidence evidence_of(std::uint32_t p) const {
    Evidence evidence;
    for (const KnownAtom& fact : model_.facts[p]) {
      if (fact.value == 1) evidence.atoms.push_back(fact.atom);
    }
    return evidence;
  }

  std::vector<std::uint32_t> shape_of(std::size_t predicate) const {
    std::vector<std::uint32_t> shape;
    for (const std::uint32_t type : model_.predicates[predicate].arguments) {
      shape.push_back(domain_size(type));
    }
    return shape;
  }

  std::uint32_t domain_size(std::uint32_t domain) const { return model_.domains[domain].size(); }

  void add_formula(std::uint32_t f) {
    const MeanFieldFormula& formula = model_.formulas[f];
    MeanFieldFormulaPlan& plan = result_.plan.formulas[f];
    plan.groundings = 1.0;
    for (const std::uint32_t domain : formula.variables) plan.groundings *= domain_size(domain);
    const std::size_t begin = expression().nodes().size();
    if (formula.variables.size() > kMostLabels) {
      refuse_form(formula,
                  fmt::format("has {} variables, more than the {} that Markov logic takes",
                              formula.variables.size(),
                              kMostLabels));
    }
    try {
      for (const MeanFieldClause& clause : formula.clauses) {
        for (const ViolationProduct& product : expected_violations(model_, formula, clause)) {
          add_product(f, product);
        }
      }
    } catch (const std::length_error&) {
      refuse_form(formula,
                  fmt::format("has many literals of one predicate, which may be the same atoms in "
                              "more than {} ways",
                              kMostWaysToEquate));
    }
    first_node_.push_back(begin);
  }

  // Adds a product of probabilities with those complements multiplied out that make it cheapest.
  void add_product(std::uint32_t f, const ViolationProduct& product) {
    std::vector<Probability> probabilities;
    Expansion expansion{f, product, probabilities};
    std::vector<std::size_t>& complements = expansion.complements;
    for (const Violation& violation : product.violations) {
      probabilities.push_back(probability_of(violation));
      if (probabilities.back().complement) complements.push_back(probabilities.size() - 1);
    }
    if (!options_.complements || complements.size() > kMaxExpanded) complements.clear();

    double best_cost = std::numeric_limits<double>::infinity();
    std::uint32_t best = 0;
    const std::uint32_t choices = 1u << complements.size();
    for (expansion.chosen = 0; expansion.chosen < choices; ++expansion.chosen) {
      if (stop_.stop_requested()) throw Interrupted();
      const double cost = cost_of(expansion);
      constexpr double kCostRounding = 1e-9;  // of sums of costs: it must not choose
      if (cost < best_cost * (1.0 - kCostRounding)) {
        best_cost = cost;
        best = expansion.chosen;
      }
    }
    expansion.chosen = best;
    if (best_cost == std::numeric_limits<double>::infinity()) refuse_formula(f);
    result_.plan.formulas[f].operations += best_cost;
    expand(expansion, result_.violations);
  }

  Probability probability_of(const Violation& violation) const {
    const std::uint32_t num_values = model_.predicates[violation.predicate].num_values();
    Probability result{violation.predicate, violation.values, false, violation.terms};
    // Without classes only the marginals of true are kept; with classes the shorter sum is taken.
    const bool complement =
        num_values == 2 && model_.predicates[violation.predicate].class_names.empty()
            ? violation.values.front() == 0
            : 2 * violation.values.size() > num_values;
    if (!complement) return result;
    result.complement = true;
    result.values.clear();
    for (std::uint32_t value = 0; value < num_values; ++value) {
      if (!std::binary_search(violation.values.begin(), violation.values.end(), value)) {
        result.values.push_back(value);
      }
    }
    return result;
  }

  // What the new nodes of one choice cost per iteration, messages included. Leaves no trace.
  double cost_of(const Expansion& expansion) {
    const std::size_t before = expression().nodes().size();
    Roots roots;
    double cost = std::numeric_limits<double>::infinity();
    if (expand(expansion, roots)) {
      differentiate(expression(), roots, [this](NodeId leaf) { return is_marginal(leaf); });
      cost = 0.0;
      for (std::size_t id = before; id < expression().nodes().size(); ++id) {
        cost += operations_per_iteration(static_cast<NodeId>(id));
      }
    }
    forget(before);
    return cost;
  }

  double operations_per_iteration(NodeId id) const {
    const Node& node = result_.expression[id];
    if (node.changes != Changes::kWithMarginals) return 0.0;
    const double operations = operations_of(result_.expression, id, contraction_.density);
    const bool sums = node.kind == NodeKind::kProduct &&
                      operations > 2.0 * static_cast<double>(num_elements(node.shape));
    return sums ? operations * kMatrixProductCost : operations;
  }

  void forget(std::size_t num_nodes) {
    expression().shrink_to(num_nodes);
    const auto drop = [num_nodes](NodeId& node) {
      if (node != kNoNode && node >= num_nodes) node = kNoNode;
    };
    for (auto& of_predicate : result_.marginals)
      std::for_each(of_predicate.begin(), of_predicate.end(), drop);
    std::for_each(result_.weights.begin(), result_.weights.end(), drop);
  }

  bool is_marginal(NodeId node) const {
    const Node& leaf = result_.expression[node];
    return leaf.kind == NodeKind::kLeaf && leaf.leaf.kind == LeafKind::kMarginal;
  }

  // Multiplies out the chosen complements: all products with 1 or minus the probability in their
  // place.
  bool expand(const Expansion& expansion, Roots& roots) {
    const std::vector<Probability>& probabilities = expansion.probabilities;
    std::vector<std::size_t> expanded;
    for (std::size_t i = 0; i < expansion.complements.size(); ++i) {
      if ((expansion.chosen >> i & 1) != 0) expanded.push_back(expansion.complements[i]);
    }
    for (std::uint32_t subset = 0; subset < (1u << expanded.size()); ++subset) {
      std::vector<Probability> factors;
      double sign = expansion.product.factor;
      for (std::size_t i = 0; i < probabilities.size(); ++i) {
        const auto at = std::find(expanded.begin(), expanded.end(), i);
        if (at == expanded.end()) {
          factors.push_back(probabilities[i]);
        } else if ((subset >> (at - expanded.begin()) & 1) != 0) {
          factors.push_back(probabilities[i]);
          factors.back().complement = false;
          sign = -sign;
        }
      }
      if (!add_root(expansion, factors, sign, roots)) return false;
    }
    return true;
  }

  // One product of tensors, summed over all variables.
  bool add_root(const Expansion& expansion,
                const std::vector<Probability>& probabilities,
                double sign,
                Roots& roots) {
    const std::uint32_t f = expansion.formula;
    const Substitution& substitution = expansion.product.substitution;
    const MeanFieldFormula& formula = model_.formulas[f];
    std::vector<Factor> factors;
    factors.reserve(probabilities.size());
    std::vector<bool> occurs(formula.variables.size(), false);
    for (const Probability& probability : probabilities) {
      factors.push_back({node_of(probability), axes_of(probability.terms, occurs)});
    }
    WeightSum coefficient{0.0, {{f, sign}}};
    if (!formula.weighted.empty() && !formula.hard) {
      std::vector<MeanFieldTerm> terms;
      for (const std::uint32_t variable : formula.weighted) {
        terms.push_back(substituted(substitution, {false, variable}));
      }
      factors.push_back({weights_of(f), axes_of(terms, occurs)});
      coefficient = {sign, {}};
    }
    // A variable that occurs nowhere any more only counts.
    double times = 1.0;
    for (std::uint32_t v = 0; v < occurs.size(); ++v) {
      const bool stands_for_itself = substitution[v] == MeanFieldTerm{false, v};
      if (stands_for_itself && !occurs[v]) times *= domain_size(formula.variables[v]);
    }
    coefficient.constant *= times;
    for (auto& [formula_index, factor] : coefficient.factors) factor *= times;
    const NodeId root =
        factors.empty() ? expression().add_one() : contract(expression(), factors, contraction_);
    if (root == kNoNode) return false;
    sorites::add_root(roots, root, coefficient);
    return true;
  }

  static std::vector<Axis> axes_of(const std::vector<MeanFieldTerm>& terms,
                                   std::vector<bool>& occurs) {
    std::vector<Axis> axes;
    for (const MeanFieldTerm term : terms) {
      axes.push_back({term.is_constant, term.index});
      if (!term.is_constant) occurs[term.index] = true;
    }
    return axes;
  }

  NodeId node_of(const Probability& probability) {
    std::vector<SumTerm> terms;
    const double sign = probability.complement ? -1.0 : 1.0;
    for (const std::uint32_t value : probability.values) {
      terms.push_back({leaf_of(probability.predicate, value), WeightSum{sign, {}}});
    }
    return expression().add_sum(std::move(terms), probability.complement ? 1.0 : 0.0);
  }

  NodeId leaf_of(std::uint32_t predicate, std::uint32_t value) {
    const bool closed = model_.predicates[predicate].closed;
    NodeId& leaf = result_.marginals[predicate][value];
    if (leaf == kNoNode) {
      leaf = expression().add_leaf(
          {closed ? LeafKind::kEvidence : LeafKind::kMarginal, predicate, value},
          shape_of(predicate),
          closed ? Changes::kNever : Changes::kWithMarginals);
    }
    return leaf;
  }

  NodeId weights_of(std::uint32_t f) {
    NodeId& leaf = result_.weights[f];
    if (leaf == kNoNode) {
      std::vector<std::uint32_t> shape;
      for (const std::uint32_t variable : model_.formulas[f].weighted) {
        shape.push_back(domain_size(model_.formulas[f].variables[variable]));
      }
      leaf = expression().add_leaf({LeafKind::kWeight, f, 0}, shape, Changes::kWithWeights);
    }
    return leaf;
  }

  void add_slopes() {
    first_node_.push_back(expression().nodes().size());
    const auto slopes = differentiate(expression(), result_.violations, [this](NodeId node) {
      const Node& leaf = expression()[node];
      return leaf.kind == NodeKind::kLeaf && leaf.leaf.kind != LeafKind::kEvidence;
    });
    const auto slope_of = [&](NodeId leaf) {
      const auto at = slopes.find(leaf);
      return at == slopes.end() ? kNoNode : at->second;
    };
    for (const auto& leaves : result_.marginals) {
      result_.slopes.emplace_back();
      for (const NodeId leaf : leaves) {
        const NodeId slope = slope_of(leaf);
        const bool rewrite = slope != kNoNode && options_.complements;
        result_.slopes.back().push_back(rewrite ? with_squares(expression(), slope) : slope);
      }
    }
    for (const NodeId leaf : result_.weights) result_.weight_slopes.push_back(slope_of(leaf));
  }

  // Says how large the largest tensor of the formula would be at least.
  [[noreturn]] void refuse_formula(std::uint32_t f) {
    contraction_.max_elements = std::numeric_limits<std::size_t>::max();
    const std::size_t before = expression().nodes().size();
    Roots roots;
    for (const MeanFieldClause& clause : model_.formulas[f].clauses) {
      for (const ViolationProduct& product :
           expected_violations(model_, model_.formulas[f], clause)) {
        std::vector<Probability> probabilities;
        for (const Violation& violation : product.violations) {
          probabilities.push_back(probability_of(violation));
        }
        expand({f, product, probabilities}, roots);
      }
    }
    double largest = 0.0;
    for (std::size_t id = before; id < expression().nodes().size(); ++id) {
      double elements = 1.0;
      for (const std::uint32_t size : expression()[static_cast<NodeId>(id)].shape) elements *= size;
      largest = std::max(largest, elements);
    }
    refuse_size(fmt::format("`{}` needs a tensor of {}",
                            model_.formulas[f].text,
                            bytes_text(largest * static_cast<double>(bytes_per_number_))),
                model_.formulas[f].place,
                options_.max_bytes);
  }

  const MeanFieldModel& model_;
  const MeanFieldPlanOptions& options_;
  std::size_t bytes_per_number_;
  std::stop_token stop_;
  CompiledModel result_;
  ContractionOptions contraction_;
  std::vector<std::size_t> first_node_;  // per formula, and of the messages
};

}  // namespace

double num_atoms(const MeanFieldModel& model, const MeanFieldPredicate& predicate) {
  double count = 1.0;
  for (const std::uint32_t type : predicate.arguments) {
    count *= static_cast<double>(model.domains[type].size());
  }
  return count;
}

// Closed predicates are lists; where one is needed as a tensor, the plan counts it.
void check_num_atoms(const MeanFieldModel& model,
                     const MeanFieldPlanOptions& options,
                     std::size_t bytes_per_number) {
  const auto most = static_cast<double>(options.max_bytes) / static_cast<double>(bytes_per_number);
  for (const MeanFieldPredicate& predicate : model.predicates) {
    if (predicate.closed) continue;
    const double atoms = num_atoms(model, predicate);
    if (atoms * predicate.num_values() <= most) continue;
    refuse_size(fmt::format("`{}` has {:.3g} atoms", predicate.name, atoms), {}, options.max_bytes);
  }
}

CompiledModel compile_model(const MeanFieldModel& model,
                            const MeanFieldPlanOptions& options,
                            std::size_t bytes_per_number,
                            const std::stop_token& stop) {
  return Compiler(model, options, bytes_per_number, stop).compile();
}

MeanFieldPlan plan_mean_field(const MeanFieldModel& model,
                              const MeanFieldOptions& options,
                              std::size_t bytes_per_number) {
  return compile_model(model, options.plan, bytes_per_number, options.stop).plan;
}

}  // namespace sorites
