#include "base/framed_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>

#include "sorites/diagnostic.h"

namespace sorites {
namespace {

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw IoError(fmt::format("cannot {} `{}`: {}", what, path, std::strerror(errno)));
}

std::uint32_t checksum_of(const FrameHeader& header) {
  return checksum(0,
                  {reinterpret_cast<const char*>(&header), offsetof(FrameHeader, header_checksum)});
}

// What is wrong with the head of the file, if anything is.
std::optional<std::string> problem_of(const FrameHeader& header,
                                      std::span<const char> body,
                                      const FrameFormat& format,
                                      std::uint64_t fingerprint) {
  if (header.byte_order != kFrameByteOrder) return "it was made on a machine of another byte order";
  if (header.version != format.version) {
    return fmt::format("it was written by {} version (format {}, this program reads {}); {}",
                       header.version < format.version ? "an older" : "a newer",
                       header.version,
                       format.version,
                       format.remedy);
  }
  if (body.size() < header.body_bytes) {
    return fmt::format("it is cut off: {} of {} bytes are there", body.size(), header.body_bytes);
  }
  if (body.size() > header.body_bytes) return "it goes on after its end";
  if (checksum(0, body) != header.body_checksum) return "it is damaged: its checksum is wrong";
  if (header.fingerprint != fingerprint) {
    return fmt::format("{}; {}", format.foreign, format.remedy);
  }
  return std::nullopt;
}

}  // namespace

std::uint32_t checksum(std::uint32_t start, std::span<const char> bytes) {
  constexpr std::size_t kMost = 1U << 30U;  // zlib takes 32-bit lengths
  auto sum = static_cast<uLong>(start);
  for (std::size_t i = 0; i < bytes.size(); i += kMost) {
    const std::size_t count = std::min(kMost, bytes.size() - i);
    sum = ::crc32(sum, reinterpret_cast<const Bytef*>(bytes.data() + i), static_cast<uInt>(count));
  }
  return static_cast<std::uint32_t>(sum);
}

FrameHeader make_header(const FrameFormat& format,
                        std::uint64_t fingerprint,
                        std::uint64_t body_bytes,
                        std::uint32_t body_checksum) {
  FrameHeader header{};
  std::memcpy(header.magic, format.magic.data(), sizeof header.magic);
  header.byte_order = kFrameByteOrder;
  header.version = format.version;
  header.fingerprint = fingerprint;
  header.body_bytes = body_bytes;
  header.body_checksum = body_checksum;
  header.header_checksum = checksum_of(header);
  return header;
}

std::variant<std::span<const char>, std::string> body_of(std::span<const char> file,
                                                         const FrameFormat& format,
                                                         std::uint64_t fingerprint) {
  FrameHeader header{};
  const std::size_t magic = std::min(file.size(), sizeof header.magic);
  if (magic == 0 || std::memcmp(file.data(), format.magic.data(), magic) != 0) {
    return fmt::format("it is no {}", format.what);
  }
  if (file.size() < sizeof header) return std::string("it is cut off");
  std::memcpy(&header, file.data(), sizeof header);
  if (checksum_of(header) != header.header_checksum) {
    return std::string("it is damaged: its checksum is wrong");
  }
  const std::span<const char> body = file.subspan(sizeof header);
  if (auto problem = problem_of(header, body, format, fingerprint)) return *problem;
  return body;
}

FrameWriter::FrameWriter(std::string path) : file_(std::move(path)) {
  // The head is written last, when all that follows is known.
  constexpr char kNoHead[sizeof(FrameHeader)] = {};
  file_.overwrite(0, {kNoHead, sizeof kNoHead});  // a pipe is refused here
}

void FrameWriter::bytes(const void* data, std::size_t count) {
  if (count == 0) return;
  file_.write({static_cast<const char*>(data), count});
  sum_ = checksum(sum_, {static_cast<const char*>(data), count});
  size_ += count;
}

void FrameWriter::finish(const FrameFormat& format, std::uint64_t fingerprint) {
  const FrameHeader header = make_header(format, fingerprint, size_, sum_);
  file_.overwrite(0, {reinterpret_cast<const char*>(&header), sizeof header});
  file_.put_in_place();
}

FileMapping::FileMapping(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) fail(path, "open");
  struct stat status {};
  const bool known = ::fstat(file, &status) == 0;
  if (known && !S_ISREG(status.st_mode)) errno = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
  if (!known || !S_ISREG(status.st_mode)) {
    const int reason = errno;
    ::close(file);
    errno = reason;
    fail(path, "read");
  }
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ > 0) data_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
  ::close(file);
  if (data_ == MAP_FAILED) fail(path, "read");
}

FileMapping::~FileMapping() {
  if (size_ > 0) ::munmap(data_, size_);
}

}  // namespace sorites
