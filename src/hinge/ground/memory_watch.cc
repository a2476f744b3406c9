#include "hinge/ground/memory_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/bytes_text.h"
#include "base/memory_limit.h"

namespace sorites {

MemoryWatch::MemoryWatch(const std::stop_token& stop)
    : limit_(static_cast<double>(memory_limit_bytes())),
      pass_on_(stop, [this] { source_.request_stop(); }) {}

void MemoryWatch::look_now() {
  if (static_cast<double>(memory_in_use_bytes()) > limit_) give_up();
}

void MemoryWatch::expect(double bytes, double doubt) {
  constexpr double kLittle = 1U << 26U;  // 64 MB: no need to look
  if (bytes < kLittle) return;
  const double expected = static_cast<double>(memory_in_use_bytes()) + bytes;
  if (expected < doubt * limit_) return;
  expected_ = expected;
  give_up();
}

void MemoryWatch::forecast(double bytes, double part) {
  // The first tasks of a rule may well be larger than the others: of pairs A < B, twice as large.
  constexpr double kDoubt = 2.0;
  expect(bytes / part - bytes, kDoubt);
}

void MemoryWatch::guess(const BindingsSoFar& so_far) {
  // A number that is known leaves what a binding takes to doubt, as in forecast(). Estimates of
  // joins, from numbers of distinct values, are off by far more; and so may be the first part of a
  // join, which can hold the largest hub. They err for different reasons: when both say that it is
  // too much, it is.
  constexpr double kKnown = 2.0, kBothAgree = 8.0, kEstimated = 100.0;
  constexpr double kEnough = 1U << 24U;  // 16 MB: bindings that say what bindings are like
  if (so_far.bytes < kEnough) return;
  const double by_count = so_far.bytes / so_far.count * (so_far.estimated_count - so_far.count);
  const double by_share = so_far.bytes / so_far.share - so_far.bytes;
  expect(by_count, so_far.exact ? kKnown : kEstimated);
  expect(std::min(by_count, by_share), kBothAgree);
}

std::string MemoryWatch::text() const {
  const std::string limit = limit_ < static_cast<double>(kNoMemoryLimit) ? bytes_text(limit_) : "";
  if (expected_ > 0.0 && !limit.empty()) {
    return fmt::format(
        "its ground rules need about {}, and there are {}", bytes_text(expected_), limit);
  }
  return fmt::format(
      "its ground rules need more memory than there is{}{}", limit.empty() ? "" : ": ", limit);
}

std::string reason_of(const RuleQuery& query, const JoinPlan& plan, const Rule& rule) {
  const auto name = [&](std::size_t depth) {
    return rule.variables[query.variables[plan.depths[depth].variable]].name;
  };
  for (std::size_t d = 0; d < plan.depths.size(); ++d) {
    if (plan.depths[d].drivers.empty() && !plan.depths[d].pinned) {
      return fmt::format("no atom binds `{}`: it takes all {} constants of its domain",
                         name(d),
                         plan.depths[d].domain_size);
    }
  }
  for (std::size_t d = 1; d < plan.depths.size(); ++d) {
    if (plan.depths[d].depends_on < 0 && !plan.depths[d].pinned) {
      return fmt::format("no atom that binds `{}` mentions {}: a cross product",
                         name(d),
                         d == 1 ? fmt::format("`{}`", name(0)) : "the variables bound before it");
    }
  }
  return fmt::format("{} variables are joined through atoms that share values with many rows",
                     plan.depths.size());
}

namespace {

[[noreturn]] void refuse(const Rule& rule, const std::string& what, const std::string& why) {
  Diagnostics sink;
  Diagnostic& diagnostic = sink.error(DiagnosticCode::kModelTooLarge, rule.source, what);
  diagnostic.notes.push_back({"the rule is " + rule.text, {}});
  if (!why.empty()) diagnostic.notes.push_back({why, {}});
  diagnostic.notes.push_back(
      {"`sorites estimate` tells what each rule needs; --memory-limit 8GB, or none, goes on", {}});
  throw InputError(sink.take_sorted());
}

}  // namespace

void throw_too_large(const MemoryWatch& watch, const Rule& rule) {
  refuse(rule, watch.text(), "all rules together need it, and this one needs most");
}

void throw_too_large(const MemoryWatch& watch,
                     const Rule& rule,
                     const RuleQuery& query,
                     const JoinPlan& plan) {
  refuse(rule,
         watch.text(),
         fmt::format("about {:.3g} bindings of its variables are expected: {}",
                     plan.depths.empty() ? 1.0 : plan.depths.back().estimated_size,
                     reason_of(query, plan, rule)));
}

}  // namespace sorites
