#include "session/collapse.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics.h"

namespace sorites {
namespace {

std::optional<double> metric_of(const LearnEpoch& epoch) {
  return epoch.validation_metric ? epoch.validation_metric : epoch.training_metric;
}

bool got_better(std::span<const LearnEpoch> history) {
  const auto first = metric_of(history.front());
  return first && std::any_of(history.begin(), history.end(), [&](const LearnEpoch& epoch) {
           const auto metric = metric_of(epoch);
           return metric && *metric > *first;
         });
}

// Whether the loss fell while the metric did.
bool fell_for_nothing(std::span<const LearnEpoch> history) {
  constexpr double kShare = 0.9;  // a loss that hardly fell says nothing
  const auto first = metric_of(history.front()), last = metric_of(history.back());
  return first && last && *last < *first && history.back().loss < kShare * history.front().loss;
}

}  // namespace

std::optional<Diagnostic> collapse_of(const LearnOptions& options,
                                      std::span<const LearnEpoch> history) {
  if (options.loss.has_minimiser_based() || history.empty()) return std::nullopt;
  if (got_better(history) || !fell_for_nothing(history)) return std::nullopt;
  std::string message = fmt::format(
      "the loss fell from {:.4g} to {:.4g}, but the metric never got better than at first: a loss "
      "of energies also falls where all that is inferred becomes alike",
      history.front().loss,
      history.back().loss);
  Diagnostics sink;
  sink.warning(DiagnosticCode::kCollapsedLoss, Span{}, std::move(message))
      .notes.push_back({"take a loss of inferred values (`--loss squared_error`, `--loss "
                        "cross_entropy`), or raise `learn.relative_log`",
                        {}});
  return sink.take_sorted().front();
}

}  // namespace sorites
