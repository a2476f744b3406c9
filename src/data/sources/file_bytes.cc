#include "data/sources/file_bytes.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <system_error>
#include <utility>

#include "base/bytes_text.h"
#include "base/memory_limit.h"
#include "base/read_file.h"
#include "sorites/diagnostic.h"

namespace sorites {
namespace {

std::string reason(int error) { return std::generic_category().message(error); }

// Memory that grows without being copied, and whose pages can be given back one by one.
class GrowingPages {
 public:
  explicit GrowingPages(std::size_t expected = 0)
      : capacity_(std::max(std::size_t{1} << 20U, expected + kLeastRoom)) {
    data_ = mmap(nullptr, capacity_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data_ == MAP_FAILED) throw std::bad_alloc();
  }
  ~GrowingPages() {
    if (data_ != nullptr) munmap(data_, capacity_);
  }
  GrowingPages(const GrowingPages&) = delete;
  GrowingPages& operator=(const GrowingPages&) = delete;

  // Where the next bytes go, and how many fit at least.
  char* end() { return static_cast<char*>(data_) + size_; }
  std::size_t room() {
    if (capacity_ - size_ < kLeastRoom) grow();
    return capacity_ - size_;
  }
  void added(std::size_t bytes) { size_ += bytes; }
  std::size_t size() const { return size_; }
  FileBytes take() { return FileBytes::adopt(std::exchange(data_, nullptr), size_, capacity_); }

 private:
  static constexpr std::size_t kLeastRoom = std::size_t{64} << 10U;  // what zlib writes at a time

  void grow() {
    void* larger = mremap(data_, capacity_, 2 * capacity_, MREMAP_MAYMOVE);
    if (larger == MAP_FAILED) throw std::bad_alloc();
    data_ = larger;
    capacity_ *= 2;
  }

  std::size_t size_ = 0, capacity_;
  void* data_ = nullptr;
};

// Devices that never end, and a few packed bytes that are many unpacked ones, are told apart from
// large files by what the machine can hold.
class SizeLimit {
 public:
  // What is wrong with so many bytes; empty if nothing is.
  std::string problem(std::size_t bytes, std::string_view what) {
    if (bytes < next_look_) return {};
    constexpr std::size_t kBetweenLooks = std::size_t{64} << 20U;
    next_look_ = bytes + kBetweenLooks;
    if (memory_in_use_bytes() < memory_limit_bytes()) return {};
    return fmt::format(
        "{} more than {}, and there is no more memory; --memory-limit may raise that",
        what,
        bytes_text(static_cast<double>(bytes)));
  }

 private:
  std::size_t next_look_ = std::size_t{16} << 20U;
};

// To the end, wherever it is by then: a file may grow or shrink while it is read.
OpenedFile read_all(int descriptor, std::size_t expected, const std::stop_token& stop) {
  GrowingPages pages(expected);
  SizeLimit limit;
  while (true) {
    const std::size_t room = std::min(pages.room(), std::size_t{16} << 20U);
    const ssize_t got = read_some(descriptor, pages.end(), room, stop);
    if (got < 0) return {{}, reason(errno)};
    if (got == 0) return {pages.take(), {}};
    pages.added(static_cast<std::size_t>(got));
    if (std::string problem = limit.problem(pages.size(), "it has"); !problem.empty()) {
      return {{}, std::move(problem)};
    }
  }
}

// zlib's state, freed on every way out.
class Inflater {
 public:
  Inflater() {
    constexpr int kLargestWindow = 15, kGzipOnly = 16;  // of zlib.h, inflateInit2
    if (inflateInit2(&stream, kLargestWindow + kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  z_stream stream{};
};

// Unpacks one member into `pages` and removes it from `packed`. Returns what is wrong with it.
std::string unpack_member(Inflater& inflater,
                          std::string_view& packed,
                          GrowingPages& pages,
                          const std::stop_token& stop) {
  z_stream& stream = inflater.stream;
  if (inflateReset(&stream) != Z_OK) return "zlib failed";
  SizeLimit limit;
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    if (stop.stop_requested()) throw Interrupted();
    constexpr std::size_t kMost = std::size_t{16} << 20U;  // between looks at `stop`
    const std::size_t offered = std::min(packed.size(), kMost),
                      room = std::min(pages.room(), kMost);
    // zlib does not write to its input, but its interface says so only from version 1.3 on.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(offered);
    stream.next_out = reinterpret_cast<Bytef*>(pages.end());
    stream.avail_out = static_cast<uInt>(room);
    status = inflate(&stream, Z_NO_FLUSH);
    packed.remove_prefix(offered - stream.avail_in);
    pages.added(room - stream.avail_out);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (auto problem = limit.problem(pages.size(), "it unpacks to"); !problem.empty()) {
      return problem;
    }
    if (status == Z_BUF_ERROR || (status == Z_OK && packed.empty() && stream.avail_out > 0)) {
      return "it ends too early";
    }
    if (status != Z_OK && status != Z_STREAM_END) return "its data is damaged";
  }
  return {};
}

}  // namespace

FileBytes::FileBytes(FileBytes&& other) noexcept { *this = std::move(other); }

FileBytes& FileBytes::operator=(FileBytes&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(capacity_, other.capacity_);
  return *this;
}

FileBytes::~FileBytes() {
  if (capacity_ > 0) munmap(const_cast<char*>(data_), capacity_);
}

FileBytes FileBytes::borrow(std::string_view text) {
  FileBytes bytes;
  bytes.data_ = text.data();
  bytes.size_ = text.size();
  return bytes;
}

FileBytes FileBytes::copy(std::string_view text) {
  GrowingPages pages(text.size());
  std::copy(text.begin(), text.end(), pages.end());
  pages.added(text.size());
  return pages.take();
}

FileBytes FileBytes::adopt(void* data, std::size_t size, std::size_t capacity) {
  FileBytes bytes = borrow({static_cast<const char*>(data), size});
  bytes.capacity_ = capacity;
  return bytes;
}

void FileBytes::release(std::size_t begin, std::size_t end) const {
  if (capacity_ == 0) return;
  // Whole pages: the one in which `begin` lies was shared with what came before, and is done with;
  // the one in which `end` lies is shared with what comes after, and is not.
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  begin -= begin % page;
  end -= end % page;
  if (begin < end) madvise(const_cast<char*>(data_) + begin, end - begin, MADV_DONTNEED);
}

OpenedFile open_file(const std::string& path, const std::stop_token& stop) {
  const ReadDescriptor file(path);
  if (file.number() < 0) return {{}, reason(errno)};
  struct stat info {};
  if (fstat(file.number(), &info) != 0) return {{}, reason(errno)};
  if (S_ISDIR(info.st_mode)) return {{}, "it is a directory"};
  return read_all(
      file.number(), S_ISREG(info.st_mode) ? static_cast<std::size_t>(info.st_size) : 0, stop);
}

OpenedFile unpack_gzip(std::string_view packed, const std::stop_token& stop) {
  if (!packed.starts_with("\x1f\x8b")) return {{}, "it is not gzip data"};
  Inflater inflater;
  GrowingPages pages;
  while (!packed.empty()) {
    if (auto wrong = unpack_member(inflater, packed, pages, stop); !wrong.empty()) {
      return {{}, std::move(wrong)};
    }
    // Tapes and some tools pad with zeros.
    if (packed.find_first_not_of('\0') == std::string_view::npos) break;
    if (!packed.starts_with("\x1f\x8b")) return {{}, "bytes that are not gzip follow its end"};
  }
  return {pages.take(), {}};
}

}  // namespace sorites
