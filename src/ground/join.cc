#include "ground/join.h"

#include <algorithm>
#include <numeric>

namespace sorites {

Join::Join(const JoinPlan& plan, const Database& database)
    : plan_(plan),
      database_(database),
      frames_(plan.depths.size()),
      stamps_(plan.depths.size(), 0) {
  for (std::size_t a = 0; a < plan.tries.size(); ++a) {
    ranges_.emplace_back(plan.tries[a]->num_levels() + 1);
    // Levels of constants are passed; every level up to the first variable starts at the same
    // place.
    std::fill(ranges_[a].begin(), ranges_[a].end(), plan.start[a]);
  }
  for (std::size_t d = 0; d < plan.depths.size(); ++d) {
    frames_[d].driver_ranges.resize(plan.depths[d].drivers.size());
    frames_[d].optional_ranges.resize(plan.depths[d].optionals.size());
  }
  batch_.values_.resize(plan.depths.size());
  batch_.varies_.assign(plan.tries.size(), 0);
  for (const auto& levels : ranges_) batch_.ranges_.push_back(&levels.back());
}

Code Join::code_of(const JoinArgument& argument) const {
  return argument.kind == JoinArgument::Kind::kVariable ? batch_.values_[argument.value]
                                                        : argument.value;
}

// The positions below `code`, for all levels that the variable binds.
Range Join::go_down(const Participant& participant, Range range, Code code) const {
  const Trie& trie = *plan_.tries[participant.atom];
  for (std::uint32_t i = 0; i < participant.num_levels && !range.empty(); ++i) {
    range = trie.find(participant.level + i, range, code);
  }
  return range;
}

// Adds `code` if all drivers have it. Each driver's cursor only moves forward.
bool Join::add_candidate(const JoinDepth& depth,
                         Code code,
                         std::span<std::uint32_t> cursors,
                         Frame& frame) {
  const std::size_t before = frame.values.size();
  for (std::size_t i = 0; i < depth.drivers.size(); ++i) {
    const Participant& driver = depth.drivers[i];
    const Trie& trie = *plan_.tries[driver.atom];
    const std::uint32_t end = ranges_[driver.atom][driver.level].end;
    const Code* codes = trie.codes(driver.level);
    cursors[i] = seek(codes, cursors[i], end, code);
    Range range{};
    if (cursors[i] < end && codes[cursors[i]] == code) {
      range = {cursors[i], trie.run_end(driver.level, cursors[i], end)};
      for (std::uint32_t l = 1; l < driver.num_levels && !range.empty(); ++l) {
        range = trie.find(driver.level + l, range, code);
      }
    }
    if (range.empty()) {
      for (std::size_t k = 0; k < i; ++k) frame.driver_ranges[k].resize(before);
      return false;
    }
    frame.driver_ranges[i].push_back(range);
  }
  frame.values.push_back(code);
  return true;
}

// All codes that every driver has below its current positions, ascending: the driver with the
// fewest positions proposes, the others are sought.
void Join::intersect(const JoinDepth& depth, Frame& frame) {
  cursors_.resize(depth.drivers.size());
  std::size_t smallest = 0;
  for (std::size_t i = 0; i < depth.drivers.size(); ++i) {
    const auto range = [&](std::size_t k) {
      const Participant& driver = depth.drivers[k];
      return ranges_[driver.atom][driver.level];
    };
    cursors_[i] = range(i).begin;
    if (range(i).size() < range(smallest).size()) smallest = i;
  }
  if (depth.pinned) {
    add_candidate(depth, code_of(*depth.pinned), cursors_, frame);
    return;
  }
  const Participant& proposer = depth.drivers[smallest];
  const Trie& trie = *plan_.tries[proposer.atom];
  const Range range = ranges_[proposer.atom][proposer.level];
  for (std::uint32_t at = range.begin; at < range.end;) {
    add_candidate(depth, trie.codes(proposer.level)[at], cursors_, frame);
    at = trie.run_end(proposer.level, at, range.end);
  }
}

void Join::compute_frame(std::size_t d) {
  const JoinDepth& depth = plan_.depths[d];
  Frame& frame = frames_[d];
  const std::uint64_t stamp =
      depth.depends_on < 0 ? 1 : stamps_[static_cast<std::size_t>(depth.depends_on)];
  if (frame.stamp == stamp) return;
  frame.stamp = stamp;
  frame.values.clear();
  for (auto& ranges : frame.driver_ranges) ranges.clear();
  intersect(depth, frame);
}

// Where the optional atoms have the candidates: one sweep each, since candidates ascend.
void Join::find_optionals(const JoinDepth& depth, Frame& frame) {
  for (std::size_t i = 0; i < depth.optionals.size(); ++i) {
    const Participant& optional = depth.optionals[i];
    const Trie& trie = *plan_.tries[optional.atom];
    Range rest = ranges_[optional.atom][optional.level];
    const Code* codes = trie.codes(optional.level);
    std::vector<Range>& found = frame.optional_ranges[i];
    found.resize(frame.values.size());
    for (std::size_t c = 0; c < frame.values.size(); ++c) {
      const Code code = frame.values[c];
      rest.begin = rest.empty() ? rest.end : seek(codes, rest.begin, rest.end, code);
      if (rest.empty() || codes[rest.begin] != code) {
        found[c] = {};
        continue;
      }
      const Range run{rest.begin, trie.run_end(optional.level, rest.begin, rest.end)};
      found[c] = run;
      for (std::uint32_t l = 1; l < optional.num_levels && !found[c].empty(); ++l) {
        found[c] = trie.find(optional.level + l, found[c], code);
      }
      rest.begin = run.end;
    }
  }
}

bool Join::comparisons_hold(const JoinDepth& depth) const {
  return std::all_of(
      depth.comparisons.begin(), depth.comparisons.end(), [&](const JoinComparison& comparison) {
        return holds(comparison, code_of(comparison.left), code_of(comparison.right), database_);
      });
}

// Binds the depth's variable to one of its candidates; false if a comparison fails.
bool Join::bind(std::size_t d, std::uint32_t candidate) {
  const JoinDepth& depth = plan_.depths[d];
  Frame& frame = frames_[d];
  const Code code = frame.values[candidate];
  batch_.values_[depth.variable] = code;
  if (!comparisons_hold(depth)) return false;
  const auto set = [&](const Participant& participant, Range range) {
    auto& levels = ranges_[participant.atom];
    std::fill(levels.begin() + participant.level + participant.num_levels, levels.end(), range);
  };
  for (std::size_t i = 0; i < depth.drivers.size(); ++i) {
    set(depth.drivers[i], frame.driver_ranges[i][candidate]);
  }
  for (const Participant& optional : depth.optionals) {
    set(optional, go_down(optional, ranges_[optional.atom][optional.level], code));
  }
  stamps_[d] = ++clock_ + 1;
  return true;
}

// The candidates in [begin, end) for which all comparisons of the depth hold.
void Join::select(const JoinDepth& depth, std::uint32_t begin, std::uint32_t end) {
  const std::vector<Code>& values =
      frames_[static_cast<std::size_t>(&depth - plan_.depths.data())].values;
  std::vector<std::uint32_t>& selected = batch_.selected_;
  selected.resize(end - begin);
  std::iota(selected.begin(), selected.end(), begin);
  for (const JoinComparison& comparison : depth.comparisons) {
    const auto is_this = [&](const JoinArgument& argument) {
      return argument.kind == JoinArgument::Kind::kVariable && argument.value == depth.variable;
    };
    const bool order = comparison.op == ComparisonOperator::kLess;
    if (!order && is_this(comparison.left) != is_this(comparison.right)) {  // all but the rarest
      const Code other = code_of(is_this(comparison.left) ? comparison.right : comparison.left);
      const bool equal = (comparison.op == ComparisonOperator::kEqual) != comparison.negated;
      std::erase_if(selected, [&](std::uint32_t c) { return (values[c] == other) != equal; });
    } else {
      std::erase_if(selected, [&](std::uint32_t c) {
        batch_.values_[depth.variable] = values[c];
        return !holds(comparison, code_of(comparison.left), code_of(comparison.right), database_);
      });
    }
  }
}

void Join::visit_last(std::size_t d, std::uint32_t begin, std::uint32_t end, const Visit& visit) {
  const JoinDepth& depth = plan_.depths[d];
  Frame& frame = frames_[d];
  find_optionals(depth, frame);
  batch_.selected_.clear();
  select(depth, begin, end);
  if (batch_.selected_.empty()) return;
  batch_.last_variable_ = depth.variable;
  batch_.last_values_ = frame.values.data();
  for (std::size_t i = 0; i < depth.drivers.size(); ++i) {
    batch_.ranges_[depth.drivers[i].atom] = frame.driver_ranges[i].data();
    batch_.varies_[depth.drivers[i].atom] = 1;
  }
  for (std::size_t i = 0; i < depth.optionals.size(); ++i) {
    batch_.ranges_[depth.optionals[i].atom] = frame.optional_ranges[i].data();
    batch_.varies_[depth.optionals[i].atom] = 1;
  }
  visit(batch_);
}

void Join::descend(std::size_t d, const JoinTask& task, const Visit& visit) {
  compute_frame(d);
  const std::vector<Code>& values = frames_[d].values;
  std::uint32_t begin = 0;
  auto end = static_cast<std::uint32_t>(values.size());
  if (d == 0) {
    begin = task.first_begin;
    end = task.first_end;
  } else if (d == 1) {
    const auto position = [&](Code code) {
      return static_cast<std::uint32_t>(std::lower_bound(values.begin(), values.end(), code) -
                                        values.begin());
    };
    begin = position(task.second_begin);
    end = position(task.second_end);
  }
  if (d + 1 == plan_.depths.size()) {
    if (begin < end) visit_last(d, begin, end, visit);
    return;
  }
  for (std::uint32_t c = begin; c < end; ++c) {
    if (stop_.stop_requested()) return;
    if (bind(d, c)) descend(d + 1, task, visit);
  }
}

std::vector<JoinTask> Join::tasks() {
  if (plan_.empty) return {};
  if (plan_.depths.empty()) return {JoinTask{.weight = 1}};
  compute_frame(0);
  const Frame& frame = frames_[0];
  const auto weight = [&](std::size_t c) {
    std::uint64_t largest = 0;
    for (const auto& ranges : frame.driver_ranges) {
      largest = std::max<std::uint64_t>(largest, ranges[c].size());
    }
    return largest;
  };
  std::uint64_t total = 0;
  for (std::size_t c = 0; c < frame.values.size(); ++c) total += weight(c);
  constexpr std::uint64_t kSmallest = 64, kMostTasks = 1024;
  const std::uint64_t aim = std::max(kSmallest, total / kMostTasks);
  std::vector<JoinTask> tasks;
  JoinTask next;
  for (std::uint32_t c = 0; c < frame.values.size(); ++c) {
    next.weight += weight(c);
    next.first_end = c + 1;
    if (next.weight >= aim || c + 1 == frame.values.size()) {
      tasks.push_back(next);
      next = {.first_begin = c + 1, .first_end = c + 1};
    }
  }
  return tasks;
}

bool Join::run(const JoinTask& task, const Visit& visit, const std::stop_token& stop) {
  stop_ = stop;
  if (plan_.depths.empty()) {
    batch_.selected_.assign(1, 0);
    visit(batch_);
  } else {
    descend(0, task, visit);
  }
  return !stop.stop_requested();
}

}  // namespace sorites
