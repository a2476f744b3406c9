#include "meanfield/encoder.h"

#include <gtest/gtest.h>

#include "meanfield/random_mean_field.h"

namespace sorites {
namespace {

double loss_of(const EmbeddingEncoder& encoder, const AtomValues<double>& slopes) {
  const AtomValues<float> unaries = encoder.unaries();
  double sum = 0.0;
  for (std::size_t p = 0; p < unaries.size(); ++p) {
    for (std::size_t i = 0; i < unaries[p].size(); ++i) {
      sum += slopes[p][i] * static_cast<double>(unaries[p][i]);
    }
  }
  return sum;
}

// The unaries are quadratic in the parameters of one kind, so differences with large steps are
// exact.
TEST(EmbeddingEncoder, GradientsAreThoseOfDifferences) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    RandomMeanField random(seed);
    const MeanFieldModel model = random.model();
    EmbeddingEncoder encoder(model, 3, seed);
    AtomValues<double> slopes;
    for (const auto& unaries : encoder.unaries()) slopes.emplace_back(unaries.size());
    slopes = random.numbers(slopes, -1.0, 1.0);
    AtomValues<float> single;
    for (const auto& of_predicate : slopes)
      single.emplace_back(of_predicate.begin(), of_predicate.end());
    const std::vector<float> gradient = encoder.gradient(single);
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      const float before = encoder.parameters()[i];
      encoder.parameters()[i] = before + 0.25F;
      const double above = loss_of(encoder, slopes);
      encoder.parameters()[i] = before - 0.25F;
      const double below = loss_of(encoder, slopes);
      encoder.parameters()[i] = before;
      ASSERT_NEAR(gradient[i], (above - below) / 0.5, 1e-3) << seed << ' ' << i;
    }
  }
}

}  // namespace
}  // namespace sorites
