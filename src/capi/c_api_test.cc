#include "sorites/c_api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

namespace sorites {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;

constexpr const char* kModel = R"json({
  "predicates": {"Lived/2": {"observations": [["ann", "oslo"], ["bob", "oslo"], ["cid", "rome"]]},
                 "Knows/2": {"targets": [["ann", "bob"], ["ann", "cid"], ["bob", "ann"], ["bob", "cid"],
                                        ["cid", "ann"], ["cid", "bob"]],
                             "truth": [["ann", "bob", 1], ["ann", "cid", 0]]}},
  "rules": ["20: Lived(A, L) & Lived(B, L) & (A != B) -> Knows(A, B) ^2", "5: !Knows(A, B) ^2"]
})json";

class CApi : public testing::Test {
 protected:
  CApi() { session_ = sorites_open_text(kModel, nullptr); }
  ~CApi() override { sorites_close(session_); }

  Json ask(const char* question, const char* arguments = nullptr) {
    const char* answer = sorites_ask(session_, question, arguments);
    EXPECT_NE(answer, nullptr) << sorites_last_error();
    return answer == nullptr ? Json() : Json::parse(answer);
  }

  // What is wrong with a question.
  std::string complaint(const char* question, const char* arguments = nullptr) {
    const char* answer = sorites_ask(session_, question, arguments);
    return answer != nullptr ? "it is answered" : sorites_last_error();
  }

  // Cid in Oslo, of the predicate and the partition.
  int change(const char* predicate, int partition) {
    const sorites_column columns[] = {
        {.codes = &first_, .num_texts = 1, .bytes = who_.data(), .ends = &end_of_who_},
        {.codes = &first_, .num_texts = 1, .bytes = where_.data(), .ends = &end_of_where_}};
    const sorites_rows rows = {.predicate = predicate,
                               .partition = partition,
                               .phase = -1,
                               .num_rows = 1,
                               .columns = columns};
    return sorites_change(session_, &rows, 0);
  }

  sorites_rows rows_of(const char* predicate, int partition) {
    sorites_rows rows = {.predicate = predicate, .partition = partition};
    EXPECT_EQ(sorites_get(session_, &rows), ::sorites_done) << sorites_last_error();
    return rows;
  }

  sorites_session* session_ = nullptr;
  const std::uint32_t first_ = 0;
  std::string who_ = "cid", where_ = "oslo";
  const std::uint64_t end_of_who_ = 3, end_of_where_ = 4;
};

TEST_F(CApi, LooksAtDataWithoutTheChangesThatWait) {
  ASSERT_EQ(sorites_infer(session_), ::sorites_done) << sorites_last_error();
  const Json before = ask("result");
  ASSERT_EQ(change("Lived", ::sorites_observed), ::sorites_done) << sorites_last_error();
  ASSERT_EQ(sorites_set_weight(session_, 2, 50.0), ::sorites_done);
  EXPECT_EQ(rows_of("Lived", ::sorites_observed).num_rows, 3U);
  const double* values = rows_of("Knows", ::sorites_target).values;
  ASSERT_NE(values, nullptr) << "the last inference still counts";
  EXPECT_LT(values[1], 0.1);
  EXPECT_EQ(ask("result")["objective"], before["objective"]);
  EXPECT_EQ(ask("program")["rules"][1]["weight"], 5.0);
  ask("warnings");

  ASSERT_EQ(sorites_update(session_), ::sorites_done) << sorites_last_error();
  EXPECT_EQ(rows_of("Lived", ::sorites_observed).num_rows, 4U);
  EXPECT_EQ(rows_of("Knows", ::sorites_target).values, nullptr);
  EXPECT_EQ(ask("program")["rules"][1]["weight"], 50.0);
  EXPECT_THAT(complaint("result"), HasSubstr("there is no result"));
}

TEST_F(CApi, AnswersWhatIsComputedWithTheChangesThatWait) {
  ASSERT_EQ(change("Lived", ::sorites_observed), ::sorites_done);
  const Json why = ask("explain", R"json({"atoms": ["Knows('ann', 'cid')"]})json");
  EXPECT_NEAR(why["atoms"][0]["value"].get<double>(), 0.8, 0.01);
  EXPECT_EQ(rows_of("Lived", ::sorites_observed).num_rows, 4U);
}

TEST_F(CApi, ChecksAndGroundsAsTheCommandsDo) {
  const Json ground = ask("ground");
  EXPECT_EQ(ground["command"], "ground");
  EXPECT_EQ(ground["rules"][0]["terms"], 2);  // two who live in one town
  EXPECT_EQ(ground["rules"][1]["terms"], 6);
  const Json checked = ask("check");
  EXPECT_EQ(checked["command"], "check");
  EXPECT_TRUE(checked["ok"]) << checked;
  EXPECT_EQ(checked["phases"][0]["phase"], "infer");
  EXPECT_EQ(checked["phases"][0]["rows"], 11);
  EXPECT_EQ(ask("check", R"({"phases": ["learn", "infer"]})")["phases"].size(), 2U);
  EXPECT_THAT(complaint("check", R"({"phases": ["sleep"]})"), HasSubstr("no phase `sleep`"));
}

TEST_F(CApi, ChecksRowsThatWereAttached) {
  const double far[] = {7.0};  // no truth value
  const sorites_column columns[] = {
      {.codes = &first_, .num_texts = 1, .bytes = who_.data(), .ends = &end_of_who_},
      {.codes = &first_, .num_texts = 1, .bytes = where_.data(), .ends = &end_of_where_}};
  const sorites_rows rows = {.predicate = "Lived",
                             .partition = ::sorites_observed,
                             .phase = -1,
                             .num_rows = 1,
                             .columns = columns,
                             .values = far};
  ASSERT_EQ(sorites_attach(session_, &rows), ::sorites_done) << sorites_last_error();
  const Json checked = ask("check");
  EXPECT_FALSE(checked["ok"]);
  EXPECT_EQ(checked["diagnostics"][0]["code"], "value-range") << checked["diagnostics"];
}

TEST_F(CApi, TakesTheWeightsOfAnotherSession) {
  ASSERT_EQ(sorites_infer(session_), ::sorites_done);
  Json rules = ask("program")["rules"];
  rules[1]["weight"] = 50.0;
  ask("take_weights", Json{{"rules", rules}}.dump().c_str());
  EXPECT_EQ(ask("program")["rules"], rules);
  EXPECT_THAT(complaint("result"), HasSubstr("there is no result"));

  const auto refused = [&](const char* key, Json value) {
    Json wrong = rules;
    wrong[0][key] = std::move(value);
    return complaint("take_weights", Json{{"rules", wrong}}.dump().c_str());
  };
  EXPECT_THAT(refused("rule", 7), HasSubstr("there is no rule 7 that has such weights"));
  EXPECT_THAT(refused("weight", nullptr), HasSubstr("no rule 1"));
  EXPECT_THAT(refused("weight", -1.0), HasSubstr("no rule 1"));
  EXPECT_THAT(refused("weight", "much"), HasSubstr("`rules` takes rules with weights"));
  EXPECT_THAT(refused("constant_weights", Json::array({{{"constants", {"x"}}, {"weight", 1.0}}})),
              HasSubstr("no rule 1"));
  EXPECT_EQ(ask("program")["rules"], rules);
}

TEST_F(CApi, SaysWhatIsWrongWithAChange) {
  EXPECT_EQ(change("Nobody", ::sorites_observed), ::sorites_failed);
  EXPECT_THAT(sorites_last_error(), HasSubstr("there is no predicate `Nobody`"));
  EXPECT_EQ(change("Lived", 7), ::sorites_failed);
  EXPECT_THAT(sorites_last_error(), HasSubstr("there is no such partition"));
  where_ = "\xff\xff\xff\xff";
  EXPECT_EQ(change("Lived", ::sorites_observed), ::sorites_failed);
  EXPECT_THAT(sorites_last_error(), HasSubstr("is not UTF-8"));
  EXPECT_EQ(sorites_update(session_), ::sorites_done);  // none of them waits
  EXPECT_EQ(rows_of("Lived", ::sorites_observed).num_rows, 3U);
}

TEST_F(CApi, SaysWhatIsWrongWithAQuestion) {
  EXPECT_THAT(complaint("whatever"), HasSubstr("there is no question `whatever`"));
  EXPECT_THAT(complaint("learn", R"({"output": 3})"), HasSubstr("`output` takes a text"));
  EXPECT_THAT(complaint("learn", R"({"outputs": "a"})"), HasSubstr("there is no `outputs`"));
  EXPECT_THAT(complaint("learn", "output"), HasSubstr("no JSON object"));
  EXPECT_THAT(complaint("result"), HasSubstr("there is no result"));
  EXPECT_EQ(sorites_ask(nullptr, "result", nullptr), nullptr);
  EXPECT_THAT(sorites_last_error(), HasSubstr("the session is NULL"));
}

TEST_F(CApi, ForgetsTheResultOfTheWeightsBeforeLearning) {
  ASSERT_EQ(sorites_infer(session_), ::sorites_done);
  ask("result");
  ask("learn");
  EXPECT_THAT(complaint("result"), HasSubstr("there is no result"));
  ASSERT_EQ(sorites_infer(session_), ::sorites_done);
  ask("result");
}

TEST(CApiOpen, ReplacesNoFileThatTheModelIsReadFrom) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / "sorites_c_api_outputs";
  fs::create_directories(folder);
  const std::string data = (folder / "F.txt").string();
  std::ofstream(data) << "a\nb\n";
  const Json model = {
      {"predicates", {{"F/1", {{"observations", {data}}}}, {"D/1", {{"targets", {{"a"}, {"b"}}}}}}},
      {"rules", {"1: F(A) -> D(A)", "0.5: !D(A)"}}};
  sorites_session* session = sorites_open_text(model.dump().c_str(), nullptr);
  ASSERT_NE(session, nullptr) << sorites_last_error();
  ASSERT_EQ(sorites_infer(session), ::sorites_done) << sorites_last_error();
  for (const char* what : {"state", "snapshot", "ground_rules", "model"}) {
    EXPECT_EQ(sorites_ask(session, "save", Json({{what, data}}).dump().c_str()), nullptr) << what;
    EXPECT_THAT(sorites_last_diagnostics(), HasSubstr("output-is-input")) << what;
    std::ifstream file(data);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "a\nb\n") << what;
    const std::string other = (folder / what).string();
    EXPECT_NE(sorites_ask(session, "save", Json({{what, other}}).dump().c_str()), nullptr) << what;
  }
  sorites_close(session);
  fs::remove_all(folder);
}

TEST_F(CApi, TakesOptionsByTheirNames) {
  EXPECT_EQ(sorites_set_options(session_, R"({"inference.gap": 1e-6})"), ::sorites_done);
  EXPECT_EQ(sorites_set_options(session_, R"({"inference.gab": 1e-6})"), ::sorites_wrong_input);
  EXPECT_THAT(sorites_last_diagnostics(), HasSubstr("inference.gab"));
}

TEST(CApiOpen, SaysWhyThereIsNoModel) {
  EXPECT_EQ(sorites_open("no such model", nullptr), nullptr);
  EXPECT_THAT(sorites_last_error(), HasSubstr("no such model"));
  EXPECT_EQ(sorites_open_text("{}", R"({"phase": "sleep"})"), nullptr);
  EXPECT_THAT(sorites_last_error(), HasSubstr("there is no phase `sleep`"));
}

}  // namespace
}  // namespace sorites
