#include <algorithm>
#include <cmath>

#include "learn/epochs.h"
#include "learn/learning.h"
#include "learn/progress.h"
#include "learn/weight_search.h"
#include "learn/weight_space.h"
#include "sorites/diagnostic.h"

namespace sorites {
namespace {

void check(const LearnSet& training,
           const std::vector<double>& weights,
           const std::vector<bool>& fixed,
           bool by_steps) {
  if (training.samples.empty()) throw std::invalid_argument("learn: there are no samples");
  if (fixed.size() != weights.size()) {
    throw std::invalid_argument("learn: weights and fixed rules differ in number");
  }
  bool labelled = false;
  for (const LearnSample& sample : training.samples) {
    if (sample.energy->num_weights() != weights.size()) {
      throw std::invalid_argument("learn: one weight per rule is needed");
    }
    if (sample.outputs.size() != sample.energy->num_outputs()) {
      throw std::invalid_argument("learn: one value per network output is needed");
    }
    const auto labels = sample.energy->labels();
    labelled |= std::any_of(labels.begin(), labels.end(), [](double t) { return !std::isnan(t); });
  }
  const bool networks_learn = training.networks != nullptr && by_steps;
  if (!labelled && !networks_learn) {
    throw LearnError("no target has a label: learning needs truth for at least some targets");
  }
  if (std::find(fixed.begin(), fixed.end(), false) == fixed.end() && !networks_learn) {
    throw LearnError("there is no weight to learn: every rule is hard or has no ground rules");
  }
}

// Networks as they are at the beginning: samples have outputs before anything is learned.
void predict_outputs(LearnSet& set) {
  if (set.networks == nullptr) return;
  for (std::size_t s = 0; s < set.samples.size(); ++s) {
    set.samples[s].outputs = set.networks->predict(s);
  }
}

}  // namespace

bool is_search(LearnAlgorithm algorithm) { return algorithm >= LearnAlgorithm::kGridSearch; }

bool is_simplex(WeightDomain domain) {
  return domain != WeightDomain::kNonNegative && domain != WeightDomain::kReal;
}

LearnResult learn(const LearnSet& training,
                  const LearnSet* validation,
                  std::vector<double> weights,
                  const std::vector<bool>& fixed,
                  const LearnOptions& options,
                  const LearnHooks& hooks) {
  const bool by_steps = !is_search(options.algorithm);
  LearnSet set = training;
  predict_outputs(set);
  check(set, weights, fixed, by_steps);
  WeightSpace space(options, fixed);
  space.enter(weights);
  LearnProgress progress(set, validation, options, hooks);
  try {
    const LearnStop why =
        by_steps ? learn_by_steps(set, weights, space, options, progress, hooks.resume != nullptr)
                 : search_weights(set, std::move(weights), space, options, progress);
    return progress.result(why);
  } catch (const Interrupted&) {  // within an epoch: the one before it counts
    return progress.result(LearnStop::kInterrupted);
  } catch (const LearnError&) {
    progress.restore_networks();
    throw;
  }
}

}  // namespace sorites
