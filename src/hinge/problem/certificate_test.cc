#include "hinge/problem/certificate.h"

#include <gtest/gtest.h>

#include "hinge/problem/random_model.h"

namespace sorites {
namespace {

// Terms that hold, and their opposites in another order: objective and bound are 0, and what is
// above it is rounding.
TEST(Certificate, HasNoRoundingErrorsInTheBoundWhereMultipliersCancelOut) {
  constexpr std::size_t kPairs = 20, kAtoms = 4;
  ThreadPool pool(1);
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    std::mt19937_64 random(seed);
    RandomTerms terms{random, kAtoms};
    ModelBuilder builder(kAtoms);
    std::vector<double> truth(kAtoms), multipliers;
    for (double& value : truth) value = terms.uniform(0.0, 1.0);
    std::vector<std::vector<AtomId>> atoms;
    for (std::size_t k = 0; k < kPairs; ++k) {
      atoms.push_back(terms.atoms(2));
      multipliers.push_back(terms.uniform(0.0, 1e9));
      const double offset = truth[atoms[k][1]] - truth[atoms[k][0]];
      builder.add(TermKind::kHinge, 1e9, {1.0, -1.0}, atoms[k], offset);
    }
    for (std::size_t j = 0; j < kPairs; ++j) {
      const std::size_t k = (j + 7) % kPairs;
      multipliers.push_back(multipliers[k]);
      const double offset = truth[atoms[k][0]] - truth[atoms[k][1]];
      builder.add(TermKind::kHinge, 1e9, {-1.0, 1.0}, atoms[k], offset);
    }
    const Model model = builder.take();
    const Certificate found = certify(model, parameters_of(model, false), truth, multipliers, pool);
    EXPECT_LE(found.lower_bound, 0.0) << seed;
    EXPECT_GE(found.lower_bound, -1e-3) << seed;
  }
}

}  // namespace
}  // namespace sorites
