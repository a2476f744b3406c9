// Curves of a learning run as a picture.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "sorites/learn.h"

namespace sorites {

struct LearningPlot {
  std::string title;               // the model and how it was learned
  std::string metric;              // what the metric is called; empty: there is none
  bool metric_is_negated = false;  // smaller is better: the picture shows it as it is
  std::span<const LearnEpoch> history;
  std::uint64_t kept_epoch = 0;  // whose weights are the result
};

// An SVG picture of two panels over the epochs, loss above and metrics below. It needs nothing
// else: no script, no style sheet, no fonts of its own.
std::string learning_plot_svg(const LearningPlot& plot);

}  // namespace sorites
