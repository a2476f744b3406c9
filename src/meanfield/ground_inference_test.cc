// Exact and sampled marginals against the definition: all worlds, and all groundings in each.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "meanfield/exact_marginals.h"
#include "meanfield/ground_network.h"
#include "meanfield/random_mean_field.h"
#include "meanfield/sampled_marginals.h"
#include "sorites/meanfield.h"

namespace sorites {
namespace {

// Worlds by the definition: shares nothing with grounding.
class Enumeration {
 public:
  Enumeration(const MeanFieldModel& model, const AtomValues<double>& unaries)
      : model_(model), unaries_(unaries) {
    for (std::uint32_t p = 0; p < model.predicates.size(); ++p) {
      const auto count = static_cast<std::size_t>(num_atoms(model, p));
      world_.emplace_back(count, 0);
      for (const KnownAtom& fact : model.facts[p]) world_[p][fact.atom] = fact.value;
      if (model.predicates[p].closed) continue;
      for (std::size_t a = 0; a < count; ++a) {
        const auto is_it = [&](const KnownAtom& fact) { return fact.atom == a; };
        if (std::any_of(model.facts[p].begin(), model.facts[p].end(), is_it)) continue;
        unknown_.emplace_back(p, a);
        sums_.emplace_back(model.predicates[p].num_values(), 0.0);
      }
    }
  }

  std::size_t num_unknown() const { return unknown_.size(); }
  double num_worlds() const {
    double count = 1.0;
    for (const auto& [p, atom] : unknown_) count *= model_.predicates[p].num_values();
    return count;
  }

  // Per unknown atom and value; empty if no world keeps the hard formulas.
  std::vector<std::vector<double>> marginals() {
    visit(0);
    if (all_ == 0.0) return {};
    for (auto& of_atom : sums_) {
      for (double& sum : of_atom) sum /= all_;
    }
    return sums_;
  }
  double log_partition() const { return std::log(all_); }

 private:
  void visit(std::size_t next) {
    if (next < unknown_.size()) {
      const auto [p, atom] = unknown_[next];
      for (std::uint32_t v = 0; v < model_.predicates[p].num_values(); ++v) {
        world_[p][atom] = v;
        visit(next + 1);
      }
      return;
    }
    double log_weight = 0.0;
    for (const auto& [p, atom] : unknown_) {
      const std::uint32_t classes = model_.predicates[p].num_classes();
      if (classes > 0) log_weight += unaries_[p][atom * classes + world_[p][atom]];
      if (classes == 0 && world_[p][atom] == 1) log_weight += unaries_[p][atom];
    }
    for (const MeanFieldFormula& formula : model_.formulas) {
      std::vector<std::uint32_t> constants(formula.variables.size(), 0);
      if (!add_formula(formula, 0, constants, log_weight)) return;
    }
    const double weight = std::exp(log_weight);
    all_ += weight;
    for (std::size_t i = 0; i < unknown_.size(); ++i) {
      sums_[i][world_[unknown_[i].first][unknown_[i].second]] += weight;
    }
  }

  // False if a hard formula is violated.
  bool add_formula(const MeanFieldFormula& formula,
                   std::size_t variable,
                   std::vector<std::uint32_t>& constants,
                   double& log_weight) const {
    if (variable < constants.size()) {
      for (std::uint32_t c = 0; c < model_.domains[formula.variables[variable]].size(); ++c) {
        constants[variable] = c;
        if (!add_formula(formula, variable + 1, constants, log_weight)) return false;
      }
      return true;
    }
    const bool holds = std::all_of(
        formula.clauses.begin(), formula.clauses.end(), [&](const MeanFieldClause& clause) {
          return std::any_of(clause.begin(), clause.end(), [&](const MeanFieldLiteral& literal) {
            return literal_holds(literal, constants);
          });
        });
    if (holds) return true;
    if (formula.hard) return false;
    std::size_t number = 0;
    for (const std::uint32_t v : formula.weighted) {
      number = number * model_.domains[formula.variables[v]].size() + constants[v];
    }
    log_weight -= formula.weights[number];
    return true;
  }

  bool literal_holds(const MeanFieldLiteral& literal,
                     const std::vector<std::uint32_t>& constants) const {
    std::size_t number = 0;
    const auto& arguments = model_.predicates[literal.predicate].arguments;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      const MeanFieldTerm term = literal.terms[k];
      number = number * model_.domains[arguments[k]].size() +
               (term.is_constant ? term.index : constants[term.index]);
    }
    const std::uint32_t value = world_[literal.predicate][number];
    return std::find(literal.values.begin(), literal.values.end(), value) != literal.values.end();
  }

  const MeanFieldModel& model_;
  const AtomValues<double>& unaries_;
  std::vector<std::vector<std::uint32_t>> world_;
  std::vector<std::pair<std::uint32_t, std::size_t>> unknown_;
  std::vector<std::vector<double>> sums_;
  double all_ = 0.0;
};

// A random model with at most so many worlds, and log-odds for its atoms.
struct Example {
  MeanFieldModel model;
  AtomValues<double> unaries;
};
Example example(std::uint64_t seed, double most_worlds) {
  for (std::uint64_t attempt = 0;; ++attempt) {
    RandomMeanField random(seed + 100'000 * attempt);
    Example result{random.model(), {}};
    ExactMeanField layer(result.model, {.threads = 1});
    result.unaries = random.numbers(layer.no_unaries(), -1.5, 1.5);
    const Enumeration worlds(result.model, result.unaries);
    if (worlds.num_unknown() > 0 && worlds.num_worlds() <= most_worlds) return result;
  }
}

TEST(ExactInference, EqualsTheSumOverAllWorlds) {
  int contradictions = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(seed);
    const auto [model, unaries] = example(seed, 2048);
    Enumeration worlds(model, unaries);
    const auto expected = worlds.marginals();
    const GroundNetwork network = ground_network(model, unaries, {});
    ASSERT_TRUE(network.complete);
    if (network.contradiction) {
      EXPECT_TRUE(expected.empty());
      ++contradictions;
      continue;
    }
    JunctionTree tree(network, {});
    ASSERT_TRUE(tree.fits());
    const ExactMarginals exact = tree.marginals();
    ASSERT_EQ(exact.possible, !expected.empty());
    if (!exact.possible) {
      ++contradictions;
      continue;
    }
    ASSERT_EQ(exact.probabilities.size(), expected.size());
    EXPECT_NEAR(exact.log_partition - network.constant, worlds.log_partition(), 1e-10);
    for (std::size_t a = 0; a < expected.size(); ++a) {
      for (std::size_t v = 0; v < expected[a].size(); ++v) {
        ASSERT_NEAR(exact.probabilities[a][v], expected[a][v], 1e-10) << a << ' ' << v;
      }
    }
  }
  EXPECT_GT(contradictions, 5);  // or the test shows nothing of them
}

// Where one clause is made by both: what cannot be inferred for it must name what is hard.
TEST(GroundNetwork, NamesTheHardFormulaOfAClause) {
  MeanFieldModel model;
  model.domains.resize(1);
  for (Code c = 0; c < 2; ++c) model.domains[0].codes.push_back(c);
  model.predicates = {{.name = "p", .arguments = {0}}};
  model.facts.resize(1);
  MeanFieldFormula formula;
  formula.variables = {0, 0};
  formula.weights = {1.0};
  formula.clauses = {{{0, {{false, 0}}, {0}}, {0, {{false, 1}}, {1}}}};
  add_formula(model, formula);
  formula.hard = true;
  formula.weights = {};
  add_formula(model, formula);
  add_formula(model, formula);
  const GroundNetwork network = ground_network(model, {std::vector<double>(2, 0.0)}, {});
  ASSERT_EQ(network.clauses.size(), 2U);
  EXPECT_TRUE(network.clauses[0].hard);
  EXPECT_EQ(network.clauses[0].formula, 1U);
}

TEST(ExactInference, IsPlannedBeforeItIsMade) {
  // p(x, y) v p(y, z) v p(x, z) over ten constants ties all of a hundred atoms to each other.
  MeanFieldModel model;
  model.domains.resize(1);
  for (Code c = 0; c < 10; ++c) model.domains[0].codes.push_back(c);
  model.predicates = {{.name = "p", .arguments = {0, 0}}};
  model.facts.resize(1);
  MeanFieldFormula formula;
  formula.variables = {0, 0, 0};
  formula.weights = {1.0};
  formula.clauses = {{{0, {{false, 0}, {false, 1}}, {0}},
                      {0, {{false, 1}, {false, 2}}, {0}},
                      {0, {{false, 0}, {false, 2}}, {1}}}};
  add_formula(model, formula);
  const GroundNetwork network = ground_network(model, {std::vector<double>(100, 0.0)}, {});
  const JunctionTree tree(network, {});
  EXPECT_FALSE(tree.fits());
  EXPECT_GT(tree.size().largest_clique, 25U);
}

// Errors are standard errors: a value is within three of them nearly always. `slack` is for where
// all batches are alike by chance.
void expect_close(const std::vector<std::vector<double>>& expected,
                  const SampledMarginals& sampled,
                  double slack,
                  int& num_far,
                  int& num_all) {
  for (std::size_t a = 0; a < expected.size(); ++a) {
    for (std::size_t v = 0; v < expected[a].size(); ++v) {
      const double distance = std::abs(sampled.probabilities[a][v] - expected[a][v]);
      ++num_all;
      if (distance > 3.0 * sampled.errors[a][v] + slack) ++num_far;
      EXPECT_LE(distance, 0.1 + slack) << a << ' ' << v;
    }
  }
}

void compare_samples(bool mc_sat, double slack) {
  int num_far = 0, num_all = 0, with_hard = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const auto [model, unaries] = example(5000 + seed, 1024);
    const GroundNetwork network = ground_network(model, unaries, {});
    const bool hard = std::any_of(network.clauses.begin(),
                                  network.clauses.end(),
                                  [](const GroundClause& clause) { return clause.hard; });
    if (network.contradiction || (hard && !mc_sat)) continue;
    const auto expected = Enumeration(model, unaries).marginals();
    if (expected.empty()) continue;
    with_hard += hard ? 1 : 0;
    const SampledMarginals sampled = sample_marginals(
        network, {.mc_sat = mc_sat, .samples = 1000, .chains = 4, .seed = seed, .threads = 1});
    ASSERT_TRUE(sampled.possible);
    EXPECT_EQ(sampled.num_samples, 4000U);
    expect_close(expected, sampled, slack, num_far, num_all);
  }
  EXPECT_GT(num_all, 200);
  EXPECT_LE(num_far, num_all / 25);
  EXPECT_GE(with_hard, mc_sat ? 4 : 0);
}

TEST(GibbsSampling, IsWithinItsErrorBars) { compare_samples(false, 1e-3); }

TEST(McSat, IsWithinItsErrorBars) { compare_samples(true, 1e-3); }

// A ring, whose slices are one part where nearly all clauses must hold. SampleSAT alone is off by
// 0.03 to 0.05 here, ten times the error.
TEST(McSat, DrawsWorldsOfSmallPartsEvenly) {
  GroundNetwork network;
  constexpr std::uint32_t kAtoms = 7;
  for (std::uint32_t i = 0; i < kAtoms; ++i) network.atoms.push_back({0, i, 3, {0.0, 0.0}});
  for (std::uint32_t i = 0; i < kAtoms; ++i) {
    const std::uint32_t next = (i + 1) % kAtoms;
    const GroundLiteral not_i{i, 1}, is_next{next, 2};
    network.clauses.push_back(
        {i < next ? std::vector{not_i, is_next} : std::vector{is_next, not_i}, 2.0, false});
    network.clauses.push_back({{{i, 2}}, 0.3, false});
  }
  const ExactMarginals exact = JunctionTree(network, {}).marginals();
  const SampledMarginals sampled =
      sample_marginals(network, {.mc_sat = true, .samples = 10000, .seed = 5, .threads = 1});
  for (std::uint32_t i = 0; i < kAtoms; ++i) {
    EXPECT_LT(sampled.errors[i][1], 0.01);
    EXPECT_NEAR(sampled.probabilities[i][1], exact.probabilities[i][1], 4.0 * sampled.errors[i][1]);
  }
}

TEST(Sampling, RepeatsItselfWithASeedWhateverTheThreads) {
  GroundNetwork network;
  for (std::uint32_t i = 0; i < 6; ++i) network.atoms.push_back({0, i, 3, {0.0, 0.1 * i}});
  for (std::uint32_t i = 0; i < 5; ++i)
    network.clauses.push_back({{{i, 1}, {i + 1, 2}}, 0.7, false});
  for (const bool mc_sat : {false, true}) {
    const SamplingOptions options{.mc_sat = mc_sat, .samples = 50, .seed = 3, .threads = 1};
    SamplingOptions shared = options, other = options;
    shared.threads = 2;
    other.seed = 4;
    const auto first = sample_marginals(network, options).probabilities;
    EXPECT_EQ(first, sample_marginals(network, shared).probabilities);
    EXPECT_NE(first, sample_marginals(network, other).probabilities);
  }
}

// p(0) <-> p(1) as hard clauses: Gibbs sampling could never flip both.
TEST(McSat, GetsFromOneSideOfHardFormulasToTheOther) {
  GroundNetwork network;
  network.atoms = {{0, 0, 3, {0.0, 1.0}}, {0, 1, 3, {0.0, 0.5}}};
  network.clauses = {{{{0, 1}, {1, 2}}, 0.0, true}, {{{0, 2}, {1, 1}}, 0.0, true}};
  EXPECT_THROW(sample_marginals(network, {}), std::invalid_argument);
  const SampledMarginals sampled = sample_marginals(network, {.mc_sat = true, .threads = 1});
  const double exact = 1.0 / (1.0 + std::exp(-1.5));
  EXPECT_NEAR(sampled.probabilities[0][1], exact, 0.02);
  EXPECT_EQ(sampled.probabilities[0][1], sampled.probabilities[1][1]);
  EXPECT_GT(sampled.errors[0][1], 0.0);
  EXPECT_LT(sampled.errors[0][1], 0.02);
}

TEST(McSat, SaysThatNoWorldKeepsTheHardFormulas) {
  GroundNetwork network;
  network.atoms = {{0, 0, 3, {0.0, 0.0}}, {0, 1, 3, {0.0, 0.0}}};
  for (const ValueBits a : {1, 2}) {
    for (const ValueBits b : {1, 2}) network.clauses.push_back({{{0, a}, {1, b}}, 0.0, true});
  }
  EXPECT_FALSE(sample_marginals(network, {.mc_sat = true, .threads = 1}).possible);
  EXPECT_FALSE(JunctionTree(network, {}).marginals().possible);
}

}  // namespace
}  // namespace sorites
