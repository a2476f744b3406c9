// Runs a join plan: every binding of the query's variables, in order, in batches.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <stop_token>
#include <vector>

#include "join/join_plan.h"
#include "join/own_lines.h"

namespace sorites {

// The codes a variable can take, and where the atoms that drive it have them.
struct Candidates {
  OwnVector<Code> values;                     // ascending
  OwnVector<OwnVector<Range>> driver_ranges;  // per driver, per candidate
};

// A part of the work that can run alone: some candidates of the first variable.
struct JoinTask {
  const Candidates* first = nullptr;  // null if the query has no variable
  std::uint32_t first_begin = 0;
  std::uint32_t first_end = 0;
  std::uint64_t weight = 0;  // rows of the first variable's largest relation
};

// All bindings that agree on every variable but the one bound last.
class JoinBatch {
 public:
  // Which of the candidates hold, ascending.
  std::span<const std::uint32_t> selected() const { return selected_; }
  // The positions of an atom's trie for candidate i; empty if an optional atom is not there.
  Range range(std::size_t atom, std::uint32_t i) const {
    return ranges_[atom][varies_[atom] != 0 ? i : 0];
  }
  // The same for all candidates, of an atom whose range depends on i.
  const Range* ranges(std::size_t atom) const { return ranges_[atom]; }
  // Whether the range of an atom depends on i.
  bool varies(std::size_t atom) const { return varies_[atom] != 0; }
  Code value(std::size_t variable, std::uint32_t i) const {
    return variable == last_variable_ ? last_values_[i] : values_[variable];
  }
  // The batch with one of its candidates only.
  JoinBatch only(std::uint32_t i) const {
    JoinBatch one;  // all but the candidates is copied: there may be many of them
    one.selected_.assign(1, i);
    one.ranges_ = ranges_;
    one.varies_ = varies_;
    one.values_ = values_;
    one.last_variable_ = last_variable_;
    one.last_values_ = last_values_;
    return one;
  }

 private:
  friend class Join;
  OwnVector<std::uint32_t> selected_;
  OwnVector<const Range*> ranges_;
  OwnVector<std::uint8_t> varies_;
  OwnVector<Code> values_;
  std::size_t last_variable_ = std::numeric_limits<std::size_t>::max();
  const Code* last_values_ = nullptr;
};

// The driver of the first variable that has the fewest positions: its codes are tried.
const Participant& first_proposer(const JoinPlan& plan);

// One thread's walk through a plan. Not thread-safe; threads have a Join each.
class Join {
 public:
  using Visit = std::function<void(const JoinBatch&)>;

  Join(const JoinPlan& plan, const Database& database);

  // Adds the candidates of the first variable that a part of its proposer's positions proposes, or
  // a part of its domain's codes.
  void find_first(Range proposed, Candidates& candidates);
  // Calls `visit` for all bindings of one task, in ascending order of codes along the plan. Returns
  // early, with false, once `stop` is requested.
  bool run(const JoinTask& task, const Visit& visit, const std::stop_token& stop);
  // While it visits: which share of the task is done with this batch, if all candidates of a
  // variable are worth the same.
  double share_done() const;

 private:
  // The candidates of a depth that were passed, of how many.
  struct Place {
    std::uint32_t passed = 0, size = 1;
  };
  // Where a driver has each code, for one that stands still while others move on: they are then
  // looked up in it instead of sought.
  struct Lookup {
    OwnVector<std::uint32_t> place;  // per code: its first position + 1; 0 if it is not there
    Range filled;                    // the positions whose codes have a place
    std::uint64_t stamp = 0;         // of the depth the driver depends on, when last used
    bool ready = false;              // it is that of the driver's current positions
  };
  // The candidates of a depth after the first.
  struct Frame {
    Candidates candidates;
    std::uint64_t stamp = 0;    // of the depth it depends on, when computed
    OwnVector<Lookup> lookups;  // per driver
  };

  void descend(std::size_t depth, const JoinTask& task, const Visit& visit);
  void select(const JoinDepth& depth,
              const Candidates& candidates,
              std::uint32_t begin,
              std::uint32_t end);
  void visit_last(const Candidates& candidates,
                  std::uint32_t begin,
                  std::uint32_t end,
                  const Visit& visit);
  const Candidates& candidates_of(std::size_t depth);
  Range current(const Participant& participant) const {
    return ranges_[participant.atom][participant.level];
  }
  std::uint64_t stamp_of(int depth) const {
    return depth < 0 ? 1 : stamps_[static_cast<std::size_t>(depth)];
  }
  void prepare_lookup(const JoinDepth& depth, const Participant& driver, Lookup& lookup);
  const Participant& proposer_of(const JoinDepth& depth, const Frame& frame) const;
  // `lookups` is per driver, or empty.
  void intersect(const JoinDepth& depth,
                 const Participant& proposer,
                 Range proposed,
                 std::span<const Lookup> lookups,
                 Candidates& candidates);
  bool take_from_tables(const JoinDepth& depth,
                        const Participant& proposer,
                        Range proposed,
                        std::span<const Lookup> lookups,
                        Candidates& candidates) const;
  void take_domain(const JoinDepth& depth, Range codes, Candidates& candidates) const;
  bool add_candidate(const JoinDepth& depth,
                     Code code,
                     std::span<const Lookup> lookups,
                     Candidates& candidates);
  void find_optionals(const JoinDepth& depth,
                      const Candidates& candidates,
                      std::uint32_t begin,
                      std::uint32_t end);
  bool bind(std::size_t depth, const Candidates& candidates, std::uint32_t candidate);
  bool comparisons_hold(const JoinDepth& depth) const;
  Code code_of(const JoinArgument& argument) const;
  Range go_down(const Participant& participant, Range range, Code code) const;

  const JoinPlan& plan_;
  const Database& database_;
  OwnVector<Frame> frames_;          // per depth; the first stands in the task
  OwnVector<std::uint64_t> stamps_;  // per depth: changes when the depth moves on
  OwnVector<OwnVector<Range>>
      ranges_;  // per atom, per level: current positions; level 0 is the start
  OwnVector<OwnVector<Range>> optional_ranges_;  // per optional of the last depth, per candidate
  OwnVector<std::uint32_t> cursors_;             // per driver
  OwnVector<Place> places_;                      // per depth but the last
  std::uint64_t clock_ = 0;
  std::stop_token stop_;
  JoinBatch batch_;
};

}  // namespace sorites
