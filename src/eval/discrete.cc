// Values and truth as true or false, and how well the values predict the truth as probabilities.
#include <algorithm>
#include <cmath>

#include "eval/evaluators.h"

namespace sorites {
namespace {

// A wrong certainty costs ln 1e12 = 27.6, not infinity.
constexpr double kLeastProbability = 1e-12;

double cross_entropy(const LabelledAtom& atom) {
  const double p = std::clamp(atom.value, kLeastProbability, 1.0 - kLeastProbability);
  return -(atom.truth * std::log(p) + (1.0 - atom.truth) * std::log1p(-p));
}

double ratio(double part, double whole) { return whole == 0.0 ? 0.0 : part / whole; }

}  // namespace

std::vector<Metric> discrete_metrics(std::span<const LabelledAtom> atoms, double threshold) {
  double true_positive = 0, false_positive = 0, true_negative = 0, false_negative = 0;
  double loss = 0.0;
  for (const LabelledAtom& atom : atoms) {
    const bool predicted = atom.value >= threshold, expected = atom.truth >= threshold;
    ++(predicted ? (expected ? true_positive : false_positive)
                 : (expected ? false_negative : true_negative));
    loss += cross_entropy(atom);
  }
  const auto count = static_cast<double>(atoms.size());
  const double wrong = false_positive + false_negative;
  return {{"accuracy", ratio(true_positive + true_negative, count)},
          {"f1", ratio(2 * true_positive, 2 * true_positive + wrong)},
          {"precision", ratio(true_positive, true_positive + false_positive)},
          {"recall", ratio(true_positive, true_positive + false_negative)},
          {"negative_precision", ratio(true_negative, true_negative + false_negative)},
          {"negative_recall", ratio(true_negative, true_negative + false_positive)},
          {"log_loss", ratio(loss, count), false}};
}

}  // namespace sorites
