#include "options/option.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>

#include "options/option_catalog.h"

namespace sorites {

enum class Fruit : std::uint8_t { kApple, kSourCherry };
std::string_view name_of(Fruit fruit) {
  constexpr std::string_view kNames[] = {"apple", "sour-cherry"};
  const auto index = static_cast<std::size_t>(fruit);
  return index < 2 ? kNames[index] : std::string_view();
}

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Inner {
  double rate = 0.1;
};

struct Toy {
  bool loud = false, quiet_not = true;
  unsigned threads = 0;
  std::uint64_t seed = 4, count = 3;
  int shift = 0;
  double limit = std::numeric_limits<double>::infinity();
  std::optional<double> maybe;
  Fruit fruit = Fruit::kApple;
  std::string text, path;
  std::vector<double> grid = {0.5, 1.0};
  std::vector<int> arguments = {-1};
  std::vector<std::size_t> sizes = {64};
  std::vector<std::string> classes;
  Inner inner;
};

constexpr Option<Toy> kToy[] = {
    {"toy.loud", "psl.loud", field<&Toy::loud>, {}, "a bool"},
    {"toy.quiet", "", negated_field<&Toy::quiet_not>, {}, "its contrary"},
    {"toy.threads", "", field<&Toy::threads>, at_least(0), "a count"},
    {"toy.seed", "", field<&Toy::seed>, at_least(0), "a large count"},
    {"toy.count", "psl.count old.count", field<&Toy::count>, at_least(2), "with two other names"},
    {"toy.shift", "", field<&Toy::shift>, between(-2, 2), "with a sign"},
    {"toy.limit", "", field<&Toy::limit>, above(0).or_infinite(), "may be infinite"},
    {"toy.maybe", "", field<&Toy::maybe>, from_to_below(0, 1), "none if not given"},
    {"toy.fruit", "", field<&Toy::fruit>, {}, "a choice"},
    {"toy.text", "", field<&Toy::text>, {}, "a text"},
    {"toy.path", "", path_field<&Toy::path>, {}, "a path"},
    {"toy.grid", "", field<&Toy::grid>, at_least(0), "numbers"},
    {"toy.arguments", "", arguments_field<&Toy::arguments>, {}, "arguments"},
    {"toy.sizes", "", sizes_field<&Toy::sizes>, {}, "sizes"},
    {"toy.classes", "", field<&Toy::classes>, {}, "texts"},
    {"toy.rate", "", field<&Toy::inner, &Inner::rate>, at_least(0), "of a member"},
};

struct Read {
  Toy toy;
  std::string mistakes;
};

Read read(std::initializer_list<std::pair<const char*, const char*>> options) {
  Settings settings;
  for (const auto& [name, value] : options) settings.set({name, value, {}, {}});
  Diagnostics sink;
  Read result;
  read_options(kToy, settings, result.toy, sink);
  for (const Diagnostic& one : sink.all()) result.mistakes += one.message + "\n";
  return result;
}

TEST(ReadOptions, TakesEveryTypeOfField) {
  const auto [toy, mistakes] = read({{"toy.loud", "TRUE"},
                                     {"toy.quiet", "true"},
                                     {"toy.threads", "3"},
                                     {"toy.seed", "9223372036854775807"},
                                     {"toy.shift", "-2"},
                                     {"toy.limit", "Infinity"},
                                     {"toy.maybe", "0"},
                                     {"toy.fruit", "org.example.Sour-Cherry"},
                                     {"toy.text", "a, b"},
                                     {"toy.path", "../x"},
                                     {"toy.grid", "1:2.5,inf"},
                                     {"toy.arguments", "0:-2"},
                                     {"toy.sizes", "0"},
                                     {"toy.classes", "a,b:c"},
                                     {"toy.rate", "2"}});
  EXPECT_EQ(mistakes,
            "`toy.grid` takes a number that is not negative, or several, separated by colons, not "
            "`1:2.5,inf`\n");
  EXPECT_TRUE(toy.loud);
  EXPECT_FALSE(toy.quiet_not);
  EXPECT_EQ(toy.threads, 3U);
  EXPECT_EQ(toy.seed, 9223372036854775807U);
  EXPECT_EQ(toy.shift, -2);
  EXPECT_EQ(toy.limit, std::numeric_limits<double>::infinity());
  EXPECT_EQ(toy.maybe, 0.0);
  EXPECT_EQ(toy.fruit, Fruit::kSourCherry);
  EXPECT_EQ(toy.text, "a, b");
  EXPECT_EQ(toy.path, "../x");
  EXPECT_THAT(toy.grid, ElementsAre(0.5, 1.0)) << "as it was";
  EXPECT_THAT(toy.arguments, ElementsAre(0, -2));
  EXPECT_THAT(toy.sizes, IsEmpty());
  EXPECT_THAT(toy.classes, ElementsAre("a,b", "c"));
  EXPECT_EQ(toy.inner.rate, 2.0);
}

TEST(ReadOptions, NamesTheOptionTheValueAndWhatItTakes) {
  const auto mistake = [](const char* name, const char* value) {
    return read({{name, value}}).mistakes;
  };
  EXPECT_EQ(mistake("toy.loud", "1"), "`toy.loud` takes true or false, not `1`\n");
  EXPECT_EQ(mistake("toy.threads", "-1"),
            "`toy.threads` takes an integer that is not negative, not `-1`\n");
  EXPECT_EQ(mistake("toy.threads", "4294967296"),
            "`toy.threads` takes an integer that is not negative, not `4294967296`\n");
  EXPECT_EQ(mistake("toy.seed", "-1"),
            "`toy.seed` takes an integer that is not negative, not `-1`\n");
  EXPECT_EQ(mistake("toy.count", "1"), "`toy.count` takes an integer of at least 2, not `1`\n");
  EXPECT_EQ(mistake("toy.shift", "3"), "`toy.shift` takes an integer from -2 to 2, not `3`\n");
  EXPECT_EQ(mistake("toy.limit", "0"), "`toy.limit` takes a positive number or inf, not `0`\n");
  EXPECT_EQ(mistake("toy.maybe", "1"), "`toy.maybe` takes a number from 0 to below 1, not `1`\n");
  EXPECT_EQ(mistake("toy.fruit", "pear"),
            "`toy.fruit` takes `apple` or `sour-cherry`, not `pear`\n");
  EXPECT_EQ(mistake("toy.arguments", "x"),
            "`toy.arguments` takes argument numbers, separated by colons, not `x`\n");
  EXPECT_EQ(mistake("toy.sizes", "1:-1"),
            "`toy.sizes` takes a list of positive integers, or 0, not `1:-1`\n");
  EXPECT_EQ(mistake("PSL.Count", "1"), "`PSL.Count` takes an integer of at least 2, not `1`\n");
}

TEST(ReadOptions, LetsOurNameWinAndThenTheFirstOfTheOthers) {
  EXPECT_EQ(read({{"OLD.count", "5"}}).toy.count, 5U);
  EXPECT_EQ(read({{"old.count", "5"}, {"psl.Count", "6"}}).toy.count, 6U);
  EXPECT_EQ(read({{"toy.count", "7"}, {"old.count", "5"}, {"psl.count", "6"}}).toy.count, 7U);
  EXPECT_EQ(read({{"toy.count", "7"}, {"TOY.COUNT", ""}, {"old.count", "5"}}).toy.count, 5U)
      << "an empty value unsets one";
}

TEST(OptionCatalog, DescribesTheDefaultsOfTheStruct) {
  OptionCatalog catalog;
  catalog.add(kToy);
  EXPECT_EQ(catalog.find("toy.limit")->default_value, "inf");
  EXPECT_EQ(catalog.find("toy.maybe")->default_value, "");
  EXPECT_EQ(catalog.find("toy.quiet")->default_value, "false");
  EXPECT_EQ(catalog.find("toy.grid")->default_value, "0.5:1");
  EXPECT_EQ(catalog.find("Psl.Count"), catalog.find("toy.count"));
  EXPECT_THAT(catalog.find("toy.fruit")->choices, ElementsAre("apple", "sour-cherry"));
}

TEST(OptionCatalog, KnowsAnOptionOfTwoStructsOnce) {
  static constexpr Option<Inner> kOther[] = {
      {"toy.rate", "other.rate", field<&Inner::rate>, at_least(0), "the same"}};
  OptionCatalog catalog;
  catalog.add(kToy);
  const std::size_t before = catalog.options().size();
  catalog.add(kOther);
  EXPECT_EQ(catalog.options().size(), before);
  EXPECT_EQ(catalog.find("other.rate"), catalog.find("toy.rate"));
}

TEST(OptionCatalog, ReportsNamesAndValuesAtTheirPlaces) {
  constexpr IgnoredOptions kIgnored[] = {{"for a test", "psl.One psl.two"}};
  OptionCatalog catalog;
  catalog.add(kToy);
  catalog.add(kIgnored);
  const Span name{"m.json", 1, 2, 3}, value{"m.json", 1, 9, 1};
  Diagnostics sink;
  catalog.check({"toy.lod", "true", name, value}, sink);
  catalog.check({"toy.loud", "7", name, value}, sink);
  catalog.check({"PSL.ONE", "anything", name, value}, sink);
  ASSERT_EQ(sink.all().size(), 2U);
  EXPECT_EQ(sink.all()[0].span, name);
  EXPECT_THAT(sink.all()[0].notes.at(0).message, HasSubstr("did you mean `toy.loud`?"));
  EXPECT_EQ(sink.all()[1].span, value);
  EXPECT_TRUE(catalog.is_ignored("psl.TWO"));
  EXPECT_FALSE(catalog.is_ignored("psl.three"));
}

}  // namespace
}  // namespace sorites
