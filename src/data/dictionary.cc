#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "base/constant.h"
#include "data/access.h"
#include "data/hash.h"
#include "data/intern.h"
#include "data/slots.h"

namespace sorites {
namespace {

// A vector that grows by half, not to twice its size: dictionaries can be most of the memory.
template <class T>
void reserve_more(std::vector<T>& vector, std::size_t more) {
  const std::size_t needed = vector.size() + more;
  if (needed <= vector.capacity()) return;
  vector.reserve(std::max(needed, vector.capacity() + vector.capacity() / 2));
}

// Makes room for `more` constants; hash_of(code) gives the hashes of those that are there.
template <class HashOf>
void reserve_slots(HashSlots& table, std::size_t size, std::size_t more, const HashOf& hash_of) {
  if (num_slots_for(size + more) <= table.slots.size()) return;
  reset_slots(table, std::max(size + more, std::min(2 * size, kMaxConstants)));
  constexpr std::size_t kAhead = 16;  // slots on their way from memory, as in intern_all
  for (std::size_t code = 0; code < size; ++code) {
    if (code + kAhead < size) prefetch_slot(table, hash_of(code + kAhead));
    const std::uint32_t hash = hash_of(code);
    const std::size_t slot = probe(table, hash, [](std::uint32_t) { return false; });
    table.slots[slot] = tagged(table, hash, static_cast<std::uint32_t>(code));
  }
}

// What a constant soon to be looked up needs is fetched ahead, since each step is a cache miss: the
// slot, then by prefetch_key the key that the slot names (of a text: first where it ends), then by
// prefetch_rest what the key points to.
template <class Keys>
void intern_all(HashSlots& table,
                std::span<const std::uint32_t> hashes,
                std::span<Code> codes,
                Keys& keys) {
  // Eight constants apart, so that each step has arrived when the next one needs it.
  constexpr std::size_t kSlotAhead = 24, kKeyAhead = 16, kRestAhead = 8;
  const auto likely_id = [&](std::uint32_t hash) {
    const std::uint32_t slot = table.slots[first_slot(table.slots.size(), hash)];
    const bool likely = slot != kEmptySlot && (slot & ~table.id_mask) == tagged(table, hash, 0);
    return likely ? slot & table.id_mask : kEmptySlot;
  };
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    if (i + kSlotAhead < hashes.size()) {
      prefetch_slot(table, hashes[i + kSlotAhead]);
      if (const auto id = likely_id(hashes[i + kKeyAhead]); id != kEmptySlot) keys.prefetch_key(id);
      if (const auto id = likely_id(hashes[i + kRestAhead]); id != kEmptySlot) {
        keys.prefetch_rest(id);
      }
    }
    const std::size_t at =
        probe(table, hashes[i], [&](std::uint32_t id) { return keys.equal(id, i); });
    if (table.slots[at] == kEmptySlot) table.slots[at] = tagged(table, hashes[i], keys.append(i));
    codes[i] = table.slots[at] & table.id_mask;
  }
}

std::string_view text_at(const std::vector<char>& bytes,
                         const std::vector<std::uint64_t>& end,
                         std::size_t code) {
  const std::uint64_t begin = code == 0 ? 0 : end[code - 1];
  return {bytes.data() + begin, end[code] - begin};
}

struct NumberKeys {
  std::vector<std::uint64_t>& known;
  std::span<const std::uint64_t> numbers;  // to intern

  bool equal(Code code, std::size_t i) const { return known[code] == numbers[i]; }
  void prefetch_key(Code code) const { __builtin_prefetch(known.data() + code); }
  void prefetch_rest(Code) const {}
  Code append(std::size_t i) {
    reserve_more(known, 1);
    known.push_back(numbers[i]);
    return static_cast<Code>(known.size() - 1);
  }
};

struct TextKeys {
  std::vector<char>& bytes;
  std::vector<std::uint64_t>& end;
  std::span<const std::string_view> texts;  // to intern

  bool equal(Code code, std::size_t i) const { return text_at(bytes, end, code) == texts[i]; }
  void prefetch_key(Code code) const { __builtin_prefetch(end.data() + code); }
  void prefetch_rest(Code code) const { __builtin_prefetch(text_at(bytes, end, code).data()); }
  Code append(std::size_t i) {
    reserve_more(bytes, texts[i].size());
    bytes.insert(bytes.end(), texts[i].begin(), texts[i].end());
    reserve_more(end, 1);
    end.push_back(bytes.size());
    return static_cast<Code>(end.size() - 1);
  }
};

std::optional<std::uint64_t> parse_bits(ConstantType type, std::string_view text) {
  if (type == ConstantType::kInteger) {
    if (const auto number = parse_integer(text)) return bits_of(*number);
  } else if (const auto number = parse_real(text)) {
    return bits_of(*number);
  }
  return std::nullopt;
}

}  // namespace

std::uint64_t bits_of(std::int64_t number) { return static_cast<std::uint64_t>(number); }
std::uint64_t bits_of(double number) {
  return std::bit_cast<std::uint64_t>(number == 0.0 ? 0.0 : number);
}

void intern_numbers(Dictionary& dictionary,
                    std::span<const std::uint64_t> numbers,
                    std::span<const std::uint32_t> hashes,
                    std::span<Code> codes) {
  auto& known = DataAccess::numbers(dictionary);
  HashSlots& slots = DataAccess::slots(dictionary);
  reserve_slots(slots, known.size(), numbers.size(), [&](std::size_t code) {
    return hash_number(known[code]);
  });
  NumberKeys keys{known, numbers};
  intern_all(slots, hashes, codes, keys);
}

void intern_texts(Dictionary& dictionary,
                  std::span<const std::string_view> texts,
                  std::span<const std::uint32_t> hashes,
                  std::span<Code> codes) {
  auto& bytes = DataAccess::bytes(dictionary);
  auto& end = DataAccess::text_end(dictionary);
  HashSlots& slots = DataAccess::slots(dictionary);
  reserve_slots(slots, end.size(), texts.size(), [&](std::size_t code) {
    return hash_text(text_at(bytes, end, code));
  });
  TextKeys keys{bytes, end, texts};
  intern_all(slots, hashes, codes, keys);
}

std::size_t Dictionary::size() const {
  return type_ == ConstantType::kText ? text_end_.size() : numbers_.size();
}

Code Dictionary::intern(std::string_view text) {
  if (size() >= kMaxConstants) throw std::length_error("too many constants");
  Code code = 0;
  if (type_ == ConstantType::kText) {
    const std::uint32_t hash = hash_text(text);
    intern_texts(*this, {&text, 1}, {&hash, 1}, {&code, 1});
    return code;
  }
  const auto bits = parse_bits(type_, text);
  if (!bits) throw std::invalid_argument(fmt::format("'{}' is no {}", text, name_of(type_)));
  const std::uint32_t hash = hash_number(*bits);
  intern_numbers(*this, {&*bits, 1}, {&hash, 1}, {&code, 1});
  return code;
}

std::optional<Code> Dictionary::find(std::string_view text) const {
  std::uint32_t id = kEmptySlot;
  if (type_ == ConstantType::kText) {
    id = find_id(
        slots_, hash_text(text), [&](std::uint32_t code) { return bytes_of(code) == text; });
  } else if (const auto bits = parse_bits(type_, text)) {
    id = find_id(
        slots_, hash_number(*bits), [&](std::uint32_t code) { return numbers_[code] == *bits; });
  }
  return id == kEmptySlot ? std::nullopt : std::optional(id);
}

std::string Dictionary::text(Code code) const {
  switch (type_) {
    case ConstantType::kText:
      return std::string(bytes_of(code));
    case ConstantType::kInteger:
      return fmt::format("{}", integer(code));
    case ConstantType::kReal:
      return to_text(real(code));
  }
  return {};  // not reached: the switch is complete
}

std::int64_t Dictionary::integer(Code code) const {
  return static_cast<std::int64_t>(numbers_[code]);
}
double Dictionary::real(Code code) const { return std::bit_cast<double>(numbers_[code]); }
std::string_view Dictionary::bytes_of(Code code) const { return text_at(bytes_, text_end_, code); }

bool Dictionary::less(Code left, Code right) const {
  switch (type_) {
    case ConstantType::kText:
      return bytes_of(left) < bytes_of(right);  // char_traits compares bytes as unsigned
    case ConstantType::kInteger:
      return integer(left) < integer(right);
    case ConstantType::kReal:
      return real(left) < real(right);
  }
  return false;  // not reached: the switch is complete
}

std::size_t Dictionary::memory_bytes() const {
  return numbers_.capacity() * sizeof numbers_[0] + bytes_.capacity() +
         text_end_.capacity() * sizeof text_end_[0] +
         slots_.slots.capacity() * sizeof slots_.slots[0];
}

}  // namespace sorites
