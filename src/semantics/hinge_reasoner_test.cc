#include "semantics/hinge_reasoner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace sorites {
namespace {

using testing::ElementsAre;

constexpr auto kText = ArgumentType::kUniqueStringId;

struct Small {
  Small() : database({{.name = "P", .types = {kText}, .open = true}}) {
    program.predicates = database.predicates();
    add_rules(program, "4: P(X)\n!P(X) .\n2: P(X) ^2\n");
    database.add(Partition::kTarget, "P", {"a"});
  }

  std::unique_ptr<Reasoner> reasoner(const std::map<std::string, std::string>& options) {
    return make_hinge_reasoner({program, database, settings_from(options), {}, {}}, {});
  }

  Program program;
  Database database;
};

TEST(HingeReasoner, RelaxedRulesWeighAMultipleOfTheLargestOther) {
  Small small;
  const auto relaxed =
      small.reasoner({{"inference.relax", "true"}, {"inference.relax.multiplier", "10"}});
  const Parameters parameters = relaxed->parameters(relaxed->weights());
  EXPECT_EQ(parameters.weight_scale, 4.0);
  EXPECT_THAT(parameters.weights, ElementsAre(1.0, 10.0, 0.5));
  EXPECT_EQ(relaxed->infer({}, {}).status, SolveStatus::kOptimal);
}

TEST(HingeReasoner, NewWeightsCountInTheNextAnswer) {
  Small small;
  const auto reasoner = small.reasoner({{"inference.relax", "true"},
                                        {"inference.relax.multiplier", "1"},
                                        {"inference.normalize", "false"}});
  // 4 (1 - p) + 4 p + 2 (1 - p)^2: p = 1.
  EXPECT_NEAR(reasoner->infer({}, {}).values[0], 1.0, 1e-3);
  reasoner->set_weights({1.0, 0.0, 1.0});  // (1 - p) + p + (1 - p)^2
  EXPECT_NEAR(reasoner->infer({}, {}).values[0], 1.0, 1e-3);
  EXPECT_THAT(reasoner->weights(), ElementsAre(1.0, 0.0, 1.0));
}

TEST(HingeReasoner, BlamesNoSolverForNumbersOfAnotherModel) {
  Small small;
  const auto reasoner = small.reasoner({});
  EXPECT_THROW(reasoner->infer(std::vector{0.5}, {}), std::invalid_argument);
}

}  // namespace
}  // namespace sorites
