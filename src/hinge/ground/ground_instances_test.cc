#include "hinge/ground/ground_instances.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "hinge/ground/random_program.h"
#include "hinge/model/relax.h"

namespace sorites {
namespace {

Program random_rules(RandomProgram& random, std::size_t count) {
  Program program;
  program.predicates = RandomProgram::predicates();
  while (program.rules.size() < count) {
    random.add_rule(program, program.rules.size() % 3 == 2);
  }
  return program;
}

std::vector<TermPlace> all_terms(const Model& model) {
  std::vector<TermPlace> terms;
  for (std::uint32_t b = 0; b < model.blocks.size(); ++b) {
    for (std::uint32_t t = 0; t < model.blocks[b].num_terms; ++t) terms.push_back({b, t});
  }
  return terms;
}

// Coefficients of targets and the constant, as the instance gives them: the numbers of its term.
struct Numbers {
  std::map<AtomId, double> atoms;
  std::map<std::uint32_t, double> outputs;
  double offset = 0.0;
};

Numbers numbers_of(const GroundInstance& instance, const Database& database, const Model& model) {
  Numbers numbers;
  numbers.offset = instance.constant;
  for (const RuleAtom& atom : instance.atoms) {
    const Relation& relation = database.relation(atom.predicate);
    const auto row = relation.find(atom.arguments);
    if (!row) continue;
    if (row->partition == Partition::kObserved) {
      numbers.offset += atom.coefficient * relation.table(Partition::kObserved).value(row->row);
      continue;
    }
    for (const AtomRange& range : model.atom_ranges) {
      if (range.predicate == atom.predicate) {
        numbers.atoms[range.first + row->row] += atom.coefficient;
      }
    }
    for (const AtomRange& range : model.output_ranges) {
      if (range.predicate == atom.predicate) {
        numbers.outputs[range.first + row->row] += atom.coefficient;
      }
    }
  }
  std::erase_if(numbers.atoms, [](const auto& entry) { return entry.second == 0.0; });
  std::erase_if(numbers.outputs, [](const auto& entry) { return entry.second == 0.0; });
  return numbers;
}

void expect_same(const Numbers& numbers, const TermBlock& block, std::size_t term) {
  ASSERT_EQ(numbers.atoms.size(), block.width());
  ASSERT_EQ(numbers.outputs.size(), block.output_coefficients.size());
  double sign = 0.0;  // a form of the rule may turn all signs
  const auto check = [&](double mine, double theirs) {
    if (sign == 0.0) sign = mine * theirs < 0 ? -1.0 : 1.0;
    EXPECT_NEAR(mine * sign, theirs, 1e-9);
  };
  for (std::size_t i = 0; i < block.width(); ++i) {
    check(numbers.atoms.at(block.atoms_of(term)[i]), block.coefficients[i]);
  }
  for (std::size_t i = 0; i < block.output_coefficients.size(); ++i) {
    check(numbers.outputs.at(block.outputs_of(term)[i]), block.output_coefficients[i]);
  }
  check(numbers.offset, block.offset_of(term));
}

TEST(GroundInstances, OfRandomProgramsHaveTheNumbersOfTheirTerms) {
  std::size_t count = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    RandomProgram random(seed);
    const Program program = random_rules(random, 3);
    SCOPED_TRACE(testing::Message() << "seed " << seed << ":\n" << to_text(program));
    const Database database = random.database(program.predicates);
    GroundOptions options;
    options.on_missing_target = OnMissingTarget::kSkip;
    options.threads = 1;
    Model model;
    try {
      model = ground(program, database, options);
    } catch (const InputError&) {
      continue;  // divides by zero
    }
    if (seed % 3 == 0) relax_hard_rules(model, 10.0, false);
    const auto terms = all_terms(model);
    const auto instances = ground_instances(program, database, model, terms, options);
    for (std::size_t i = 0; i < terms.size(); ++i) {
      ASSERT_TRUE(instances[i]);
      expect_same(
          numbers_of(*instances[i], database, model), model.blocks[terms[i].block], terms[i].term);
      ++count;
    }
  }
  EXPECT_GT(count, 1000U);
}

TEST(GroundInstances, GiveEqualTermsDifferentGroundRules) {
  Program program;
  program.predicates = {{.name = "P", .types = {ArgumentType::kUniqueStringId}},
                        {.name = "X", .types = {ArgumentType::kUniqueStringId}, .open = true}};
  add_rules(program, "1: P(A) & X(B) -> X('c')");
  Database database(program.predicates);
  for (const char* name : {"a", "b"}) database.add(Partition::kObserved, "P", {name});
  for (const char* name : {"c", "d"}) database.add(Partition::kTarget, "X", {name});
  const Model model = ground(program, database);
  const auto terms = all_terms(model);
  ASSERT_EQ(terms.size(), 2U);  // X('d') -> X('c'), once for every P
  const auto instances = ground_instances(program, database, model, terms, {});
  ASSERT_TRUE(instances[0] && instances[1]);
  EXPECT_NE(instances[0]->atoms[0].arguments, instances[1]->atoms[0].arguments);
}

TEST(GroundInstances, AreMissingIfTheModelIsOfOtherData) {
  Program program;
  program.predicates = {{.name = "X", .types = {ArgumentType::kUniqueStringId}, .open = true}};
  add_rules(program, "1: !X(A)");
  Database database(program.predicates), other(program.predicates);
  for (const char* name : {"a", "b"}) database.add(Partition::kTarget, "X", {name});
  other.add(Partition::kTarget, "X", {"a"});
  const Model model = ground(program, database);
  const auto instances = ground_instances(program, other, model, all_terms(model), {});
  EXPECT_TRUE(instances[0]);
  EXPECT_FALSE(instances[1]);
}

}  // namespace
}  // namespace sorites
