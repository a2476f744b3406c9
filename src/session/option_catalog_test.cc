#include "session/option_catalog.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/constant.h"
#include "eval/evaluation_settings.h"
#include "hinge/energy/hinge_energy_option_table.h"
#include "hinge/solve/solve_option_table.h"
#include "learn/learn_option_table.h"
#include "learn/psl_learn_option_table.h"
#include "meanfield/mean_field_option_table.h"
#include "modelfile/network_option_tables.h"
#include "modelfile/options.h"
#include "modelfile/predicate_options.h"
#include "semantics/inference_settings.h"
#include "semantics/mean_field_settings.h"
#include "session/learn_settings.h"

namespace sorites {
namespace {

// A value that the option takes and that is not its default.
std::string other_value(const OptionInfo& option, const NumberRange& range) {
  const std::string& old = option.default_value;
  const auto first_number = [&](double step) {
    double number = std::isfinite(range.least) ? range.least : 7.0;
    if (range.without_least) number += step;
    while (to_text(number) == old) number += step;
    return to_text(number);
  };
  switch (option.kind) {
    case OptionKind::kBool:
      return old == "true" ? "false" : "true";
    case OptionKind::kInteger:
      return first_number(1.0);
    case OptionKind::kReal:
      return option.takes == "2 or inf" ? "2" : first_number(0.125);
    case OptionKind::kChoice:
      return std::string(option.choices[option.choices[0] == old ? 1 : 0]);
    case OptionKind::kText:
      return option.name == "learn.loss" ? "energy:0.5" : "some";
    case OptionKind::kPath:
      return "some/where";
    case OptionKind::kList:
      return "17:4";
    case OptionKind::kArguments:
      return "0";
  }
  return {};
}

// A number just outside of the range; empty if there is none.
std::string value_outside(const NumberRange& range) {
  if (std::isinf(range.least)) return {};
  return to_text(range.without_least ? range.least : range.least - 1.0);
}

template <class Struct>
std::string read_one(const Option<Struct>& option,
                     std::string_view name,
                     const std::string& value,
                     Struct& out) {
  Settings settings;
  settings.set({std::string(name), value, {}, {}});
  Diagnostics sink;
  read_options(std::span(&option, 1), settings, out, sink);
  return sink.all().empty() ? "" : sink.all().front().message;
}

template <class Struct>
void check_table(std::span<const Option<Struct>> table, const Struct& defaults = Struct()) {
  std::set<std::string> names;
  for (const Option<Struct>& option : table) {
    SCOPED_TRACE(option.name);
    const OptionInfo info = describe_option(option, defaults);
    EXPECT_FALSE(info.help.empty());
    EXPECT_FALSE(info.takes.empty());
    Struct same = defaults;
    if (!info.default_value.empty()) {
      EXPECT_EQ(read_one(option, info.name, info.default_value, same), "");
    }
    EXPECT_EQ(option.field.write(same), info.default_value);
    std::vector<std::string_view> all = info.other_names;
    all.push_back(info.name);
    const std::string other = other_value(info, option.range);
    for (const std::string_view name : all) {
      EXPECT_TRUE(names.insert(lower_case(name)).second) << name << " stands twice";
      std::string shouted(name);
      for (char& c : shouted) c = static_cast<char>(std::toupper(c));
      Struct changed = defaults;
      EXPECT_EQ(read_one(option, shouted, other, changed), "");
      EXPECT_EQ(lower_case(option.field.write(changed)), lower_case(other)) << name;
      const std::string outside = value_outside(option.range);
      if (outside.empty()) continue;
      Struct kept = defaults;
      EXPECT_NE(read_one(option, name, outside, kept), "") << outside;
      EXPECT_EQ(option.field.write(kept), info.default_value);
    }
  }
}

template <class Struct, std::size_t kSize>
void check_table(const Option<Struct> (&table)[kSize], const Struct& defaults = Struct()) {
  check_table(std::span<const Option<Struct>>(table), defaults);
}

TEST(OptionTables, RoundTripByEveryNameAndRefuseWhatIsOutOfRange) {
  check_table(kModelOptions);
  check_table(kPredicateOptions);
  check_table(kSolveOptions);
  check_table(kInferenceOptions);
  check_table(kLearnOptions);
  check_table(kBilevelOptions);
  check_table(kPolicyOptions);
  check_table(kSearchOptions);
  check_table(kHingeEnergyOptions);
  check_table(kBatchOptions);
  check_table(kLearnSettingsOptions);
  check_table(kPslLearnOptions);
  check_table(kMeanFieldModelOptions);
  check_table(kMeanFieldOptions, mean_field_defaults());
  check_table(kHardPropagationOptions, HardPropagationOptions{});
  check_table(kFactLearnOptions);
  check_table(kMarkovMethodOptions);
  check_table(kEvaluationOptions);
  for (const NetworkOptionTopic& topic : network_option_topics()) check_table(topic.table);
}

TEST(OptionCatalog, HasNoNameTwice) {
  std::set<std::string> names;
  const auto add = [&](std::string_view name) {
    EXPECT_TRUE(names.insert(lower_case(name)).second) << name;
  };
  for (const OptionInfo& option : option_catalog().options()) {
    add(option.name);
    for (const std::string_view name : option.other_names) add(name);
  }
  for (const IgnoredOptions& group : option_catalog().ignored()) {
    EXPECT_FALSE(group.reason.empty());
    for (const std::string_view name : internal::split_names(group.names)) add(name);
  }
}

TEST(OptionCatalog, HasEveryOptionThatModelsOfPslMaySet) {
  for (const char* name : {"runtime.learn.method",
                           "GradientDescent.NumSteps",
                           "minimizer.proxruleweight",
                           "categoricalevaluator.representative",
                           "random.seed"}) {
    EXPECT_NE(option_catalog().find(name), nullptr) << name;
  }
  EXPECT_TRUE(option_catalog().is_ignored("AdmmReasoner.MaxIterations"));
}

TEST(OptionCatalog, HasARangeForEveryCount) {
  for (const OptionInfo& option : option_catalog().options()) {
    if (option.kind != OptionKind::kInteger) continue;
    EXPECT_FALSE(option.why_bad("-2").empty()) << option.name;
  }
}

// Names of one semantics, by the options that its reasoner reads.
TEST(OptionCatalog, SaysWhichOptionsAreForOneSemanticsAlone) {
  const auto semantics = [](const char* name) { return option_catalog().find(name)->semantics; };
  for (const char* name : {"inference.gap",
                           "Inference.Relax.Multiplier",
                           "duallcqp.primaldualthreshold",
                           "persistedatommanager.throwaccessexception",
                           "learn.smoothing",
                           "learn.warm_start",
                           "learn.following_squares",
                           "connectedcomponents.batchsize"}) {
    EXPECT_EQ(semantics(name), kHingeSemantics) << name;
  }
  for (const char* name : {"meanfield.damping", "markov.hidden", "inference.method"}) {
    EXPECT_EQ(semantics(name), kMarkovSemantics) << name;
  }
  for (const char* name : {"parallel.numthreads",
                           "random.seed",
                           "learn.step_size",
                           "learn.batch_components",
                           "markov.epochs"}) {
    EXPECT_EQ(semantics(name), "") << name;
  }
}

}  // namespace
}  // namespace sorites
