// The ground model: what the solvers minimise.
//
//   minimise  sum over terms t of  phi_t(r_t),   r_t = a_t'y + b_t,   y in [0, 1]^n,
//   phi_t(r) = w max(r, 0)  |  w max(r, 0)^2  |  infinite unless r <= 0  |  infinite unless r = 0.
//
// y are the target atoms. b_t = constant + sum_j B_tj g_j, where g are the outputs of networks.
// Terms that one rule makes with the same coefficients stand together in a block, and the
// coefficients stand there once: a term costs 4 bytes per atom, plus 8 for its offset unless the
// whole block has the same one. Weights and outputs change numbers only; the structure stays.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "sorites/program.h"

namespace sorites {

enum class TermKind : std::uint8_t {
  kHinge,         // w max(r, 0)
  kSquaredHinge,  // w max(r, 0)^2
  kAtMost,        // hard: r <= 0
  kEqual,         // hard: r = 0
};

using AtomId = std::uint32_t;

// An array of plain numbers that can grow to gigabytes without ever being held twice. std::vector
// copies to a new allocation when it grows, which doubles the peak; realloc() moves the pages of
// large allocations instead, and pages that were never written take no memory.
template <class T>
class GrowingArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  GrowingArray() = default;
  GrowingArray(const GrowingArray& other) { append(other); }
  GrowingArray(GrowingArray&& other) noexcept { swap(other); }
  GrowingArray& operator=(GrowingArray other) noexcept {
    swap(other);
    return *this;
  }
  ~GrowingArray() { std::free(data_); }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::size_t capacity() const { return capacity_; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

  void clear() { size_ = 0; }
  void push_back(T value) {
    if (size_ == capacity_) reallocate(size_ < 16 ? 16 : size_ + size_ / 2);
    data_[size_++] = value;
  }
  void append(std::span<const T> values) {
    const std::size_t first = size_;
    extend(values.size());
    if (!values.empty()) std::memcpy(data_ + first, values.data(), values.size_bytes());
  }
  // Adds `count` elements whose values are not set.
  void extend(std::size_t count) {
    if (size_ + count > capacity_) reallocate(std::max(size_ + count, size_ + size_ / 2));
    size_ += count;
  }
  void assign(std::size_t count, T value) {
    clear();
    extend(count);
    for (std::size_t i = 0; i < count; ++i) data_[i] = value;
  }
  void shrink_to_fit() {
    if (size_ < capacity_) reallocate(size_);
  }

  bool operator==(const GrowingArray& other) const {
    return size_ == other.size_ &&
           (size_ == 0 || std::memcmp(data_, other.data_, size_ * sizeof(T)) == 0);
  }

 private:
  void swap(GrowingArray& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }
  void reallocate(std::size_t capacity) {
    if (capacity == 0) {
      std::free(std::exchange(data_, nullptr));
    } else {
      void* moved = std::realloc(data_, capacity * sizeof(T));
      if (moved == nullptr) throw std::bad_alloc();
      data_ = static_cast<T*>(moved);
    }
    capacity_ = capacity;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

// Terms of one rule that share their coefficients.
struct TermBlock {
  std::uint32_t rule = 0;  // index in Model::rules
  TermKind kind = TermKind::kHinge;
  std::vector<double> coefficients;         // a: per atom of a term; none is 0
  std::vector<double> output_coefficients;  // B: per network output of a term
  std::size_t num_terms = 0;
  GrowingArray<AtomId> atoms;           // per term, per coefficient; the atoms of a term differ
  GrowingArray<std::uint32_t> outputs;  // per term, per output coefficient
  GrowingArray<double> offsets;  // per term: the constant part of b; empty if all are `offset`
  double offset = 0.0;

  std::size_t width() const { return coefficients.size(); }
  std::span<const AtomId> atoms_of(std::size_t term) const {
    return {atoms.data() + term * width(), width()};
  }
  std::span<const std::uint32_t> outputs_of(std::size_t term) const {
    const std::size_t count = output_coefficients.size();
    return {outputs.data() + term * count, count};
  }
  double offset_of(std::size_t term) const { return offsets.empty() ? offset : offsets[term]; }
  std::size_t memory_bytes() const;
};

// Where the atoms of an open predicate stand: atom first + i is target row i of the relation.
struct AtomRange {
  PredicateId predicate = 0;
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

// What a model remembers of a rule.
struct GroundRule {
  double weight = 0.0;  // as written; 0 for hard rules
  bool hard = false;
  std::string text;
  Span source;
  RuleId id = 0;  // of the rule of the program that it came from
};

// How large a model is, whatever the semantics.
struct ModelSize {
  double atoms = 0.0;                          // unknown ones
  double terms = 0.0, nonzeros = 0.0;          // ground rules, and atoms in them
  double bytes = 0.0;                          // that it holds besides the data
  std::vector<double> rule_terms, rule_bytes;  // per rule
};

struct Model {
  std::size_t num_atoms = 0;
  std::size_t num_outputs = 0;           // network outputs
  std::vector<AtomRange> atom_ranges;    // of the open predicates, ascending
  std::vector<AtomRange> output_ranges;  // of the neural predicates, ascending
  std::vector<GroundRule> rules;
  std::vector<TermBlock> blocks;  // by rule

  std::size_t num_terms() const;
  std::size_t num_nonzeros() const;
  std::size_t memory_bytes() const;
};

}  // namespace sorites
