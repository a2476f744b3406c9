// Binary files of our own: a head that tells what the file is, and a body, both with checksums, so
// that a file that is cut off, damaged, of another version or something else is told apart.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/diagnostic_code.h"
#include "base/whole_file.h"

namespace sorites {

// The head of a file. Numbers are little-endian, as on the machines we run on; `byte_order` tells.
struct FrameHeader {
  char magic[8];
  std::uint32_t byte_order;
  std::uint32_t version;
  std::uint64_t fingerprint;  // of what the file belongs to
  std::uint64_t body_bytes;
  std::uint32_t body_checksum;    // CRC-32
  std::uint32_t header_checksum;  // CRC-32 of all before it
};
inline constexpr std::uint32_t kFrameByteOrder = 0x01020304;

// A kind of file, and how messages speak of it.
struct FrameFormat {
  std::string_view magic;  // 8 bytes
  std::uint32_t version = 1;
  std::string_view name;                            // "snapshot"
  std::string_view what;                            // "snapshot of a ground model"
  std::string_view remedy;                          // "make it again with `sorites ground`"
  std::string_view foreign;                         // "it was made from other rules or data"
  DiagnosticCode code = DiagnosticCode::kBadState;  // of an error
};

// CRC-32 that goes on from `start`.
std::uint32_t checksum(std::uint32_t start, std::span<const char> bytes);

// The head of a file with this body.
FrameHeader make_header(const FrameFormat& format,
                        std::uint64_t fingerprint,
                        std::uint64_t body_bytes,
                        std::uint32_t body_checksum);

// The body of a file, or what is wrong with it.
std::variant<std::span<const char>, std::string> body_of(std::span<const char> file,
                                                         const FrameFormat& format,
                                                         std::uint64_t fingerprint);

// The file is there whole, after finish(), or not at all. Throws IoError; a pipe cannot be written
// to, since the head comes last.
class FrameWriter {
 public:
  explicit FrameWriter(std::string path);

  void bytes(const void* data, std::size_t count);
  template <class T>
  void number(T value) {
    bytes(&value, sizeof value);
  }
  template <class Array>
  void array(const Array& values) {
    number<std::uint64_t>(values.size());
    bytes(values.data(), values.size() * sizeof(values.data()[0]));
  }
  void finish(const FrameFormat& format, std::uint64_t fingerprint);

 private:
  WholeFile file_;
  std::uint32_t sum_ = 0;
  std::uint64_t size_ = 0;
};

// A file in memory, unmapped at the end. Throws IoError.
class FileMapping {
 public:
  explicit FileMapping(const std::string& path);
  ~FileMapping();
  FileMapping(const FileMapping&) = delete;
  FileMapping& operator=(const FileMapping&) = delete;

  std::span<const char> bytes() const { return {static_cast<const char*>(data_), size_}; }

 private:
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

// The body is not what its checksum promised.
struct DamagedFrame : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Takes values off the front of a body. Every length is checked against what is left before
// anything is allocated. Throws DamagedFrame.
class FrameCursor {
 public:
  explicit FrameCursor(std::span<const char> bytes) : bytes_(bytes) {}

  template <class T>
  T number() {
    T value{};
    std::memcpy(&value, take(sizeof value), sizeof value);
    return value;
  }

  template <class Array>
  void array(Array& out) {
    elements(out, number<std::uint64_t>());
  }

  // The elements of an array whose number is known.
  template <class Array>
  void elements(Array& out, std::uint64_t count) {
    using T = std::decay_t<decltype(out[0])>;
    if (count > bytes_.size() / sizeof(T)) throw DamagedFrame("an array is longer than the file");
    out = Array();
    if (count == 0) return;
    if constexpr (requires { out.extend(count); }) {  // GrowingArray
      out.extend(count);
    } else {
      out.resize(count);
    }
    std::memcpy(out.data(), take(count * sizeof(T)), count * sizeof(T));
  }

  std::string text() {
    std::vector<char> characters;
    array(characters);
    return {characters.begin(), characters.end()};
  }

  std::size_t left() const { return bytes_.size(); }

 private:
  const char* take(std::size_t count) {
    if (count > bytes_.size()) throw DamagedFrame("it ends too early");
    const char* begin = bytes_.data();
    bytes_ = bytes_.subspan(count);
    return begin;
  }

  std::span<const char> bytes_;
};

}  // namespace sorites
