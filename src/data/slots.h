// The operations of HashSlots (sorites/database.h): linear probing, at most two thirds full.
//
// A slot is empty (all ones) or holds an id in its low bits and, in the bits that ids do not need,
// the low bits of the key's hash as a tag. The high bits of the hash choose the first slot to look
// at, so tags tell neighbours apart and the key itself, which costs a cache miss, is read only if
// it is almost certainly the right one.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "sorites/database.h"

namespace sorites {

inline constexpr std::uint32_t kEmptySlot = ~std::uint32_t{0};

// How many slots `num_entries` entries get: half as many again.
constexpr std::size_t num_slots_for(std::size_t num_entries) {
  return num_entries + num_entries / 2 + 1;
}

// The first slot to look at. It grows with the hash, so a range of hashes is a range of slots.
inline std::size_t first_slot(std::size_t num_slots, std::uint32_t hash) {
  return (std::uint64_t{hash} * num_slots) >> 32U;
}

inline std::uint32_t tagged(const HashSlots& table, std::uint32_t hash, std::uint32_t id) {
  return (hash * (table.id_mask + 1)) | id;  // id_mask + 1 is a power of two, or 0 for no tag
}

// Makes room for ids up to max_id; the slots are left to be filled with kEmptySlot.
inline void reset_slots(HashSlots& table, std::size_t num_slots, std::uint64_t max_id) {
  SORITES_CHECK(num_slots <= kEmptySlot && max_id + 1 < kEmptySlot, "the limits of the loader");
  table.slots = {};  // first, so that old and new never stand side by side
  table.slots.resize(num_slots);
  table.id_mask = static_cast<std::uint32_t>(std::bit_ceil(max_id + 2) - 1);  // no id is all ones
}

inline void reset_slots(HashSlots& table, std::size_t num_entries) {
  reset_slots(table, num_slots_for(num_entries), num_entries);
  std::fill(table.slots.begin(), table.slots.end(), kEmptySlot);
}

// The slot of the key for which is_key(id) holds, or the empty slot where it would be. There must
// be an empty slot.
template <class IsKey>
std::size_t probe(const HashSlots& table, std::uint32_t hash, const IsKey& is_key) {
  const std::uint32_t tag = tagged(table, hash, 0);
  const std::uint32_t* slots = table.slots.data();
  std::size_t i = first_slot(table.slots.size(), hash);
  while (true) {
    const std::uint32_t slot = slots[i];
    if (slot == kEmptySlot) return i;
    if ((slot & ~table.id_mask) == tag && is_key(slot & table.id_mask)) return i;
    if (++i == table.slots.size()) i = 0;
  }
}

// The id of the key for which is_key(id) holds, or kEmptySlot.
template <class IsKey>
std::uint32_t find_id(const HashSlots& table, std::uint32_t hash, const IsKey& is_key) {
  if (table.slots.empty()) return kEmptySlot;
  const std::uint32_t slot = table.slots[probe(table, hash, is_key)];
  return slot == kEmptySlot ? kEmptySlot : slot & table.id_mask;
}

inline void prefetch_slot(const HashSlots& table, std::uint32_t hash) {
  __builtin_prefetch(table.slots.data() + first_slot(table.slots.size(), hash));
}

}  // namespace sorites
