#include <gtest/gtest.h>

#include <cmath>

#include "base/constant.h"
#include "hinge/ground/random_program.h"
#include "hinge/ground/reference_grounder.h"
#include "sorites/ground.h"

namespace sorites {
namespace {

// A few changes that can be applied: some observed atoms go, some come, some change their value.
std::vector<RowChange> random_changes(const Database& database,
                                      RandomProgram& random,
                                      std::mt19937& draw) {
  std::vector<RowChange> changes;
  for (PredicateId p = 0; p < database.predicates().size(); ++p) {
    const Predicate& predicate = database.predicates()[p];
    const Table& observed = database.relation(p).table(Partition::kObserved);
    for (std::uint32_t row = 0; row < observed.num_rows; ++row) {
      if (draw() % 6 != 0) continue;
      const auto arguments = database.arguments(p, {Partition::kObserved, row});
      changes.push_back({p, arguments, std::nullopt});
      if (draw() % 2 == 0) changes.push_back({p, arguments, 0.4});
    }
    if (draw() % 3 != 0) continue;
    std::vector<std::string> arguments;
    std::vector<Code> codes;
    for (const ArgumentType type : predicate.types) {
      arguments.push_back(draw() % 8 == 0 ? "99" : random.constant(constant_type(type)));
      const auto code = database.dictionary(builtin_domain(type)).find(arguments.back());
      codes.push_back(code.value_or(kNoCode));
    }
    const bool there = std::find(codes.begin(), codes.end(), kNoCode) == codes.end() &&
                       database.relation(p).find(codes);
    if (!there) changes.push_back({p, arguments, draw() % 2 == 0 ? 1.0 : 0.6});
  }
  return changes;
}

Program random_program(RandomProgram& random, unsigned seed) {
  Program program;
  program.predicates = RandomProgram::predicates();
  while (program.rules.size() < 2) random.add_rule(program, seed % 3 == 0);
  return program;
}

const GroundOptions kSkipping{.threads = 2, .on_missing_target = OnMissingTarget::kSkip};

TEST(Update, GivesTheModelOfTheNewData) {
  int changed_models = 0;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    RandomProgram random(seed);
    std::mt19937 draw(seed);
    const Program program = random_program(random, seed);
    Database database = random.database(program.predicates);
    Model model = ground(program, database, kSkipping);
    const auto before = plain_terms(model, database);
    for (int round = 0; round < 2; ++round) {
      update(program, database, model, random_changes(database, random, draw), kSkipping);
      const auto expected = plain_terms(ground(program, database, kSkipping), database);
      ASSERT_EQ(plain_terms(model, database), expected) << "seed " << seed << "\n"
                                                        << to_text(program);
    }
    changed_models += plain_terms(model, database) != before ? 1 : 0;
  }
  EXPECT_GT(changed_models, 300);
}

// A number that tells the term: its rule, atoms and offset.
std::vector<double> numbers_of(const Model& model) {
  std::vector<double> numbers;
  for (const TermBlock& block : model.blocks) {
    for (std::size_t t = 0; t < block.num_terms; ++t) {
      double number = 1000.0 * block.rule + block.offset_of(t);
      for (const AtomId atom : block.atoms_of(t)) number = 31.0 * number + atom;
      for (const double a : block.coefficients) number = 31.0 * number + a;
      numbers.push_back(number);
    }
  }
  return numbers;
}

TEST(Update, NumbersOfTermsGoAlongWithThem) {
  std::size_t num_kept = 0, num_new = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    RandomProgram random(seed);
    std::mt19937 draw(seed);
    const Program program = random_program(random, seed);
    Database database = random.database(program.predicates);
    Model model = ground(program, database, kSkipping);
    std::vector<double> numbers = numbers_of(model);
    update(program, database, model, random_changes(database, random, draw), kSkipping, &numbers);
    const std::vector<double> expected = numbers_of(model);
    ASSERT_EQ(numbers.size(), expected.size()) << "seed " << seed;
    for (std::size_t t = 0; t < expected.size(); ++t) {
      num_new += std::isnan(numbers[t]) ? 1 : 0;
      if (std::isnan(numbers[t])) continue;
      ASSERT_EQ(numbers[t], expected[t]) << "seed " << seed << ", term " << t;
      ++num_kept;
    }
  }
  EXPECT_GT(num_kept, 1000U);
  EXPECT_GT(num_new, 100U);
}

TEST(Update, RefusesChangesThatCannotBeAppliedAndChangesNothing) {
  Program program;
  program.predicates = {{.name = "Likes", .types = {ArgumentType::kUniqueStringId}},
                        {.name = "Good", .types = {ArgumentType::kUniqueStringId}, .open = true}};
  add_rules(program, "1: Likes(A) -> Good(A)");
  Database database(program.predicates);
  database.add(Partition::kObserved, "Likes", {"a"});
  database.add(Partition::kTarget, "Good", {"a"});
  Model model = ground(program, database);
  const auto attempt = [&](std::vector<RowChange> changes) {
    update(program, database, model, changes);
  };
  EXPECT_THROW(attempt({{0, {"a"}, 1.0}}), std::invalid_argument);           // there already
  EXPECT_THROW(attempt({{0, {"b"}, std::nullopt}}), std::invalid_argument);  // not there
  EXPECT_THROW(attempt({{1, {"a"}, 1.0}}), std::invalid_argument);           // a target
  EXPECT_THROW(attempt({{0, {"b"}, 1.5}}), std::invalid_argument);           // no truth value
  EXPECT_THROW(attempt({{0, {"b", "c"}, 1.0}}), std::invalid_argument);      // arity
  EXPECT_THROW(attempt({{7, {"b"}, 1.0}}), std::invalid_argument);           // no such predicate
  EXPECT_EQ(database.relation(0).table(Partition::kObserved).num_rows, 1U);
  EXPECT_EQ(model.num_terms(), 1U);
}

// The message of ground() on the new data, of the rules that the changes touch.
TEST(Update, WhatGroundingRefusesIsRefusedInTheSameWords) {
  constexpr auto kText = ArgumentType::kUniqueStringId;
  Program program;
  program.predicates = {{.name = "Likes", .types = {kText}},
                        {.name = "Few", .types = {kText}},
                        {.name = "Good", .types = {kText}, .open = true}};
  add_rules(program,
            "1: Likes(A) -> Good(A)\n1: Good(B) + Likes(+A) <= 1 / |A| {A: Few(A)}\n1: !Good(A)");
  Database database(program.predicates);
  for (const char* predicate : {"Likes", "Few"}) {
    database.add(Partition::kObserved, predicate, {"a"});
  }
  database.add(Partition::kTarget, "Good", {"a"});
  const std::vector<std::vector<RowChange>> wrong = {{{0, {"b"}, 1.0}}, {{1, {"a"}, std::nullopt}}};
  for (const std::vector<RowChange>& changes : wrong) {
    Database changed = database;
    Model model = ground(program, changed);
    std::string refusal = "none", expected = "none";
    try {
      update(program, changed, model, changes);
    } catch (const InputError& error) {
      refusal = error.what();
    }
    try {
      ground(program, changed);
    } catch (const InputError& error) {
      expected = error.what();
    }
    EXPECT_NE(expected, "none");
    EXPECT_EQ(refusal, expected);
  }
}

}  // namespace
}  // namespace sorites
