#include "base/whole_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include "sorites/diagnostic.h"

namespace sorites {
namespace {

namespace fs = std::filesystem;

class WholeFileTest : public testing::Test {
 protected:
  WholeFileTest() { fs::create_directories(folder_); }
  ~WholeFileTest() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string read(const std::string& name) const {
    std::ifstream file(folder_ / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::size_t num_files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_ = fs::temp_directory_path() / fmt::format("sorites_whole_{}", ::getpid());
};

TEST_F(WholeFileTest, IsThereWholeOrNotAtAll) {
  write_whole_file(path("a"), "old");
  {
    WholeFile file(path("a"));
    file.write("new");
    EXPECT_EQ(read("a"), "old");
  }
  EXPECT_EQ(read("a"), "old");
  EXPECT_EQ(num_files(), 1U);
  write_whole_file(path("a"), "new");
  EXPECT_EQ(read("a"), "new");
}

TEST_F(WholeFileTest, TwoWritersDoNotMix) {
  WholeFile one(path("a")), two(path("a"));
  one.write("one one");
  two.write("two");
  two.put_in_place();
  one.put_in_place();
  EXPECT_EQ(read("a"), "one one");
  EXPECT_EQ(num_files(), 1U);
}

TEST_F(WholeFileTest, ReplacesALinkAndNotWhatItLeadsTo) {
  write_whole_file(path("victim"), "victim");
  fs::create_symlink("victim", folder_ / "link");
  write_whole_file(path("link"), "text");
  EXPECT_EQ(read("victim"), "victim");
  EXPECT_EQ(read("link"), "text");
  EXPECT_FALSE(fs::is_symlink(folder_ / "link"));
}

TEST_F(WholeFileTest, SaysWhatIsWrong) {
  const auto error = [](const auto& work) -> std::string {
    try {
      work();
    } catch (const IoError& problem) {
      return problem.what();
    }
    return "";
  };
  EXPECT_THAT(error([] { write_whole_file("/dev/full", "text"); }),
              testing::HasSubstr("No space left"));
  EXPECT_THAT(error([&] { write_whole_file(folder_.string(), "text"); }),
              testing::HasSubstr("it is a folder"));
  EXPECT_THAT(error([&] { check_can_write(path("missing/a")); }), testing::HasSubstr("No such"));
  EXPECT_EQ(error([&] { check_can_write_into(path("missing/folder")); }), "");
  EXPECT_EQ(num_files(), 0U);
  fs::create_directory(folder_ / "results");  // of another run
  EXPECT_EQ(error([&] { check_can_write_into(path("other")); }), "");
  fs::remove(folder_ / "results");
  write_whole_file(path("file"), "");
  EXPECT_THAT(error([&] { check_can_write_into(path("file/folder")); }),
              testing::HasSubstr("is no folder"));
  EXPECT_THAT(error([] { check_can_write_into("/proc/none/folder"); }),
              testing::HasSubstr("cannot write into `/proc/none/folder`: no file can be made"));
}

}  // namespace
}  // namespace sorites
