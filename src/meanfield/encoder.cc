#include "meanfield/encoder.h"

#include <cmath>
#include <random>

#include "meanfield/atom_state.h"
#include "meanfield/blas.h"

namespace sorites {
namespace {

// Calls work(atom, index of argument i, index of argument j) for all atoms.
template <class Work>
void for_all_atoms(const std::vector<std::size_t>& sizes,
                   std::size_t i,
                   std::size_t j,
                   const Work& work) {
  std::size_t stride_i = 1, stride_j = 1, count = 1;
  for (std::size_t k = sizes.size(); k-- > 0;) {
    if (k == i) stride_i = count;
    if (k == j) stride_j = count;
    count *= sizes[k];
  }
  for (std::size_t atom = 0; atom < count; ++atom) {
    work(atom, atom / stride_i % sizes[i], atom / stride_j % sizes[j]);
  }
}

}  // namespace

EmbeddingEncoder::EmbeddingEncoder(const MeanFieldModel& model,
                                   std::size_t dimension,
                                   std::uint64_t seed)
    : dimension_(dimension) {
  std::size_t count = 0;
  for (const MeanFieldDomain& type : model.domains) {
    first_embedding_.push_back(count);
    num_constants_.push_back(type.size());
    count += type.size() * dimension;
  }
  const std::size_t num_embedded = count;
  const std::vector<AtomLayout> layouts = layouts_of(model);
  for (std::size_t p = 0; p < layouts.size(); ++p) {
    shape_.emplace_back(layouts[p].size(), 0.0F);
    for (std::size_t c = 0; c < (layouts[p].closed ? 0 : layouts[p].num_channels); ++c) {
      Channel channel{p, c, layouts[p].num_channels, {}, {}, count++, {}, {}};
      for (const std::uint32_t type : model.predicates[p].arguments) {
        channel.types.push_back(type);
        channel.sizes.push_back(num_constants_[type]);
        channel.linear.push_back(count);
        count += dimension;
      }
      for (std::size_t i = 0; i < channel.types.size(); ++i) {
        for (std::size_t j = i + 1; j < channel.types.size(); ++j) {
          channel.pairs.push_back({i, j, count});
          count += dimension * dimension;
        }
      }
      channels_.push_back(std::move(channel));
    }
  }
  // Embeddings of length about 1; what they are multiplied with starts near 0, so that all atoms
  // start undecided, but not at 0, where embeddings would have no slope.
  constexpr float kNearZero = 0.1F;
  parameters_.resize(count);
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal(0.0F, 1.0F / std::sqrt(static_cast<float>(dimension)));
  for (std::size_t i = 0; i < count; ++i)
    parameters_[i] = normal(random) * (i < num_embedded ? 1.0F : kNearZero);
  for (const Channel& channel : channels_) parameters_[channel.bias] = 0.0F;
}

std::size_t EmbeddingEncoder::num_atoms(const Channel& channel) const {
  return shape_[channel.predicate].size() / channel.num_channels;
}

void EmbeddingEncoder::add_linear(const Channel& channel, std::span<float> scores) const {
  for (float& score : scores) score += parameters_[channel.bias];
  for (std::size_t k = 0; k < channel.types.size(); ++k) {
    std::vector<float> parts(channel.sizes[k], 0.0F);
    const float* const e = embeddings(channel.types[k]);
    for (std::size_t x = 0; x < parts.size(); ++x) {
      for (std::size_t d = 0; d < dimension_; ++d) {
        parts[x] += parameters_[channel.linear[k] + d] * e[x * dimension_ + d];
      }
    }
    for_all_atoms(channel.sizes, k, k, [&](std::size_t atom, std::size_t x, std::size_t) {
      scores[atom] += parts[x];
    });
  }
}

void EmbeddingEncoder::add_pair(const Channel& channel,
                                const Pair& pair,
                                std::span<float> scores) const {
  const std::size_t rows = channel.sizes[pair.i], columns = channel.sizes[pair.j], d = dimension_;
  std::vector<float> left(rows * d), products(rows * columns);
  gemm({rows, d, d},
       {embeddings(channel.types[pair.i]), d, false},
       {&parameters_[pair.matrix], d, false},
       {left.data(), d},
       {});
  gemm({rows, columns, d},
       {left.data(), d, false},
       {embeddings(channel.types[pair.j]), d, true},
       {products.data(), columns},
       {});
  for_all_atoms(channel.sizes, pair.i, pair.j, [&](std::size_t atom, std::size_t x, std::size_t y) {
    scores[atom] += products[x * columns + y];
  });
}

AtomValues<float> EmbeddingEncoder::unaries() const {
  AtomValues<float> result = shape_;
  for (const Channel& channel : channels_) {
    std::vector<float> scores(num_atoms(channel), 0.0F);
    if (scores.empty()) continue;
    add_linear(channel, scores);
    for (const Pair& pair : channel.pairs) add_pair(channel, pair, scores);
    for (std::size_t atom = 0; atom < scores.size(); ++atom) {
      result[channel.predicate][atom * channel.num_channels + channel.number] = scores[atom];
    }
  }
  return result;
}

void EmbeddingEncoder::linear_gradient(const Channel& channel,
                                       std::span<const float> slopes,
                                       std::span<float> gradient) const {
  for (const float slope : slopes) gradient[channel.bias] += slope;
  for (std::size_t k = 0; k < channel.types.size(); ++k) {
    std::vector<float> sums(channel.sizes[k], 0.0F);
    for_all_atoms(channel.sizes, k, k, [&](std::size_t atom, std::size_t x, std::size_t) {
      sums[x] += slopes[atom];
    });
    const std::size_t first = first_embedding_[channel.types[k]];
    for (std::size_t x = 0; x < sums.size(); ++x) {
      for (std::size_t d = 0; d < dimension_; ++d) {
        const std::size_t embedding = first + x * dimension_ + d, linear = channel.linear[k] + d;
        gradient[linear] += sums[x] * parameters_[embedding];
        gradient[embedding] += sums[x] * parameters_[linear];
      }
    }
  }
}

// With S = E_i M E_j': slopes in M are E_i' S' E_j, in E_i they are S' E_j M', in E_j S'' E_i M.
void EmbeddingEncoder::pair_gradient(const Channel& channel,
                                     const Pair& pair,
                                     std::span<const float> slopes,
                                     std::span<float> gradient) const {
  const std::size_t rows = channel.sizes[pair.i], columns = channel.sizes[pair.j], d = dimension_;
  std::vector<float> sums(rows * columns, 0.0F), left(columns * d), right(rows * d);
  for_all_atoms(channel.sizes, pair.i, pair.j, [&](std::size_t atom, std::size_t x, std::size_t y) {
    sums[x * columns + y] += slopes[atom];
  });
  const std::size_t type_i = channel.types[pair.i], type_j = channel.types[pair.j];
  const MatrixView<float> e_i{embeddings(type_i), d, false}, e_j{embeddings(type_j), d, false};
  const float* const matrix = &parameters_[pair.matrix];
  gemm({rows, d, columns}, {sums.data(), columns, false}, e_j, {right.data(), d}, {});
  gemm({columns, d, rows}, {sums.data(), columns, true}, e_i, {left.data(), d}, {});
  gemm({d, d, rows},
       {e_i.data, d, true},
       {right.data(), d, false},
       {&gradient[pair.matrix], d},
       {1.0F, true});
  gemm({rows, d, d},
       {right.data(), d, false},
       {matrix, d, true},
       {&gradient[first_embedding_[type_i]], d},
       {1.0F, true});
  gemm({columns, d, d},
       {left.data(), d, false},
       {matrix, d, false},
       {&gradient[first_embedding_[type_j]], d},
       {1.0F, true});
}

std::vector<float> EmbeddingEncoder::gradient(const AtomValues<float>& slopes) const {
  std::vector<float> result(parameters_.size(), 0.0F);
  for (const Channel& channel : channels_) {
    std::vector<float> own(num_atoms(channel));
    if (own.empty()) continue;
    for (std::size_t atom = 0; atom < own.size(); ++atom) {
      own[atom] = slopes[channel.predicate][atom * channel.num_channels + channel.number];
    }
    linear_gradient(channel, own, result);
    for (const Pair& pair : channel.pairs) pair_gradient(channel, pair, own, result);
  }
  return result;
}

}  // namespace sorites
