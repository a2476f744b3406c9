#include "hinge/presolve/fold_window.h"

#include <algorithm>
#include <limits>

#include "hinge/presolve/folder.h"

namespace sorites {
namespace {

// Kinks that are kept on each side of x. With 6 and with 24 a warm solve takes the same within 5 %
// (learn_benchmark, seven models): fewer are cheaper to fold, and left more often.
constexpr std::ptrdiff_t kKinks = 12;

class WindowBuilder {
 public:
  WindowBuilder(const Fold& fold, FoldWindow& window) : fold_(fold), window_(window) {
    window.active_begin.push_back(0);
    window.events_begin.push_back(0);
  }

  void copy_variable(std::size_t i, const FoldWindow& from) {
    window_.low.push_back(from.low[i]);
    window_.high.push_back(from.high[i]);
    append(from.active, from.active_begin, i, window_.active);
    append(from.events, from.events_begin, i, window_.events);
    window_.active_begin.push_back(window_.active.size());
    window_.events_begin.push_back(window_.events.size());
  }

  void add_variable(std::size_t i, double x) {
    const auto begin = fold_.events.begin() + static_cast<std::ptrdiff_t>(fold_.begin[i]);
    const auto end = fold_.events.begin() + static_cast<std::ptrdiff_t>(fold_.begin[i + 1]);
    const std::ptrdiff_t kept = x == kNoWindow ? end - begin : kKinks;
    const auto at = std::lower_bound(begin, end, x, [](const FoldEvent& event, double value) {
      return event.breakpoint < value;
    });
    auto first = at - std::min(at - begin, kept);
    auto last = at + std::min(end - at, kept);
    // Equal kinks stay together, so that those within are strictly within.
    const auto equal = [](const FoldEvent& a, const FoldEvent& b) {
      return a.breakpoint == b.breakpoint;
    };
    while (first > begin && first < end && equal(*(first - 1), *first)) --first;
    while (last > begin && last < end && equal(*(last - 1), *last)) ++last;
    window_.low.push_back(first > begin ? (first - 1)->breakpoint : -kInfinity);
    window_.high.push_back(last < end ? last->breakpoint : kInfinity);
    for (auto event = begin; event != first; ++event) add_active(*event, true);
    for (auto event = last; event != end; ++event) add_active(*event, false);
    finish_active();
    window_.events.insert(window_.events.end(), first, last);
    window_.events_begin.push_back(window_.events.size());
  }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  template <class Item>
  static void append(const std::vector<Item>& from,
                     const std::vector<std::size_t>& begin,
                     std::size_t i,
                     std::vector<Item>& to) {
    const auto at = [&](std::size_t place) {
      return from.begin() + static_cast<std::ptrdiff_t>(place);
    };
    to.insert(to.end(), at(begin[i]), at(begin[i + 1]));
  }

  // A term whose kink is left of the window is active within if it is active right of its kink.
  void add_active(const FoldEvent& event, bool is_left) {
    if ((fold_.pieces[event.piece].coefficient > 0.0) == is_left) active_.push_back(event);
  }

  void finish_active() {
    std::stable_sort(active_.begin(), active_.end(), [](const FoldEvent& a, const FoldEvent& b) {
      return a.piece < b.piece;
    });
    for (std::size_t e = 0; e < active_.size();) {
      std::size_t end = e;
      ActiveTerms terms{.piece = active_[e].piece};
      for (; end < active_.size() && active_[end].piece == terms.piece; ++end) {
        terms.mean += active_[end].breakpoint;
      }
      terms.count = static_cast<double>(end - e);
      terms.mean /= terms.count;
      for (; e < end; ++e) {
        const double distance = active_[e].breakpoint - terms.mean;
        terms.spread += distance * distance;
      }
      window_.active.push_back(terms);
    }
    window_.active_begin.push_back(window_.active.size());
    active_.clear();
  }

  const Fold& fold_;
  FoldWindow& window_;
  std::vector<FoldEvent> active_;  // of the variable at hand
};

// The active terms of a variable, those that are active right of their kink apart from the others.
struct Base {
  Segment right, left;
};

Base sum_active(const Fold& fold, const Folder& folder, std::span<const ActiveTerms> active) {
  Base base;
  for (const ActiveTerms& terms : active) {
    const Rates rates = folder.rates(terms.piece);
    Segment& sum = fold.pieces[terms.piece].coefficient > 0.0 ? base.right : base.left;
    rates.add(terms.mean, terms.count, sum);
    sum.constant += 0.5 * rates.bend * terms.spread;
  }
  return base;
}

// The segment with a part of its curvature replaced by the tangent of that part at x.
Segment straightened(Segment segment, double curvature, double x) {
  segment.curvature = std::max(0.0, segment.curvature - curvature);
  segment.slope += curvature * x;
  segment.constant -= 0.5 * curvature * x * x;
  return segment;
}

}  // namespace

FoldWindow window_around(const Fold& fold, std::vector<double> centre) {
  FoldWindow window;
  WindowBuilder builder(fold, window);
  for (std::size_t i = 0; i < centre.size(); ++i) builder.add_variable(i, centre[i]);
  window.centre = std::move(centre);
  return window;
}

namespace {

bool is_within(const FoldWindow& window, std::size_t i, double x) {
  return x >= window.low[i] && x <= window.high[i];
}

}  // namespace

bool is_within(const FoldWindow& window, std::span<const double> x) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!is_within(window, i, x[i])) return false;
  }
  return true;
}

std::size_t open_windows(const Fold& fold, std::span<const double> x, FoldWindow& window) {
  FoldWindow opened;
  std::vector<double> centre = std::move(window.centre);
  WindowBuilder builder(fold, opened);
  std::size_t num_open = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (is_within(window, i, x[i])) {
      builder.copy_variable(i, window);
    } else {
      centre[i] = kNoWindow;
      builder.add_variable(i, kNoWindow);
    }
    num_open += centre[i] == kNoWindow ? 1 : 0;
  }
  window = std::move(opened);
  window.centre = std::move(centre);
  return num_open;
}

void fold_window(const FoldInput& input,
                 const FoldWindow& window,
                 ThreadPool& pool,
                 FoldedTerms& folded) {
  const Fold& fold = input.fold;
  const std::span<const double> lower = input.bounds.lower, upper = input.bounds.upper;
  const Folder folder(fold.pieces, input.rule_weights);
  const auto events_of = [&](std::size_t i) {
    return std::span<const FoldEvent>(window.events)
        .subspan(window.events_begin[i], window.events_begin[i + 1] - window.events_begin[i]);
  };
  const auto count = [&](std::size_t i) {
    const double low = std::max(lower[i], window.low[i]), high = std::min(upper[i], window.high[i]);
    return folder.count(events_of(i), low, high) + (low > lower[i] ? 1 : 0) +
           (high < upper[i] ? 1 : 0);
  };
  const auto fill = [&](std::size_t i, std::span<Segment> out) {
    const Base base = sum_active(
        fold,
        folder,
        std::span<const ActiveTerms>(window.active)
            .subspan(window.active_begin[i], window.active_begin[i + 1] - window.active_begin[i]));
    const double low = std::max(lower[i], window.low[i]), high = std::min(upper[i], window.high[i]);
    const std::size_t before = low > lower[i] ? 1 : 0, after = high < upper[i] ? 1 : 0;
    const std::span<Segment> within = out.subspan(before, out.size() - before - after);
    folder.fill(events_of(i), base.right, base.left, low, high, within);
    if (before > 0) {
      out.front() = straightened(within.front(), base.right.curvature, low);
      out.front().start = lower[i];
    }
    if (after > 0) {
      out.back() = straightened(within.back(), base.left.curvature, high);
      out.back().start = high;
    }
  };
  fold_variables(lower.size(), count, fill, input.kinks_stay, pool, folded);
}

}  // namespace sorites
