#include "base/whole_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "sorites/diagnostic.h"

namespace sorites {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw IoError(fmt::format("cannot write `{}`: {}", path, why));
}

[[noreturn]] void fail(const std::string& path) { fail(path, std::strerror(errno)); }

// Whether a new file takes the place of what is there. Links in /dev and /proc lead to files that
// are open already, standard output for one.
bool is_replaced(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) fail(path, "it is a folder");
  if (fs::exists(status) && !fs::is_regular_file(status)) return false;
  const std::string absolute = fs::absolute(path, error).lexically_normal().string();
  return !fs::exists(status) || !(absolute.starts_with("/dev/") || absolute.starts_with("/proc/"));
}

// A name beside `path` that nobody else has.
std::string name_beside(const std::string& path) {
  constexpr std::size_t kLongest = 200;  // of 255 bytes that a name may have
  static std::atomic<unsigned> count = 0;
  const fs::path whole(path);
  return (whole.parent_path() /
          fmt::format(
              "{}.{}-{}.part", whole.filename().string().substr(0, kLongest), ::getpid(), count++))
      .string();
}

struct NewFile {
  std::string name;
  int descriptor = -1;
};

NewFile make_beside(const std::string& path) {
  constexpr int kMostTries = 1000;  // names that a run which was killed has left, or a joker
  constexpr mode_t kForAll = 0666;  // less what umask takes away
  for (int i = 0; i < kMostTries; ++i) {
    NewFile made{name_beside(path)};
    made.descriptor =
        ::open(made.name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kForAll);
    if (made.descriptor >= 0) return made;
    if (errno != EEXIST) break;
  }
  fail(path);
}

// Makes a file of a new name beside the path, whatever is there, and removes it again.
void try_beside(const std::string& path) {
  const NewFile made = make_beside(path);
  ::close(made.descriptor);
  std::remove(made.name.c_str());
}

}  // namespace

WholeFile::Part::~Part() {
  if (!name.empty()) std::remove(name.c_str());
}

WholeFile::WholeFile(std::string path) : path_(std::move(path)), part_(std::make_unique<Part>()) {
  int descriptor = -1;
  if (is_replaced(path_)) {
    NewFile made = make_beside(path_);
    part_->name = std::move(made.name);
    descriptor = made.descriptor;
  } else {
    // Behind what others write there, if it is a file that is open: standard output for one.
    descriptor = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0) fail(path_);
  }
  file_.reset(::fdopen(descriptor, "wb"));
  if (file_) return;
  const int reason = errno;
  ::close(descriptor);
  errno = reason;
  fail(path_);
}

WholeFile::~WholeFile() = default;

void WholeFile::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) fail(path_);
}

void WholeFile::overwrite(long position, std::string_view bytes) {
  std::error_code error;
  if (part_->name.empty() && fs::is_regular_file(path_, error)) {
    fail(path_, "it is open already, and what is written comes last");
  }
  if (std::fseek(file_.get(), position, SEEK_SET) != 0) fail(path_);
  write(bytes);
  if (std::fseek(file_.get(), 0, SEEK_END) != 0) fail(path_);
}

void WholeFile::close() {
  if (file_ && std::fclose(file_.release()) != 0) fail(path_);
}

void WholeFile::put_in_place() {
  close();
  if (part_->name.empty()) return;
  if (std::rename(part_->name.c_str(), path_.c_str()) != 0) fail(path_);
  part_->name.clear();
}

void write_whole_file(const std::string& path, std::string_view text) {
  WholeFile file(path);
  file.write(text);
  file.put_in_place();
}

void check_can_write(const std::string& path) {
  if (!is_replaced(path)) {  // to open a pipe would end it for its reader
    if (::access(path.c_str(), W_OK) != 0) fail(path);
    return;
  }
  try_beside(path);
}

void check_can_write_into(const std::string& folder) {
  std::error_code error;
  fs::path existing = fs::absolute(folder, error);
  while (!fs::exists(fs::symlink_status(existing, error)) && existing.has_relative_path()) {
    existing = existing.parent_path();
  }
  if (!fs::is_directory(existing, error)) {
    throw IoError(
        fmt::format("cannot write into `{}`: `{}` is no folder", folder, existing.string()));
  }
  try {
    try_beside((existing / "results").string());
  } catch (const IoError&) {
    throw IoError(fmt::format(
        "cannot write into `{}`: no file can be made in `{}`", folder, existing.string()));
  }
}

}  // namespace sorites
