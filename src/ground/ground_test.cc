#include "sorites/ground.h"

#include <gtest/gtest.h>

#include "ground/random_program.h"
#include "ground/reference_grounder.h"

namespace sorites {
namespace {

// The first random rules that compile.
Program random_rules(RandomProgram& random, std::size_t count = 1) {
  Program program;
  program.predicates = RandomProgram::predicates();
  while (program.rules.size() < count) {
    try {
      add_rules(program, random.rule());
    } catch (const InputError&) {
      continue;  // an unbound variable, say; draw again
    }
  }
  return program;
}

std::string describe(const std::vector<PlainTerm>& terms) {
  std::string text;
  for (const PlainTerm& term : terms) {
    text += fmt::format(
        "rule {} kind {} offset {}:", term.rule, static_cast<int>(term.kind), term.offset);
    for (const auto& [name, c] : term.atoms) text += fmt::format(" {}*{}", c, name);
    for (const auto& [name, c] : term.outputs) text += fmt::format(" {}*[{}]", c, name);
    text += "\n";
  }
  return text;
}

bool same_bytes(const Model& a, const Model& b) {
  return std::equal(a.blocks.begin(),
                    a.blocks.end(),
                    b.blocks.begin(),
                    b.blocks.end(),
                    [](const TermBlock& x, const TermBlock& y) {
                      return x.rule == y.rule && x.kind == y.kind &&
                             x.coefficients == y.coefficients &&
                             x.output_coefficients == y.output_coefficients && x.atoms == y.atoms &&
                             x.outputs == y.outputs && x.offsets == y.offsets &&
                             x.offset == y.offset;
                    });
}

TEST(Ground, AgreesWithTheDefinitionOnRandomPrograms) {
  int with_terms = 0;
  std::uint64_t terms = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    RandomProgram random(seed);
    const Program program = random_rules(random);
    const Database database = random.database(program.predicates);
    const auto mode = seed % 3 == 0 ? OnMissingTarget::kZero : OnMissingTarget::kSkip;
    ReferenceGrounder reference(program, database, mode);
    const std::vector<PlainTerm> expected = reference.ground();
    GroundReport report;
    const Model model =
        ground(program, database, {.threads = 2, .on_missing_target = mode}, &report);
    const std::vector<PlainTerm> actual = plain_terms(model, database);
    ASSERT_EQ(describe(actual), describe(expected)) << "seed " << seed << "\n" << to_text(program);
    ASSERT_EQ(report.rules[0].terms, actual.size());
    ASSERT_EQ(report.rules[0].missing, reference.num_missing()) << "seed " << seed << "\n"
                                                                << to_text(program);
    ASSERT_TRUE(
        same_bytes(model, ground(program, database, {.threads = 1, .on_missing_target = mode})));
    with_terms += actual.empty() ? 0 : 1;
    terms += actual.size();
  }
  EXPECT_GT(with_terms, 1000);  // the programs do something
  EXPECT_GT(terms, 10000U);
}

}  // namespace
}  // namespace sorites
