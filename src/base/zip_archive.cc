#include "base/zip_archive.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/framed_file.h"
#include "base/shown_text.h"

namespace sorites {
namespace {

// APPNOTE.TXT of PKWARE, version 6.3.10; numbers are little-endian, at these offsets.
constexpr std::uint32_t kLocalMagic = 0x04034b50, kCentralMagic = 0x02014b50,
                        kEndMagic = 0x06054b50, kEnd64Magic = 0x06064b50,
                        kLocator64Magic = 0x07064b50;
constexpr std::size_t kLocalSize = 30, kCentralSize = 46, kEndSize = 22, kEnd64Size = 56,
                      kLocator64Size = 20;
constexpr std::uint32_t kIn64 = 0xFFFFFFFF;  // the number stands in an extra field of 64 bits

// Throws DamagedFrame where there is nothing to take.
class Archive {
 public:
  explicit Archive(std::span<const char> bytes) : bytes_(bytes) {}

  std::span<const char> part(std::uint64_t at, std::uint64_t count) const {
    if (at > bytes_.size() || count > bytes_.size() - at) throw DamagedFrame("it is cut off");
    return bytes_.subspan(at, count);
  }
  template <class T>
  T number(std::uint64_t at) const {
    T value{};
    std::memcpy(&value, part(at, sizeof value).data(), sizeof value);
    return value;
  }
  void require_magic(std::uint64_t at, std::uint32_t magic) const {
    if (number<std::uint32_t>(at) != magic) throw DamagedFrame("its table of contents is damaged");
  }
  std::size_t size() const { return bytes_.size(); }

 private:
  std::span<const char> bytes_;
};

struct Member {
  std::string_view name;
  std::uint16_t method = 0;
  std::uint32_t sum = 0;
  std::uint64_t packed = 0, unpacked = 0, header = 0;
};

// The members' table: where it begins, and how many there are.
struct Contents {
  std::uint64_t begin = 0, count = 0;
};

Contents contents_of(const Archive& archive) {
  constexpr std::size_t kLongestComment = 65535;  // its length has 16 bits
  const std::size_t size = archive.size();
  if (size < kEndSize) throw DamagedFrame("it is cut off");
  const std::size_t first = size - std::min(size, kEndSize + kLongestComment);
  std::size_t end = size - kEndSize;
  while (archive.number<std::uint32_t>(end) != kEndMagic) {
    if (end-- == first) throw DamagedFrame("it has no table of contents: it is cut off");
  }
  Contents contents{archive.number<std::uint32_t>(end + 16),
                    archive.number<std::uint16_t>(end + 10)};
  const bool has_locator = end >= kLocator64Size &&
                           archive.number<std::uint32_t>(end - kLocator64Size) == kLocator64Magic;
  if (!has_locator) return contents;
  const auto at = archive.number<std::uint64_t>(end - kLocator64Size + 8);
  archive.require_magic(at, kEnd64Magic);
  archive.part(at, kEnd64Size);
  return {archive.number<std::uint64_t>(at + 48), archive.number<std::uint64_t>(at + 32)};
}

// Numbers that are too large for 32 bits stand one after the other in the extra field 1.
void read_extra(std::span<const char> extra, Member& member) {
  FrameCursor cursor(extra);
  while (cursor.left() >= 4) {
    const auto kind = cursor.number<std::uint16_t>();
    std::vector<char> field;
    cursor.elements(field, cursor.number<std::uint16_t>());
    if (kind != 1) continue;
    FrameCursor numbers(field);
    for (std::uint64_t* number : {&member.unpacked, &member.packed, &member.header}) {
      if (*number == kIn64) *number = numbers.number<std::uint64_t>();
    }
  }
}

// The member whose line of the table is at `at`, which moves on to the next.
Member read_member(const Archive& archive, std::uint64_t& at) {
  archive.require_magic(at, kCentralMagic);
  const auto name_size = archive.number<std::uint16_t>(at + 28);
  const auto extra_size = archive.number<std::uint16_t>(at + 30);
  const auto comment_size = archive.number<std::uint16_t>(at + 32);
  const auto name = archive.part(at + kCentralSize, name_size);
  Member member{{name.data(), name.size()},
                archive.number<std::uint16_t>(at + 10),
                archive.number<std::uint32_t>(at + 16),
                archive.number<std::uint32_t>(at + 20),
                archive.number<std::uint32_t>(at + 24),
                archive.number<std::uint32_t>(at + 42)};
  read_extra(archive.part(at + kCentralSize + name_size, extra_size), member);
  at += kCentralSize + name_size + extra_size + comment_size;
  return member;
}

std::span<const char> packed_bytes(const Archive& archive, const Member& member) {
  const std::uint64_t at = member.header;
  archive.require_magic(at, kLocalMagic);
  const auto name_size = archive.number<std::uint16_t>(at + 26);
  const auto extra_size = archive.number<std::uint16_t>(at + 28);
  const auto name = archive.part(at + kLocalSize, name_size);
  if (std::string_view(name.data(), name.size()) != member.name ||
      archive.number<std::uint16_t>(at + 8) != member.method) {
    throw DamagedFrame("its table of contents is damaged");
  }
  return archive.part(at + kLocalSize + name_size + extra_size, member.packed);
}

// CRC-32 of what the bytes unpack to, in pieces: whatever their size, it takes no memory.
std::uint32_t unpacked_sum(std::span<const char> packed, std::uint64_t size) {
  constexpr std::size_t kPiece = std::size_t{1} << 16U;
  constexpr int kRawWindow = -15;  // of zlib.h, inflateInit2: no head
  std::vector<char> piece(kPiece);
  z_stream stream{};
  if (inflateInit2(&stream, kRawWindow) != Z_OK) throw DamagedFrame("zlib failed");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(std::min<std::size_t>(packed.size(), UINT32_MAX));
  std::uint32_t sum = 0;
  std::uint64_t count = 0;
  int status = Z_OK;
  while (status == Z_OK && count <= size) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(kPiece);
    status = inflate(&stream, Z_NO_FLUSH);
    sum = checksum(sum, {piece.data(), kPiece - stream.avail_out});
    count += kPiece - stream.avail_out;
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END || count != size) throw DamagedFrame("a member cannot be unpacked");
  return sum;
}

void check_member(const Archive& archive, const Member& member) {
  constexpr std::uint16_t kStored = 0, kDeflated = 8;  // methods, 4.4.5
  const std::span<const char> packed = packed_bytes(archive, member);
  if (member.method != kStored && member.method != kDeflated) {
    throw DamagedFrame("it is packed in a way that is not known");
  }
  const bool stored = member.method == kStored;
  const std::uint32_t sum = stored ? checksum(0, packed) : unpacked_sum(packed, member.unpacked);
  if (sum != member.sum || (stored && member.packed != member.unpacked)) {
    throw DamagedFrame(
        fmt::format("it is damaged: the checksum of `{}` is wrong", shown_text(member.name)));
  }
}

}  // namespace

std::string problem_of_zip(std::span<const char> bytes) {
  const Archive archive(bytes);
  try {
    const Contents contents = contents_of(archive);
    std::uint64_t at = contents.begin;
    for (std::uint64_t i = 0; i < contents.count; ++i) {
      check_member(archive, read_member(archive, at));
    }
    if (contents.count == 0) return "it is empty";
  } catch (const DamagedFrame& problem) {
    return problem.what();
  }
  return {};
}

}  // namespace sorites
