// Memory that shares no cache line with anything else. What one thread writes for every term must
// not lie beside what another reads: each write would take the line from the other.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace sorites {

constexpr std::size_t kOwnLines = 128;  // two lines: processors fetch them in pairs

template <class T>
struct OwnLines {
  using value_type = T;

  OwnLines() = default;
  template <class U>
  OwnLines(const OwnLines<U>&) {}  // NOLINT: allocators convert

  T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new (bytes_of(count), std::align_val_t{kOwnLines}));
  }
  void deallocate(T* memory, std::size_t) {
    ::operator delete (memory, std::align_val_t{kOwnLines});
  }
  bool operator==(const OwnLines&) const { return true; }

 private:
  static std::size_t bytes_of(std::size_t count) {
    constexpr std::size_t kSize = sizeof(T);  // NOLINT(bugprone-sizeof-expression): of a pointer
    if (count > (static_cast<std::size_t>(-1) - kOwnLines) / kSize) throw std::bad_alloc();
    return (count * kSize + kOwnLines - 1) / kOwnLines * kOwnLines;
  }
};

// A vector that one thread changes all the time.
template <class T>
using OwnVector = std::vector<T, OwnLines<T>>;

}  // namespace sorites
