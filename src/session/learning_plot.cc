#include "session/learning_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace sorites {
namespace {

// The page in pixels: panels below each other, with room for what stands beside their axes.
constexpr double kWidth = 760, kLeft = 84, kRight = 24;
constexpr double kPanelHeight = 190, kPanelDistance = 244, kFirstTop = 64, kBelow = 62;

struct Series {
  std::string name, color, dashes;
  std::vector<std::pair<double, double>> points;  // epoch, value; all finite
};

struct Panel {
  std::string label;
  std::vector<Series> series;
  std::string empty_text;  // shown if there are no points
  double top = 0.0;        // set when it is drawn
};

struct Axis {
  double low = 0.0, high = 1.0;  // the ends
  double step = 0.5;             // between two ticks
};

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '<') {
      result += "&lt;";
    } else if (c == '&') {
      result += "&amp;";
    } else if (static_cast<unsigned char>(c) >= 0x20) {
      result += c;
    }
  }
  return result;
}

// Ends that hold all values, with ticks at 1, 2 or 5 times a power of ten.
Axis axis_for(double low, double high, double ticks, double least_step = 0.0) {
  if (!(high > low)) {
    const double room = low == 0.0 ? 1.0 : 0.1 * std::abs(low);
    low -= room;
    high += room;
  }
  const double rough = (high - low) / ticks;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  const double ratio = rough / power;
  const double step = std::max(least_step,
                               power * (ratio <= 1   ? 1
                                        : ratio <= 2 ? 2
                                        : ratio <= 5 ? 5
                                                     : 10));
  return {std::floor(low / step) * step, std::ceil(high / step) * step, step};
}

class Picture {
 public:
  Picture(const LearningPlot& plot, double num_panels)
      : plot_(plot), bottom_(kFirstTop + (num_panels - 1.0) * kPanelDistance + kPanelHeight) {
    const double last = plot.history.empty() ? 1.0 : static_cast<double>(plot.history.back().epoch);
    epochs_ = axis_for(0.0, std::max(last, 1.0), 8, 1.0);
    epochs_.high = std::max(last, 1.0);
    text_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
        "height=\"{1}\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\">\n"
        "<title>{2}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        "<text x=\"{3}\" y=\"26\" font-size=\"15\" font-weight=\"bold\">{2}</text>\n",
        kWidth,
        bottom_ + kBelow,
        escaped(plot.title),
        kLeft);
  }

  void add(Panel panel) {
    panel.top = kFirstTop + kPanelDistance * num_drawn_++;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Series& series : panel.series) {
      for (const auto& [epoch, value] : series.points) {
        low = std::min(low, value);
        high = std::max(high, value);
      }
    }
    const bool empty = !(low <= high);
    const Axis values = empty ? Axis{} : axis_for(low, high, 5);
    frame(panel, values, empty);
    if (empty) return text(kWidth / 2, panel.top + kPanelHeight / 2, "middle", panel.empty_text);
    kept_line(panel);
    for (const Series& series : panel.series) curve(series, panel.top, values);
    legend(panel);
  }

  std::string finish() {
    text(kLeft + (kWidth - kLeft - kRight) / 2, bottom_ + 38, "middle", "epoch");
    return text_ + "</svg>\n";
  }

 private:
  double x(double epoch) const {
    return kLeft + (kWidth - kLeft - kRight) * (epoch - epochs_.low) / (epochs_.high - epochs_.low);
  }
  static double y(double value, double top, const Axis& axis) {
    return top + kPanelHeight * (axis.high - value) / (axis.high - axis.low);
  }

  void text(double at_x, double at_y, std::string_view anchor, std::string_view what) {
    text_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n",
                         at_x,
                         at_y,
                         anchor,
                         escaped(what));
  }

  void line(double x1, double y1, double x2, double y2, std::string_view style) {
    text_ += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n",
                         x1,
                         y1,
                         x2,
                         y2,
                         style);
  }

  // Ticks with grid lines and numbers, and the name of the values.
  void frame(const Panel& panel, const Axis& values, bool empty) {
    const double bottom = panel.top + kPanelHeight;
    constexpr double kStepRounding = 1e-6;  // in steps: the last tick is drawn
    const double end = epochs_.high + epochs_.step * kStepRounding;
    for (double k = 0; epochs_.low + k * epochs_.step <= end; ++k) {
      const double tick = epochs_.low + k * epochs_.step;
      line(x(tick), panel.top, x(tick), bottom, "stroke=\"#e4e4e4\"");
      text(x(tick), bottom + 18, "middle", fmt::format("{:g}", tick));
    }
    for (double k = 0; !empty && values.low + k * values.step <= values.high + values.step * 0.5;
         ++k) {
      const double tick = std::round((values.low + k * values.step) / values.step) * values.step;
      line(kLeft,
           y(tick, panel.top, values),
           kWidth - kRight,
           y(tick, panel.top, values),
           "stroke=\"#e4e4e4\"");
      text(kLeft - 8, y(tick, panel.top, values) + 4, "end", fmt::format("{:.6g}", tick));
    }
    text_ += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#666\"/>\n",
        kLeft,
        panel.top,
        kWidth - kLeft - kRight,
        kPanelHeight);
    text_ += fmt::format(
        "<text transform=\"translate(20 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
        panel.top + kPanelHeight / 2,
        escaped(panel.label));
  }

  void kept_line(const Panel& panel) {
    const double at = x(static_cast<double>(plot_.kept_epoch));
    line(at, panel.top, at, panel.top + kPanelHeight, "stroke=\"#666\" stroke-dasharray=\"2 4\"");
  }

  void curve(const Series& series, double top, const Axis& values) {
    std::string points;
    for (const auto& [epoch, value] : series.points) {
      points += fmt::format("{:.1f},{:.1f} ", x(epoch), y(value, top, values));
    }
    if (points.empty()) return;
    points.pop_back();
    text_ +=
        fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{}/>\n",
                    points,
                    series.color,
                    series.dashes);
    const auto& [epoch, value] = series.points.back();
    text_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n",
                         x(epoch),
                         y(value, top, values),
                         series.color);
  }

  // One row above the panel, from the right.
  void legend(const Panel& panel) {
    double at = kWidth - kRight;
    const auto entry = [&](const std::string& name, std::string_view style) {
      at -= 7.0 * static_cast<double>(name.size()) + 40.0;
      line(at, panel.top - 12, at + 24, panel.top - 12, style);
      text(at + 30, panel.top - 8, "start", name);
    };
    entry("epoch that was kept", "stroke=\"#666\" stroke-dasharray=\"2 4\"");
    for (auto series = panel.series.rbegin(); series != panel.series.rend(); ++series) {
      if (series->points.empty()) continue;
      entry(series->name,
            fmt::format("stroke=\"{}\" stroke-width=\"2\"{}", series->color, series->dashes));
    }
  }

  const LearningPlot& plot_;
  double bottom_;  // of the last panel
  double num_drawn_ = 0.0;
  Axis epochs_;
  std::string text_;
};

void add_point(Series& series, const LearnEpoch& epoch, std::optional<double> value) {
  if (value && std::isfinite(*value)) {
    series.points.emplace_back(static_cast<double>(epoch.epoch), *value);
  }
}

// What the bilevel algorithm does to its constraints. They range over many powers of ten.
Panel bilevel_panel(std::span<const LearnEpoch> history) {
  Panel panel{"log10",
              {{"iota", "#0072b2", "", {}},
               {"mu", "#d55e00", "", {}},
               {"lambda", "#cc79a7", "", {}},
               {"violation", "#000000", " stroke-dasharray=\"7 3\"", {}},
               {"active share", "#009e73", " stroke-dasharray=\"3 3\"", {}}},
              ""};
  for (const LearnEpoch& epoch : history) {
    if (!epoch.bilevel) continue;
    const BilevelEpoch& at = *epoch.bilevel;
    const double values[] = {
        at.relaxation, at.squared_penalty, at.linear_penalty, at.violation, at.active};
    for (std::size_t i = 0; i < std::size(values); ++i) {
      add_point(panel.series[i], epoch, std::log10(values[i]));  // those of 0 are left out
    }
  }
  return panel;
}

}  // namespace

std::string learning_plot_svg(const LearningPlot& plot) {
  Panel loss{
      "loss",
      {{"loss", "#0072b2", "", {}}, {"validation", "#009e73", " stroke-dasharray=\"7 3\"", {}}},
      "no loss was computed"};
  Panel metrics{
      plot.metric.empty() ? "metric" : plot.metric,
      {{"training", "#d55e00", "", {}}, {"validation", "#009e73", " stroke-dasharray=\"7 3\"", {}}},
      "no metric: the model lists no evaluations"};
  const double sign = plot.metric_is_negated ? -1.0 : 1.0;
  const auto shown = [&](std::optional<double> metric) -> std::optional<double> {
    return metric ? std::optional(sign * *metric) : std::nullopt;
  };
  for (const LearnEpoch& epoch : plot.history) {
    add_point(loss.series[0], epoch, epoch.loss);
    add_point(loss.series[1], epoch, epoch.validation_loss);
    add_point(metrics.series[0], epoch, shown(epoch.training_metric));
    add_point(metrics.series[1], epoch, shown(epoch.validation_metric));
  }
  const bool is_bilevel =
      std::any_of(plot.history.begin(), plot.history.end(), [](const LearnEpoch& epoch) {
        return epoch.bilevel.has_value();
      });
  Picture picture(plot, is_bilevel ? 3.0 : 2.0);
  picture.add(loss);
  picture.add(metrics);
  if (is_bilevel) picture.add(bilevel_panel(plot.history));
  return picture.finish();
}

}  // namespace sorites
