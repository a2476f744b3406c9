// The loss of drawn weights and outputs, remembered where it is asked for again.
#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "learn/learning.h"
#include "learn/output_policy.h"

namespace sorites {

// J of one sample (Dickens et al. 2024b, eq. 57): any mix of losses, its metric among them. There
// is one object per sample, and one thread at a time uses it.
class PolicyLoss {
 public:
  PolicyLoss(const LearnSet& training, std::size_t sample, const LossMix& loss)
      : training_(training), sample_(sample), loss_(loss) {}

  // The loss with the choices as drawn.
  double of(std::span<const double> weights, const DrawnChoices& drawn);

 private:
  double compute(std::span<const double> weights, const std::vector<double>& outputs) const;

  const LearnSet& training_;
  std::size_t sample_;
  LossMix loss_;
  std::unordered_map<std::string, double> known_;  // by drawn choices
  std::vector<double> weights_, undrawn_;          // that `known_` holds for
};

}  // namespace sorites
