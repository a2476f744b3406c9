#include "base/whole_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "sorites/diagnostic.h"

namespace sorites {
namespace {

[[noreturn]] void fail(const std::string& path) {
  throw IoError(fmt::format("cannot write `{}`: {}", path, std::strerror(errno)));
}

std::string part_of(const std::string& path) { return path + ".part"; }

}  // namespace

void write_whole_file(const std::string& path, std::string_view text) {
  const std::string part = part_of(path);
  std::FILE* file = std::fopen(part.c_str(), "wb");
  if (file == nullptr) fail(path);
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const int why = errno;
  if (std::fclose(file) != 0 || !written) {
    if (!written) errno = why;
    const int reason = errno;
    std::remove(part.c_str());
    errno = reason;
    fail(path);
  }
  if (std::rename(part.c_str(), path.c_str()) != 0) {
    const int reason = errno;
    std::remove(part.c_str());
    errno = reason;
    fail(path);
  }
}

void check_can_write(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    throw IoError(fmt::format("cannot write `{}`: it is a folder", path));
  }
  const std::string part = part_of(path);
  std::FILE* file = std::fopen(part.c_str(), "ab");
  if (file == nullptr) fail(path);
  std::fclose(file);
  std::remove(part.c_str());
}

}  // namespace sorites
