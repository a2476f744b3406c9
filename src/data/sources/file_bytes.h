// The bytes of a file, mapped into memory or unpacked.
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>
#include <string_view>

namespace sorites {

// Owns the mapping; move-only.
class FileBytes {
 public:
  FileBytes() = default;
  FileBytes(FileBytes&& other) noexcept;
  FileBytes& operator=(FileBytes&& other) noexcept;
  ~FileBytes();

  // Does not own: the text must outlive it.
  static FileBytes borrow(std::string_view text);
  // Takes over `size` bytes that mmap gave; `rereadable` if pages given back are read again from
  // the file.
  static FileBytes adopt(void* data, std::size_t size, std::size_t capacity, bool rereadable);

  std::string_view view() const { return {data_, size_}; }
  bool rereadable() const { return rereadable_; }
  // Gives the memory of [begin, end) back. What is not rereadable must not be looked at again.
  void release(std::size_t begin, std::size_t end) const;

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;  // of the mapping; 0 if there is none
  bool rereadable_ = false;
};

struct OpenedFile {
  FileBytes bytes;
  std::string error;  // why not, empty if all is well
};

// A regular file is mapped, anything else that can be read (a pipe) is read to its end.
OpenedFile open_file(const std::string& path);

// Unpacks all members of a gzip file. Throws Interrupted.
OpenedFile unpack_gzip(std::string_view packed, const std::stop_token& stop = {});

}  // namespace sorites
