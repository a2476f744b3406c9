// What check finds, and what it leaves to those whom it concerns.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "data/test_folder.h"
#include "sorites/session.h"

namespace sorites {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// All that it finds: messages, one per line, with the lines they are about.
std::string found_in(const std::string& model, const SessionOptions& options = {}) {
  std::string found;
  for (const Diagnostic& one : Session::check_text(model, options).diagnostics) {
    found += fmt::format("{}: {}\n", one.span.line, one.message);
  }
  return found;
}

std::string learned_model(const std::string& options, const std::string& rules) {
  return fmt::format(R"j({{"predicates": {{
    "P/1": {{"observations": [["a"]]}},
    "Q/1": {{"targets": [["a"]], "truth": {{"learn": [["a", 1]]}}}}}},
    "semantics": "markov-logic", "options": {{{}}},
    "rules": [{}]}})j",
                     options,
                     rules);
}

constexpr const char* kNegative = R"j("-1: P(X) -> Q(X)", "1: !Q(X)")j";

TEST(Check, FindsNegativeWeightsWhereLearningTakesNone) {
  for (const char* domain : {"softmax-simplex", "projected-simplex"}) {
    const std::string found =
        found_in(learned_model(fmt::format(R"j("learn.domain": "{}")j", domain), kNegative));
    EXPECT_THAT(found, HasSubstr(fmt::format("5: `learn.domain` is {}, where no weight", domain)));
  }
  EXPECT_THAT(found_in(learned_model(
                  R"j("learn.algorithm": "grid-search", "learn.domain": "real")j", kNegative)),
              HasSubstr("5: `learn.algorithm` is grid-search, which looks among weights that are"));
  EXPECT_THAT(found_in(learned_model(R"j("learn.domain": "real")j", kNegative)), IsEmpty());
}

TEST(Check, FindsThatNoWeightIsLeftToLearn) {
  const char* const rules = R"j("1: P(X) -> Q(X)", "1: !Q(X)")j";
  EXPECT_THAT(found_in(learned_model(R"j("learn.fixed_rules": "1, 2")j", rules)),
              HasSubstr("4: no weight is left to learn"));
  EXPECT_THAT(found_in(learned_model(R"j("learn.fixed_rules": "1")j", rules)), IsEmpty());
}

TEST(Check, FindsNetworksThatCannotBeMade) {
  const TestFolder folder;
  const std::string text = folder.write("train.conll", "Ada B-PER\nsings O\n\nBob B-PER\n");
  EXPECT_THAT(found_in(fmt::format(R"j({{"domains": {{"token": null}}, "predicates": {{
    "Tag/1": {{"type": "DeepPredicate", "types": ["token"], "classes": ["O", "B-PER", "I-PER"],
      "truth": {{"learn": ["{0}#-1:bio"]}},
      "options": {{"network": "bilstm", "hidden": 0, "features": "{0}"}}}}}},
    "semantics": "markov-logic", "rules": ["1: Tag(A, 'O')"]}})j",
                                   text)),
              HasSubstr("2: network `Tag`: a bilstm needs a width"));
}

// Gibbs sampling has no way past a hard rule that facts leave open; learning does not sample.
TEST(Check, AsksForAFittingMethodWhereItInfers) {
  const std::string model = R"j({"predicates": {
    "P/1": {"observations": [["a"]]},
    "Q/1": {"targets": {"learn": [["a"], ["b"]], "infer": [["a"]]}, "truth": {"learn": [["a", 1], ["b", 1]]}}},
    "semantics": "markov-logic", "options": {"inference.method": "gibbs"},
    "learn": {"rules": ["Q('a') | Q('b') ."]}, "rules": ["1: P(X) -> Q(X)"]})j";
  EXPECT_THAT(found_in(model), IsEmpty());
  EXPECT_THAT(found_in(model, {.phase = Phase::kLearn}), HasSubstr("Gibbs"));
}

TEST(Check, SaysWhatItDoesNotLookAt) {
  std::string rules;
  for (int i = 0; i < 1001; ++i) {
    rules += fmt::format("{}\"1: P('c{}') -> Q(X)\"", i == 0 ? "" : ", ", i);
  }
  EXPECT_THAT(found_in(learned_model("", rules), {.phase = Phase::kInfer}),
              HasSubstr("not looked whether their plans fit into memory"));
}

}  // namespace
}  // namespace sorites
