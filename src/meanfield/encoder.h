// An encoder of entities: every constant has an embedding, and the unary potential of an atom is a
// bilinear function of those of its arguments. What inference finds out is distilled into it
// (Xu et al. 2024, appendix K.4), so that entities with similar roles share what is known about
// them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "meanfield/model.h"

namespace sorites {

// Of predicate r with arguments x_1 .. x_k, per class if there are any:
//
//   unary = b + sum over i of u_i'e(x_i) + sum over i < j of e(x_i)' M_ij e(x_j)
class EmbeddingEncoder {
 public:
  EmbeddingEncoder(const MeanFieldModel& model, std::size_t dimension, std::uint64_t seed);

  AtomValues<float> unaries() const;
  // Slopes of a loss in the parameters, from those in the unaries.
  std::vector<float> gradient(const AtomValues<float>& slopes) const;

  std::span<float> parameters() { return parameters_; }
  std::span<const float> parameters() const { return parameters_; }

 private:
  struct Pair {
    std::size_t i = 0, j = 0;  // arguments
    std::size_t matrix = 0;    // place of M_ij among the parameters
  };
  // A channel of a predicate: true, or one class.
  struct Channel {
    std::size_t predicate = 0, number = 0, num_channels = 1;
    std::vector<std::size_t> types, sizes;
    std::size_t bias = 0;             // places among the parameters
    std::vector<std::size_t> linear;  // per argument
    std::vector<Pair> pairs;
  };

  const float* embeddings(std::size_t type) const { return &parameters_[first_embedding_[type]]; }
  std::size_t num_atoms(const Channel& channel) const;
  void add_linear(const Channel& channel, std::span<float> scores) const;
  void add_pair(const Channel& channel, const Pair& pair, std::span<float> scores) const;
  void linear_gradient(const Channel& channel,
                       std::span<const float> slopes,
                       std::span<float> gradient) const;
  void pair_gradient(const Channel& channel,
                     const Pair& pair,
                     std::span<const float> slopes,
                     std::span<float> gradient) const;

  std::size_t dimension_;
  AtomValues<float> shape_;
  std::vector<std::size_t> first_embedding_, num_constants_;  // per type
  std::vector<Channel> channels_;
  std::vector<float> parameters_;
};

}  // namespace sorites
