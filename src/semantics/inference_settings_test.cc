#include "semantics/inference_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "hinge/model/term_block.h"

namespace sorites {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;

using Options = std::map<std::string, std::string>;

TEST(InferenceSettings, TakesTheNameOfEverySolver) {
  for (const Solver solver : kSolvers) {
    const Options options = {{"inference.solver", std::string(name_of(solver))}};
    EXPECT_EQ(inference_settings(settings_from(options)).solve.solver, solver);
  }
}

TEST(InferenceSettings, TakesWhatTheOptionsSay) {
  Options options;
  options["inference.gap"] = "0.01";
  options["inference.time_limit"] = "inf";
  options["inference.relax"] = "true";
  options["inference.relax.multiplier"] = "5";
  options["inference.initialvalue"] = "atom";
  options["pam.throw"] = "false";
  options["parallel.numthreads"] = "3";
  options["random.seed"] = "11";
  const InferenceSettings settings = inference_settings(settings_from(options));
  EXPECT_EQ(settings.solve.gap, 0.01);
  EXPECT_EQ(settings.solve.time_limit_seconds, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(settings.relax);
  EXPECT_EQ(settings.relaxation.multiplier, 5.0);
  EXPECT_EQ(settings.initial_value, InitialValue::kAtom);
  EXPECT_TRUE(settings.skip_missing_targets);
  EXPECT_EQ(settings.solve.threads, 3U);
  EXPECT_EQ(settings.solve.seed, 11U);
}

TEST(InferenceSettings, RefusesNegativeTolerances) {
  for (const char* name : {"inference.gap", "inference.violation", "inference.max_iterations"}) {
    const Options options = {{name, "-1"}};
    try {
      inference_settings(settings_from(options));
      ADD_FAILURE() << name;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(name));
    }
  }
}

TEST(InitialTruth, IsWhatWasAskedFor) {
  Database database({{.name = "X", .types = {ArgumentType::kUniqueStringId}, .open = true}});
  database.add(Partition::kTarget, "X", {"a"}, 0.25);
  database.add(Partition::kTarget, "X", {"b"}, 1.0);
  Model model;
  model.num_atoms = 2;
  model.atom_ranges = {{0, 0, 2}};
  EXPECT_THAT(initial_truth(InitialValue::kZero, model, database, 4), ElementsAre(0.0, 0.0));
  EXPECT_THAT(initial_truth(InitialValue::kHalf, model, database, 4), ElementsAre(0.5, 0.5));
  EXPECT_THAT(initial_truth(InitialValue::kOne, model, database, 4), ElementsAre(1.0, 1.0));
  EXPECT_THAT(initial_truth(InitialValue::kAtom, model, database, 4), ElementsAre(0.25, 1.0));
  const auto random = initial_truth(InitialValue::kRandom, model, database, 4);
  EXPECT_THAT(random, ElementsAre(DoubleNear(0.5, 0.5), DoubleNear(0.5, 0.5)));
  EXPECT_NE(random[0], random[1]);
  EXPECT_EQ(random, initial_truth(InitialValue::kRandom, model, database, 4));
}

}  // namespace
}  // namespace sorites
