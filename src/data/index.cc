// The index is built in parallel without locks: rows are sorted by the high bits of their hash into
// parts, and each part owns a stretch of slots (first_slot grows with the hash). A row whose search
// runs beyond the stretch of its part waits, and all that wait are entered at the end, one by one.
// Equal rows have equal hashes, so they meet in one part, or wait both, in their order. Only some
// of the parts are sorted at a time, to save memory.
#include "data/index.h"

#include <algorithm>
#include <bit>
#include <tuple>
#include <type_traits>
#include <utility>

#include "data/access.h"
#include "data/hash.h"
#include "data/slots.h"

namespace sorites {
namespace {

struct Entry {
  std::uint32_t hash, id;
};

// The rows that share an index, numbered through: those of the first table, then of the second.
class IndexedRows {
 public:
  IndexedRows(const Relation& relation, Partition partition) : arity_(relation.arity()) {
    truth_ = partition == Partition::kTruth;
    tables_[0] = &relation.table(truth_ ? Partition::kTruth : Partition::kObserved);
    tables_[1] = truth_ ? nullptr : &relation.table(Partition::kTarget);
  }

  std::size_t size() const { return tables_[0]->num_rows + (truth_ ? 0 : tables_[1]->num_rows); }
  std::uint64_t max_id(std::size_t capacity) const {
    return truth_ ? capacity : std::uint64_t{2} * capacity;
  }
  RowId row_of(std::uint32_t id) const {
    if (truth_) return {Partition::kTruth, id};
    return {(id & 1U) == 0 ? Partition::kObserved : Partition::kTarget, id >> 1U};
  }
  bool equal(std::uint32_t a, std::uint32_t b) const {
    for (std::size_t k = 0; k < arity_; ++k) {
      if (code(a, k) != code(b, k)) return false;
    }
    return true;
  }

  // Calls visit(entry) for the rows [begin, end) that could be read.
  template <class Visit>
  void for_each(Part part, const Visit& visit) const {
    const std::size_t in_first = tables_[0]->num_rows;
    visit_table(0, {std::min(part.begin, in_first), std::min(part.end, in_first)}, visit);
    if (truth_) return;
    visit_table(
        1,
        {std::max(part.begin, in_first) - in_first, std::max(part.end, in_first) - in_first},
        visit);
  }

 private:
  Code code(std::uint32_t id, std::size_t k) const {
    const RowId row = row_of(id);
    return tables_[row.partition == Partition::kTarget ? 1 : 0]->columns[k][row.row];
  }

  // The usual arities get loops of their own, in which the hash is straight code.
  template <class Visit>
  void visit_table(std::size_t table, Part part, const Visit& visit) const {
    using One = std::integral_constant<std::size_t, 1>;
    using Two = std::integral_constant<std::size_t, 2>;
    if (arity_ == One::value) return visit_columns(One(), table, part, visit);
    if (arity_ == Two::value) return visit_columns(Two(), table, part, visit);
    visit_columns(arity_, table, part, visit);
  }

  template <class Arity, class Visit>
  void visit_columns(Arity arity, std::size_t table, Part part, const Visit& visit) const {
    std::vector<const Code*> columns;
    for (const auto& column : tables_[table]->columns) columns.push_back(column.data());
    const Code* const* column = columns.data();
    const Partition partition = truth_       ? Partition::kTruth
                                : table == 0 ? Partition::kObserved
                                             : Partition::kTarget;
    for (std::size_t row = part.begin; row < part.end; ++row) {
      if (arity > 0 && column[0][row] == kNoCode) continue;
      const std::uint32_t hash = hash_row(arity, [&](std::size_t k) { return column[k][row]; });
      visit(Entry{hash, id_of({partition, static_cast<std::uint32_t>(row)})});
    }
  }

  std::size_t arity_;
  bool truth_;
  const Table* tables_[2];
};

// Parts small enough that the slots of one stay in the cache while it is filled.
unsigned log2_num_parts(std::size_t num_rows) {
  constexpr std::size_t kRowsPerPart = std::size_t{1} << 15U;  // 256 kB of slots: the second cache
  constexpr unsigned kMostBits = 12;  // 4,096 parts, whose counts still fit beside them
  return std::min(kMostBits, static_cast<unsigned>(std::bit_width(num_rows / kRowsPerPart)));
}

void check_stop(const std::stop_token& stop) {
  if (stop.stop_requested()) throw Interrupted();
}

// A counting sort of the rows by part. Blocks of rows are counted and then placed in parallel;
// where a block begins within a part follows from the counts.
class RowSorter {
 public:
  RowSorter(const IndexedRows& rows, ThreadPool& pool, const std::stop_token& stop);

  std::size_t num_parts() const { return part_begin_.size() - 1; }
  // The first of the slots that the part owns, out of num_slots.
  std::size_t slot_begin(std::size_t part, std::size_t num_slots) const {
    if (part == num_parts()) return num_slots;
    const std::uint64_t hash = std::uint64_t{part} << (32U - log2_parts_);
    return first_slot(num_slots, static_cast<std::uint32_t>(hash));
  }

  // How far to sort next: a quarter of the rows, or all if they are few; at least one part.
  std::size_t next_end(std::size_t begin) const {
    constexpr std::size_t kFew = std::size_t{1} << 20U;  // rows: 8 MB of entries at a time
    constexpr std::size_t kShare = 4;                    // one in so many
    const std::size_t most = part_begin_[begin] + std::max(kFew, part_begin_.back() / kShare + 1);
    const auto end = std::upper_bound(part_begin_.begin(), part_begin_.end(), most);
    return std::max(begin + 1, static_cast<std::size_t>(end - part_begin_.begin()) - 1);
  }
  // Sorts the rows of the parts [begin, end); each part once.
  void sort(std::size_t begin, std::size_t end, ThreadPool& pool, const std::stop_token& stop);
  // Of a part that was sorted last, in the order of the rows.
  std::span<const Entry> entries(std::size_t part) const {
    return std::span(entries_).subspan(part_begin_[part] - offset_,
                                       part_begin_[part + 1] - part_begin_[part]);
  }

 private:
  std::size_t part_of_hash(std::uint32_t hash) const {
    return static_cast<std::size_t>(std::uint64_t{hash} >> (32U - log2_parts_));
  }

  const IndexedRows& rows_;
  unsigned log2_parts_;
  std::size_t num_blocks_;
  std::vector<std::size_t> place_;       // per block and part: of its next row
  std::vector<std::size_t> part_begin_;  // per part, and the end
  std::vector<Entry> entries_;           // of the parts sorted last
  std::size_t offset_ = 0;               // the place of the first of them
};

RowSorter::RowSorter(const IndexedRows& rows, ThreadPool& pool, const std::stop_token& stop)
    : rows_(rows), log2_parts_(log2_num_parts(rows.size())) {
  // Enough that threads end together; smaller blocks would have more counts than rows.
  constexpr std::size_t kMostBlocks = 64, kRowsPerBlock = std::size_t{1} << 16U;
  num_blocks_ = std::min(kMostBlocks, rows.size() / kRowsPerBlock + 1);
  const std::size_t num_parts = std::size_t{1} << log2_parts_;
  place_.resize(num_blocks_ * num_parts);
  pool.for_each(num_blocks_, [&](std::size_t block) {
    check_stop(stop);
    std::size_t* count = place_.data() + block * num_parts;
    rows.for_each(part_of(rows.size(), num_blocks_, block),
                  [&](Entry entry) { ++count[part_of_hash(entry.hash)]; });
  });
  std::size_t total = 0;
  for (std::size_t part = 0; part < num_parts; ++part) {
    part_begin_.push_back(total);
    for (std::size_t block = 0; block < num_blocks_; ++block) {
      total += std::exchange(place_[block * num_parts + part], total);
    }
  }
  part_begin_.push_back(total);
}

void RowSorter::sort(std::size_t begin,
                     std::size_t end,
                     ThreadPool& pool,
                     const std::stop_token& stop) {
  offset_ = part_begin_[begin];
  entries_.resize(part_begin_[end] - offset_);
  pool.for_each(num_blocks_, [&](std::size_t block) {
    check_stop(stop);
    std::size_t* place = place_.data() + block * num_parts();
    Entry* entries = entries_.data();
    rows_.for_each(part_of(rows_.size(), num_blocks_, block), [=, this](Entry entry) {
      const std::size_t part = part_of_hash(entry.hash);
      if (part - begin < end - begin) entries[place[part]++ - offset_] = entry;
    });
  });
}

struct PartResult {
  std::vector<Entry> waiting;
  std::vector<Duplicate> duplicates;
};

PartResult fill_part(HashSlots& table,
                     const IndexedRows& rows,
                     const RowSorter& sorter,
                     std::size_t part) {
  const std::size_t num_slots = table.slots.size(), end = sorter.slot_begin(part + 1, num_slots);
  std::uint32_t* slots = table.slots.data();
  std::fill(slots + sorter.slot_begin(part, num_slots), slots + end, kEmptySlot);

  PartResult result;
  for (const Entry entry : sorter.entries(part)) {
    const std::uint32_t tag = tagged(table, entry.hash, 0);
    std::size_t i = first_slot(num_slots, entry.hash);
    for (; i < end && slots[i] != kEmptySlot; ++i) {
      const std::uint32_t id = slots[i] & table.id_mask;
      if ((slots[i] & ~table.id_mask) == tag && rows.equal(id, entry.id)) break;
    }
    if (i >= end) {
      result.waiting.push_back(entry);
    } else if (slots[i] == kEmptySlot) {
      slots[i] = tag | entry.id;
    } else {
      result.duplicates.push_back({rows.row_of(slots[i] & table.id_mask), rows.row_of(entry.id)});
    }
  }
  return result;
}

void enter_waiting(HashSlots& table, const IndexedRows& rows, PartResult& part) {
  for (const Entry entry : part.waiting) {
    const std::size_t at =
        probe(table, entry.hash, [&](std::uint32_t id) { return rows.equal(id, entry.id); });
    if (table.slots[at] == kEmptySlot) {
      table.slots[at] = tagged(table, entry.hash, entry.id);
    } else {
      part.duplicates.push_back(
          {rows.row_of(table.slots[at] & table.id_mask), rows.row_of(entry.id)});
    }
  }
}

}  // namespace

std::vector<Duplicate> build_index(Relation& relation,
                                   Partition partition,
                                   std::size_t capacity,
                                   ThreadPool& pool,
                                   const std::stop_token& stop) {
  const IndexedRows rows(relation, partition);
  HashSlots& table =
      partition == Partition::kTruth ? DataAccess::truth(relation) : DataAccess::atoms(relation);
  capacity = std::clamp(capacity, rows.size(), kMaxRows);
  reset_slots(table, num_slots_for(capacity), rows.max_id(capacity));

  RowSorter sorter(rows, pool, stop);
  std::vector<PartResult> parts(sorter.num_parts());
  for (std::size_t begin = 0; begin < parts.size();) {
    const std::size_t end = sorter.next_end(begin);
    sorter.sort(begin, end, pool, stop);
    pool.for_each(end - begin, [&](std::size_t i) {
      check_stop(stop);
      parts[begin + i] = fill_part(table, rows, sorter, begin + i);
    });
    begin = end;
  }
  std::vector<Duplicate> duplicates;
  for (PartResult& part : parts) {
    enter_waiting(table, rows, part);
    duplicates.insert(duplicates.end(), part.duplicates.begin(), part.duplicates.end());
  }
  std::sort(duplicates.begin(), duplicates.end(), [](const Duplicate& a, const Duplicate& b) {
    return std::tie(a.second.partition, a.second.row) < std::tie(b.second.partition, b.second.row);
  });
  return duplicates;
}

}  // namespace sorites
