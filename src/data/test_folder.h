// Files for tests.
#pragma once

#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp is not in <cstdlib>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "base/check.h"

namespace sorites {

// A new folder, gone when it goes out of scope.
class TestFolder {
 public:
  TestFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "sorites-XXXXXX").string();
    SORITES_CHECK(mkdtemp(name.data()) != nullptr, "there is a temporary folder");
    folder_ = name;
  }
  ~TestFolder() { std::filesystem::remove_all(folder_); }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  std::string path(std::string_view name) const { return folder_ + "/" + std::string(name); }
  std::string write(std::string_view name, std::string_view text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }

 private:
  std::string folder_;
};

// One gzip member.
inline std::string packed(std::string_view text) {
  z_stream stream{};
  std::string result(text.size() + text.size() / 100 + 100, '\0');
  SORITES_CHECK(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK,
                "zlib");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  SORITES_CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END, "the room suffices");
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

}  // namespace sorites
