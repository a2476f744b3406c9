// Features averaged over a graph.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "perception/networks.h"

namespace sorites {

// Divides each row by the sum of its absolute values; rows of zeros stay.
void normalize_rows(FeatureArray& features);

// Simple graph convolution: features become S^hops features with S = D^-1/2 (A + I) D^-1/2, where A
// has 1 for each edge in both directions and D the degrees of A + I. Wu, Zhang, de Souza, Fifty,
// Yu, Weinberger, "Simplifying Graph Convolutional Networks", 2019, equations 2 to 6. Edges are
// pairs of rows; an edge that is given twice, or in both directions, counts once, and loops not at
// all. Throws std::invalid_argument if there is no such row.
void propagate_over_graph(FeatureArray& features,
                          std::span<const std::pair<std::uint32_t, std::uint32_t>> edges,
                          std::size_t hops);

}  // namespace sorites
