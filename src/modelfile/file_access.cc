#include "modelfile/file_access.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

namespace sorites {
namespace {

struct Closer {
  void operator()(std::FILE* file) const { std::fclose(file); }  // NOLINT: owned here
};

std::string system_message() { return std::generic_category().message(errno); }

}  // namespace

std::string read_text_file(const std::string& path, std::string& text) {
  constexpr std::size_t kLargest = std::size_t{1} << 30U;  // places in it are 32 bits
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return "it is a folder";
  const std::unique_ptr<std::FILE, Closer> file(std::fopen(path.c_str(), "rb"));
  if (!file) return system_message();
  text.clear();
  char buffer[1U << 16U];
  std::size_t count = 0;
  while ((count = std::fread(buffer, 1, sizeof buffer, file.get())) > 0) {
    text.append(buffer, count);
    if (text.size() > kLargest) return "it is larger than 1 GB, too large for a model or rule file";
  }
  return std::ferror(file.get()) != 0 ? system_message() : std::string();
}

}  // namespace sorites
