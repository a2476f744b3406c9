#include "perception/propagate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace sorites {
namespace {

using Edge = std::pair<std::uint32_t, std::uint32_t>;

// Both directions of every edge and a loop at every row, sorted, each once.
std::vector<Edge> symmetric_with_loops(std::span<const Edge> edges, std::size_t num_rows) {
  std::vector<Edge> all;
  all.reserve(2 * edges.size() + num_rows);
  for (const auto& [from, to] : edges) {
    if (from >= num_rows || to >= num_rows) {
      throw std::invalid_argument(
          fmt::format("edge ({}, {}) of a graph of {} rows of features", from, to, num_rows));
    }
    all.emplace_back(from, to);
    all.emplace_back(to, from);
  }
  for (std::uint32_t row = 0; row < num_rows; ++row) all.emplace_back(row, row);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace

void normalize_rows(FeatureArray& features) {
  const std::size_t size = features.row_size();
  for (std::size_t begin = 0; begin + size <= features.values.size(); begin += size) {
    const std::span<float> row(features.values.data() + begin, size);
    double sum = 0.0;
    for (const float value : row) sum += std::abs(static_cast<double>(value));
    if (sum == 0.0) continue;
    for (float& value : row) value = static_cast<float>(static_cast<double>(value) / sum);
  }
}

void propagate_over_graph(FeatureArray& features, std::span<const Edge> edges, std::size_t hops) {
  const std::size_t num_rows = features.num_rows(), size = features.row_size();
  const std::vector<Edge> all = symmetric_with_loops(edges, num_rows);
  std::vector<double> degree(num_rows);
  for (const auto& [from, to] : all) degree[from] += 1.0;
  std::vector<float> next;
  for (std::size_t hop = 0; hop < hops; ++hop) {
    next.assign(features.values.size(), 0.0F);
    for (const auto& [from, to] : all) {
      const auto weight = static_cast<float>(1.0 / std::sqrt(degree[from] * degree[to]));
      const float* in = features.values.data() + to * size;
      float* out = next.data() + from * size;
      for (std::size_t i = 0; i < size; ++i) out[i] += weight * in[i];
    }
    features.values.swap(next);
  }
}

}  // namespace sorites
