#include "options/option_table.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sorites {
namespace {

TEST(OptionTable, IsSortedByNameWithoutRepeats) {
  const auto table = option_table();
  EXPECT_TRUE(std::is_sorted(
      table.begin(), table.end(), [](const auto& a, const auto& b) { return a.name < b.name; }));
  EXPECT_EQ(std::adjacent_find(table.begin(),
                               table.end(),
                               [](const auto& a, const auto& b) { return a.name == b.name; }),
            table.end());
}

TEST(OptionTable, HasDefaultsThatItsOptionsCanTake) {
  for (const OptionInfo& option : option_table()) {
    if (option.default_value.empty()) continue;
    EXPECT_EQ(why_bad(option, option.default_value), std::nullopt) << option.name;
  }
}

TEST(OptionTable, ExplainsEveryOption) {
  for (const OptionInfo& option : option_table()) {
    EXPECT_FALSE(option.help.empty()) << option.name;
    EXPECT_EQ(option.kind == OptionKind::kChoice, !option.choices.empty()) << option.name;
  }
}

TEST(FindOption, KnowsEveryNameExactly) {
  for (const OptionInfo& option : option_table()) EXPECT_EQ(find_option(option.name), &option);
  EXPECT_EQ(find_option("Runtime.Learn"), nullptr);
  EXPECT_EQ(find_option(""), nullptr);
  EXPECT_EQ(find_option("zzz"), nullptr);
}

TEST(WhyBad, NamesWhatTheOptionTakes) {
  EXPECT_EQ(why_bad(*find_option("runtime.db.intids"), "1"),
            "`runtime.db.intids` takes true or false, not `1`");
  EXPECT_EQ(why_bad(*find_option("admmreasoner.maxiterations"), "many"),
            "`admmreasoner.maxiterations` takes an integer, not `many`");
  EXPECT_EQ(why_bad(*find_option("continuousevaluator.representative"), "MEAN"),
            "`continuousevaluator.representative` takes `MAE`, `MSE` or `RMSE`, not `MEAN`");
}

TEST(WhyBad, AcceptsWhatPslAccepts) {
  EXPECT_EQ(why_bad(*find_option("runtime.db.intids"), "True"), std::nullopt);
  EXPECT_EQ(why_bad(*find_option("admmreasoner.epsilonabs"), "1e-9"), std::nullopt);
  EXPECT_EQ(why_bad(*find_option("reasoner.variablemovementnorm"), "Infinity"), std::nullopt);
  EXPECT_EQ(why_bad(*find_option("inference.initialvalue"), "zero"), std::nullopt);
  EXPECT_EQ(why_bad(*find_option("runtime.inference.method"), "org.example.SGDInference"),
            std::nullopt);
}

}  // namespace
}  // namespace sorites
