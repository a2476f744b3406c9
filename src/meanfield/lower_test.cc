#include "meanfield/lower.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "meanfield/hard_propagation.h"
#include "meanfield/mean_field_energy.h"
#include "meanfield/program_weights.h"
#include "meanfield/random_programs.h"
#include "meanfield/reference_program.h"

namespace sorites {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

// ---- Random programs against the definition ---------------------------------------------------

ReferenceProgram::Names names_of(const Program& program,
                                 const Database& database,
                                 const MeanFieldModel& model,
                                 const MeanFieldAtom& atom) {
  ReferenceProgram::Names names;
  const std::vector<Code> codes = atom_codes(model, atom);
  for (std::size_t k = 0; k < codes.size(); ++k) {
    const DomainId domain = program.predicates[atom.predicate].domain(k);
    names.push_back(database.dictionary(domain).text(codes[k]));
  }
  return names;
}

// A program, its compiled form and its definition at the same random marginals.
struct Compared {
  Compared(const Program& given_program, const Database& given_database)
      : program(given_program), database(given_database), reference(program, database) {}

  // Work gets the name of an unknown atom, the name of a value, and the place of its number.
  template <class Work>
  void for_all_unknown(const Work& work) const {
    for (PredicateId p = 0; p < program.predicates.size(); ++p) {
      const MeanFieldPredicate& predicate = model.predicates[p];
      if (predicate.closed) continue;
      for (std::uint64_t atom = 0; atom < num_atoms(model, p); ++atom) {
        const std::uint32_t num_classes = predicate.num_classes();
        for (std::uint32_t value = 0; value < std::max(num_classes, 1U); ++value) {
          auto names = names_of(program, database, model, {p, atom, value});
          std::string value_name = "true";
          if (num_classes > 0) {
            value_name = names.back();
            names.pop_back();
          }
          const ReferenceProgram::AtomName name{p, names};
          if (reference.is_unknown(name)) {
            work(name, value_name, p, atom * std::max(num_classes, 1U) + value);
          }
        }
      }
    }
  }

  ReferenceProgram::Probabilities probabilities(const AtomValues<double>& marginals) const {
    ReferenceProgram::Probabilities result;
    for_all_unknown([&](const auto& name, const std::string& value, PredicateId p, std::size_t at) {
      result[name][value] = marginals[p][at];
      if (model.predicates[p].num_classes() == 0) result[name][""] = 1.0 - marginals[p][at];
    });
    return result;
  }

  const Program& program;
  const Database& database;
  ReferenceProgram reference;
  MeanFieldModel model;
};

double mean_of(const std::map<std::string, double>& values, std::size_t count) {
  double sum = 0.0;
  for (const auto& [name, value] : values) sum += value;
  return sum / static_cast<double>(count);
}

void expect_messages(Compared& compared, ExactMeanField& layer, const AtomValues<double>& at) {
  const AtomValues<double> messages = layer.messages(at);
  std::map<ReferenceProgram::AtomName, std::map<std::string, double>> found;
  compared.for_all_unknown(
      [&](const auto& name, const std::string& value, PredicateId p, std::size_t place) {
        found[name][value] = messages[p][place];
      });
  compared.for_all_unknown(
      [&](const auto& name, const std::string& value, PredicateId p, std::size_t) {
        const std::uint32_t classes = compared.model.predicates[p].num_classes();
        auto& wanted = compared.reference.messages[name];
        if (classes == 0) {
          ASSERT_NEAR(found[name]["true"], wanted["true"] - wanted[""], 1e-9);
        } else {
          ASSERT_NEAR(found[name][value] - mean_of(found[name], classes),
                      wanted[value] - mean_of(wanted, classes),
                      1e-9);
        }
      });
}

// Expected violations per weight of the program.
std::vector<double> slopes_in_weights(const MeanFieldModel& model,
                                      ExactMeanField& layer,
                                      const AtomValues<double>& at) {
  std::vector<double> sums(model.weights.size(), 0.0);
  const auto violations = layer.violations(at);
  for (std::size_t f = 0; f < model.formulas.size(); ++f) {
    if (!model.formulas[f].hard) add_weight_slopes(model.formulas[f], violations[f], sums);
  }
  return sums;
}

std::vector<double> slopes_in_weights(const Compared& compared) {
  std::vector<double> sums(compared.model.weights.size(), 0.0);
  for (const auto& [key, violations] : compared.reference.violations) {
    const auto& [r, constants] = key;
    const Rule& rule = compared.program.rules[r];
    if (!rule.weight) continue;
    // Weighted variables run over the codes of their domain in order, the last one fastest.
    std::size_t at = 0;
    for (std::size_t i = 0; i < constants.size(); ++i) {
      const DomainId domain = rule.variables[rule.weighted[i]].domain;
      const Code code = *compared.database.dictionary(domain).find(constants[i]);
      at = at * compared.database.dictionary(domain).size() + code;
    }
    sums[compared.model.rules[r].first_weight + at] += violations;
  }
  return sums;
}

// Narrowed domains of weighted variables have other numbers than their dictionaries.
bool weights_are_over_whole_domains(const Program& program) {
  return std::all_of(program.rules.begin(), program.rules.end(), [](const Rule& rule) {
    return std::all_of(rule.weighted.begin(), rule.weighted.end(), [&](VariableId v) {
      return rule.variables[v].domain >= 3;
    });
  });
}

TEST(LowerToMeanField, RandomProgramsMeanWhatTheirFormulasSay) {
  constexpr int kPrograms = 3000;
  int compared_programs = 0, compared_weights = 0;
  for (int seed = 0; seed < kPrograms; ++seed) {
    SCOPED_TRACE(seed);
    RandomPrograms random(static_cast<std::uint64_t>(seed));
    const auto [program, database] = random.make();
    Compared compared(program, database);
    Diagnostics sink;
    auto model = lower_to_mean_field(program, database, sink);
    if (!model) continue;  // too large, never true, ... (other tests)
    compared.model = std::move(*model);
    ExactMeanField layer(compared.model, {.iterations = 0, .threads = 1});
    std::vector<double> found_before, wanted_before;
    bool small = true;
    for (int round = 0; round < 2 && small; ++round) {
      AtomValues<double> log_odds = layer.no_unaries();
      for (auto& numbers : log_odds) {
        for (double& one : numbers) one = random.number(-2.0, 2.0);
      }
      const auto marginals = layer.infer(log_odds).marginals;
      small =
          compared.reference.run(compared.probabilities(marginals), MeanFieldOptions{}.hard_weight);
      if (!small) break;
      expect_messages(compared, layer, marginals);
      // Groundings that are never or always true only count: two points show the rest.
      const auto found = slopes_in_weights(compared.model, layer, marginals);
      if (!weights_are_over_whole_domains(program)) continue;
      const auto wanted = slopes_in_weights(compared);
      if (round == 1) {
        for (std::size_t w = 0; w < found.size(); ++w) {
          ASSERT_NEAR(found[w] - found_before[w], wanted[w] - wanted_before[w], 1e-9) << w;
        }
        ++compared_weights;
      }
      found_before = found;
      wanted_before = wanted;
    }
    if (small) ++compared_programs;
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(compared_programs, kPrograms * 3 / 4);
  EXPECT_GT(compared_weights, kPrograms / 2);
}

// How often a hard formula counts is no part of what it means: its clauses are those of a soft one.
TEST(LowerToMeanField, HardRulesHaveTheClausesOfSoftOnes) {
  int num_compared = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(seed);
    auto [program, database] = RandomPrograms(seed, 1.0).make();
    Program soft = program;
    for (Rule& rule : soft.rules) rule.weight = 1.0;
    Diagnostics sink;
    const auto hard_model = lower_to_mean_field(program, database, sink);
    // What facts break is written out, for propagation to name it.
    if (!hard_model || !propagate_hard(*hard_model, {}).conflict.empty()) continue;
    const MeanFieldModel soft_model = mean_field_model(soft, database);
    ASSERT_EQ(hard_model->formulas.size(), soft_model.formulas.size());
    for (std::size_t f = 0; f < soft_model.formulas.size(); ++f) {
      EXPECT_TRUE(hard_model->formulas[f].hard);
      EXPECT_EQ(hard_model->formulas[f].clauses, soft_model.formulas[f].clauses);
    }
    ++num_compared;
  }
  EXPECT_GT(num_compared, 300);
}

// ---- Single cases -----------------------------------------------------------------------------

constexpr auto kText = ArgumentType::kUniqueStringId;

// People smoke or not; who knows whom is observed.
struct Smokers {
  explicit Smokers(std::string_view rules, bool open_world = false) {
    program.predicates = {
        {.name = "Knows", .types = {kText, kText}},
        {.name = "Smokes", .types = {kText}, .open = true, .open_world = open_world},
        {.name = "Label", .types = {kText, kText}, .open = true, .has_classes = true}};
    add_rules(program, rules);
    database.emplace(program.predicates, program.domains);
    database->add(Partition::kObserved, "Knows", {"ann", "bob"});
    database->add(Partition::kObserved, "Knows", {"bob", "cid"});
    database->add(Partition::kObserved, "Smokes", {"ann"});
    database->add(Partition::kTarget, "Smokes", {"bob"});
    for (const char* label : {"A", "B", "C"}) {
      database->add(Partition::kTarget, "Label", {"p1", label});
    }
    database->add(Partition::kObserved, "Label", {"p2", "C"});
  }

  MeanFieldModel model() const { return mean_field_model(program, *database); }
  std::string mistake() const {
    Diagnostics sink;
    if (lower_to_mean_field(program, *database, sink)) return "none";
    std::string text;
    for (const Diagnostic& diagnostic : sink.take_sorted()) text += render(diagnostic);
    return text;
  }

  Program program;
  std::optional<Database> database;
};

TEST(LowerToMeanField, NarrowsDomainsWithoutANameToWhatRulesJoin) {
  const Smokers smokers("1: Knows(A, B) & Smokes(A) -> Smokes(B)");
  const MeanFieldModel model = smokers.model();
  const MeanFieldDomain& people = model.domains[model.predicates[1].arguments[0]];
  EXPECT_THAT(people.codes, SizeIs(3));  // no labels, and no things that have them
  EXPECT_EQ(model.predicates[0].arguments[0], model.predicates[0].arguments[1]);
  EXPECT_THAT(model.predicates[2].classes, SizeIs(3));
  const MeanFieldModel open = Smokers("1: !Smokes(A)", true).model();
  EXPECT_THAT(open.domains[open.predicates[1].arguments[0]].codes, SizeIs(8));
}

TEST(LowerToMeanField, ListedTargetsAloneAreUnknown) {
  const Smokers smokers("1: Knows(A, B) & Smokes(A) -> Smokes(B)\n1: !Smokes(A)");
  const MeanFieldModel model = smokers.model();
  EXPECT_THAT(known_atoms(model, 1), ElementsAre(KnownAtom{0, 1}, KnownAtom{2, 0}));
  ExactMeanField layer(model, {.iterations = 1, .threads = 1});
  const auto marginals = layer.infer(layer.no_unaries()).marginals[1];
  // Ann pushes Bob by 1; that Cid does not smoke, though Bob does, by -1; the second rule by -1.
  EXPECT_THAT(marginals,
              ElementsAre(1.0, testing::DoubleNear(1.0 / (1.0 + std::exp(1.0)), 1e-12), 0.0));
}

TEST(LowerToMeanField, TargetsAndWeightsAreThoseOfRowsAndRules) {
  Smokers smokers("1: !Label(P, C)\n!Smokes(A) .\n1: !Smokes(A)");
  smokers.program.rules[0] = {};
  Program& program = smokers.program;
  // +C: one weight per class, B has one of its own.
  Rule& rule = program.rules[0];
  rule.weight = 0.5;
  rule.variables = {{"P", 0}, {"C", 0}};
  Formula atom;
  atom.atom = {2, {VariableId{0}, VariableId{1}}};
  rule.body = LogicalRule{atom};
  rule.weighted = {1};
  rule.constant_weights = {{{"B"}, 2.0}};
  smokers.database->add(Partition::kTruth, "Label", {"p1", "B"});
  const MeanFieldModel model = smokers.model();
  EXPECT_THAT(model.weights, ElementsAre(0.5, 2.0, 0.5, 0.0, 1.0));
  ASSERT_THAT(model.task.targets, SizeIs(4));
  EXPECT_THAT(model.task.labels, ElementsAre(testing::IsNan(), 0.0, 1.0, 0.0));
  const ExactMeanField layer(program, *smokers.database, {.threads = 1});
  EXPECT_THAT(layer.of_targets({{}, {0.1, 0.2, 0.3}, {0.4, 0.5, 0.6, 0.7, 0.8, 0.9}}),
              ElementsAre(0.2, 0.4, 0.5, 0.6));
  const auto energy = make_mean_field_energy(program, *smokers.database, {.iterations = 50});
  ASSERT_EQ(energy->num_weights(), 5U);
  const EnergyValue value = energy->full({.weights = model.weights});
  const double sum = 2.0 * std::exp(0.5) + std::exp(2.0);
  EXPECT_NEAR(value.state[1], std::exp(0.5) / sum, 1e-9);
  EXPECT_NEAR(value.state[2], std::exp(2.0) / sum, 1e-9);
  // p1 violates what it is not; p2 is C.
  EXPECT_NEAR(value.in_weights[0], 1.0 - value.state[1] + 1.0, 1e-9);
  EXPECT_NEAR(value.in_weights[1], 1.0 - value.state[2] + 1.0, 1e-9);
  EXPECT_NEAR(value.in_weights[2], 1.0 - value.state[3], 1e-9);
  EXPECT_EQ(value.in_weights[3], 0.0);
}

TEST(ProgramWeights, GoIntoTheProgramAndBack) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    RandomPrograms random(seed, 0.2);
    auto [program, database] = random.make();
    Diagnostics sink;
    const auto model = lower_to_mean_field(program, database, sink);
    if (!model) continue;
    const std::vector<bool> fixed = fixed_weights(*model);
    std::vector<double> weights = model->weights;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (!fixed[i]) weights[i] = random.number(-1.0, 1.0);
    }
    set_program_weights(*model, database, weights, program);
    EXPECT_EQ(mean_field_model(program, database).weights, weights);
  }
}

TEST(LowerToMeanField, PotentialsAreThoseOfTheData) {
  Smokers smokers("1: !Smokes(A)");
  smokers.database->add_potential("Smokes", {"bob"}, 1.5);
  smokers.database->add_potential("Label", {"p1", "B"}, -0.5);
  ExactMeanField layer(smokers.program, *smokers.database, {.threads = 1});
  const auto targets = layer.of_targets(layer.infer(layer.unaries()).marginals);
  EXPECT_NEAR(targets[0], 1.0 / (1.0 + std::exp(1.0 - 1.5)), 1e-12);
  EXPECT_NEAR(targets[2], std::exp(-0.5) / (2.0 + std::exp(-0.5)), 1e-7);
}

TEST(LowerToMeanField, SumsToOneAreClasses) {
  Smokers smokers("Label(P, +C) = 1 .\n1: !Label(P, 'A')");
  smokers.program.predicates[2].has_classes = false;
  const MeanFieldModel model = smokers.model();
  EXPECT_EQ(model.predicates[2].num_classes(), 3U);
  EXPECT_EQ(model.formulas.size(), 1U);
}

TEST(LowerToMeanField, SaysWhatMarkovLogicDoesNotHave) {
  EXPECT_THAT(Smokers("1: Smokes(A) + Smokes(B) <= 1").mistake(), HasSubstr("arithmetic rule"));
  EXPECT_THAT(Smokers("Label(P, +C) <= 1 .").mistake(), HasSubstr("arithmetic rule"));
  Smokers half("1: !Smokes(A)");
  half.database->add(Partition::kObserved, "Smokes", {"dan"}, 0.5);
  EXPECT_THAT(half.mistake(), HasSubstr("observed to be 0.5"));
  Smokers not_this("1: !Smokes(A)");
  not_this.database->add(Partition::kObserved, "Label", {"p3", "A"}, 0.0);
  EXPECT_THAT(not_this.mistake(), HasSubstr("which class it is not"));
  Smokers two("1: !Smokes(A)");
  two.database->add(Partition::kObserved, "Label", {"p2", "A"});
  EXPECT_THAT(two.mistake(), HasSubstr("an atom has one class"));
  Smokers closed("1: !Smokes(A)");
  closed.database->add_potential("Knows", {"ann", "ann"}, 1.0);
  EXPECT_THAT(closed.mistake(), HasSubstr("is closed"));
  EXPECT_THAT(Smokers("1: !Smokes('zoe')", true).mistake(), HasSubstr("`zoe` is in no data"));
  EXPECT_EQ(Smokers("1: !Smokes('zoe')").mistake(), "none");  // no target: false
  EXPECT_THROW(ExactMeanField(half.program, *half.database), InputError);
}

TEST(LowerToMeanField, RefusesQuantifiersThatGiveTooMuch) {
  Smokers smokers("1: Knows(A, B) & Smokes(A) -> Smokes(B)", true);
  for (int i = 0; i < 300; ++i) {
    smokers.database->add(Partition::kObserved, "Knows", {"ann", "person " + std::to_string(i)});
  }
  Formula atom;
  atom.atom = {1, {VariableId{1}}};
  Formula all{.kind = FormulaKind::kForall, .operands = {atom}, .quantified = {1}};
  Formula other;
  other.atom = {1, {VariableId{0}}};
  Formula some = all;
  some.kind = FormulaKind::kExists;
  Rule& rule = smokers.program.rules[0];
  rule.body = LogicalRule{some};
  EXPECT_EQ(smokers.mistake(), "none");  // one clause
  rule.body = LogicalRule{all};
  EXPECT_EQ(smokers.mistake(), "none");  // a variable of the rule
  rule.body = LogicalRule{{.kind = FormulaKind::kOr, .operands = {other, all}}};
  EXPECT_THAT(smokers.mistake(), HasSubstr("quantifiers written out: B has 308 values"));
}

TEST(LowerToMeanField, VariablesQuantifiedInFrontAreThoseOfTheRule) {
  const MeanFieldModel plain = Smokers("1: Smokes(A) | Smokes(B)").model();
  const MeanFieldModel quantified = Smokers("1: forall A: forall B: Smokes(A) | Smokes(B)").model();
  ASSERT_THAT(quantified.formulas, SizeIs(1));
  EXPECT_EQ(quantified.formulas[0].clauses, plain.formulas[0].clauses);
  EXPECT_THAT(quantified.formulas[0].variables, SizeIs(2));
}

TEST(LowerToMeanField, AQuantifierWhoseVariableNothingUsesChangesNothing) {
  const MeanFieldModel plain = Smokers("1: Knows(A, B) -> Smokes(B)").model();
  for (const char* rule :
       {"1: Knows(A, B) -> exists C: Smokes(B)", "1: Knows(A, B) -> forall C, D: Smokes(B)"}) {
    const MeanFieldModel quantified = Smokers(rule).model();
    ASSERT_THAT(quantified.formulas, SizeIs(1)) << rule;
    EXPECT_EQ(quantified.formulas[0].clauses, plain.formulas[0].clauses) << rule;
  }
}

// A ring of people, each of whom knows the next: written out, `exists` would have 2^n clauses.
TEST(LowerToMeanField, FactsDecideWhatStandsUnderAQuantifier) {
  constexpr int kPeople = 1100;  // more than literals of a formula
  const auto person = [](int i) { return "p" + std::to_string(i % kPeople); };
  Program program;
  program.domains.push_back({"person", ConstantType::kText, {}, true});
  for (int i = 0; i < kPeople; ++i) program.domains.back().constants.push_back(person(i));
  program.predicates = {
      {.name = "Knows", .types = {kText, kText}, .domains = {3, 3}},
      {.name = "Smokes", .types = {kText}, .open = true, .domains = {3}, .open_world = true}};
  Program ground = program;
  add_rules(program, "0.6: Smokes(A) -> exists B: Smokes(B) & Knows(A, B)");
  Database database(program.predicates, program.domains);
  for (int i = 0; i < kPeople; ++i) {
    database.add(Partition::kObserved, "Knows", {person(i), person(i + 1)});
    if (i == 7) continue;  // knows nobody else: nobody else would do
    database.add(Partition::kObserved, "Knows", {person(i), person(i + 2)});
  }
  const MeanFieldModel model = mean_field_model(program, database);
  ASSERT_THAT(model.formulas, SizeIs(kPeople));
  for (const int i : {0, 7, kPeople - 1}) {
    std::string rule = "0.6: Smokes('" + person(i) + "') -> Smokes('" + person(i + 1) + "')";
    if (i != 7) rule += " | Smokes('" + person(i + 2) + "')";
    ground.rules.clear();
    add_rules(ground, rule);
    const MeanFieldFormula wanted = mean_field_model(ground, database).formulas[0];
    const MeanFieldFormula& found = model.formulas[static_cast<std::size_t>(i)];
    ASSERT_THAT(found.clauses, SizeIs(1));
    EXPECT_THAT(found.clauses[0], testing::UnorderedElementsAreArray(wanted.clauses[0]));
    EXPECT_THAT(found.weights, ElementsAre(0.6));
  }
}

// Cid knows nobody, and there are too many constants for propagation to be what tells.
TEST(LowerToMeanField, FactsThatBreakAHardQuantifierAreAContradiction) {
  const Smokers smokers("forall A: exists B: Knows(A, B) & Smokes(B) .");
  EXPECT_THAT(smokers.mistake(), HasSubstr("[contradiction]"));
}

TEST(LowerToMeanField, ComparesWithConstantsThatAreInNoData) {
  const Smokers smokers(
      "1: Smokes(A) & (A % 'b') -> Knows(A, A)\n"
      "1: Knows(A, B) & Smokes(A) & (B != 'nobody') -> Smokes(B)");
  const MeanFieldModel model = smokers.model();
  ASSERT_THAT(model.predicates, SizeIs(4));  // A % 'b'
  EXPECT_THAT(model.facts[3], ElementsAre(KnownAtom{0, 1}));
}

// Not only over what the column of L has.
TEST(LowerToMeanField, QuantifiersRangeOverAllConstants) {
  Program program;
  program.predicates = {{.name = "P", .types = {kText}, .open = true},
                        {.name = "L", .types = {kText, kText}}};
  add_rules(program, "2: P(A) -> forall C: L(A, C)\n1: P(A)\n");
  Database database(program.predicates);
  database.add(Partition::kTarget, "P", {"a"});
  database.add(Partition::kObserved, "L", {"a", "b"});
  ExactMeanField layer(program, database, {.threads = 1});
  const auto marginals = layer.infer(layer.unaries()).marginals;
  EXPECT_NEAR(layer.of_targets(marginals)[0], 1.0 / (1.0 + std::exp(1.0)), 1e-9);
}

TEST(LowerToMeanField, RefusesADatabaseOfOtherPredicates) {
  Program program;
  program.predicates = {{.name = "P", .types = {kText}, .open = true}};
  add_rules(program, "1: P(A)");
  const Database database(std::vector<Predicate>{});
  EXPECT_THROW(mean_field_model(program, database), std::invalid_argument);
  EXPECT_THROW(ExactMeanField(program, database), std::invalid_argument);
}

}  // namespace
}  // namespace sorites
