#include "meanfield/linear_sum.h"

#include <gtest/gtest.h>

#include <random>

namespace sorites {
namespace {

constexpr std::uint32_t kRows = 37, kColumns = 530;  // neither a multiple of a tile

std::vector<double> random_numbers(std::size_t size) {
  static std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<double> numbers(size);
  for (double& number : numbers) number = uniform(random);
  return numbers;
}

double element(const View& view, const std::vector<double>& data, std::size_t i, std::size_t j) {
  const auto row = static_cast<std::ptrdiff_t>(i), column = static_cast<std::ptrdiff_t>(j);
  return data[static_cast<std::size_t>(view.start + row * view.strides[0] +
                                       column * view.strides[1])];
}

// All pairs of: as the result is, across it, along rows, along columns, one number.
TEST(LinearSum, AddsViewsAndTheirProducts) {
  const std::vector<std::uint32_t> shape{kRows, kColumns};
  const std::vector<View> views{
      {0, {kColumns, 1}}, {0, {1, kRows}}, {3, {0, 1}}, {2, {1, 0}}, {5, {0, 0}}};
  const std::size_t size = kRows * kColumns;
  const auto a = random_numbers(size), b = random_numbers(size), before = random_numbers(size);
  for (const unsigned threads : {1U, 3U}) {
    ThreadPool pool(threads);
    for (const View& x : views) {
      for (const View& y : views) {
        for (const bool accumulate : {false, true}) {
          const SumPlan plan = plan_sum(shape, {{x, y}, {y}, {x}});
          const std::vector<ScaledTensor<double>> terms{
              {2.0, a.data(), b.data()}, {-3.0, b.data()}, {1.0, nullptr}};
          std::vector<double> out = before;
          run_sum<double>(plan, terms, 0.5, out.data(), pool, accumulate);
          for (std::size_t k = 0; k < size; ++k) {
            const std::size_t i = k / kColumns, j = k % kColumns;
            const double product = element(x, a, i, j) * element(y, b, i, j);
            const double sum = 0.5 + 2.0 * product - 3.0 * element(y, b, i, j);
            ASSERT_NEAR(out[k], sum + (accumulate ? before[k] : 0.0), 1e-12);
          }
        }
      }
    }
  }
}

TEST(LinearSum, IsOneLoopWhereAllIsAsTheResult) {
  const std::vector<std::uint32_t> shape{kRows, kColumns};
  const View whole = whole_view(shape);
  const SumPlan plan = plan_sum(shape, {{whole, whole}, {whole}});
  EXPECT_TRUE(plan.plain);
  const auto a = random_numbers(kRows * kColumns), b = random_numbers(kRows * kColumns);
  std::vector<double> out(a.size());
  ThreadPool pool(2);
  const std::vector<ScaledTensor<double>> terms{{2.0, a.data(), b.data()}, {-1.0, a.data()}};
  run_sum<double>(plan, terms, 1.0, out.data(), pool);
  for (std::size_t k = 0; k < a.size(); ++k) {
    ASSERT_NEAR(out[k], 1.0 + 2.0 * a[k] * b[k] - a[k], 1e-12);
  }
}

}  // namespace
}  // namespace sorites
