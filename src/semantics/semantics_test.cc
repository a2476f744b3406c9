#include "semantics/semantics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sorites {
namespace {

using testing::Contains;
using testing::HasSubstr;

TEST(Semantics, TakeNegativeWeightsWhereTheirTraitsSaySo) {
  for (const std::string_view name : semantics_names()) {
    Database database({{.name = "P", .types = {ArgumentType::kUniqueStringId}, .open = true}});
    database.add(Partition::kTarget, "P", {"a"});
    Program program;
    program.predicates = database.predicates();
    add_rules(program, "1: P(X)");
    program.rules[0].weight = -1.0;
    Diagnostics sink;
    check_semantics(name, program, database, sink);
    EXPECT_NE(sink.has_errors(), traits_of(name).negative_weights) << name;
  }
}

TEST(Semantics, LearnInDomainsThatTheirWeightsMayHave) {
  for (const std::string_view name : semantics_names()) {
    LearnOptions options;
    const SemanticsTraits& traits = traits_of(name);
    if (traits.set_learning_defaults != nullptr) traits.set_learning_defaults(options);
    EXPECT_EQ(options.domain == WeightDomain::kReal, traits.negative_weights) << name;
  }
}

TEST(Semantics, AreNamedInAnyCaseAndOthersAreRefusedWhereTheyStand) {
  EXPECT_THAT(semantics_names(), Contains(known_semantics("Markov-Logic")));
  EXPECT_EQ(known_semantics(""), "");
  try {
    known_semantics("fuzzy", {"model.json", 3, 16, 7});
    FAIL() << "there is no such semantics";
  } catch (const InputError& error) {
    EXPECT_EQ(error.diagnostics().at(0).span.line, 3U);
    EXPECT_THAT(error.what(), HasSubstr("there is no semantics `fuzzy`"));
  }
}

}  // namespace
}  // namespace sorites
