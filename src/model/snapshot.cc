#include "sorites/snapshot.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <memory>

#include "base/diagnostics.h"
#include "model/snapshot_reader.h"

namespace sorites {
namespace {

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw IoError(fmt::format("cannot {} `{}`: {}", what, path, std::strerror(errno)));
}

// Writes a file and sums it up.
class Writer {
 public:
  explicit Writer(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "wb")) {
    if (!file_) fail(path, "write");
  }

  void bytes(const void* data, std::size_t count) {
    if (count == 0) return;
    if (std::fwrite(data, 1, count, file_.get()) != count) fail(path_, "write");
    sum_ = checksum(sum_, {static_cast<const char*>(data), count});
    size_ += count;
  }
  template <class T>
  void number(T value) {
    bytes(&value, sizeof value);
  }
  template <class Array>
  void array(const Array& values) {
    number<std::uint64_t>(values.size());
    bytes(values.data(), values.size() * sizeof(values.data()[0]));
  }

  // Puts the head in its place, now that all that follows is known.
  void finish(SnapshotHeader header) {
    header.body_bytes = size_;
    header.body_checksum = sum_;
    header.header_checksum = checksum(
        0, {reinterpret_cast<const char*>(&header), offsetof(SnapshotHeader, header_checksum)});
    const bool written = std::fseek(file_.get(), 0, SEEK_SET) == 0 &&
                         std::fwrite(&header, sizeof header, 1, file_.get()) == 1 &&
                         std::fclose(file_.release()) == 0;
    if (!written) fail(path_, "write");
  }
  void skip_header() {
    if (std::fseek(file_.get(), sizeof(SnapshotHeader), SEEK_SET) != 0) fail(path_, "write");
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::uint32_t sum_ = 0;
  std::uint64_t size_ = 0;
};

void write_rule(const GroundRule& rule, Writer& out) {
  out.number(rule.weight);
  out.number<std::uint8_t>(rule.hard ? 1 : 0);
  out.array(rule.text);
  out.array(rule.source.file);
  out.number(rule.source.line);
  out.number(rule.source.column);
  out.number(rule.source.length);
}

void write_block(const TermBlock& block, Writer& out) {
  out.number(block.rule);
  out.number(static_cast<std::uint8_t>(block.kind));
  out.number<std::uint64_t>(block.num_terms);
  out.number(block.offset);
  out.array(block.coefficients);
  out.array(block.output_coefficients);
  out.array(block.atoms);
  out.array(block.outputs);
  out.array(block.offsets);
}

// A file in memory, unmapped at the end.
class Mapping {
 public:
  explicit Mapping(const std::string& path) {
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
  ~Mapping() {
    if (size_ > 0) ::munmap(data_, size_);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  std::span<const char> bytes() const { return {static_cast<const char*>(data_), size_}; }

 private:
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace

void save_snapshot(const Model& model, std::uint64_t fingerprint, const std::string& path) {
  const std::string temporary = path + ".part";
  try {
    Writer out(temporary);
    out.skip_header();
    out.number<std::uint64_t>(model.num_atoms);
    out.number<std::uint64_t>(model.num_outputs);
    out.array(model.atom_ranges);
    out.array(model.output_ranges);
    out.number<std::uint64_t>(model.rules.size());
    for (const GroundRule& rule : model.rules) write_rule(rule, out);
    out.number<std::uint64_t>(model.blocks.size());
    for (const TermBlock& block : model.blocks) write_block(block, out);
    SnapshotHeader header{};
    std::memcpy(header.magic, kSnapshotMagic, sizeof header.magic);
    header.byte_order = kSnapshotByteOrder;
    header.version = kSnapshotVersion;
    header.fingerprint = fingerprint;
    out.finish(header);
    if (std::rename(temporary.c_str(), path.c_str()) != 0) fail(path, "write");
  } catch (...) {
    std::remove(temporary.c_str());
    throw;
  }
}

Model load_snapshot(const std::string& path, std::uint64_t fingerprint) {
  const Mapping file(path);
  auto result = read_snapshot(file.bytes(), fingerprint);
  if (const auto* problem = std::get_if<std::string>(&result)) {
    Diagnostics sink;
    sink.error(DiagnosticCode::kBadSnapshot,
               Span{path},
               fmt::format("the snapshot cannot be used: {}", *problem));
    throw InputError(sink.take_sorted());
  }
  return std::get<Model>(std::move(result));
}

}  // namespace sorites
