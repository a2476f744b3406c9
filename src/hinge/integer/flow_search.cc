#include "hinge/integer/flow_search.h"

#include <algorithm>
#include <cmath>

#include "hinge/integer/binary_domains.h"
#include "hinge/integer/cheapest_flow.h"
#include "hinge/integer/mixed_program.h"

namespace sorites {
namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};

class FlowSearch {
 public:
  FlowSearch(const BinaryPart& part,
             const FlowNetwork& network,
             const BinaryLimits& limits,
             const Deadline& deadline)
      : part_(part),
        network_(network),
        limits_(limits),
        deadline_(deadline),
        domains_(part),
        flow_(part, network) {}

  void try_state(std::span<const char> state);
  BinaryResult run();

 private:
  struct Decision {
    std::uint32_t variable = 0;
    int wanted = 0;             // by the flow, and tried last
    std::size_t num_fixed = 0;  // before it
    bool is_last = false;
  };

  double residual_of(const BinaryRow& row, std::span<const char> state) const;
  std::uint32_t broken_variable() const;
  std::uint32_t visit();
  bool backtrack();
  bool is_over();

  const BinaryPart& part_;
  const FlowNetwork& network_;
  const BinaryLimits& limits_;
  const Deadline& deadline_;
  BinaryDomains domains_;
  CheapestFlow flow_;
  std::vector<Decision> decisions_;
  BinaryResult result_;
  double root_ = -std::numeric_limits<double>::infinity();
};

double FlowSearch::residual_of(const BinaryRow& row, std::span<const char> state) const {
  double residual = row.offset;
  for (const auto& [i, a] : part_.entries_of(row)) residual += state[i] != 0 ? a : 0.0;
  return residual;
}

void FlowSearch::try_state(std::span<const char> state) {
  double objective = 0.0;
  for (std::size_t i = 0; i < state.size(); ++i) objective += state[i] != 0 ? part_.cost[i] : 0.0;
  const bool keeps_rows =
      std::all_of(part_.rows.begin(), part_.rows.end(), [&](const BinaryRow& row) {
        const double residual = residual_of(row, state);
        return residual <= kFeasible && (!row.is_equality || residual >= -kFeasible);
      });
  if (!keeps_rows || objective >= result_.objective) return;
  result_.objective = objective;
  result_.state.assign(state.begin(), state.end());
}

// A free variable that a row broken by the flow would like to have another value.
std::uint32_t FlowSearch::broken_variable() const {
  for (const std::uint32_t r : network_.side) {
    const BinaryRow& row = part_.rows[r];
    if (residual_of(row, flow_.state()) <= kFeasible) continue;
    for (const auto& [i, a] : part_.entries_of(row)) {
      if (!domains_.is_fixed(i) && (a > 0.0) == (flow_.state()[i] != 0)) return i;
    }
  }
  return kNone;
}

// The cheapest flow of this node: a variable to branch on, or none if nothing is left to find
// below.
std::uint32_t FlowSearch::visit() {
  if (!domains_.propagate() || !flow_.solve(domains_)) return kNone;
  if (decisions_.empty()) root_ = flow_.cost();
  if (flow_.cost() >= result_.objective - limits_.tolerance) return kNone;
  const std::uint32_t variable = broken_variable();
  if (variable == kNone) try_state(flow_.state());
  return variable;
}

// To the other value of the last decision that has one. False if none has.
bool FlowSearch::backtrack() {
  while (!decisions_.empty()) {
    Decision& last = decisions_.back();
    domains_.undo(last.num_fixed);
    if (last.is_last) {
      decisions_.pop_back();
      continue;
    }
    last.is_last = true;
    domains_.fix(last.variable, last.wanted);
    return true;
  }
  return false;
}

bool FlowSearch::is_over() {
  if (deadline_.passed()) {
    result_.status = BinaryStatus::kStopped;
    return true;
  }
  const auto limit = limit_reached(limits_, result_.nodes, flow_.work() + domains_.work());
  result_.status = limit.value_or(result_.status);
  return limit.has_value();
}

BinaryResult FlowSearch::run() {
  bool is_open = true;
  while (is_open) {
    const std::uint32_t variable = visit();
    if (variable == kNone) {
      is_open = backtrack();
    } else {
      const int wanted = flow_.state()[variable] != 0 ? 1 : 0;
      decisions_.push_back({variable, wanted, domains_.num_fixed()});
      domains_.fix(variable, 1 - wanted);
      ++result_.nodes;
    }
    if (is_open && is_over()) break;
  }
  conclude(is_open, root_, limits_, result_);
  return std::move(result_);
}

}  // namespace

std::optional<BinaryResult> search_flow(const BinaryPart& part,
                                        std::span<const char> start,
                                        const BinaryLimits& limits,
                                        const Deadline& deadline) {
  const std::optional<FlowNetwork> network = flow_network_of(part);
  if (!network) return std::nullopt;
  FlowSearch search(part, *network, limits, deadline);
  if (!start.empty()) search.try_state(start);
  return search.run();
}

}  // namespace sorites
