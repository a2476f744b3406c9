#include "learn/weight_search.h"

#include <numeric>

#include "learn/descent.h"
#include "learn/search.h"

namespace sorites {
namespace {

// Tries points; those that a resumed run tried before are remembered, not tried again.
class Trial {
 public:
  Trial(const LearnSet& training,
        std::vector<double> weights,
        const WeightSpace& space,
        const LearnOptions& options,
        LearnProgress& progress)
      : training_(training),
        weights_(std::move(weights)),
        space_(space),
        progress_(progress),
        tried_(progress.state().tried),
        descent_(make_gradient_descent(training, options)) {}

  double operator()(std::span<const double> point, double effort) {
    if (number_ < tried_.size()) return tried_[number_++];
    for (std::size_t k = 0; k < point.size(); ++k) weights_[space_.learned()[k]] = point[k];
    progress_.begin(number_, weights_);
    progress_.state().tried = tried_;
    std::vector<std::vector<double>> states(training_.samples.size());
    std::vector<std::size_t> all(states.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    LearnEpoch record;
    // Where a metric tells what is better, inference is all that is needed.
    if (!training_.metric) record.loss = descent_->evaluate(weights_, all, effort, states).value;
    progress_.measure(states, record, effort);
    const double objective = training_.metric ? -*record.training_metric : record.loss;
    if (training_.metric) record.loss = objective;
    tried_.push_back(objective);
    ++number_;
    if (!progress_.interrupted()) progress_.finish(record, effort == 1.0);
    return objective;
  }

 private:
  const LearnSet& training_;
  std::vector<double> weights_;  // of the point at hand
  const WeightSpace& space_;
  LearnProgress& progress_;
  std::vector<double> tried_;  // objectives, in order
  std::size_t number_ = 0;
  std::unique_ptr<Descent> descent_;
};

}  // namespace

LearnStop search_weights(const LearnSet& training,
                         std::vector<double> weights,
                         const WeightSpace& space,
                         const LearnOptions& options,
                         LearnProgress& progress) {
  std::vector<double> start;
  for (const std::size_t r : space.learned()) start.push_back(weights[r]);
  Trial trial(training, std::move(weights), space, options, progress);
  LearnStop why = LearnStop::kSearched;
  search(
      {options.algorithm, options.search, options.domain, options.seed},
      start,
      [&](std::span<const double> point, double effort) { return trial(point, effort); },
      [&](std::span<const double>, double, double) {
        if (const auto stop = progress.stop()) why = *stop;
        return why == LearnStop::kSearched;
      });
  return why;
}

}  // namespace sorites
