// Random tensors, and slow and obviously right loops over all labels, to test against.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <vector>

#include "meanfield/expression.h"

namespace sorites {

using Random = std::mt19937;

inline std::uint32_t random_below(Random& random, std::uint32_t bound) {
  return std::uniform_int_distribution<std::uint32_t>(0, bound - 1)(random);
}

template <class Real>
std::vector<Real> random_values(Random& random, std::size_t count) {
  std::uniform_real_distribution<Real> uniform(Real{-1}, Real{1});
  std::vector<Real> values(count);
  for (Real& value : values) value = uniform(random);
  return values;
}

using Indices = std::map<std::uint32_t, std::uint32_t>;  // by label

// Calls visit(indices) with all values of all labels.
inline void for_all_indices(const Indices& sizes,
                            const std::function<void(const Indices&)>& visit) {
  Indices indices;
  const std::function<void(Indices::const_iterator)> recurse = [&](auto label) {
    if (label == sizes.end()) return visit(indices);
    for (std::uint32_t i = 0; i < label->second; ++i) {
      indices[label->first] = i;
      recurse(std::next(label));
    }
  };
  recurse(sizes.begin());
}

// The place of an element, row by row.
inline std::size_t place_of(const std::vector<Axis>& axes,
                            const std::vector<std::uint32_t>& shape,
                            const Indices& indices) {
  std::size_t place = 0;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    place = place * shape[i] + (axes[i].fixed ? axes[i].at : indices.at(axes[i].at));
  }
  return place;
}

inline std::vector<Axis> as_axes(const Labels& labels) {
  std::vector<Axis> axes;
  for (const std::uint32_t label : labels) axes.push_back({false, label});
  return axes;
}

inline std::vector<std::uint32_t> shape_of(const Labels& labels, const Indices& sizes) {
  std::vector<std::uint32_t> shape;
  for (const std::uint32_t label : labels) shape.push_back(sizes.at(label));
  return shape;
}

inline void note_sizes_of(const std::vector<Axis>& axes,
                          const std::vector<std::uint32_t>& shape,
                          Indices& sizes) {
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (!axes[i].fixed) sizes[axes[i].at] = shape[i];
  }
}

// The value of a product or map from those of its operands. (`b` of a map is not looked at.)
template <class Real>
std::vector<Real> slow_contraction(const Expression& expression,
                                   const Node& node,
                                   const std::vector<Real>& a,
                                   const std::vector<Real>& b) {
  const bool is_product = node.kind == NodeKind::kProduct;
  const auto a_axes = is_product ? as_axes(node.a_labels) : node.a_axes;
  const auto b_axes = as_axes(node.b_labels);
  const auto out_axes = is_product ? as_axes(node.out_labels) : node.out_axes;
  const auto& a_shape = expression[node.a].shape;
  const auto b_shape = is_product ? expression[node.b].shape : std::vector<std::uint32_t>{};
  Indices sizes;
  note_sizes_of(a_axes, a_shape, sizes);
  note_sizes_of(b_axes, b_shape, sizes);
  note_sizes_of(out_axes, node.shape, sizes);
  std::vector<Real> out(num_elements(node.shape));
  for_all_indices(sizes, [&](const Indices& indices) {
    const Real other = is_product ? b[place_of(b_axes, b_shape, indices)] : Real{1};
    out[place_of(out_axes, node.shape, indices)] += a[place_of(a_axes, a_shape, indices)] * other;
  });
  return out;
}

// Labels of a random product, each with a size of 1 to `most_size`.
struct RandomProduct {
  Labels a, b, out;
  Indices sizes;
};

inline RandomProduct random_product(Random& random, std::uint32_t most_size) {
  RandomProduct product;
  const std::uint32_t num_labels = random_below(random, 6);
  for (std::uint32_t label = 0; label < num_labels; ++label) {
    const std::uint32_t kind = random_below(random, 4);  // batch, row, column, sum
    if (kind != 2) product.a.push_back(label);
    if (kind != 1) product.b.push_back(label);
    if (kind != 3) product.out.push_back(label);
    product.sizes[label] = 1 + random_below(random, most_size);
  }
  for (Labels* labels : {&product.a, &product.b, &product.out}) {
    std::shuffle(labels->begin(), labels->end(), random);
  }
  return product;
}

// Any map: repeated labels, fixed indices, axes that only one side has. The result has axes of the
// sizes of the operand's, or of `other_size`.
inline NodeId add_random_map(Random& random,
                             Expression& expression,
                             NodeId of,
                             std::uint32_t other_size) {
  std::vector<std::uint32_t> sizes, shape = expression[of].shape;
  std::vector<Axis> a_axes, out_axes;
  Indices size_of;
  for (const std::uint32_t size : shape) {
    const std::uint32_t label = random_below(random, 5);
    const bool fixed = random_below(random, 4) == 0;
    const bool fits = !size_of.contains(label) || size_of[label] == size;
    if (fixed || !fits) {
      a_axes.push_back({true, random_below(random, size)});
    } else {
      a_axes.push_back({false, label});
      size_of[label] = size;
    }
  }
  const std::uint32_t num_out = random_below(random, 4);
  for (std::uint32_t i = 0; i < num_out; ++i) {
    const std::uint32_t label = random_below(random, 6);
    const auto known = size_of.find(label);
    const std::uint32_t size = known != size_of.end() ? known->second : other_size;
    size_of[label] = size;
    sizes.push_back(size);
    const bool fixed = random_below(random, 5) == 0;
    out_axes.push_back(fixed ? Axis{true, random_below(random, size)} : Axis{false, label});
  }
  return expression.add_map(of, a_axes, out_axes, sizes);
}

}  // namespace sorites
