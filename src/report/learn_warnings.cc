#include "report/learn_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hinge/model/rule_numbers.h"

namespace sorites {
namespace {

// A difference below this may be rounding of solves.
constexpr double kNoticeable = 1e-3;

const LearnEpoch* epoch_of(const LearnReport& report, std::uint64_t number) {
  for (const LearnEpoch& epoch : report.history) {
    if (epoch.epoch == number) return &epoch;
  }
  return nullptr;
}

bool is_worse(double before, double after, bool higher_is_better) {
  const double gain = higher_is_better ? after - before : before - after;
  return gain < -kNoticeable * std::max(std::abs(before), kNoticeable);
}

// On the data of inference, by the metric that stands for each evaluation.
void warn_of_worse_inference(const LearnReport& report, std::vector<std::string>& warnings) {
  if (!report.untrained || !report.trained) return;
  const auto& before = report.untrained->metrics;
  const auto& after = report.trained->metrics;
  for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
    const Metric& old_metric = before[i].metrics[before[i].representative];
    const Metric& metric = after[i].metrics[after[i].representative];
    if (!is_worse(old_metric.value, metric.value, metric.higher_is_better)) continue;
    warnings.push_back(
        fmt::format("on the data of inference {} of {} is {:.4g} after learning, {:.4g} before: "
                    "the first weights may be better; data to validate with, or a larger "
                    "learn.relative_log, keeps weights from fitting the learning data too closely",
                    metric.name,
                    report.predicates[after[i].predicate].name,
                    metric.value,
                    old_metric.value));
  }
}

// On the data of learning: possible where the best epoch is not kept.
void warn_of_worse_learning(const LearnReport& report, std::vector<std::string>& warnings) {
  const LearnEpoch* kept = epoch_of(report, report.kept_epoch);
  if (kept == nullptr || report.history.front().epoch != 0) return;
  const LearnEpoch& first = report.history.front();
  const auto compare = [&](const char* what, std::optional<double> LearnEpoch::*metric) {
    if (!(first.*metric) || !(kept->*metric)) return;
    if (!is_worse(*(first.*metric), *(kept->*metric), true)) return;
    warnings.push_back(
        fmt::format("the {} metric of the weights that were kept is worse than that of the first "
                    "ones: set learn.keep_best, or take smaller steps",
                    what));
  };
  compare("training", &LearnEpoch::training_metric);
  compare("validation", &LearnEpoch::validation_metric);
}

void warn_of_collapse(const LearnReport& report, std::vector<std::string>& warnings) {
  if (report.options.domain == WeightDomain::kReal) return;  // sums of these say nothing
  constexpr double kNearlyAll = 0.99;  // the others together then change no answer
  double sum = 0.0, old_sum = 0.0;
  std::size_t count = 0, largest = 0;
  for (std::size_t i = 0; i < report.weights.size(); ++i) {
    if (!report.learned[i]) continue;
    sum += report.weights[i];
    old_sum += report.old_weights[i];
    if (count++ == 0 || report.weights[i] > report.weights[largest]) largest = i;
  }
  if (count < 2) return;
  if (sum <= 0.0) {
    warnings.emplace_back(
        "all learned weights are 0, so that no rule counts: the loss is smallest without rules; "
        "take a minimiser-based loss, or a regulariser such as learn.relative_log");
    return;
  }
  const bool was_so = old_sum > 0.0 && report.old_weights[largest] >= kNearlyAll * old_sum;
  if (report.weights[largest] < kNearlyAll * sum || was_so) return;
  warnings.push_back(
      fmt::format("the weights collapsed: rule {} has {:.4g} of their sum; take a minimiser-based "
                  "loss, or a larger learn.relative_log",
                  rule_numbers(report.rules)[report.rule_of_weight[largest]],
                  report.weights[largest] / sum));
}

void warn_of_standstill(const LearnReport& report, std::vector<std::string>& warnings) {
  const bool learns_weights =
      std::find(report.learned.begin(), report.learned.end(), true) != report.learned.end();
  const bool by_steps = report.options.algorithm < LearnAlgorithm::kGridSearch;
  if (!learns_weights || !by_steps || report.history.size() < 2) return;
  for (std::size_t e = 1; e < report.history.size(); ++e) {
    if (report.history[e].movement > 0.0) return;
  }
  warnings.emplace_back(
      "no weight moved: the loss does not change with the weights; see whether rules compete for "
      "the same targets (`sorites explain`), or take another loss");
}

}  // namespace

std::vector<std::string> learning_warnings(const LearnReport& report) {
  std::vector<std::string> warnings;
  if (report.history.empty()) return warnings;
  warn_of_worse_inference(report, warnings);
  warn_of_worse_learning(report, warnings);
  warn_of_collapse(report, warnings);
  warn_of_standstill(report, warnings);
  return warnings;
}

std::string kept_text(const LearnReport& report) {
  const LearnEpoch* kept = epoch_of(report, report.kept_epoch);
  if (kept == nullptr) return {};
  const char* why = "nothing tells which is best, so it is the last";
  if (!report.options.keep_best) {
    why = "the last, as learn.keep_best is false";
  } else if (kept->validation_metric) {
    why = "it has the best validation metric";
  } else if (kept->validation_loss) {
    why = "it has the smallest validation loss";
  } else if (kept->training_metric) {
    why = "it has the best training metric; data to validate with would tell more";
  } else if (report.kept_epoch != report.history.back().epoch || report.networks.empty()) {
    why = "it has the smallest loss";
  }
  return fmt::format("epoch {} of {}: {}", report.kept_epoch, report.history.back().epoch, why);
}

}  // namespace sorites
