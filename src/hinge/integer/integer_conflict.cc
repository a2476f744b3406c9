#include "hinge/integer/integer_conflict.h"

#include <algorithm>
#include <cstdint>

#include "hinge/conflict/hard_rows.h"
#include "hinge/integer/binary_domains.h"
#include "hinge/integer/binary_part.h"
#include "hinge/integer/binary_search.h"

namespace sorites {
namespace {

// Of one question: whether there is a conflict at all, about a second; whether it can be smaller.
// What takes longer counts as unsettled.
constexpr std::uint64_t kMaxWork = 100'000'000, kWorkToReduce = 5'000'000;

using RowSet = std::vector<std::uint32_t>;

class Reducer {
 public:
  Reducer(std::span<const HardRow> rows,
          std::span<const AtomId> atoms,
          const std::optional<AssumedValue>& assumed,
          const Deadline& deadline)
      : rows_(rows), atoms_(atoms), assumed_(assumed), deadline_(deadline) {}

  bool contradict_by_propagation(const RowSet& rows) const {
    const BinaryPart part = part_of(rows);
    return !BinaryDomains(part).propagate();
  }

  // Whether no state keeps these rows. What cannot be settled is taken to have one.
  bool contradict_by_search(const RowSet& rows, std::uint64_t max_work) {
    const BinaryPart part = part_of(rows);
    const BinaryResult result = search_binary(part, {}, {.max_work = max_work}, deadline_);
    if (result.status != BinaryStatus::kSolved && result.status != BinaryStatus::kInfeasible) {
      is_settled_ = false;
    }
    return result.status == BinaryStatus::kInfeasible;
  }

  // A contradictory subset of contradictory rows. Where propagation sees that they are, it is asked
  // first: its steps can be followed by a reader, and cost little. Then every row has to be needed.
  RowSet smallest(const RowSet& rows) {
    by_search_ = !contradict_by_propagation(rows);
    RowSet reduced = reduce({}, false, rows);
    if (by_search_) return reduced;
    for (std::size_t k = 0; k < reduced.size();) {
      RowSet fewer = reduced;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
      if (contradict_by_search(fewer, kWorkToReduce)) {
        reduced = std::move(fewer);
      } else {
        ++k;
      }
    }
    return reduced;
  }

  bool is_settled() const { return is_settled_; }

 private:
  bool contradict(const RowSet& rows) {
    return by_search_ ? contradict_by_search(rows, kWorkToReduce) : contradict_by_propagation(rows);
  }

  // Rows of `candidates` that contradict each other and `background`, none of which can be left
  // out. `is_new`: the background has grown since it was last asked about.
  RowSet reduce(const RowSet& background, bool is_new, const RowSet& candidates) {
    if (is_new && contradict(background)) return {};
    if (candidates.size() == 1) return candidates;
    const auto middle = candidates.begin() + static_cast<std::ptrdiff_t>(candidates.size() / 2);
    const RowSet first(candidates.begin(), middle), second(middle, candidates.end());
    const RowSet of_second = reduce(joined(background, first), true, second);
    const RowSet of_first = reduce(joined(background, of_second), !of_second.empty(), first);
    return joined(of_first, of_second);
  }

  static RowSet joined(RowSet a, const RowSet& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }

  std::uint32_t place_of(AtomId atom) const {
    return static_cast<std::uint32_t>(std::lower_bound(atoms_.begin(), atoms_.end(), atom) -
                                      atoms_.begin());
  }

  BinaryPart part_of(const RowSet& rows) const {
    BinaryPart part;
    part.cost.assign(atoms_.size(), 0.0);
    part.lower.assign(atoms_.size(), 0);
    part.upper.assign(atoms_.size(), 1);
    if (assumed_) {
      const std::uint32_t i = place_of(assumed_->atom);
      part.lower[i] = part.upper[i] = static_cast<char>(assumed_->value);
    }
    for (const std::uint32_t r : rows) {
      const HardRow& from = rows_[r];
      std::vector<RowEntry> entries;
      for (std::size_t k = 0; k < from.atoms.size(); ++k) {
        entries.push_back({place_of(from.atoms[k]), from.coefficients[k]});
      }
      add_row(part, {.offset = from.offset, .source = r, .is_equality = from.is_equal}, entries);
    }
    add_columns(part);
    return part;
  }

  std::span<const HardRow> rows_;
  std::span<const AtomId> atoms_;
  const std::optional<AssumedValue>& assumed_;
  const Deadline& deadline_;
  bool by_search_ = true;
  bool is_settled_ = true;
};

}  // namespace

std::optional<Conflict> find_integer_conflict(const Model& model,
                                              const Parameters& parameters,
                                              std::span<const AtomId> atoms,
                                              const std::optional<AssumedValue>& assumed,
                                              const Deadline& deadline) {
  std::vector<HardRow> rows;
  for (const HardRow& row : hard_rows_of(model, parameters)) {
    const bool is_inside = std::all_of(row.atoms.begin(), row.atoms.end(), [&](AtomId atom) {
      return std::binary_search(atoms.begin(), atoms.end(), atom);
    });
    if (is_inside && !row.atoms.empty()) rows.push_back(row);
  }
  RowSet all(rows.size());
  for (std::uint32_t r = 0; r < all.size(); ++r) all[r] = r;
  Reducer reducer(rows, atoms, assumed, deadline);
  if (all.empty() || !reducer.contradict_by_search(all, kMaxWork)) return std::nullopt;
  RowSet reduced = reducer.smallest(all);
  std::sort(reduced.begin(), reduced.end());
  Conflict conflict{{}, reducer.is_settled()};
  for (const std::uint32_t r : reduced) conflict.terms.push_back(rows[r].id);
  return conflict;
}

}  // namespace sorites
