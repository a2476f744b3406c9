#include "hinge/model/rule_numbers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sorites {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

GroundRule rule(RuleId id, std::uint32_t line) {
  return {.source = {.file = "folder/m.rules", .line = line}, .id = id};
}

// The first rule has a weight for each of two constants; classes add rules that nobody wrote.
std::vector<GroundRule> rules() {
  return {rule(3, 1), rule(3, 1), rule(5, 2), rule(9, 3), rule(kNoRule, 0), rule(kNoRule, 0)};
}

TEST(RuleNumbers, AreThoseOfTheRulesOfTheProgram) {
  EXPECT_THAT(rule_numbers(rules()), ElementsAre(1U, 1U, 2U, 3U, 4U, 5U));
  EXPECT_THAT(rule_numbers({}), IsEmpty());
}

TEST(FindRules, TakesNumbersAndPlaces) {
  EXPECT_THAT(find_rules(rules(), "1"), ElementsAre(0U, 1U));
  EXPECT_THAT(find_rules(rules(), "2"), ElementsAre(2U));
  EXPECT_THAT(find_rules(rules(), "5"), ElementsAre(5U));
  EXPECT_THAT(find_rules(rules(), "m.rules:3"), ElementsAre(3U));
  EXPECT_THAT(find_rules(rules(), "folder/m.rules:1"), ElementsAre(0U, 1U));
  for (const char* text : {"0", "6", "-1", "x", "", "other.rules:1", "m.rules:9", "m.rules:"}) {
    EXPECT_THROW(find_rules(rules(), text), InputError) << text;
  }
}

TEST(FindRules, SaysWhoNamesARuleThatIsNotThere) {
  try {
    find_rules(rules(), "99", {"learn.fixed_rules", {.file = "m.json", .line = 7}});
    FAIL() << "there are 5 rules";
  } catch (const InputError& error) {
    const Diagnostic& one = error.diagnostics().front();
    EXPECT_EQ(one.span.line, 7U);
    EXPECT_THAT(one.message, HasSubstr("numbered from 1 to 5"));
    EXPECT_THAT(one.notes.front().message, HasSubstr("`learn.fixed_rules` takes the number"));
  }
}

}  // namespace
}  // namespace sorites
