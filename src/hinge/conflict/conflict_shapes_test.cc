// Conflicts that propagation does not see, of many shapes: small ones against independent checks,
// the same with 100,000 terms against the clock.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/sanitized.h"
#include "hinge/conflict/check_conflict.h"
#include "hinge/conflict/conflict.h"
#include "sorites/solve.h"

namespace sorites {
namespace {

// Hard terms, each in a block of its own kind; shuffled at the end, so that order is no help.
class Shape {
 public:
  explicit Shape(std::uint64_t seed) : random(seed) {}

  AtomId atom() { return num_atoms++; }
  AtomId any() { return static_cast<AtomId>(random() % num_atoms); }

  void at_most(std::vector<double> a, std::vector<AtomId> atoms, double limit) {
    terms_.push_back({TermKind::kAtMost, std::move(a), std::move(atoms), -limit});
  }
  void equal(std::vector<double> a, std::vector<AtomId> atoms, double value) {
    terms_.push_back({TermKind::kEqual, std::move(a), std::move(atoms), -value});
  }
  // y_first = ... = y_last, or y_first <= ... <= y_last
  std::pair<AtomId, AtomId> chain(std::size_t length, bool is_equal, double rise = 0.0) {
    const AtomId first = atom();
    AtomId last = first;
    for (std::size_t i = 0; i < length; ++i) {
      const AtomId next = atom();
      if (is_equal) equal({1, -1}, {last, next}, -rise);
      if (!is_equal) at_most({1, -1}, {last, next}, -rise);
      last = next;
    }
    return {first, last};
  }
  // Sums of pairs and a sum of three that only a linear program sees to contradict each other.
  void triangle(std::pair<AtomId, AtomId> a,
                std::pair<AtomId, AtomId> b,
                std::pair<AtomId, AtomId> c) {
    at_most({1, 1}, {a.second, b.second}, 1);
    at_most({1, 1}, {b.second, c.second}, 1);
    at_most({1, 1}, {a.second, c.second}, 1);
    at_most({-1, -1, -1}, {a.first, b.first, c.first}, -1.75);
  }

  std::size_t size() const { return terms_.size(); }

  Model take() {
    std::shuffle(terms_.begin(), terms_.end(), random);
    std::stable_sort(terms_.begin(), terms_.end(), [](const Term& s, const Term& t) {
      return std::pair(s.kind, s.coefficients) < std::pair(t.kind, t.coefficients);
    });
    Model model;
    model.num_atoms = num_atoms;
    for (const Term& term : terms_) {
      if (model.blocks.empty() || model.blocks.back().kind != term.kind ||
          model.blocks.back().coefficients != term.coefficients) {
        model.blocks.emplace_back();
        model.blocks.back().kind = term.kind;
        model.blocks.back().coefficients = term.coefficients;
        model.blocks.back().rule = static_cast<std::uint32_t>(model.rules.size());
        model.rules.push_back({0.0, true, "", {}});
      }
      add_term(model.blocks.back(), term.atoms, {}, term.offset);
    }
    return model;
  }

  std::mt19937_64 random;
  AtomId num_atoms = 0;

 private:
  struct Term {
    TermKind kind;
    std::vector<double> coefficients;
    std::vector<AtomId> atoms;
    double offset;
  };
  std::vector<Term> terms_;
};

constexpr std::size_t kAll = 0;  // every term is needed

constexpr std::size_t kManyTerms = kSanitized ? 5'000 : 100'000;

// Builds about `size` terms; gives the largest number of terms that a conflict may have.
struct NamedShape {
  const char* name;
  std::size_t (*build)(Shape& shape, std::size_t size);
};

std::size_t chains_of_equalities(Shape& shape, std::size_t size) {
  const auto a = shape.chain(size / 3, true), b = shape.chain(size / 3, true);
  shape.triangle(a, b, shape.chain(size / 3, true));
  return kAll;
}

std::size_t chains_of_inequalities(Shape& shape, std::size_t size) {
  const auto a = shape.chain(size / 3, false), b = shape.chain(size / 3, false);
  shape.triangle(a, b, shape.chain(size / 3, false));
  return kAll;
}

std::size_t cycle_of_inequalities(Shape& shape, std::size_t size) {
  const auto [first, last] = shape.chain(size, false);
  shape.at_most({1, -1}, {last, first}, -1e-4);
  return kAll;
}

std::size_t cycle_that_rises(Shape& shape, std::size_t size) {
  const double rise = 0.25 / static_cast<double>(size);
  const auto [first, last] = shape.chain(size, false, rise);
  shape.at_most({1, -1}, {last, first}, 0.25 - rise / 2);
  return kAll;
}

std::size_t cycle_of_equalities(Shape& shape, std::size_t size) {
  const auto [first, last] = shape.chain(size, true);
  shape.equal({1, -1}, {last, first}, 1e-3);
  return kAll;
}

// y_i + y_{i+1} = 1 in a cycle of odd length: all are 1/2, as no bound says.
std::size_t odd_cycle(Shape& shape, std::size_t size) {
  const std::size_t length = size / 2 * 2 + 1;
  for (std::size_t i = 0; i < length; ++i) shape.atom();
  for (AtomId i = 0; i < length; ++i) {
    shape.equal({1, 1}, {i, static_cast<AtomId>((i + 1) % length)}, 1);
  }
  const auto middle = static_cast<AtomId>(length / 4 * 2);
  shape.at_most({-1, -1}, {0, middle}, -1.2);  // but one way round they add up to 1
  return length / 2 + 3;
}

std::size_t tree_of_equalities(Shape& shape, std::size_t size) {
  shape.atom();
  for (std::size_t i = 1; i < size; ++i) {
    const AtomId parent = shape.any();
    shape.equal({1, -1}, {shape.atom(), parent}, 0);
  }
  shape.equal({1, -1}, {shape.num_atoms - 1, shape.num_atoms - 2}, 1e-3);
  return size < 1000 ? size : 100;
}

std::size_t star_of_equalities(Shape& shape, std::size_t size) {
  const AtomId hub = shape.atom();
  for (std::size_t i = 1; i < size; ++i) shape.equal({1, -1}, {shape.atom(), hub}, 0);
  const AtomId last = shape.num_atoms - 1;
  shape.at_most({1, -1}, {last, last / 2}, -1e-3);
  return 3;
}

// a_i + b_i + c_i = 1 = b_i + c_i + a_{i+1}
std::size_t chain_of_sums(Shape& shape, std::size_t size) {
  const AtomId first = shape.atom();
  AtomId last = first;
  for (std::size_t i = 0; i < size / 2; ++i) {
    const AtomId b = shape.atom(), c = shape.atom(), next = shape.atom();
    shape.equal({1, 1, 1}, {last, b, c}, 1);
    shape.equal({1, 1, 1}, {b, c, next}, 1);
    last = next;
  }
  shape.at_most({1, -1}, {last, first}, -1e-3);
  return kAll;
}

// One long sum against sums of pairs of other names for its atoms.
std::size_t long_sum(Shape& shape, std::size_t size) {
  const std::size_t pairs = size / 3;
  std::vector<AtomId> all;
  for (std::size_t i = 0; i < pairs; ++i) {
    const AtomId a = shape.atom(), b = shape.atom(), c = shape.atom(), d = shape.atom();
    shape.equal({1, -1}, {a, c}, 0);
    shape.equal({1, -1}, {b, d}, 0);
    shape.at_most({-1, -1}, {c, d}, -1);
    all.push_back(a);
    all.push_back(b);
  }
  shape.at_most(std::vector<double>(all.size(), 1.0), all, static_cast<double>(pairs) - 0.5);
  return kAll;
}

// Differences that a state keeps, and a cycle that none does.
std::size_t random_differences(Shape& shape, std::size_t size) {
  std::vector<double> state;
  for (std::size_t i = 0; i < size / 3 + 10; ++i) {
    shape.atom();
    state.push_back(static_cast<double>(shape.random() % 1000) / 1000.0);
  }
  const auto add = [&](AtomId a, AtomId b, double slack) {
    if (a != b) shape.at_most({1, -1}, {a, b}, state[a] - state[b] + slack);
  };
  for (std::size_t i = 0; i < size; ++i) {
    const AtomId a = shape.any(), b = shape.any();
    add(a, b, 0.05 * static_cast<double>(shape.random() % 3));
  }
  for (AtomId i = 0; i < 10; ++i) add(i, (i + 1) % 10, i == 0 ? -1e-3 : 0.0);
  return 1000;
}

// Groups of which one atom is true, links between them, chains to a triangle, trees of other names.
std::size_t mixture(Shape& shape, std::size_t size) {
  const std::size_t groups = size / 6;
  for (std::size_t g = 0; g < groups; ++g) {
    const AtomId a = shape.atom(), b = shape.atom(), c = shape.atom();
    shape.equal({1, 1, 1}, {a, b, c}, 1);
  }
  const std::size_t num_grouped = shape.num_atoms;
  for (std::size_t g = 0; g < 2 * groups; ++g) {
    const AtomId a = shape.any(), b = shape.any();
    if (a != b) shape.at_most({1, 1}, {a, b}, 1);
  }
  for (std::size_t g = 0; g < 2 * groups; ++g) {
    const AtomId other = shape.any();
    shape.equal({1, -1}, {shape.atom(), other}, 0);
  }
  const auto attach = [&](AtomId grouped) {
    const auto chain = shape.chain(size / 30, grouped % 2 == 0);
    shape.equal({1, -1}, {chain.first, static_cast<AtomId>(grouped % num_grouped)}, 0);
    return chain;
  };
  const auto a = attach(0), b = attach(31);
  shape.triangle(a, b, attach(62));
  return size;
}

// last & body -> head, over and over, where most bodies are true; but the last head is far below
// the first atom.
std::size_t logical_rules(Shape& shape, std::size_t size) {
  constexpr std::size_t kBodies = 20;
  const std::size_t num_sums = size / (kBodies + 1) + 1;
  const AtomId first = shape.atom();
  AtomId last = first;
  for (std::size_t i = 0; i < num_sums; ++i) {
    std::vector<AtomId> bodies;
    for (std::size_t k = 0; k < kBodies; ++k) {
      bodies.push_back(shape.atom());
      const AtomId head = shape.atom();
      shape.at_most({1, 1, -1}, {last, bodies.back(), head}, 1);
      last = head;
    }
    const double slack = 0.2 / static_cast<double>(num_sums);
    shape.at_most(std::vector<double>(kBodies, -1.0), bodies, slack - kBodies);
  }
  shape.at_most({1, -1}, {last, first}, -0.4);
  return kAll;
}

constexpr NamedShape kShapes[] = {{"chains of equalities", chains_of_equalities},
                                  {"chains of inequalities", chains_of_inequalities},
                                  {"cycle of inequalities", cycle_of_inequalities},
                                  {"cycle that rises", cycle_that_rises},
                                  {"cycle of equalities", cycle_of_equalities},
                                  {"odd cycle", odd_cycle},
                                  {"tree of equalities", tree_of_equalities},
                                  {"star of equalities", star_of_equalities},
                                  {"chain of sums", chain_of_sums},
                                  {"long sum", long_sum},
                                  {"random differences", random_differences},
                                  {"mixture", mixture},
                                  {"logical rules", logical_rules}};

TEST(ConflictShapes, AreIrreducibleByAnIndependentCheck) {
  for (const NamedShape& shape : kShapes) {
    for (const std::size_t size : {6, 30, 90}) {
      SCOPED_TRACE(std::string(shape.name) + ", " + std::to_string(size));
      Shape terms(size);
      std::size_t most = shape.build(terms, size);
      if (most == kAll) most = terms.size();
      const Model model = terms.take();
      const auto conflict = conflict_of(model);
      ASSERT_TRUE(conflict);
      expect_irreducible(model, *conflict);
      EXPECT_LE(conflict->terms.size(), most);
    }
  }
}

// Solving may keep all rules within its tolerance; otherwise it says that nothing does, and why.
TEST(ConflictShapes, AreSeenBySolving) {
  for (const NamedShape& shape : kShapes) {
    SCOPED_TRACE(shape.name);
    Shape terms(1);
    shape.build(terms, 300);
    Model model = terms.take();
    TermBlock soft;
    soft.kind = TermKind::kSquaredHinge;
    soft.coefficients = {1.0};
    soft.rule = static_cast<std::uint32_t>(model.rules.size());
    for (AtomId i = 0; i < model.num_atoms; i += 7) add_term(soft, std::vector{i}, {}, -0.3);
    model.rules.push_back({1.0, false, "", {}});
    model.blocks.push_back(std::move(soft));
    const Solution solution = solve(model, parameters_of(model));
    if (solution.status == SolveStatus::kOptimal) {
      EXPECT_LE(solution.max_violation, 1.01e-4);
      continue;
    }
    EXPECT_EQ(solution.status, SolveStatus::kInfeasible);
    EXPECT_TRUE(solution.conflict_is_irreducible);
    EXPECT_FALSE(can_hold(model, solution.conflict));
  }
}

TEST(ConflictShapes, AreFoundAndReducedInSecondsAmongAHundredThousandTerms) {
  for (const NamedShape& shape : kShapes) {
    SCOPED_TRACE(shape.name);
    Shape terms(1);
    const std::size_t most = shape.build(terms, kManyTerms);
    const std::size_t num_terms = terms.size();
    const Model model = terms.take();
    std::optional<Conflict> conflict;
    const double seconds = seconds_of([&] { conflict = conflict_of(model); });
    std::printf("%-24s %zu terms, conflict of %zu%s, %.2f s\n",
                shape.name,
                num_terms,
                conflict ? conflict->terms.size() : 0,
                conflict && conflict->irreducible ? ", irreducible" : "",
                seconds);
    ASSERT_TRUE(conflict);
    EXPECT_TRUE(conflict->irreducible);
    EXPECT_LT(seconds, 30.0);
    EXPECT_LE(conflict->terms.size(), most == kAll ? num_terms : most);
    EXPECT_GE(conflict->terms.size(), most == kAll ? num_terms : 2);
  }
}

}  // namespace
}  // namespace sorites
