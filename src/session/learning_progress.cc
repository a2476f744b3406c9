#include "session/learning_progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "learn/learning.h"

namespace sorites {
namespace {

std::string duration_left(const LearnEpoch& epoch,
                          std::uint64_t first,
                          const LearnOptions& options) {
  const double done = static_cast<double>(epoch.epoch - first);
  double seconds = options.time_limit_seconds - epoch.seconds;
  if (!is_search(options.algorithm) && done > 0) {
    const double left = static_cast<double>(options.max_epochs) - static_cast<double>(epoch.epoch);
    seconds = std::min(seconds, left * epoch.seconds / done);
  }
  if (!std::isfinite(seconds)) return {};
  seconds = std::max(seconds, 0.0);
  return seconds < 120.0 ? fmt::format(", {:.0f} s left", seconds)
                         : fmt::format(", {:.0f} min left", seconds / 60.0);
}

}  // namespace

std::string progress_text(const LearnEpoch& epoch,
                          const LearnEpoch& before,
                          std::uint64_t first,
                          const LearnOptions& options) {
  std::string text = fmt::format("epoch {}, loss {:.6g}", epoch.epoch, epoch.loss);
  if (epoch.start > 0) text = fmt::format("start {}, {}", epoch.start + 1, text);
  const auto metric = [&](const char* name, const std::optional<double>& value) {
    if (value) text += fmt::format(", {} {:.4g}", name, std::abs(*value));
  };
  metric("train", epoch.training_metric);
  metric("valid", epoch.validation_metric ? epoch.validation_metric : epoch.validation_loss);
  const auto trained = static_cast<double>(epoch.num_trained - before.num_trained);
  const double seconds = epoch.seconds - before.seconds;
  if (trained > 0.0 && seconds > 0.0) text += fmt::format(", {:.0f} entities/s", trained / seconds);
  return text + fmt::format(", gap {:.0e}", epoch.relative_gap) +
         duration_left(epoch, first, options);
}

}  // namespace sorites
