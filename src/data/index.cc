// The index is built in parallel without locks: rows are sorted by the high bits of their hash into
// parts, and each part owns a stretch of slots (first_slot grows with the hash). A row whose search
// runs beyond the stretch of its part waits, and all that wait are entered at the end, one by one.
// Equal rows have equal hashes, so they meet in one part, or wait both, in their order.
#include "data/index.h"

#include <algorithm>
#include <bit>
#include <tuple>
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

  template <class Visit>
  void visit_table(std::size_t table, Part part, const Visit& visit) const {
    const auto& columns = tables_[table]->columns;
    const Partition partition = truth_       ? Partition::kTruth
                                : table == 0 ? Partition::kObserved
                                             : Partition::kTarget;
    for (std::size_t row = part.begin; row < part.end; ++row) {
      if (arity_ > 0 && columns[0][row] == kNoCode) continue;
      const std::uint32_t hash = hash_row(arity_, [&](std::size_t k) { return columns[k][row]; });
      visit(Entry{hash, id_of({partition, static_cast<std::uint32_t>(row)})});
    }
  }

  std::size_t arity_;
  bool truth_;
  const Table* tables_[2];
};

// Parts small enough that the slots of one stay in the cache while it is filled.
unsigned log2_num_parts(std::size_t num_rows) {
  constexpr std::size_t kRowsPerPart = std::size_t{1} << 15U;
  constexpr unsigned kMost = 12;
  return std::min(kMost, static_cast<unsigned>(std::bit_width(num_rows / kRowsPerPart)));
}

struct PartedRows {
  unsigned log2_parts = 0;
  std::vector<std::size_t> part_begin;  // per part, and the end
  std::vector<Entry> entries;           // part after part, each in the order of the rows

  std::size_t part_of_hash(std::uint32_t hash) const {
    return static_cast<std::size_t>(std::uint64_t{hash} >> (32U - log2_parts));
  }
};

void check_stop(const std::stop_token& stop) {
  if (stop.stop_requested()) throw Interrupted();
}

// A counting sort by part. Blocks of rows are counted and then placed in parallel; where a block
// begins within a part follows from the counts.
PartedRows sort_into_parts(const IndexedRows& rows, ThreadPool& pool, const std::stop_token& stop) {
  constexpr std::size_t kMostBlocks = 64, kRowsPerBlock = std::size_t{1} << 16U;
  PartedRows result;
  result.log2_parts = log2_num_parts(rows.size());
  const std::size_t num_parts = std::size_t{1} << result.log2_parts;
  const std::size_t num_blocks = std::min(kMostBlocks, rows.size() / kRowsPerBlock + 1);

  std::vector<std::size_t> next(num_blocks * num_parts);  // per block and part
  pool.for_each(num_blocks, [&](std::size_t block) {
    check_stop(stop);
    std::size_t* count = next.data() + block * num_parts;
    rows.for_each(part_of(rows.size(), num_blocks, block),
                  [&](Entry entry) { ++count[result.part_of_hash(entry.hash)]; });
  });

  std::size_t total = 0;
  for (std::size_t part = 0; part < num_parts; ++part) {
    result.part_begin.push_back(total);
    for (std::size_t block = 0; block < num_blocks; ++block) {
      total += std::exchange(next[block * num_parts + part], total);
    }
  }
  result.part_begin.push_back(total);

  result.entries.resize(total);
  pool.for_each(num_blocks, [&](std::size_t block) {
    check_stop(stop);
    std::size_t* place = next.data() + block * num_parts;
    rows.for_each(part_of(rows.size(), num_blocks, block), [&](Entry entry) {
      result.entries[place[result.part_of_hash(entry.hash)]++] = entry;
    });
  });
  return result;
}

struct PartResult {
  std::vector<Entry> waiting;
  std::vector<Duplicate> duplicates;
};

PartResult fill_part(HashSlots& table,
                     const IndexedRows& rows,
                     const PartedRows& parted,
                     std::size_t part) {
  const std::size_t num_slots = table.slots.size(), num_parts = parted.part_begin.size() - 1;
  const auto slot_begin = [&](std::size_t p) {
    return p == num_parts ? num_slots
                          : first_slot(num_slots,
                                       static_cast<std::uint32_t>(std::uint64_t{p}
                                                                  << (32U - parted.log2_parts)));
  };
  std::uint32_t* slots = table.slots.data();
  const std::size_t end = slot_begin(part + 1);
  std::fill(slots + slot_begin(part), slots + end, kEmptySlot);

  PartResult result;
  for (std::size_t e = parted.part_begin[part]; e < parted.part_begin[part + 1]; ++e) {
    const Entry entry = parted.entries[e];
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
  table.slots = {};  // before the sort needs memory
  const PartedRows parted = sort_into_parts(rows, pool, stop);
  reset_slots(table, num_slots_for(capacity), rows.max_id(capacity));

  std::vector<PartResult> parts(parted.part_begin.size() - 1);
  pool.for_each(parts.size(), [&](std::size_t part) {
    check_stop(stop);
    parts[part] = fill_part(table, rows, parted, part);
  });
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
