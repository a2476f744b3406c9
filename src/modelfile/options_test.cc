#include "modelfile/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hinge/solve/solve_option_table.h"
#include "session/option_catalog.h"

namespace sorites {
namespace {

using testing::ElementsAre;

constexpr const char* kOption = "admmreasoner.maxiterations";

ModelSection& section(ModelFile& model, Section which) {
  return model.sections[static_cast<std::size_t>(which)];
}

void set(ModelFile& model, Section which, std::string name, std::string value) {
  section(model, which).options.push_back({std::move(name), std::move(value), {}});
}

std::string value_in(const ModelFile& model,
                     Phase phase,
                     const std::vector<OptionSetting>& overrides = {}) {
  const Settings settings = settings_of(model, phase, overrides);
  const Setting* setting = settings.find(kOption);
  return setting == nullptr ? "not set" : setting->value;
}

void add_data(ModelFile& model, Section which) {
  PredicateDeclaration predicate;
  predicate.data.push_back({Partition::kTarget, which, "file", {}, {}});
  model.predicates.push_back(std::move(predicate));
}

TEST(SettingsOf, HasWhatIsSetAlone) { EXPECT_EQ(value_in(ModelFile{}, Phase::kInfer), "not set"); }

TEST(SettingsOf, TakesNamesInAnyCase) {
  ModelFile model;
  set(model, Section::kAll, "ADMMReasoner.maxIterations", "1");
  EXPECT_EQ(value_in(model, Phase::kInfer), "1");
}

TEST(SettingsOf, LetsTheFileWinOverTheDefault) {
  ModelFile model;
  set(model, Section::kAll, kOption, "1");
  EXPECT_EQ(value_in(model, Phase::kInfer), "1");
}

TEST(SettingsOf, LetsTheCommandLineWinOverTheFile) {
  ModelFile model;
  set(model, Section::kAll, kOption, "1");
  EXPECT_EQ(value_in(model, Phase::kInfer, {{kOption, "2", {}}}), "2");
  EXPECT_EQ(value_in(model, Phase::kInfer, {{kOption, "2", {}}, {kOption, "3", {}}}), "3");
}

TEST(SettingsOf, LetsTheSectionOfThePhaseWinOverTheCommandLine) {
  ModelFile model;
  set(model, Section::kAll, kOption, "1");
  set(model, Section::kLearn, kOption, "3");
  EXPECT_EQ(value_in(model, Phase::kLearn, {{kOption, "2", {}}}), "3");
  EXPECT_EQ(value_in(model, Phase::kInfer, {{kOption, "2", {}}}), "2");
  EXPECT_EQ(value_in(model, Phase::kValidation), "1");
}

double regularization(const ModelFile& model,
                      Phase phase,
                      const std::vector<OptionSetting>& overrides = {}) {
  SolveOptions options;
  Diagnostics diagnostics;
  read_options(kSolveOptions, settings_of(model, phase, overrides), options, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors());
  return options.regularization;
}

TEST(SettingsOf, LetsWhatLiesAboveWinByAnyName) {
  constexpr const char* kOurs = "inference.regularization";
  constexpr const char* kPsl = "duallcqp.regularizationparameter";
  ModelFile model;
  set(model, Section::kAll, kPsl, "1");
  set(model, Section::kAll, kOurs, "2");
  EXPECT_EQ(regularization(model, Phase::kInfer), 2.0);  // in one place ours counts
  EXPECT_EQ(regularization(model, Phase::kInfer, {{kPsl, "3", {}}}), 3.0);
  EXPECT_EQ(regularization(model, Phase::kInfer, {{kPsl, "3", {}}, {kOurs, "4", {}}}), 4.0);
  EXPECT_EQ(regularization(model, Phase::kInfer, {{kOurs, "4", {}}, {kPsl, "3", {}}}), 3.0);
  set(model, Section::kLearn, kPsl, "5");
  EXPECT_EQ(regularization(model, Phase::kLearn, {{kOurs, "4", {}}}), 5.0);
}

// In one object of a file the first name counts: others must not be beside it there.
TEST(WithOverrides, LeavesNothingThatTheyLieOverByAnyName) {
  constexpr const char* kOurs = "inference.regularization";
  constexpr const char* kPsl = "duallcqp.regularizationparameter";
  ModelFile model;
  set(model, Section::kAll, "Inference.Regularization", "1");
  const std::vector<std::vector<OptionSetting>> tried = {
      {},
      {{kPsl, "2", {}}},
      {{kOurs, "2", {}}},
      {{kPsl, "2", {}}, {kOurs, "3", {}}},
      {{kOurs, "3", {}}, {kPsl, "2", {}}},
      {{kOurs, "", {}}},
  };
  for (const std::vector<OptionSetting>& overrides : tried) {
    const ModelFile whole = with_overrides(model, overrides, option_catalog());
    EXPECT_EQ(regularization(whole, Phase::kInfer),
              regularization(model, Phase::kInfer, overrides));
    const bool is_unset = !overrides.empty() && overrides.back().value.empty();
    EXPECT_EQ(whole.section(Section::kAll).options.size(), is_unset ? 0U : 1U);
  }
}

TEST(PhasesOf, IsInferenceIfNothingIsSaid) {
  ModelFile model;
  add_data(model, Section::kAll);
  section(model, Section::kAll).rules.push_back({});
  EXPECT_THAT(phases_of(model), ElementsAre(Phase::kInfer));
}

TEST(PhasesOf, FollowsDataOfThePhases) {
  ModelFile model;
  add_data(model, Section::kLearn);
  EXPECT_THAT(phases_of(model), ElementsAre(Phase::kLearn));
  add_data(model, Section::kInfer);
  EXPECT_THAT(phases_of(model), ElementsAre(Phase::kLearn, Phase::kInfer));
  add_data(model, Section::kValidation);
  EXPECT_THAT(phases_of(model), ElementsAre(Phase::kLearn, Phase::kValidation, Phase::kInfer));
}

TEST(PhasesOf, FollowsSectionsThatAreNotEmpty) {
  ModelFile model;
  section(model, Section::kLearn).rules.push_back({});
  EXPECT_THAT(phases_of(model), ElementsAre(Phase::kLearn));
  set(model, Section::kInfer, kOption, "1");
  EXPECT_THAT(phases_of(model), ElementsAre(Phase::kLearn, Phase::kInfer));
}

TEST(PhasesOf, ObeysTheSwitches) {
  ModelFile model;
  add_data(model, Section::kLearn);
  add_data(model, Section::kInfer);
  const std::vector<OptionSetting> no_learning = {{"runtime.learn", "false", {}}};
  EXPECT_THAT(phases_of(model, no_learning), ElementsAre(Phase::kInfer));
  const std::vector<OptionSetting> nothing = {{"runtime.learn", "false", {}},
                                              {"runtime.inference", "FALSE", {}}};
  EXPECT_TRUE(phases_of(model, nothing).empty());
  const std::vector<OptionSetting> learning = {{"runtime.learn", "true", {}}};
  EXPECT_THAT(phases_of(ModelFile{}, learning), ElementsAre(Phase::kLearn));
  set(model, Section::kAll, "runtime.inference", "false");
  EXPECT_THAT(phases_of(model), ElementsAre(Phase::kLearn));
}

TEST(NetworkOptions, LetsThoseOfThePhaseWin) {
  PredicateDeclaration predicate;
  predicate.options = {{"rate", "1"}, {"learning::rate", "2"}, {"inference::batch", "3"}};
  using Options = std::map<std::string, std::string>;
  EXPECT_EQ(network_options(predicate, Phase::kLearn), (Options{{"rate", "2"}}));
  EXPECT_EQ(network_options(predicate, Phase::kInfer), (Options{{"rate", "1"}, {"batch", "3"}}));
}

TEST(WarnOfIgnoredOptions, ListsThemAllOnce) {
  ModelFile model;
  set(model, Section::kAll, kOption, "1");
  set(model, Section::kInfer, kOption, "2");
  set(model, Section::kAll, "runtime.db.intids", "true");
  const std::vector<OptionSetting> overrides = {{"sgd.maxiterations", "3", {}}};
  Diagnostics sink;
  warn_of_ignored_options(model, overrides, option_catalog(), sink);
  ASSERT_EQ(sink.all().size(), 1U);
  EXPECT_EQ(sink.all()[0].message,
            "accepted, but without effect: `admmreasoner.maxiterations`, `sgd.maxiterations`");
}

TEST(CheckOverrides, NamesTheNearestOption) {
  const std::vector<OptionSetting> overrides = {{"runtime.lern", "true", {}},
                                                {"runtime.learn", "maybe", {}}};
  Diagnostics sink;
  check_overrides(overrides, option_catalog(), sink);
  ASSERT_EQ(sink.num_errors(), 2U);
  EXPECT_EQ(sink.all()[0].notes.at(0).message, "did you mean `runtime.learn`?");
  EXPECT_EQ(sink.all()[1].code, "bad-option-value");
}

}  // namespace
}  // namespace sorites
