#include "join/join.h"

#include <algorithm>
#include <numeric>

namespace sorites {

Join::Join(const JoinPlan& plan, const Database& database)
    : plan_(plan),
      database_(database),
      frames_(plan.depths.size()),
      stamps_(plan.depths.size(), 0),
      places_(plan.depths.empty() ? 0 : plan.depths.size() - 1) {
  for (std::size_t a = 0; a < plan.tries.size(); ++a) {
    ranges_.emplace_back(plan.tries[a] == nullptr ? 1 : plan.tries[a]->num_levels() + 1);
    // Levels of constants are passed; every level up to the first variable starts at the same
    // place.
    std::fill(ranges_[a].begin(), ranges_[a].end(), plan.start[a]);
  }
  for (std::size_t d = 0; d < plan.depths.size(); ++d) {
    frames_[d].candidates.driver_ranges.resize(plan.depths[d].drivers.size());
    frames_[d].lookups.resize(plan.depths[d].drivers.size());
  }
  if (!plan.depths.empty()) optional_ranges_.resize(plan.depths.back().optionals.size());
  batch_.values_.resize(plan.depths.size());
  batch_.varies_.assign(plan.tries.size(), 0);
  for (const auto& levels : ranges_) batch_.ranges_.push_back(&levels.back());
}

const Participant& first_proposer(const JoinPlan& plan) {
  const std::vector<Participant>& drivers = plan.depths.front().drivers;
  return *std::min_element(drivers.begin(), drivers.end(), [&](auto& a, auto& b) {
    return plan.start[a.atom].size() < plan.start[b.atom].size();
  });
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
                         std::span<const Lookup> lookups,
                         Candidates& candidates) {
  const std::size_t before = candidates.values.size();
  for (std::size_t i = 0; i < depth.drivers.size(); ++i) {
    const Participant& driver = depth.drivers[i];
    const Trie& trie = *plan_.tries[driver.atom];
    const std::uint32_t end = current(driver).end;
    const Code* codes = trie.codes(driver.level);
    std::uint32_t& cursor = cursors_[i];
    cursor = i < lookups.size() && lookups[i].ready ? lookups[i].place[code] - 1
                                                    : seek(codes, cursor, end, code);
    Range range{};
    if (cursor < end && codes[cursor] == code) {
      range = {cursor, trie.run_end(driver.level, cursor, end)};
      for (std::uint32_t l = 1; l < driver.num_levels && !range.empty(); ++l) {
        range = trie.find(driver.level + l, range, code);
      }
    }
    if (range.empty()) {
      for (std::size_t k = 0; k < i; ++k) candidates.driver_ranges[k].resize(before);
      return false;
    }
    candidates.driver_ranges[i].push_back(range);
  }
  candidates.values.push_back(code);
  return true;
}

// Where one driver proposes, all others have tables, and each is at the last level of its trie: a
// position is all there is to say of a candidate.
bool Join::take_from_tables(const JoinDepth& depth,
                            const Participant& proposer,
                            Range proposed,
                            std::span<const Lookup> lookups,
                            Candidates& candidates) const {
  for (std::size_t i = 0; i < depth.drivers.size(); ++i) {
    const Participant& driver = depth.drivers[i];
    const bool known = &driver == &proposer || (i < lookups.size() && lookups[i].ready);
    const bool last =
        driver.num_levels == 1 && driver.level + 1 == plan_.tries[driver.atom]->num_levels();
    if (!known || !last) return false;
  }
  const Code* codes = plan_.tries[proposer.atom]->codes(proposer.level);
  const std::size_t most = candidates.values.size() + proposed.size();
  std::size_t count = candidates.values.size();
  candidates.values.resize(most);
  for (auto& ranges : candidates.driver_ranges) ranges.resize(most);
  for (std::uint32_t at = proposed.begin; at < proposed.end; ++at) {
    const Code code = codes[at];
    bool everywhere = true;
    for (std::size_t i = 0; everywhere && i < depth.drivers.size(); ++i) {
      const bool proposes = &depth.drivers[i] == &proposer;
      if (!proposes && code >= lookups[i].place.size()) {
        everywhere = false;
        break;
      }
      const std::uint32_t end = proposes ? at + 1 : lookups[i].place[code];
      everywhere = end != 0;
      candidates.driver_ranges[i][count] = {end - 1, end};
    }
    candidates.values[count] = code;
    count += everywhere ? 1 : 0;
  }
  candidates.values.resize(count);
  for (auto& ranges : candidates.driver_ranges) ranges.resize(count);
  return true;
}

// All codes that every driver has below its current positions, ascending: one of them proposes
// those at some of its positions, the others are sought, or looked up.
void Join::intersect(const JoinDepth& depth,
                     const Participant& proposer,
                     Range proposed,
                     std::span<const Lookup> lookups,
                     Candidates& candidates) {
  cursors_.resize(depth.drivers.size());
  for (std::size_t i = 0; i < depth.drivers.size(); ++i) {
    cursors_[i] = current(depth.drivers[i]).begin;
  }
  if (depth.pinned) {
    add_candidate(depth, code_of(*depth.pinned), {}, candidates);
    return;
  }
  if (take_from_tables(depth, proposer, proposed, lookups, candidates)) return;
  const Trie& trie = *plan_.tries[proposer.atom];
  const Code* codes = trie.codes(proposer.level);
  const bool all_differ = proposer.level + 1 == trie.num_levels();
  const auto is_absent = [&](Code code) {
    for (const Lookup& lookup : lookups) {
      if (lookup.ready && (code >= lookup.place.size() || lookup.place[code] == 0)) return true;
    }
    return false;
  };
  for (std::uint32_t at = proposed.begin; at < proposed.end;) {
    const Code code = codes[at];
    if (!is_absent(code)) add_candidate(depth, code, lookups, candidates);
    at = all_differ ? at + 1 : trie.run_end(proposer.level, at, proposed.end);
  }
}

// A table of the driver's codes, once it is asked for the second time: the first may be the last.
void Join::prepare_lookup(const JoinDepth& depth, const Participant& driver, Lookup& lookup) {
  constexpr std::uint32_t kFewCodes = 8;  // are found sooner one by one
  const std::uint64_t stamp = stamp_of(driver.depends_on);
  if (lookup.stamp != stamp) {
    lookup.stamp = stamp;
    lookup.ready = false;
    return;
  }
  const Range range = current(driver);
  if (lookup.ready || range.size() <= kFewCodes) return;
  const Code* codes = plan_.tries[driver.atom]->codes(driver.level);
  lookup.place.resize(depth.domain_size);
  for (std::uint32_t at = lookup.filled.begin; at < lookup.filled.end; ++at) {
    lookup.place[codes[at]] = 0;
  }
  for (std::uint32_t at = range.end; at > range.begin; --at) lookup.place[codes[at - 1]] = at;
  lookup.filled = range;
  lookup.ready = true;
}

// The driver whose codes are tried: that with the fewest, where trying those that others have
// tables of does not pay.
const Participant& Join::proposer_of(const JoinDepth& depth, const Frame& frame) const {
  constexpr std::uint64_t kSeekCost = 8;  // of a code that is sought, in codes that are looked up
  const auto cost = [&](std::size_t proposer) {
    std::uint64_t sought = 0;
    for (std::size_t i = 0; i < depth.drivers.size(); ++i) {
      sought += i == proposer || frame.lookups[i].ready ? 0 : kSeekCost;
    }
    return current(depth.drivers[proposer]).size() * (1 + sought);
  };
  std::size_t best = 0;
  for (std::size_t i = 1; i < depth.drivers.size(); ++i) {
    if (cost(i) < cost(best)) best = i;
  }
  return depth.drivers[best];
}

// Of a variable that no atom drives.
void Join::take_domain(const JoinDepth& depth, Range codes, Candidates& candidates) const {
  if (depth.pinned) {
    const Code code = code_of(*depth.pinned);
    if (code >= codes.begin && code < codes.end) candidates.values.push_back(code);
    return;
  }
  candidates.values.resize(codes.size());
  std::iota(candidates.values.begin(), candidates.values.end(), codes.begin);
}

void Join::find_first(Range proposed, Candidates& candidates) {
  const JoinDepth& depth = plan_.depths.front();
  if (depth.drivers.empty()) return take_domain(depth, proposed, candidates);
  candidates.driver_ranges.resize(depth.drivers.size());
  intersect(depth, first_proposer(plan_), proposed, {}, candidates);
}

const Candidates& Join::candidates_of(std::size_t d) {
  const JoinDepth& depth = plan_.depths[d];
  Frame& frame = frames_[d];
  const std::uint64_t stamp = stamp_of(depth.depends_on);
  if (frame.stamp == stamp) return frame.candidates;
  frame.stamp = stamp;
  frame.candidates.values.clear();
  for (auto& ranges : frame.candidates.driver_ranges) ranges.clear();
  if (depth.drivers.empty()) {
    take_domain(depth, {0, depth.domain_size}, frame.candidates);
    return frame.candidates;
  }
  for (std::size_t i = 0; i < depth.drivers.size(); ++i) {
    if (plan_.tables && depth.drivers[i].depends_on < depth.depends_on && !depth.pinned) {
      prepare_lookup(depth, depth.drivers[i], frame.lookups[i]);
    }
  }
  const Participant& proposer = proposer_of(depth, frame);
  intersect(depth, proposer, current(proposer), frame.lookups, frame.candidates);
  return frame.candidates;
}

// Where the optional atoms have the candidates [begin, end): one sweep each, since candidates
// ascend.
void Join::find_optionals(const JoinDepth& depth,
                          const Candidates& candidates,
                          std::uint32_t begin,
                          std::uint32_t end) {
  for (std::size_t i = 0; i < depth.optionals.size(); ++i) {
    const Participant& optional = depth.optionals[i];
    const Trie& trie = *plan_.tries[optional.atom];
    Range rest = current(optional);
    const Code* codes = trie.codes(optional.level);
    OwnVector<Range>& found = optional_ranges_[i];
    if (found.size() < end) found.resize(end);
    for (std::uint32_t c = begin; c < end; ++c) {
      const Code code = candidates.values[c];
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
bool Join::bind(std::size_t d, const Candidates& candidates, std::uint32_t candidate) {
  const JoinDepth& depth = plan_.depths[d];
  const Code code = candidates.values[candidate];
  batch_.values_[depth.variable] = code;
  if (!comparisons_hold(depth)) return false;
  const auto set = [&](const Participant& participant, Range range) {
    auto& levels = ranges_[participant.atom];
    std::fill(levels.begin() + participant.level + participant.num_levels, levels.end(), range);
  };
  for (std::size_t i = 0; i < depth.drivers.size(); ++i) {
    set(depth.drivers[i], candidates.driver_ranges[i][candidate]);
  }
  for (const Participant& optional : depth.optionals) {
    set(optional, go_down(optional, current(optional), code));
  }
  stamps_[d] = ++clock_ + 1;
  return true;
}

// The candidates in [begin, end) for which all comparisons of the depth hold.
void Join::select(const JoinDepth& depth,
                  const Candidates& candidates,
                  std::uint32_t begin,
                  std::uint32_t end) {
  const OwnVector<Code>& values = candidates.values;
  OwnVector<std::uint32_t>& selected = batch_.selected_;
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

void Join::visit_last(const Candidates& candidates,
                      std::uint32_t begin,
                      std::uint32_t end,
                      const Visit& visit) {
  const JoinDepth& depth = plan_.depths.back();
  select(depth, candidates, begin, end);
  if (batch_.selected_.empty()) return;
  find_optionals(depth, candidates, begin, end);
  batch_.last_variable_ = depth.variable;
  batch_.last_values_ = candidates.values.data();
  for (std::size_t i = 0; i < depth.drivers.size(); ++i) {
    batch_.ranges_[depth.drivers[i].atom] = candidates.driver_ranges[i].data();
    batch_.varies_[depth.drivers[i].atom] = 1;
  }
  for (std::size_t i = 0; i < depth.optionals.size(); ++i) {
    batch_.ranges_[depth.optionals[i].atom] = optional_ranges_[i].data();
    batch_.varies_[depth.optionals[i].atom] = 1;
  }
  visit(batch_);
}

void Join::descend(std::size_t d, const JoinTask& task, const Visit& visit) {
  const Candidates& candidates = d == 0 ? *task.first : candidates_of(d);
  const std::uint32_t begin = d == 0 ? task.first_begin : 0;
  const auto end = d == 0 ? task.first_end : static_cast<std::uint32_t>(candidates.values.size());
  if (d + 1 == plan_.depths.size()) {
    if (begin < end) visit_last(candidates, begin, end, visit);
    return;
  }
  for (std::uint32_t c = begin; c < end; ++c) {
    if (stop_.stop_requested()) return;
    places_[d] = {c - begin, end - begin};
    if (bind(d, candidates, c)) descend(d + 1, task, visit);
  }
}

double Join::share_done() const {
  double share = 0.0, unit = 1.0;
  for (const Place& place : places_) {
    unit /= place.size;
    share += unit * place.passed;
  }
  return share + unit;
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
