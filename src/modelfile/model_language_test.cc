// Model files in both languages, to programs and databases.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lang/mln/data_printer.h"
#include "lang/mln/program_printer.h"
#include "modelfile/class_rows.h"
#include "modelfile/compile_model.h"
#include "modelfile/finish_diagnostics.h"
#include "modelfile/options.h"

namespace sorites {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct ReadModel {
  ModelDraft draft;
  Program program;
  Database database;
  std::string said;
};

// Without the data files that the model names; rows are added after the declarations.
ReadModel read(const std::string& text, Phase phase = Phase::kInfer) {
  Diagnostics sink;
  ModelDraft draft = parse_model(
      "model.json",
      text,
      ConfigFormat::kJson,
      [](const std::string&, std::string&) { return std::string("there are no files here"); },
      sink);
  Program program = declare_program(draft.model, phase, settings_of(draft.model, phase));
  Database database(program.predicates, program.domains);
  add_model_rules(draft, phase, program, database, sink);
  add_model_unaries(draft, phase, program, database, sink);
  std::string said;
  for (const Diagnostic& diagnostic : finish_diagnostics(draft.model, sink)) {
    said += render(diagnostic);
  }
  return {std::move(draft), std::move(program), std::move(database), said};
}

constexpr const char* kMarkov = R"json({
  "language": "mln", "semantics": "markov-logic",
  "predicates": {
    "smokes": {"types": ["person"]},
    "friend/2": {"types": ["person", "person"], "world": "closed"},
    "label/1": {"types": ["Person2"], "classes": ["RL", "ML"]}
  },
  "domains": {"person": ["Ann", "Bob"]},
  "rules": ["-1.5 smokes(x) ^ friend(x, y) => (EXISTS z smokes(z))", "[1, 2] smokes(+x)"],
  "unaries": ["smokes(Ann) 1.25"],
  "learn": {"rules": ["1 smokes(x)", "2 !smokes(x)"]},
  "infer": {"rules": ["3 label(x) = RL"], "unaries": ["label(P) = ML -2"]}
})json";

TEST(ModelLanguage, OfMarkovLogicMakesAProgram) {
  const ReadModel model = read(kMarkov);
  EXPECT_EQ(model.said, "");
  EXPECT_EQ(model.draft.model.language, Language::kMln);
  EXPECT_EQ(model.draft.model.semantics, "markov-logic");
  EXPECT_EQ(markov::rules_text(model.program, &model.database),
            "-1.5 smokes(x) ^ friend(x, y) => (EXISTS z smokes(z))\n[1, 2] smokes(+x)\n"
            "3 label(x) = RL\n");
  EXPECT_EQ(markov::declarations_text(model.program, &model.database),
            "person = {Ann, Bob}\nPerson2 = {P, ...}\nsmokes(person)\n*friend(person, person)\n"
            "label(Person2) in {RL, ML}\n");
  EXPECT_TRUE(model.program.predicates[0].open_world);
  EXPECT_FALSE(model.program.predicates[1].open);
  EXPECT_EQ(markov::unaries_text(model.database), "smokes(Ann) 1.25\nlabel(P) = ML -2\n");
}

TEST(ModelLanguage, NumbersRulesTheSameInEveryPhase) {
  const auto ids = [](Phase phase) {
    std::vector<RuleId> result;
    for (const Rule& rule : read(kMarkov, phase).program.rules) result.push_back(rule.id);
    return result;
  };
  EXPECT_THAT(ids(Phase::kLearn), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(ids(Phase::kValidation), ElementsAre(0, 1));
  EXPECT_THAT(ids(Phase::kInfer), ElementsAre(0, 1, 4));
  const std::string psl = R"json({"predicates": {"A/1": {}, "B/1": {"force-open": true}},
      "rules": ["1: A(X) -> B(X)"], "learn": {"rules": ["1: B(X) -> A(X)", "1: B(X)"]},
      "infer": {"rules": ["2: !B(X)"]}})json";
  EXPECT_THAT(read(psl, Phase::kLearn).program.rules[2].id, 2U);
  EXPECT_THAT(read(psl, Phase::kInfer).program.rules[1].id, 3U);
}

TEST(ModelLanguage, OfPslHasDomainsClassesAndWorlds) {
  const ReadModel model = read(R"json({
    "domains": {"person": ["Ann"], "word": null},
    "predicates": {
      "Knows": {"types": ["person", "person"], "world": "open"},
      "Topic/1": {"types": ["word"], "classes": ["A", "B"], "targets": [["w", "A"]]},
      "Age/2": {"types": ["person", "INTEGER"]}
    },
    "rules": ["1: Age(P, '007') & Knows(P, Q) -> Knows(Q, P)", "1: Topic(W, 'A') -> Topic(W, 'B')"]
  })json");
  EXPECT_EQ(model.said, "");
  const auto& predicates = model.program.predicates;
  EXPECT_TRUE(predicates[0].open && predicates[0].open_world);
  EXPECT_THAT(predicates[0].domains, ElementsAre(3, 3));
  EXPECT_TRUE(predicates[1].has_classes && predicates[1].open && !predicates[1].open_world);
  EXPECT_THAT(predicates[1].domains, ElementsAre(4, 5));
  EXPECT_EQ(model.program.domains[5].name, "Topic");
  EXPECT_THAT(predicates[2].domains, ElementsAre(3, 1));
  EXPECT_FALSE(predicates[2].open);
}

TEST(ModelLanguage, GoesWithEachSemantics) {
  const auto with = [](const std::string& semantics) {
    return read(R"json({"language": "mln", "semantics": ")json" + semantics +
                R"json(", "predicates": {"p": {"types": ["t"]}}, "rules": ["-1 p(x)"]})json");
  };
  // A negative weight is a matter of the semantics, which looks at it later.
  EXPECT_EQ(with("hinge").said, "");
  EXPECT_EQ(with("PSL").said, "");
  EXPECT_EQ(with("markov-logic").said, "");
  EXPECT_EQ(with("logic").draft.model.semantics, "logic");  // who opens it knows the names
  EXPECT_EQ(with("logic").draft.model.semantics_at.line, 1U);
  const ReadModel psl = read(R"json({"semantics": "markov-logic", "predicates": {"P/1": {}},
      "rules": ["-1: P(X) -> P('a')"]})json");
  EXPECT_EQ(psl.said, "");
  EXPECT_EQ(psl.program.rules[0].weight, -1.0);
}

TEST(ModelLanguage, IsHintedAtWhereARuleIsAFormula) {
  const ReadModel model =
      read(R"json({"predicates": {"p/1": {}}, "rules": ["1.5 p(x) ^ p(y) => p(z)"]})json");
  EXPECT_THAT(model.said, HasSubstr("add \"language\": \"mln\""));
}

TEST(ModelLanguage, ReportsMistakesOfItsParts) {
  const auto said = [](const std::string& members) {
    return read("{" + members + R"json(, "rules": ["1: P(X)"]})json").said;
  };
  EXPECT_THAT(
      said(R"json("predicates": {"P/1": {"types": ["persn"]}}, "domains": {"person": []})json"),
      HasSubstr("did you mean `person`?"));
  EXPECT_THAT(said(R"json("predicates": {"P/1": {"classes": ["A"]}})json"),
              HasSubstr("at least two"));
  EXPECT_THAT(said(R"json("predicates": {"P/1": {"classes": ["A", "B"], "world": "closed"}})json"),
              HasSubstr("cannot be closed"));
  EXPECT_THAT(said(R"json("predicates": {"P/1": {"world": "closed", "targets": [["a"]]}})json"),
              HasSubstr("none of its atoms can be unknown"));
  EXPECT_THAT(said(R"json("predicates": {"P/1": {}}, "domains": {"integer": []})json"),
              HasSubstr("no name for a domain"));
  EXPECT_THAT(said(R"json("predicates": {"P/1": {}}, "language": "prolog")json"),
              HasSubstr("`language` is `psl` or `mln`"));
}

TEST(ModelLanguage, TakesOneFormulaPerString) {
  const auto said = [](const std::string& rule) {
    return read(R"json({"language": "mln", "semantics": "markov-logic",
        "predicates": {"p": {"types": ["t"]}}, "rules": [")json" +
                rule + R"json("]})json")
        .said;
  };
  EXPECT_THAT(said("1 p(x)\\n1 p(y)"), HasSubstr("[several-rules]"));
  EXPECT_THAT(said(""), HasSubstr("[no-rules]"));
  EXPECT_EQ(said("1 *p(x)"), "");
}

TEST(ClassRows, AreCompletedAndContradictionsReported) {
  ReadModel model = read(R"json({"predicates": {"T/1": {"classes": ["A", "B", "C"],
      "targets": [["w", "A"]]}}, "rules": ["1: T(X, 'A') -> T(X, 'B')"]})json");
  model.database.add(Partition::kObserved, "T", {"v", "A"});
  model.database.add(Partition::kTarget, "T", {"w", "B"});
  Diagnostics sink;
  settle_class_rows(model.database, sink);
  EXPECT_FALSE(sink.has_errors());
  EXPECT_EQ(markov::queries_text(model.database, markov::QueryStyle::kAsQuestions), "?T(w)\n");
  EXPECT_EQ(model.database.relation(0).table(Partition::kTarget).num_rows, 3U);
  model.database.add(Partition::kObserved, "T", {"v", "C"});
  settle_class_rows(model.database, sink);
  ASSERT_EQ(sink.num_errors(), 1U);
  EXPECT_EQ(sink.all()[0].message, "`T(v)` is `C` here, but `A` before");
}

TEST(ModelLanguage, TakesNamesOfPredicateOptionsInAnyCase) {
  const ReadModel model = read(R"json({"predicates": {
      "P/1": {"options": {"Integer": "TRUE"}, "force-open": true}}, "rules": ["1: P(X)"]})json");
  EXPECT_EQ(model.said, "");
  EXPECT_THAT(model.draft.model.predicates[0].options,
              ElementsAre(std::pair<const std::string, std::string>("integer", "true")));
}

}  // namespace
}  // namespace sorites
