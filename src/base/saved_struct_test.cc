#include "base/saved_struct.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

namespace sorites {

struct Inner {
  double value = 0.0;
  std::vector<float> floats;
};
struct Outer {
  std::uint64_t count = 0;
  bool flag = false;
  std::string text;
  std::optional<double> maybe, never;
  std::vector<Inner> inners;
  std::vector<std::vector<double>> lists;
};
// As Outer, but for one name.
struct Renamed : Outer {};

template <>
inline constexpr auto kFields<Inner> =
    std::tuple{Field{"value", &Inner::value}, Field{"floats", &Inner::floats}};
template <>
inline constexpr auto kFields<Outer> = std::tuple{Field{"count", &Outer::count},
                                                  Field{"flag", &Outer::flag},
                                                  Field{"text", &Outer::text},
                                                  Field{"maybe", &Outer::maybe},
                                                  Field{"never", &Outer::never},
                                                  Field{"inners", &Outer::inners},
                                                  Field{"lists", &Outer::lists}};
template <>
inline constexpr auto kFields<Renamed> = std::tuple{Field{"count", &Renamed::count},
                                                    Field{"flag", &Renamed::flag},
                                                    Field{"text", &Renamed::text},
                                                    Field{"never", &Renamed::maybe},
                                                    Field{"maybe", &Renamed::never},
                                                    Field{"inners", &Renamed::inners},
                                                    Field{"lists", &Renamed::lists}};

namespace {

using testing::HasSubstr;

constexpr FrameFormat kFormat{.magic = "SorTest1",
                              .version = 3,
                              .name = "test",
                              .what = "file of a test",
                              .remedy = "make it again",
                              .foreign = "it is of something else"};

class SavedStruct : public testing::Test {
 protected:
  SavedStruct() {
    path_ = std::filesystem::temp_directory_path() /
            ("sorites_struct_" + std::to_string(::getpid()) + ".state");
    Outer outer;
    outer.count = 7;
    outer.flag = true;
    outer.text = "a text";
    outer.maybe = -0.0;
    outer.inners = {{0.1, {1.5F}}, {std::numeric_limits<double>::infinity(), {}}};
    outer.lists = {{1.0, 2.0}, {}, {3.0}};
    save_struct(outer, kFormat, 11, path_);
    std::ifstream file(path_, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
  }
  ~SavedStruct() override { std::filesystem::remove(path_); }

  template <class T = Outer>
  static std::string problem(std::string_view bytes, const FrameFormat& format = kFormat) {
    const auto result = read_struct<T>({bytes.data(), bytes.size()}, format, 11, [](const T&) {});
    const auto* text = std::get_if<std::string>(&result);
    return text == nullptr ? "" : *text;
  }

  // The bytes with another body, and checksums to go with it.
  static std::string with_body(std::string_view body) {
    const FrameHeader header =
        make_header(kFormat, 11, body.size(), checksum(0, {body.data(), body.size()}));
    return std::string(reinterpret_cast<const char*>(&header), sizeof header) + std::string(body);
  }

  std::string path_, bytes_;
};

TEST_F(SavedStruct, ReadsBackWhatWasSaved) {
  const auto outer = load_struct<Outer>(path_, kFormat, 11, [](const Outer&) {});
  EXPECT_EQ(outer.count, 7U);
  EXPECT_TRUE(outer.flag);
  EXPECT_EQ(outer.text, "a text");
  ASSERT_TRUE(outer.maybe);
  EXPECT_TRUE(std::signbit(*outer.maybe));
  EXPECT_EQ(outer.never, std::nullopt);
  ASSERT_EQ(outer.inners.size(), 2U);
  EXPECT_EQ(outer.inners[0].value, 0.1);
  EXPECT_EQ(outer.inners[0].floats, std::vector{1.5F});
  EXPECT_TRUE(std::isinf(outer.inners[1].value));
  EXPECT_EQ(outer.lists, (std::vector<std::vector<double>>{{1.0, 2.0}, {}, {3.0}}));
}

TEST_F(SavedStruct, IsRefusedWhereverItIsCutOff) {
  for (std::size_t size = 0; size < bytes_.size(); ++size) {
    EXPECT_NE(problem(std::string_view(bytes_).substr(0, size)), "") << size;
  }
  const std::string_view body = std::string_view(bytes_).substr(sizeof(FrameHeader));
  for (std::size_t size = 0; size < body.size(); ++size) {  // with a checksum that is right
    EXPECT_THAT(problem(with_body(body.substr(0, size))), HasSubstr("damaged")) << size;
  }
}

TEST_F(SavedStruct, TakesNoFieldForAnother) {
  EXPECT_EQ(problem(bytes_), "");
  EXPECT_THAT(problem<Renamed>(bytes_), HasSubstr("`never` is not where it should be"));
  EXPECT_THAT(problem<Inner>(bytes_), HasSubstr("number of parts"));
}

TEST_F(SavedStruct, IsRefusedIfValuesDoNotFit) {
  const auto refuse = [](const Outer&) { throw DamagedFrame("the count is wrong"); };
  const auto result = read_struct<Outer>({bytes_.data(), bytes_.size()}, kFormat, 11, refuse);
  EXPECT_EQ(std::get<std::string>(result), "it is damaged: the count is wrong");
}

TEST_F(SavedStruct, ChecksSizesBeforeItAllocates) {
  std::string body = bytes_.substr(sizeof(FrameHeader));
  const std::size_t lists = body.rfind("lists");
  const std::uint64_t huge = std::uint64_t{1} << 60U;
  std::memcpy(body.data() + lists + 5 + 2, &huge, sizeof huge);
  EXPECT_THAT(problem(with_body(body)), HasSubstr("`lists` is longer than the file"));
}

TEST_F(SavedStruct, SaysWhoWroteAnotherVersion) {
  FrameFormat other = kFormat;
  other.version = 4;
  EXPECT_THAT(problem(bytes_, other), HasSubstr("written by an older version"));
  other.version = 2;
  EXPECT_THAT(problem(bytes_, other), HasSubstr("written by a newer version"));
}

TEST_F(SavedStruct, IsRefusedByAnInputErrorThatNamesTheFile) {
  try {
    load_struct<Outer>(path_, kFormat, 12, [](const Outer&) {});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(path_));
    EXPECT_THAT(error.what(), HasSubstr("the test cannot be used: it is of something else"));
  }
}

}  // namespace
}  // namespace sorites
