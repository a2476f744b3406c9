// Memory for the elements of a tensor, aligned to cache lines. All zero at first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <span>

namespace sorites {

inline constexpr std::size_t kFloatsPerLine = 16;  // of a cache

template <class Real>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t size)
      : data_(static_cast<Real*>(::operator new(size * sizeof(Real), kAlignment))), size_(size) {
    std::fill_n(data_.get(), size, Real{0});
  }

  Real* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  // NOLINTNEXTLINE(google-explicit-constructor): as arrays are spans.
  operator std::span<Real>() const { return {data_.get(), size_}; }

 private:
  static constexpr std::align_val_t kAlignment{64};  // a cache line, and the widest vector
  struct Release {
    void operator()(Real* data) const { ::operator delete(data, kAlignment); }
  };
  std::unique_ptr<Real, Release> data_;
  std::size_t size_ = 0;
};

}  // namespace sorites
