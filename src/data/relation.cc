#include <algorithm>

#include "data/access.h"
#include "data/hash.h"
#include "data/index.h"
#include "data/slots.h"

namespace sorites {
namespace {

bool row_equals(const Table& table, std::size_t row, std::span<const Code> arguments) {
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (table.columns[k][row] != arguments[k]) return false;
  }
  return true;
}

std::uint32_t hash_of(std::span<const Code> arguments) {
  return hash_row(arguments.size(), [&](std::size_t k) { return arguments[k]; });
}

template <class T>
std::size_t bytes_of(const std::vector<T>& vector) {
  return vector.capacity() * sizeof(T);
}

// Makes the slots ready for one more row.
void reserve_slot(Relation& relation, Partition partition, const HashSlots& slots) {
  std::size_t num_rows = relation.table(partition).num_rows;
  if (partition != Partition::kTruth) {
    num_rows =
        relation.table(Partition::kObserved).num_rows + relation.table(Partition::kTarget).num_rows;
  }
  if (num_slots_for(num_rows + 1) <= slots.slots.size()) return;
  constexpr std::size_t kFewest = 8;  // rows, before the first doubling
  ThreadPool here(1);
  build_index(relation, partition, std::max(kFewest, 2 * num_rows), here);
}

}  // namespace

std::string_view name_of(Partition partition) {
  switch (partition) {
    case Partition::kObserved:
      return "observations";
    case Partition::kTarget:
      return "targets";
    case Partition::kTruth:
      return "truth";
  }
  return {};  // not reached: the switch is complete
}

Relation::Relation(std::size_t arity) {
  for (Table& table : tables_) table.columns.resize(arity);
}

std::optional<RowId> Relation::find(std::span<const Code> arguments) const {
  const auto row_of = [](std::uint32_t id) {
    return RowId{(id & 1U) == 0 ? Partition::kObserved : Partition::kTarget, id >> 1U};
  };
  const std::uint32_t id = find_id(atoms_, hash_of(arguments), [&](std::uint32_t candidate) {
    const RowId row = row_of(candidate);
    return row_equals(table(row.partition), row.row, arguments);
  });
  return id == kEmptySlot ? std::nullopt : std::optional(row_of(id));
}

std::optional<std::uint32_t> Relation::find_truth(std::span<const Code> arguments) const {
  const std::uint32_t id = find_id(truth_, hash_of(arguments), [&](std::uint32_t candidate) {
    return row_equals(table(Partition::kTruth), candidate, arguments);
  });
  return id == kEmptySlot ? std::nullopt : std::optional(id);
}

std::size_t Relation::memory_bytes() const {
  std::size_t total = bytes_of(atoms_.slots) + bytes_of(truth_.slots);
  for (const Table& table : tables_) {
    total += bytes_of(table.columns) + bytes_of(table.values);
    for (const auto& column : table.columns) total += bytes_of(column);
  }
  for (const auto& segments : origins_) total += bytes_of(segments);
  return total;
}

void append_row(Relation& relation,
                Partition partition,
                std::span<const Code> arguments,
                double value) {
  HashSlots& slots =
      partition == Partition::kTruth ? DataAccess::truth(relation) : DataAccess::atoms(relation);
  reserve_slot(relation, partition, slots);
  Table& table = DataAccess::table(relation, partition);
  const std::uint32_t hash = hash_of(arguments);
  const std::size_t at = probe(slots, hash, [](std::uint32_t) { return false; });
  slots.slots[at] =
      tagged(slots, hash, id_of({partition, static_cast<std::uint32_t>(table.num_rows)}));

  for (std::size_t k = 0; k < arguments.size(); ++k) table.columns[k].push_back(arguments[k]);
  if (value != 1.0 && table.values.empty()) table.values.resize(table.num_rows, 1.0);
  if (value != 1.0 || !table.values.empty()) table.values.push_back(value);
  ++table.num_rows;
}

}  // namespace sorites
