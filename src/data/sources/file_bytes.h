// The bytes of a file, read into memory or unpacked. Files are not mapped: one that another program
// cuts or writes anew would change, or end the program, while it is parsed.
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>
#include <string_view>

namespace sorites {

// Owns the memory; move-only.
class FileBytes {
 public:
  FileBytes() = default;
  FileBytes(FileBytes&& other) noexcept;
  FileBytes& operator=(FileBytes&& other) noexcept;
  ~FileBytes();

  // Does not own: the text must outlive it.
  static FileBytes borrow(std::string_view text);
  static FileBytes copy(std::string_view text);
  // Takes over `size` bytes of what mmap gave.
  static FileBytes adopt(void* data, std::size_t size, std::size_t capacity);

  std::string_view view() const { return {data_, size_}; }
  // Gives the memory of [begin, end) back, which must not be looked at again.
  void release(std::size_t begin, std::size_t end) const;

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;  // of what it owns; 0 if it owns nothing
};

struct OpenedFile {
  FileBytes bytes;
  std::string error;  // why not, empty if all is well
};

// Anything that can be read, a pipe too, is read to its end. Throws Interrupted.
OpenedFile open_file(const std::string& path, const std::stop_token& stop = {});

// Unpacks all members of a gzip file. Throws Interrupted.
OpenedFile unpack_gzip(std::string_view packed, const std::stop_token& stop = {});

}  // namespace sorites
