#include "sorites/ground.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "base/constant.h"
#include "data/sources/load.h"
#include "hinge/ground/random_program.h"
#include "hinge/ground/reference_grounder.h"
#include "hinge/ground/write_ground_rules.h"

namespace sorites {
namespace {

// The first random rules that compile.
Program random_rules(RandomProgram& random, std::size_t count = 1, bool quantified = false) {
  Program program;
  program.predicates = RandomProgram::predicates();
  while (program.rules.size() < count) random.add_rule(program, quantified);
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

constexpr GroundPlan kPlans[] = {
    GroundPlan::kCheapest, GroundPlan::kParts, GroundPlan::kWhole, GroundPlan::kAllBindings};

// What is ground is what the definition says; the number of terms.
std::size_t expect_definition(const Program& program, const Database& database, unsigned seed) {
  const auto mode = seed % 3 == 0 ? OnMissingTarget::kZero : OnMissingTarget::kSkip;
  ReferenceGrounder reference(program, database, mode);
  const std::vector<PlainTerm> expected = reference.ground();
  for (const GroundPlan plan : kPlans) {
    GroundOptions options{.threads = 2, .on_missing_target = mode, .plan = plan};
    GroundReport report;
    const Model model = ground(program, database, options, &report);
    const std::vector<PlainTerm> actual = plain_terms(model, database);
    const std::string which = fmt::format("seed {}, plan {}\n", seed, static_cast<int>(plan));
    EXPECT_EQ(describe(actual), describe(expected)) << which << to_text(program);
    EXPECT_EQ(report.rules[0].terms, actual.size());
    EXPECT_EQ(report.rules[0].missing, reference.num_missing()) << which << to_text(program);
    options.threads = 1;
    EXPECT_TRUE(same_bytes(model, ground(program, database, options)));
  }
  return expected.size();
}

// From no target at all to nothing but targets.
double target_share(unsigned seed) { return (seed % 11) / 10.0; }

TEST(Ground, AgreesWithTheDefinitionOnRandomPrograms) {
  int with_terms = 0;
  std::uint64_t terms = 0;
  for (unsigned seed = 0; seed < 5000 && !HasFailure(); ++seed) {
    RandomProgram random(seed);
    const Program program = random_rules(random);
    const Database database = random.database(program.predicates, target_share(seed));
    const std::size_t found = expect_definition(program, database, seed);
    with_terms += found == 0 ? 0 : 1;
    terms += found;
  }
  EXPECT_GT(with_terms, 1000);  // the programs do something
  EXPECT_GT(terms, 10000U);
}

// With more data than the definition can take, so that costs differ and choices are made.
TEST(Ground, GivesTheSameTermsWithEveryPlan) {
  int cheaper = 0;
  for (unsigned seed = 0; seed < 300 && !HasFailure(); ++seed) {
    RandomProgram random(seed);
    const Program program = random_rules(random, 3);
    const Database database = random.database(program.predicates, target_share(seed), 10);
    const auto mode = seed % 3 == 0 ? OnMissingTarget::kZero : OnMissingTarget::kSkip;
    std::string all;
    std::uint64_t num_bindings = 0;
    for (const GroundPlan plan : {GroundPlan::kAllBindings,
                                  GroundPlan::kParts,
                                  GroundPlan::kWhole,
                                  GroundPlan::kCheapest}) {
      GroundReport report;
      const GroundOptions options{.threads = 2, .on_missing_target = mode, .plan = plan};
      const Model model = ground(program, database, options, &report);
      std::string text = describe(plain_terms(model, database));
      std::uint64_t bindings = 0;
      for (const GroundCounts& counts : report.rules) {
        text += fmt::format("terms {}, missing {}\n", counts.terms, counts.missing);
        bindings += counts.terms + counts.missing + counts.observed + counts.satisfied;
      }
      if (plan == GroundPlan::kAllBindings) {
        all = text;
        num_bindings = bindings;
      }
      EXPECT_EQ(text, all) << "seed " << seed << ", plan " << static_cast<int>(plan) << "\n"
                           << to_text(program);
      cheaper += plan == GroundPlan::kCheapest && bindings < num_bindings ? 1 : 0;
    }
  }
  EXPECT_GT(cheaper, 50);
}

TEST(Ground, AgreesWithTheDefinitionOnRandomQuantifiers) {
  int existential = 0, counted = 0;
  for (unsigned seed = 0; seed < 3000 && !HasFailure(); ++seed) {
    RandomProgram random(seed);
    const Program program = random_rules(random, 1, true);
    const Database database = random.database(program.predicates, target_share(seed));
    if (expect_definition(program, database, seed) == 0) continue;
    const auto& formula = std::get<LogicalRule>(program.rules[0].body).formula;
    const auto form = lang::clause_form(formula, program.predicates).form.value();
    for (const auto& clause : form.clauses) {
      for (const auto& part : clause.existentials) ++(part.literal.negated ? counted : existential);
    }
  }
  EXPECT_GT(existential, 300);
  EXPECT_GT(counted, 100);
}

// ---- Metamorphic tests: changes of the input that must not change the model, up to order ----

struct Case {
  Program program;
  Database database;
};

Case random_case(unsigned seed, std::size_t num_rules = 3) {
  RandomProgram random(seed);
  Program program = random_rules(random, num_rules);
  Database database = random.database(program.predicates);
  return {std::move(program), std::move(database)};
}

std::vector<PlainTerm> terms_of(const Program& program, const Database& database) {
  return plain_terms(
      ground(program, database, {.threads = 2, .on_missing_target = OnMissingTarget::kSkip}),
      database);
}

// All rows of a database, as add() takes them.
struct Row {
  Partition partition;
  PredicateId predicate;
  std::vector<std::string> arguments;
  double value;
};

std::vector<Row> rows_of(const Database& database) {
  std::vector<Row> rows;
  for (PredicateId p = 0; p < database.predicates().size(); ++p) {
    for (const Partition partition : {Partition::kObserved, Partition::kTarget}) {
      const Table& table = database.relation(p).table(partition);
      for (std::uint32_t r = 0; r < table.num_rows; ++r) {
        rows.push_back({partition, p, database.arguments(p, {partition, r}), table.value(r)});
      }
    }
  }
  return rows;
}

Database database_of(const std::vector<Predicate>& predicates, const std::vector<Row>& rows) {
  Database database(predicates);
  for (const Row& row : rows) {
    const std::vector<std::string_view> arguments(row.arguments.begin(), row.arguments.end());
    database.add(row.partition, predicates[row.predicate].name, arguments, row.value);
  }
  return database;
}

constexpr unsigned kCases = 300;

TEST(GroundMetamorphic, ReorderingRowsChangesNothing) {
  for (unsigned seed = 0; seed < kCases; ++seed) {
    const Case original = random_case(seed);
    std::vector<Row> rows = rows_of(original.database);
    std::shuffle(rows.begin(), rows.end(), std::mt19937(seed));
    const Database shuffled = database_of(original.program.predicates, rows);
    ASSERT_EQ(describe(terms_of(original.program, shuffled)),
              describe(terms_of(original.program, original.database)))
        << to_text(original.program);
  }
}

TEST(GroundMetamorphic, RenamingConstantsRenamesAtoms) {
  const auto renamed = [](const std::string& text, ConstantType type) {
    return type == ConstantType::kText ? "z" + text : text;  // keeps the order, for `%`
  };
  for (unsigned seed = 0; seed < kCases; ++seed) {
    const Case original = random_case(seed);
    std::vector<Row> rows = rows_of(original.database);
    for (Row& row : rows) {
      const auto& types = original.program.predicates[row.predicate].types;
      for (std::size_t i = 0; i < types.size(); ++i) {
        row.arguments[i] = renamed(row.arguments[i], constant_type(types[i]));
      }
    }
    std::string rules = to_text(original.program);
    for (const char* constant : {"a", "b", "c", "d"}) {
      for (std::size_t at = 0;
           (at = rules.find(fmt::format("'{}'", constant), at)) != std::string::npos;) {
        rules.insert(at + 1, "z");
      }
    }
    Program program;
    program.predicates = original.program.predicates;
    add_rules(program, rules);
    auto expected = terms_of(original.program, original.database);
    for (PlainTerm& term : expected) {
      for (auto* atoms : {&term.atoms, &term.outputs}) {
        std::map<std::string, double> names;
        for (const auto& [name, c] : *atoms) {
          std::string text;
          std::size_t field = 0;
          for (const char ch : name) {
            text += ch;
            const bool letter_follows =
                ch == '|' && field + 1 < name.size() && std::isalpha(name[field + 1]) != 0;
            if (letter_follows) text += 'z';
            ++field;
          }
          names[text] = c;
        }
        *atoms = names;
      }
    }
    std::sort(expected.begin(), expected.end());
    ASSERT_EQ(describe(terms_of(program, database_of(program.predicates, rows))),
              describe(expected))
        << rules;
  }
}

TEST(GroundMetamorphic, RenamingVariablesChangesNothing) {
  for (unsigned seed = 0; seed < kCases; ++seed) {
    Case original = random_case(seed);
    const auto expected = terms_of(original.program, original.database);
    for (Rule& rule : original.program.rules) {
      for (Variable& variable : rule.variables) variable.name = "V_" + variable.name;
    }
    Program program;
    program.predicates = original.program.predicates;
    add_rules(program, to_text(original.program));
    ASSERT_EQ(describe(terms_of(program, original.database)), describe(expected));
  }
}

TEST(GroundMetamorphic, ReorderingRulesReordersTerms) {
  for (unsigned seed = 0; seed < kCases; ++seed) {
    Case original = random_case(seed);
    auto expected = terms_of(original.program, original.database);
    std::reverse(original.program.rules.begin(), original.program.rules.end());
    for (PlainTerm& term : expected) term.rule = 2 - term.rule;
    std::sort(expected.begin(), expected.end());
    ASSERT_EQ(describe(terms_of(original.program, original.database)), describe(expected));
  }
}

TEST(GroundMetamorphic, ReorderingOrRepeatingLiteralsChangesNothing) {
  int changed = 0;
  for (unsigned seed = 0; seed < 2 * kCases; ++seed) {
    Case original = random_case(seed);
    const auto expected = terms_of(original.program, original.database);
    for (Rule& rule : original.program.rules) {
      auto* logical = std::get_if<LogicalRule>(&rule.body);
      if (logical == nullptr || logical->formula.kind != FormulaKind::kImplies) continue;
      Formula& body = logical->formula.operands[0];
      if (body.kind != FormulaKind::kAnd) continue;
      std::reverse(body.operands.begin(), body.operands.end());
      body.operands.push_back(body.operands.front());
      ++changed;
    }
    ASSERT_EQ(describe(terms_of(original.program, original.database)), describe(expected))
        << to_text(original.program);
  }
  EXPECT_GT(changed, 100);
}

TEST(GroundMetamorphic, SplittingADataFileChangesNothing) {
  const auto folder =
      std::filesystem::temp_directory_path() / fmt::format("sorites_{}", ::getpid());
  std::filesystem::create_directory(folder);
  for (unsigned seed = 0; seed < 50; ++seed) {
    const Case original = random_case(seed);
    std::vector<DataFile> whole, split;
    const auto write = [&](const Row& row, const std::string& part, std::vector<DataFile>& files) {
      const auto name =
          fmt::format("{}_{}_{}.tsv", row.predicate, static_cast<int>(row.partition), part);
      const std::string path = folder / name;
      const bool is_new = std::none_of(
          files.begin(), files.end(), [&](const DataFile& file) { return file.path == path; });
      if (is_new) files.push_back({row.predicate, row.partition, path, {}});
      std::ofstream out(path, is_new ? std::ios::trunc : std::ios::app);
      for (const std::string& argument : row.arguments) out << argument << "\t";
      out << row.value << "\n";
    };
    const std::vector<Row> rows = rows_of(original.database);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      write(rows[i], "all", whole);
      write(rows[i], i % 2 == 0 ? "even" : "odd", split);
    }
    const auto& predicates = original.program.predicates;
    const auto expected = describe(terms_of(original.program, original.database));
    ASSERT_EQ(describe(terms_of(original.program, load_database(predicates, whole))), expected);
    ASSERT_EQ(describe(terms_of(original.program, load_database(predicates, split))), expected);
  }
  std::filesystem::remove_all(folder);
}

// ---- Single facts ----

Program two_predicates(std::string_view rules) {
  Program program;
  const std::vector<ArgumentType> pair(2, ArgumentType::kUniqueStringId);
  program.predicates = {{.name = "Link", .types = pair},
                        {.name = "Knows", .types = pair, .open = true}};
  add_rules(program, rules, "test.rules");
  return program;
}

TEST(Ground, CountsMissingAtomsAndNamesTheFirst) {
  const Program program = two_predicates("1: Knows(A, B) & Link(B, C) -> Knows(A, C)");
  Database database(program.predicates);
  database.add(Partition::kTarget, "Knows", {"a", "b"});
  for (const char* who : {"c", "d", "e"}) database.add(Partition::kObserved, "Link", {"b", who});
  try {
    ground(program, database);
    FAIL() << "expected InputError";
  } catch (const InputError& error) {
    const Diagnostic& diagnostic = error.diagnostics().at(0);
    EXPECT_EQ(diagnostic.code, "missing-target");
    EXPECT_EQ(diagnostic.span.line, 1U);
    EXPECT_EQ(diagnostic.message,
              "3 ground rules need an atom that is neither observed nor a target: "
              "Knows('a', 'c'), Knows('a', 'd'), Knows('a', 'e')");
  }
  EXPECT_EQ(ground(program, database, {.on_missing_target = OnMissingTarget::kSkip}).num_terms(),
            0U);
  EXPECT_EQ(ground(program, database, {.on_missing_target = OnMissingTarget::kZero}).num_terms(),
            3U);
}

TEST(Ground, CountsAMissingAtomThatIsTheOnlyUnknownOne) {
  const Program program = two_predicates("1: Link(A, B) & Link(C, A) -> Knows(A, B)");
  Database database(program.predicates);
  database.add(Partition::kTarget, "Knows", {"b", "a"});
  for (const char* who : {"b", "c", "d"}) database.add(Partition::kObserved, "Link", {who, "a"});
  database.add(Partition::kObserved, "Link", {"a", "b"});
  GroundReport report;
  const Model model =
      ground(program, database, {.on_missing_target = OnMissingTarget::kSkip}, &report);
  EXPECT_EQ(model.num_terms(), 1U);  // of Knows(b, a)
  EXPECT_EQ(report.rules[0].missing, 3U);
  EXPECT_EQ(report.rules[0].missing_examples, std::vector<std::string>{"Knows('a', 'b')"});
  EXPECT_THROW(ground(program, database), InputError);
  EXPECT_EQ(ground(program, database, {.on_missing_target = OnMissingTarget::kZero}).num_terms(),
            1U);
}

TEST(Ground, NamesMissingAtomsOfConstantsThatNoDataHas) {
  const Program program = two_predicates("1: Knows('ann', 'bob')");
  Database database(program.predicates);
  database.add(Partition::kTarget, "Knows", {"ann", "cid"});
  GroundReport report;
  ground(program, database, {.on_missing_target = OnMissingTarget::kSkip}, &report);
  EXPECT_EQ(report.rules[0].missing_examples, std::vector<std::string>{"Knows('ann', 'bob')"});
}

TEST(WriteGroundRules, TakesTimeThatGrowsWithTheirNumber) {
  const Program program = two_predicates("1: Knows(A, B)");
  const auto seconds = [&](int count) {
    Database database(program.predicates);
    for (int i = 0; i < count; ++i) {
      database.add(Partition::kTarget, "Knows", {"a", std::to_string(i)});
    }
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 3; ++i) {
      std::ostringstream out;
      const std::clock_t start = std::clock();
      write_ground_rules(program, database, {.threads = 1}, out);
      least = std::min(least, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    }
    return least;
  };
  // Eight times as many: 64 times as long, if it grew with the square.
  EXPECT_LT(seconds(40'000), 25.0 * seconds(5'000) + 0.02);
}

// However little a rule can be violated, its weight may be large.
TEST(Ground, KeepsSoftRulesOfSmallCoefficients) {
  const Program program = two_predicates("1000000000000: 0.0000000001 * Knows(A, B) <= 0");
  Database database(program.predicates);
  database.add(Partition::kTarget, "Knows", {"a", "b"});
  EXPECT_EQ(ground(program, database).num_terms(), 1U);
}

TEST(Ground, KeepsHardRulesThatObservationsAloneBreak) {
  const Program program =
      two_predicates("Link(A, B) -> Link(B, A) .\nLink(A, B) + Knows(A, B) <= 1.5 .");
  Database database(program.predicates);
  database.add(Partition::kTarget, "Knows", {"a", "d"});
  database.add(Partition::kObserved, "Link", {"a", "b"}, 0.9);
  database.add(Partition::kObserved, "Link", {"b", "a"}, 0.6);
  database.add(Partition::kObserved, "Link", {"c", "a"}, 0.6);
  database.add(Partition::kObserved, "Link", {"a", "c"}, 0.59999);  // data are rounded
  database.add(Partition::kObserved, "Knows", {"a", "b"}, 0.7);
  const Model model = ground(program, database, {.on_missing_target = OnMissingTarget::kSkip});
  std::vector<double> broken;
  for (const TermBlock& block : model.blocks) {
    for (std::size_t t = 0; block.width() == 0 && t < block.num_terms; ++t) {
      broken.push_back(block.offset_of(t));
    }
  }
  ASSERT_EQ(broken.size(), 2U);
  EXPECT_NEAR(broken[0], 0.3, 1e-12);
  EXPECT_NEAR(broken[1], 0.1, 1e-12);
}

// max(0, Link(a, b) + Link(b, a) - 1 - sum over y of Knows(a, y)), where the sum may be empty.
TEST(Ground, ExistentialHeadsAreSumsOverTheDomain) {
  const Program program =
      two_predicates("1: Knows(A, B) & Link(A, B) -> exists Y: Knows(B, Y) & Y != A");
  Database database(program.predicates);
  for (const char* who : {"b", "d"}) {
    database.add(Partition::kObserved, "Link", {"a", who}, 0.75);
    database.add(Partition::kTarget, "Knows", {"a", who});
  }
  for (const char* who : {"a", "c", "d"}) database.add(Partition::kTarget, "Knows", {"b", who});
  const auto terms = plain_terms(ground(program, database), database);
  ASSERT_EQ(terms.size(), 2U);
  EXPECT_EQ(
      terms[0].atoms,
      (std::map<std::string, double>{{"Knows|a|b", 1}, {"Knows|b|c", -1}, {"Knows|b|d", -1}}));
  EXPECT_EQ(terms[0].offset, -0.25);
  EXPECT_EQ(terms[1].atoms, (std::map<std::string, double>{{"Knows|a|d", 1}}));
  EXPECT_EQ(terms[1].offset, -0.25);
}

TEST(Ground, VariablesOfQuantifiersTakeAllConstants) {
  const Program program = two_predicates("1: forall A: Link(A, 'a') | Knows('a', 'b')");
  Database database(program.predicates);
  database.add(Partition::kObserved, "Link", {"c", "a"});
  database.add(Partition::kTarget, "Knows", {"a", "b"});
  GroundReport report;
  EXPECT_EQ(ground(program, database, {}, &report).num_terms(), 2U);  // for a and b
  EXPECT_EQ(report.rules[0].satisfied, 1U);                           // for c
  EXPECT_EQ(estimate(program, database).rules[0].reason,
            "no atom binds `A`: it takes all 3 constants of its domain");
}

TEST(Ground, StopsWhenAsked) {
  const Program program = two_predicates("1: Link(A, B) -> Knows(A, B)");
  Database database(program.predicates);
  database.add(Partition::kObserved, "Link", {"a", "b"});
  std::stop_source source;
  source.request_stop();
  EXPECT_THROW(ground(program, database, {.stop = source.get_token()}), Interrupted);
}

TEST(Ground, DoesNotPassThroughAnIntermediateResultLargerThanTheOutput) {
  // All links go through one hub: a plan of binary joins would visit every pair of its neighbours.
  const Program program = two_predicates("1: Link(A, B) & Link(B, C) & Link(A, C) -> Knows(A, C)");
  Database database(program.predicates);
  constexpr int kNeighbours = 20'000;
  for (int i = 0; i < kNeighbours; ++i) {
    const std::string in = "i" + std::to_string(i), out = "o" + std::to_string(i);
    database.add(Partition::kObserved, "Link", {in, "hub"});
    database.add(Partition::kObserved, "Link", {"hub", out});
  }
  database.add(Partition::kObserved, "Link", {"i7", "o9"});
  database.add(Partition::kTarget, "Knows", {"i7", "o9"});
  GroundReport report;
  EXPECT_EQ(ground(program, database, {}, &report).num_terms(), 1U);
  EXPECT_LT(report.seconds, 2.0);  // 400 million pairs would take far longer
}

TEST(WriteGroundRules, PrintsPslsFormat) {
  const Program program = two_predicates(
      "4: Link(A, B) -> Knows(A, B) ^2\n2: 2 * Knows(A, B) - Knows(B, A) <= 0.5\nKnows(A, +B) = 1 "
      ".");
  Database database(program.predicates);
  database.add(Partition::kObserved, "Link", {"a", "it's"}, 0.5);
  database.add(Partition::kTarget, "Knows", {"a", "it's"});
  database.add(Partition::kTarget, "Knows", {"it's", "a"});
  std::ostringstream out;
  write_ground_rules(program, database, {}, out);
  EXPECT_EQ(out.str(),
            "Weight\tSquared?\tRule\n"
            "1.0\ttrue\t( ~( LINK('a', 'it\\'s') ) | KNOWS('a', 'it\\'s') )\n"
            "0.5\tfalse\t2.0 * KNOWS('it\\'s', 'a') + -1.0 * KNOWS('a', 'it\\'s') <= 0.5\n"
            "0.5\tfalse\t2.0 * KNOWS('a', 'it\\'s') + -1.0 * KNOWS('it\\'s', 'a') <= 0.5\n"
            ".\tfalse\t1.0 * KNOWS('a', 'it\\'s') = 1.0\n"
            ".\tfalse\t1.0 * KNOWS('it\\'s', 'a') = 1.0\n");
}

TEST(Estimate, IsExactWhereTimeAllows) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Case original = random_case(seed);
    const GroundOptions options{.on_missing_target = OnMissingTarget::kSkip};
    GroundReport report;
    const Model model = ground(original.program, original.database, options, &report);
    const Forecast forecast = estimate(original.program, original.database, options, 10.0);
    EXPECT_EQ(forecast.atoms, static_cast<double>(model.num_atoms));
    for (std::size_t r = 0; r < report.rules.size(); ++r) {
      EXPECT_TRUE(forecast.rules[r].exact);
      EXPECT_EQ(forecast.rules[r].terms, static_cast<double>(report.rules[r].terms));
    }
  }
}

TEST(Estimate, ForecastsACrossProductWithoutMakingIt) {
  const Program program = two_predicates("1: Link(A, B) & Link(C, D) -> Knows(A, C)");
  Database database(program.predicates);
  constexpr int kRows = 3000;
  for (int i = 0; i < kRows; ++i) {
    const std::string from = std::to_string(i), to = std::to_string(i + 1);
    database.add(Partition::kObserved, "Link", {from, to});
    database.add(Partition::kTarget, "Knows", {"0", from});
  }
  const GroundOptions options{.on_missing_target = OnMissingTarget::kZero};
  const Forecast forecast = estimate(program, database, options, 0.05);
  EXPECT_LT(forecast.seconds, 2.0);
  EXPECT_NE(forecast.rules[0].reason.find("cross product"), std::string::npos)
      << forecast.rules[0].reason;
}

// Numbers of predicates would be taken for those of others, or of none.
TEST(Ground, RefusesADatabaseOfOtherPredicates) {
  const Program program = two_predicates("1: Link(A, B) -> Knows(A, B)");
  std::vector<Predicate> fewer = program.predicates;
  fewer.pop_back();
  for (const std::vector<Predicate>& predicates : {std::vector<Predicate>{}, fewer}) {
    Database database(predicates);
    Model model;
    EXPECT_THROW(ground(program, database), std::invalid_argument);
    EXPECT_THROW(estimate(program, database), std::invalid_argument);
    EXPECT_THROW(update(program, database, model, {}), std::invalid_argument);
  }
}

}  // namespace
}  // namespace sorites
