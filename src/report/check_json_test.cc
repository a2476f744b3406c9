#include "report/check_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sorites {
namespace {

using testing::ElementsAre;

std::vector<int> numbers_of(const std::string& model) {
  std::vector<int> numbers;
  const Json report = to_json(Session::check_text(model));
  for (const Json& rule : report["phases"].back()["rules"]) {
    numbers.push_back(rule["rule"].get<int>());
  }
  return numbers;
}

constexpr const char* kPredicates = R"j("predicates": {
  "F/1": {"observations": [["a"]]}, "D/1": {"targets": [["a"]], "truth": [["a", 1]]}})j";

TEST(CheckJson, RulesHaveTheirNumberInTheModel) {
  const std::string twice = std::string("{") + kPredicates +
                            R"j(, "rules": ["1: F(A) -> D(A)", "2: F(A) -> D(A)", "3: !D(A)"]})j";
  EXPECT_THAT(numbers_of(twice), ElementsAre(1, 3));
  const std::string phases =
      std::string("{") + kPredicates +
      R"j(, "rules": ["1: F(A) -> D(A)"], "learn": {"rules": ["2: !D(A)", "3: D(A)"]},
          "infer": {"rules": ["4: !D(A) ^2"]}})j";
  EXPECT_THAT(numbers_of(phases), ElementsAre(1, 4));
}

}  // namespace
}  // namespace sorites
