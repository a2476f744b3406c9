// Ends grounding before memory does.
#pragma once

#include <atomic>
#include <cstdint>
#include <stop_token>
#include <string>

#include "base/diagnostics.h"
#include "hinge/ground/rule_query.h"
#include "join/join_plan.h"
#include "sorites/program.h"

namespace sorites {

// What is known of a rule's bindings while the first of them are found.
struct BindingsSoFar {
  double count = 0.0, bytes = 0.0;  // found, and what their terms take
  double share = 1.0;               // of the join's work, if its parts are alike
  double estimated_count = 0.0;     // of all of them
  bool exact = false;               // that number is known, not estimated
};

// Threads look at it while they ground; it asks all of them to stop once the process holds more
// than it may, or once what is there so far says that it will.
class MemoryWatch {
 public:
  // Stops when `stop` does, too.
  explicit MemoryWatch(const std::stop_token& stop);

  std::stop_token stop() const { return source_.get_token(); }
  bool is_over() const { return over_; }
  // Of one thread, after each batch of bindings: seldom looks at the process, which takes some
  // microseconds.
  // Whether it looked.
  bool look(std::uint32_t& batches) {
    constexpr std::uint32_t kSeldom = 256;
    if (++batches % kSeldom != 0) return false;
    look_now();
    return true;
  }
  void look_now();
  // `part` of a rule has these bytes: what will all of it have?
  void forecast(double bytes, double part);
  // The same before any part is complete.
  void guess(const BindingsSoFar& so_far);
  // An allocation has failed.
  void give_up() {
    over_ = true;
    source_.request_stop();
  }

  // What the limit is, what was there and what was to be expected, in words.
  std::string text() const;

 private:
  // Gives up if so many bytes more are to be expected, even if they are `doubt` times fewer.
  void expect(double bytes, double doubt);

  const double limit_;
  std::stop_source source_;
  std::stop_callback<std::function<void()>> pass_on_;
  std::atomic<bool> over_ = false;
  std::atomic<double> expected_ = 0.0;  // bytes; 0 if there is no forecast
};

// What makes a query large, in words.
std::string reason_of(const RuleQuery& query, const JoinPlan& plan, const Rule& rule);

// Throw InputError: the rule does not fit, or all rules, of which it is the largest.
[[noreturn]] void throw_too_large(const MemoryWatch& watch, const Rule& rule);
[[noreturn]] void throw_too_large(const MemoryWatch& watch,
                                  const Rule& rule,
                                  const RuleQuery& query,
                                  const JoinPlan& plan);

}  // namespace sorites
