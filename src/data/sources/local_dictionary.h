// The distinct constants of one chunk and domain, in order of first appearance. Chunks are read
// side by side with dictionaries of their own; these are merged into the database's one after the
// other, so codes do not depend on which thread was faster.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "data/hash.h"
#include "data/intern.h"
#include "data/slots.h"

namespace sorites {

// The domains of a predicate's arguments, each once, and which of them each argument has.
struct DomainSlots {
  explicit DomainSlots(const Predicate& predicate) {
    for (std::size_t k = 0; k < predicate.arity(); ++k) {
      const auto found = std::find(domains.begin(), domains.end(), predicate.domain(k));
      of_argument.push_back(static_cast<std::uint32_t>(found - domains.begin()));
      if (found == domains.end()) domains.push_back(predicate.domain(k));
    }
  }

  std::vector<DomainId> domains;
  std::vector<std::uint32_t> of_argument;
};

struct LocalDictionary {
  std::vector<std::uint64_t> numbers;   // of integers and reals
  std::vector<std::string_view> texts;  // of texts
  std::vector<std::uint32_t> hashes;    // per constant
  std::vector<Code> codes;              // per constant, after the merge: in the database

  void clear() {
    numbers.clear();
    texts.clear();
    hashes.clear();
    codes.clear();
  }

  // `slots` are this dictionary's as long as it is filled, and sized for all it can hold.
  Code intern_number(HashSlots& slots, std::uint64_t bits) {
    return intern(slots, numbers, bits, hash_number(bits));
  }
  Code intern_text(HashSlots& slots, std::string_view text) {
    return intern(slots, texts, text, hash_text(text));
  }

  // Interns all in the database's dictionary; fills `codes`.
  void merge_into(Dictionary& dictionary) {
    codes.resize(hashes.size());
    if (dictionary.type() == ConstantType::kText) {
      intern_texts(dictionary, texts, hashes, codes);
    } else {
      intern_numbers(dictionary, numbers, hashes, codes);
    }
  }

 private:
  template <class Key>
  Code intern(HashSlots& slots, std::vector<Key>& keys, const Key& key, std::uint32_t hash) {
    const std::size_t at = probe(slots, hash, [&](std::uint32_t id) { return keys[id] == key; });
    if (slots.slots[at] == kEmptySlot) {
      slots.slots[at] = tagged(slots, hash, static_cast<std::uint32_t>(keys.size()));
      keys.push_back(key);
      hashes.push_back(hash);
    }
    return slots.slots[at] & slots.id_mask;
  }
};

}  // namespace sorites
