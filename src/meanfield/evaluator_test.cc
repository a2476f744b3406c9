#include "meanfield/evaluator.h"

#include <gtest/gtest.h>

#include <cmath>

#include "meanfield/random_tensor.h"
#include "sorites/diagnostic.h"

namespace sorites {
namespace {

using Values = std::vector<double>;

constexpr std::uint32_t kNumPredicates = 3, kNumFormulas = 3;

// A random expression over axes of one size, and all that its values depend on.
struct RandomGraph {
  Expression expression;
  std::uint32_t size = 0;
  std::vector<NodeId> marginals;
  std::vector<Evidence> evidence;
  std::vector<Values> weights;      // by formula; the last has one per index of an axis
  std::vector<Values> leaf_values;  // by leaf of `marginals`
  std::vector<NodeId> wanted;
};

std::vector<std::uint32_t> random_shape(Random& random, std::uint32_t size, std::uint32_t most) {
  return std::vector<std::uint32_t>(random_below(random, most + 1), size);
}

void add_leaves(Random& random, RandomGraph& graph) {
  Expression& expression = graph.expression;
  for (std::uint32_t p = 0; p < kNumPredicates; ++p) {
    const auto shape = random_shape(random, graph.size, 2);
    graph.marginals.push_back(
        expression.add_leaf({LeafKind::kMarginal, p}, shape, Changes::kWithMarginals));
  }
  for (std::uint32_t p = 0; p < kNumPredicates; ++p) {
    const auto shape = random_shape(random, graph.size, p == 0 ? 4 : 3);
    expression.add_leaf({LeafKind::kEvidence, p}, shape, Changes::kNever);
    const std::uint32_t densities[] = {1, 2, 8, 20, 40, 100};
    const std::uint32_t density = densities[random_below(random, 6)];
    Evidence evidence;
    for (std::uint64_t atom = 0; atom < num_elements(shape); ++atom) {
      if (random_below(random, density) == 0) evidence.atoms.push_back(atom);
    }
    graph.evidence.push_back(evidence);
  }
  const bool scalar = random_below(random, 2) == 0;
  const std::vector<std::uint32_t> shape(scalar ? 0 : 1, graph.size);
  expression.add_leaf({LeafKind::kWeight, kNumFormulas - 1}, shape, Changes::kWithWeights);
}

NodeId random_node(Random& random, const Expression& expression) {
  return random_below(random, static_cast<std::uint32_t>(expression.nodes().size()));
}

// Labels for the axes of two nodes of which some are shared, all else is in the result.
void add_product(Random& random, Expression& expression) {
  const NodeId a = random_node(random, expression), b = random_node(random, expression);
  Labels a_labels, b_labels, out;
  for (std::uint32_t i = 0; i < expression[a].shape.size(); ++i) a_labels.push_back(i);
  std::vector<std::uint32_t> shared = a_labels;
  std::shuffle(shared.begin(), shared.end(), random);
  for (std::uint32_t i = 0; i < expression[b].shape.size(); ++i) {
    const bool share = !shared.empty() && random_below(random, 3) > 0;
    b_labels.push_back(share ? shared.back() : 10 + i);
    if (share) shared.pop_back();
    if (!share || random_below(random, 2) == 0) out.push_back(b_labels.back());
  }
  out.insert(out.end(), shared.begin(), shared.end());
  std::shuffle(out.begin(), out.end(), random);
  if (out.size() <= 4) expression.add_product(a, a_labels, b, b_labels, out);
}

WeightSum random_coefficient(Random& random) {
  WeightSum coefficient{random_values<double>(random, 1)[0], {}};
  for (std::uint32_t formula = 0; formula + 1 < kNumFormulas; ++formula) {
    if (random_below(random, 3) == 0) coefficient.factors.emplace_back(formula, 0.7);
  }
  return coefficient;
}

void add_sum(Random& random, Expression& expression) {
  const NodeId first = random_node(random, expression);
  std::vector<SumTerm> terms;
  for (NodeId node = 0; node < expression.nodes().size(); ++node) {
    if (expression[node].shape != expression[first].shape) continue;
    if (node == first || random_below(random, 2) == 0) {
      terms.push_back({node, random_coefficient(random)});
    }
  }
  expression.add_sum(terms, random_values<double>(random, 1)[0]);
}

RandomGraph random_graph(Random& random) {
  RandomGraph graph;
  graph.size = 1 + random_below(random, 5);
  add_leaves(random, graph);
  for (int i = 0; i < 20; ++i) {
    const std::uint32_t kind = random_below(random, 3);
    if (kind == 0) add_product(random, graph.expression);
    if (kind == 1) add_sum(random, graph.expression);
    if (kind == 2) {
      const NodeId of = random_node(random, graph.expression);
      add_random_map(random, graph.expression, of, graph.size);
    }
  }
  for (const NodeId leaf : graph.marginals) {
    graph.leaf_values.push_back(
        random_values<double>(random, num_elements(graph.expression[leaf].shape)));
  }
  for (int i = 0; i < 6; ++i) graph.wanted.push_back(random_node(random, graph.expression));
  return graph;
}

void set_random_weights(Random& random, RandomGraph& graph) {
  graph.weights.clear();
  for (std::uint32_t formula = 0; formula < kNumFormulas; ++formula) {
    std::size_t count = 1;
    for (const Node& node : graph.expression.nodes()) {
      if (node.kind == NodeKind::kLeaf && node.leaf == Leaf{LeafKind::kWeight, formula}) {
        count = num_elements(node.shape);
      }
    }
    graph.weights.push_back(random_values<double>(random, count));
  }
}

Values slow_leaf(const RandomGraph& graph, NodeId id) {
  const Node& node = graph.expression[id];
  if (node.leaf.kind == LeafKind::kMarginal) return graph.leaf_values[node.leaf.of];
  if (node.leaf.kind == LeafKind::kWeight) return graph.weights[node.leaf.of];
  Values values(num_elements(node.shape));
  for (const std::uint64_t atom : graph.evidence[node.leaf.of].atoms) values[atom] = 1.0;
  return values;
}

std::vector<Values> slow_values(const RandomGraph& graph) {
  std::vector<Values> values;
  for (NodeId id = 0; id < graph.expression.nodes().size(); ++id) {
    const Node& node = graph.expression[id];
    if (node.kind == NodeKind::kLeaf) {
      values.push_back(slow_leaf(graph, id));
    } else if (node.kind == NodeKind::kSum) {
      Values sum(num_elements(node.shape), node.offset);
      for (const SumTerm& term : node.terms) {
        double factor = term.coefficient.constant;
        for (const auto& [formula, f] : term.coefficient.factors) {
          factor += f * graph.weights[formula][0];
        }
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += factor * values[term.node][i];
      }
      values.push_back(sum);
    } else {
      const Values none;
      const Values& b = node.b == kNoNode ? none : values[node.b];
      values.push_back(slow_contraction(graph.expression, node, values[node.a], b));
    }
  }
  return values;
}

template <class Real>
void fill(const RandomGraph& graph, TensorEvaluator<Real>& evaluator) {
  for (std::uint32_t formula = 0; formula < graph.weights.size(); ++formula) {
    evaluator.set_weights(formula, graph.weights[formula]);
  }
  for (std::size_t i = 0; i < graph.marginals.size(); ++i) {
    const auto place = evaluator.leaf(graph.marginals[i]);
    std::copy(graph.leaf_values[i].begin(), graph.leaf_values[i].end(), place.begin());
  }
}

void expect_near(std::span<const double> x, const Values& y, double tolerance) {
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    ASSERT_NEAR(x[i], y[i], tolerance * (1.0 + std::abs(y[i])));
  }
}

TEST(TensorEvaluator, EqualsSlowLoopsWhileWeightsAndMarginalsChange) {
  Random random(1);
  ThreadPool pool(1);
  for (int i = 0; i < 400; ++i) {
    RandomGraph graph = random_graph(random);
    TensorEvaluator<double> evaluator(
        graph.expression, graph.wanted, graph.evidence, pool, {.sparse_evidence = i % 4 != 0});
    for (int round = 0; round < 3; ++round) {
      if (round != 1) set_random_weights(random, graph);
      for (Values& values : graph.leaf_values)
        values = random_values<double>(random, values.size());
      fill(graph, evaluator);
      evaluator.update();
      const std::vector<Values> expected = slow_values(graph);
      for (const NodeId node : graph.wanted) {
        expect_near(evaluator.value(node), expected[node], 1e-10);
        if (HasFatalFailure()) FAIL() << "graph " << i << ", node " << node;
      }
    }
  }
}

TEST(TensorEvaluator, TangentsAreSlopes) {
  Random random(2);
  ThreadPool pool(1);
  constexpr double kStep = 1e-5;
  for (int i = 0; i < 200; ++i) {
    RandomGraph graph = random_graph(random);
    set_random_weights(random, graph);
    TensorEvaluator<double> evaluator(graph.expression, graph.wanted, graph.evidence, pool);
    fill(graph, evaluator);
    std::vector<Values> directions;
    for (std::size_t p = 0; p < graph.marginals.size(); ++p) {
      directions.push_back(random_values<double>(random, graph.leaf_values[p].size()));
      const auto place = evaluator.leaf_tangent(graph.marginals[p]);
      std::copy(directions[p].begin(), directions[p].end(), place.begin());
    }
    evaluator.update();
    evaluator.update_tangents();
    const auto values_at = [&](double step) {
      RandomGraph moved = graph;
      for (std::size_t p = 0; p < directions.size(); ++p) {
        for (std::size_t k = 0; k < directions[p].size(); ++k) {
          moved.leaf_values[p][k] += step * directions[p][k];
        }
      }
      return slow_values(moved);
    };
    const auto after = values_at(kStep), before = values_at(-kStep);
    for (const NodeId node : graph.wanted) {
      const auto tangent = evaluator.tangent(node);
      if (graph.expression[node].changes != Changes::kWithMarginals) {
        EXPECT_TRUE(tangent.empty());
        EXPECT_EQ(after[node], before[node]);
        continue;
      }
      ASSERT_EQ(tangent.size(), after[node].size());
      for (std::size_t k = 0; k < tangent.size(); ++k) {
        const double slope = (after[node][k] - before[node][k]) / (2 * kStep);
        const double scale = 1.0 + std::abs(slope) + std::abs(after[node][k]);
        ASSERT_NEAR(tangent[k], slope, 1e-6 * scale) << "graph " << i << ", node " << node;
      }
    }
  }
}

TEST(TensorEvaluator, SumsReadThroughMaps) {
  Random random(5);
  RandomGraph graph;
  Expression& e = graph.expression;
  const std::vector<std::vector<std::uint32_t>> shapes{
      {37, 150}, {150, 37}, {150}, {37}, {}, {37, 3, 150}, {150, 3, 37, 3}};
  for (std::uint32_t p = 0; p < shapes.size(); ++p) {
    graph.marginals.push_back(
        e.add_leaf({LeafKind::kMarginal, p}, shapes[p], Changes::kWithMarginals));
    graph.leaf_values.push_back(random_values<double>(random, num_elements(shapes[p])));
  }
  const Axis x{false, 0}, y{false, 1}, z{false, 2}, second{true, 2};
  const std::vector<std::vector<Axis>> axes{
      {x, y}, {y, x}, {y}, {x}, {}, {x, second, y}, {y, second, x, second}};
  std::vector<SumTerm> terms, deep_terms;
  for (std::size_t p = 0; p < shapes.size(); ++p) {
    const WeightSum coefficient{0.5 + static_cast<double>(p), {}};
    terms.push_back({e.add_map(graph.marginals[p], axes[p], {x, y}, {37, 150}), coefficient});
    deep_terms.push_back(
        {e.add_map(graph.marginals[p], axes[p], {x, z, y}, {37, 4, 150}), coefficient});
  }
  graph.wanted = {e.add_sum(terms, 0.25), e.add_sum(deep_terms, -1.0)};
  for (const unsigned threads : {1U, 3U}) {
    ThreadPool pool(threads);
    TensorEvaluator<double> evaluator(e, graph.wanted, {}, pool);
    fill(graph, evaluator);
    evaluator.update();
    const std::vector<Values> expected = slow_values(graph);
    for (const NodeId node : graph.wanted)
      expect_near(evaluator.value(node), expected[node], 1e-12);
  }
}

// Two rules over pairs of people, with friends known.
struct LargeGraph {
  Expression expression;
  std::vector<Evidence> evidence;
  NodeId marginal = kNoNode;
  std::vector<NodeId> wanted;
};

LargeGraph large_graph(std::uint32_t size, std::size_t num_true) {
  Random random(3);
  LargeGraph graph;
  Expression& e = graph.expression;
  const std::vector<std::uint32_t> shape{size, size};
  const NodeId q = e.add_leaf({LeafKind::kMarginal, 0}, shape, Changes::kWithMarginals);
  const NodeId known = e.add_leaf({LeafKind::kEvidence, 0}, shape, Changes::kNever);
  std::vector<bool> is_true(std::size_t{size} * size);
  for (std::size_t i = 0; i < num_true; ++i) is_true[random_below(random, size * size)] = true;
  graph.evidence.resize(1);
  for (std::size_t i = 0; i < is_true.size(); ++i) {
    if (is_true[i]) graph.evidence[0].atoms.push_back(i);
  }
  const NodeId squared = e.add_product(q, {0, 1}, q, {1, 2}, {0, 2});
  const NodeId transposed = e.add_map(q, {{false, 0}, {false, 1}}, {{false, 1}, {false, 0}}, shape);
  const NodeId both = e.add_sum({{q, {1.0, {}}}, {transposed, {1.0, {}}}});
  const NodeId symmetric = e.add_product(both, {0, 2}, both, {1, 2}, {0, 1});
  std::vector<SumTerm> terms{{squared, {0.5, {}}}, {symmetric, {-1.0, {}}}};
  for (const Labels& k : {Labels{0, 2}, Labels{2, 0}}) {
    for (const Labels& x : {Labels{2, 1}, Labels{1, 2}}) {
      for (const Labels& out : {Labels{0, 1}, Labels{1, 0}}) {
        const NodeId product = e.add_product(known, k, q, x, out);
        terms.push_back({product, {0.3 * static_cast<double>(terms.size()), {}}});
      }
    }
  }
  const NodeId picked = e.add_product(known, {0, 1}, q, {1, 0}, {});
  graph.marginal = q;
  graph.wanted = {e.add_sum(terms, 1.0), picked};
  return graph;
}

std::vector<Values> run_large(const LargeGraph& graph, unsigned threads, bool sparse) {
  ThreadPool pool(threads);
  TensorEvaluator<double> evaluator(
      graph.expression, graph.wanted, graph.evidence, pool, {.sparse_evidence = sparse});
  Random random(4);
  const auto fill_randomly = [&](std::span<double> place) {
    const Values values = random_values<double>(random, place.size());
    std::copy(values.begin(), values.end(), place.begin());
  };
  fill_randomly(evaluator.leaf(graph.marginal));
  fill_randomly(evaluator.leaf_tangent(graph.marginal));
  evaluator.update();
  evaluator.update_tangents();
  std::vector<Values> results;
  for (const NodeId node : graph.wanted) {
    for (const auto result : {evaluator.value(node), evaluator.tangent(node)}) {
      results.emplace_back(result.begin(), result.end());
    }
  }
  return results;
}

TEST(TensorEvaluator, SparseAndDenseEvidenceAgreeOnAnyNumberOfThreads) {
  for (const std::size_t num_true : {0U, 1U, 300U, 4000U}) {
    const LargeGraph graph = large_graph(270, num_true);
    const auto dense = run_large(graph, 1, false);
    const auto sparse = run_large(graph, 1, true);
    EXPECT_EQ(dense, run_large(graph, 3, false));
    EXPECT_EQ(sparse, run_large(graph, 3, true));
    for (std::size_t i = 0; i < dense.size(); ++i) expect_near(sparse[i], dense[i], 1e-10);
  }
}

// Within one evaluation: that of a large model takes seconds.
TEST(TensorEvaluator, EndsWhenItIsAskedTo) {
  Random random(7);
  ThreadPool pool(1);
  std::stop_source stop;
  stop.request_stop();
  int ended = 0;
  for (int i = 0; i < 20; ++i) {
    RandomGraph graph = random_graph(random);
    set_random_weights(random, graph);
    TensorEvaluator<double> evaluator(graph.expression, graph.wanted, graph.evidence, pool);
    fill(graph, evaluator);
    try {
      evaluator.update(stop.get_token());
    } catch (const Interrupted&) {
      ++ended;
    }
    evaluator.update();  // nobody asks now
  }
  EXPECT_GT(ended, 10);  // of the others nothing depends on marginals
}

TEST(TensorEvaluator, EmptyDomains) {
  for (const unsigned threads : {1U, 2U}) {
    for (const bool sparse : {false, true}) {
      const auto results = run_large(large_graph(0, 0), threads, sparse);
      EXPECT_TRUE(results[0].empty());
      EXPECT_EQ(results[2], Values{0.0});
    }
  }
}

TEST(TensorEvaluator, WantedEvidenceHasElements) {
  Expression expression;
  const NodeId known = expression.add_leaf({LeafKind::kEvidence, 0}, {100}, Changes::kNever);
  const std::vector<Evidence> evidence{{{7, 99}}};
  ThreadPool pool(1);
  TensorEvaluator<float> evaluator(expression, {known}, evidence, pool);
  evaluator.update();
  EXPECT_EQ(evaluator.value(known)[7], 1.0F);
  EXPECT_EQ(evaluator.value(known)[8], 0.0F);
  EXPECT_TRUE(evaluator.tangent(known).empty());
}

}  // namespace
}  // namespace sorites
