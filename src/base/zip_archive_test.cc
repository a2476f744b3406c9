#include "base/zip_archive.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "base/framed_file.h"

namespace sorites {
namespace {

template <class T>
void add(std::string& text, T value) {
  text.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// One stored member, as torch packs its files.
std::string archive_of(const std::string& name, const std::string& content) {
  const auto size = static_cast<std::uint32_t>(content.size());
  const std::uint32_t sum = checksum(0, content);
  std::string rest;  // version needed, flags, method, time, date, sum, sizes
  for (int i = 0; i < 5; ++i) add<std::uint16_t>(rest, 0);
  for (const std::uint32_t number : {sum, size, size}) add(rest, number);
  add(rest, static_cast<std::uint16_t>(name.size()));
  add<std::uint16_t>(rest, 0);
  std::string text = "PK\x03\x04" + rest + name + content;
  const auto begin = static_cast<std::uint32_t>(text.size());
  text += "PK\x01\x02";
  add<std::uint16_t>(text, 0);
  text += rest;
  text += std::string(14, '\0') + name;  // comment, disk, attributes, offset of the local head
  const auto table = static_cast<std::uint32_t>(text.size()) - begin;
  text += "PK\x05\x06" + std::string(4, '\0');
  for (int i = 0; i < 2; ++i) add<std::uint16_t>(text, 1);
  add(text, table);
  add(text, begin);
  add<std::uint16_t>(text, 0);
  return text;
}

TEST(ProblemOfZip, IsNoneOfAWholeArchive) {
  EXPECT_EQ(problem_of_zip(archive_of("code/a.py", "def forward(x): return x")), "");
}

TEST(ProblemOfZip, TellsEveryFlippedBitOfAMember) {
  const std::string content = "def forward(x): return x";
  const std::string whole = archive_of("a", content);
  for (std::size_t i = whole.find(content); i < whole.find(content) + content.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = whole;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
      EXPECT_EQ(problem_of_zip(damaged), "it is damaged: the checksum of `a` is wrong");
    }
  }
}

TEST(ProblemOfZip, EndsForEveryDamageAndLength) {
  const std::string whole = archive_of("a", "content");
  for (std::size_t i = 0; i < whole.size(); ++i) {
    EXPECT_NE(problem_of_zip(whole.substr(0, i)), "") << i;
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = whole;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
      (void)problem_of_zip(damaged);  // the sanitizers look on
    }
  }
}

}  // namespace
}  // namespace sorites
