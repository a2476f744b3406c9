#include "data/sources/file_bytes.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "data/test_folder.h"
#include "sorites/diagnostic.h"

namespace sorites {
namespace {

std::string unpacked(std::string_view packed) {
  const OpenedFile file = unpack_gzip(packed);
  return file.error.empty() ? std::string(file.bytes.view()) : "error: " + file.error;
}

TEST(OpenFile, ReadsFilesAndAllElse) {
  const TestFolder folder;
  const OpenedFile file = open_file(folder.write("a.txt", "hello"));
  EXPECT_EQ(file.error, "");
  EXPECT_EQ(file.bytes.view(), "hello");
  EXPECT_EQ(open_file(folder.write("empty", "")).bytes.view(), "");
  EXPECT_EQ(open_file("/dev/null").error, "");
}

TEST(OpenFile, SaysWhyNot) {
  const TestFolder folder;
  EXPECT_EQ(open_file(folder.path("missing")).error, "No such file or directory");
  EXPECT_EQ(open_file(folder.path("")).error, "it is a directory");
}

TEST(OpenFile, KeepsWhatItReadWhenTheFileShrinks) {
  const TestFolder folder;
  const std::string text(1'000'000, 'x');
  const std::string path = folder.write("a.txt", text);
  const OpenedFile file = open_file(path);
  std::filesystem::resize_file(path, 10);
  EXPECT_EQ(file.bytes.view(), text);
}

TEST(UnpackGzip, UnpacksAllMembers) {
  std::string large;
  for (int i = 0; i < 400'000; ++i) large += std::to_string(i);
  EXPECT_EQ(unpacked(packed("hello ") + packed("") + packed(large)), "hello " + large);
  EXPECT_EQ(unpacked(packed("padded") + std::string(100, '\0')), "padded");
}

TEST(UnpackGzip, StopsWhenAsked) {
  std::stop_source source;
  source.request_stop();
  EXPECT_THROW(unpack_gzip(packed("hello"), source.get_token()), Interrupted);
}

TEST(UnpackGzip, RefusesDamagedData) {
  const std::string good = packed(std::string(1000, 'a') + "b");
  EXPECT_EQ(unpacked("plain text"), "error: it is not gzip data");
  EXPECT_EQ(unpacked(""), "error: it is not gzip data");
  EXPECT_EQ(unpacked(good + "junk"), "error: bytes that are not gzip follow its end");
  for (std::size_t size = 2; size < good.size(); ++size) {
    EXPECT_EQ(unpacked(good.substr(0, size)), "error: it ends too early") << size;
  }
  std::string damaged = good;
  damaged[good.size() - 6] = static_cast<char>(damaged[good.size() - 6] ^ 1);  // the checksum
  EXPECT_EQ(unpacked(damaged), "error: its data is damaged");
}

}  // namespace
}  // namespace sorites
