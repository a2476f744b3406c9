// What a run of learning has seen so far: its log, its best weights, and whether to go on.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "learn/learning.h"

namespace sorites {

class LearnProgress {
 public:
  LearnProgress(const LearnSet& training,
                const LearnSet* validation,
                const LearnOptions& options,
                const LearnHooks& hooks);

  LearnState& state() { return state_; }

  // To be called before anything of an epoch (or of a point of a search) is solved.
  void begin(std::uint64_t epoch, std::span<const double> weights);

  // Metrics of the weights of the epoch, or their validation loss; states of training samples that
  // are empty are inferred, with an effort as in Descent::evaluate.
  void measure(std::vector<std::vector<double>>& states, LearnEpoch& record, double effort = 1.0);

  // Adds a line to the log, and tells the hooks. Weights that were looked at only roughly are never
  // the best.
  void finish(LearnEpoch record, bool may_be_best = true);

  // Why to stop after the epoch before, if so.
  std::optional<LearnStop> stop() const;
  bool interrupted() const { return options_.stop.stop_requested(); }

  LearnResult result(LearnStop why);

  // Networks that go with the weights of the result: the best, or those of the last epoch that was
  // begun.
  void restore_networks();

 private:
  std::vector<Energy*> energies() const;
  double seconds_in_solves() const;
  void note_best(const LearnEpoch& record);
  bool keeps_best() const { return options_.keep_best && state_.best_metric.has_value(); }
  std::optional<double> validation_loss() const;
  std::vector<LearnSample> predicted(const LearnSet& set) const;
  double metric_of(const LearnSet& set,
                   std::vector<std::vector<double>>& states,
                   double effort) const;

  const LearnSet& training_;
  const LearnSet* validation_;
  const LearnOptions& options_;
  const LearnHooks& hooks_;
  LearnState state_;
  std::chrono::steady_clock::time_point began_;
  LearnEpoch before_;  // the last epoch of the run that this one goes on from
};

}  // namespace sorites
