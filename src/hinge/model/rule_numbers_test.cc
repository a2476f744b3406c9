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

// The first rule has a weight for each of two constants, the second one for none; classes add rules
// that nobody wrote.
std::vector<GroundRule> rules() {
  return {rule(0, 1), rule(0, 1), rule(2, 2), rule(3, 3), rule(4, 0), rule(5, 0)};
}

TEST(RuleNumbers, AreThoseOfTheRulesOfTheProgram) {
  EXPECT_THAT(rule_numbers(rules()), ElementsAre(1U, 1U, 3U, 4U, 5U, 6U));
  EXPECT_THAT(rule_numbers({}), IsEmpty());
}

TEST(FindRules, TakesNumbersAndPlaces) {
  EXPECT_THAT(find_rules(rules(), "1"), ElementsAre(0U, 1U));
  EXPECT_THAT(find_rules(rules(), "3"), ElementsAre(2U));
  EXPECT_THAT(find_rules(rules(), "6"), ElementsAre(5U));
  EXPECT_THAT(find_rules(rules(), "m.rules:3"), ElementsAre(3U));
  EXPECT_THAT(find_rules(rules(), "folder/m.rules:1"), ElementsAre(0U, 1U));
  for (const char* text :
       {"0", "2", "7", "-1", "x", "", "other.rules:1", "m.rules:9", "m.rules:"}) {
    EXPECT_THROW(find_rules(rules(), text), InputError) << text;
  }
}

TEST(FindRules, SaysThatARuleIsNotHere) {
  try {
    find_rules(rules(), "2");
    FAIL() << "it made none";
  } catch (const InputError& error) {
    EXPECT_THAT(error.diagnostics().front().message, HasSubstr("rule `2` is not here"));
  }
}

TEST(FindRules, SaysWhoNamesARuleThatIsNotThere) {
  try {
    find_rules(rules(), "99", {"learn.fixed_rules", {.file = "m.json", .line = 7}});
    FAIL() << "there are 6 rules";
  } catch (const InputError& error) {
    const Diagnostic& one = error.diagnostics().front();
    EXPECT_EQ(one.span.line, 7U);
    EXPECT_THAT(one.message, HasSubstr("numbered from 1 to 6"));
    EXPECT_THAT(one.notes.front().message, HasSubstr("`learn.fixed_rules` takes the number"));
  }
}

}  // namespace
}  // namespace sorites
