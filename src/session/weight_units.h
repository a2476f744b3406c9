// The weights of rules where learning starts, and their units: on a simplex, or as they are
// written.
#pragma once

#include <cstdint>
#include <vector>

#include "semantics/reasoner.h"
#include "session/learn_settings.h"

namespace sorites {

// Weights as learning sees them, and as they are written.
class WeightUnits {
 public:
  // `learnable`, which must outlive it: per weight of the reasoner.
  WeightUnits(const Reasoner& reasoner,
              const std::vector<bool>& learnable,
              const LearnSettings& settings);

  std::vector<double> start() const;

  // What weights on a simplex, or divided by the largest, are to be multiplied by.
  double unit() const { return on_simplex_ && sum_of_written_ > 0.0 ? sum_of_written_ : scale_; }

  std::vector<double> as_written(const std::vector<double>& learned) const;

 private:
  template <class Change>
  void for_learned(const Change& change);
  double sum_of_learned(const std::vector<double>& weights) const;
  void start_per_constant(const Reasoner& reasoner, double start);
  void randomize(std::uint64_t seed);
  void spread(const LearnSettings& settings);

  const std::vector<bool>& learnable_;
  bool on_simplex_;
  std::vector<double> written_;
  double scale_ = 1.0;
  double sum_of_written_ = 0.0;
};

}  // namespace sorites
