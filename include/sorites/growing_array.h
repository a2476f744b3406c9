// An array of plain numbers that can grow to gigabytes without ever being held twice.
//
// std::vector copies to a new allocation when it grows, which doubles the peak. realloc() moves the
// pages of large allocations instead, and pages that were never written take no memory.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace sorites {

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

}  // namespace sorites
