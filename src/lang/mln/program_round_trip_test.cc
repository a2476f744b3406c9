// Random programs of Markov logic, written and read again.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <filesystem>

#include "lang/mln/test_programs.h"

namespace sorites::markov {
namespace {

std::string pick(std::initializer_list<std::string> choices) {
  return *rc::gen::elementOf(std::vector<std::string>(choices));
}

std::string some_term() { return pick({"x", "y", "z", "v", "+z", "A", "B", "\"c d\"", "7"}); }

std::string some_atom() {
  switch (*rc::gen::inRange(0, 7)) {
    case 0:
      return fmt::format("smokes({})", some_term());
    case 1:
      return fmt::format("friend({}, {})", some_term(), some_term());
    case 2:
      return fmt::format("label({}) = {}", some_term(), pick({"RL", "ML", "DB", "c"}));
    case 3:
      return fmt::format("label({}) != {}", some_term(), pick({"RL", "\"a b\"", "+c"}));
    case 4:
      return fmt::format("label({}) in {{RL, DB}}", some_term());
    case 5:
      return fmt::format("x {} {}", pick({"=", "!="}), pick({"y", "z", "A", "\"c d\""}));
    default:
      return fmt::format("kind({}, {})", some_term(), pick({"Cat", "Dog", "k", "+k"}));
  }
}

// Every variable has its domain wherever a quantifier binds it.
std::string some_formula(int depth) {
  switch (depth == 0 ? 8 : *rc::gen::inRange(0, 10)) {
    case 0:
      return fmt::format("({} => {})", some_formula(depth - 1), some_formula(depth - 1));
    case 1:
      return fmt::format("({} <=> {})", some_formula(depth - 1), some_formula(depth - 1));
    case 2:
      return fmt::format("({} ^ {})", some_formula(depth - 1), some_formula(depth - 1));
    case 3:
    case 4:
      return fmt::format("({} v {})", some_formula(depth - 1), some_formula(depth - 1));
    case 5:
      return fmt::format("!({})", some_formula(depth - 1));
    case 6:
      return fmt::format("(EXISTS y friend(x, y) ^\n {})", some_formula(depth - 1));
    case 7:
      return fmt::format("(FORALL x, y friend(x, y) => {})", some_formula(depth - 1));
    default:
      return some_atom();
  }
}

std::string some_statement() {
  const std::string formula =
      fmt::format("friend(x, y) v smokes(z) v smokes(v) v {}", some_formula(3));
  const std::string order = pick({"", "", "FORALL z, x "});
  if (*rc::gen::inRange(0, 4) == 0) return order + formula + ".\n";
  return fmt::format("{} {}{}\n", pick({"1.5", "-2", "0.1", "1e-7", "3e20"}), order, formula);
}

ProgramTexts some_texts() {
  ProgramTexts texts;
  texts.declarations =
      "*smokes(person)\nfriend(person, person)\nlabel(person) in {RL, ML, \"a b\", DB}\n"
      "kind(person, species!)\n";
  texts.facts =
      "smokes(A)\n!friend(A, B)\nfriend(\"c d\", A)\nlabel(A) = ML\nkind(A, Dog)\nkind(B, Cat)\n"
      "smokes(x)\n?friend(7, B)\n";
  texts.queries = "friend(A, A)\n!friend(B, B)\nlabel(B) = DB\nlabel(\"c d\")\n?kind(7)\n";
  texts.unaries = "friend(B, A) -1.25\nlabel(\"c d\") = \"a b\" 1e-7\nkind(B, Cat) 0.1\n";
  const int num_formulas = *rc::gen::inRange(1, 5);
  for (int i = 0; i < num_formulas; ++i) texts.formulas += some_statement();
  if (*rc::gen::inRange(0, 2) == 0) {
    texts.formulas +=
        "[1, 2, 3, 4, 5] smokes(+z)\n[0, 1, 2, 3, 4, 5, 6, 7, 8, 9] FORALL s, x kind(+x, +s)\n";
  }
  return texts;
}

// All constants of the database as if they were listed.
Program with_all_constants(Program program, const Database& database) {
  for (DomainId d = 3; d < program.domains.size(); ++d) {
    program.domains[d].constants.clear();
    for (Code code = 0; code < database.dictionary(d).size(); ++code) {
      program.domains[d].constants.push_back(database.dictionary(d).text(code));
    }
  }
  return program;
}

std::string data_text(const Database& database) {
  return facts_text(database) + queries_text(database, QueryStyle::kAsQuestions) +
         unaries_text(database);
}

// Formulas at random may be true by their form.
std::string mistakes(const ReadProgram& read) {
  std::string text;
  for (const Diagnostic& one : read.diagnostics) {
    if (one.code != info(DiagnosticCode::kAlwaysSatisfied).name) text += render(one);
  }
  return text;
}

RC_GTEST_PROP(MlnProgramText, ReadsAsTheSameProgram, ()) {
  const ProgramTexts texts = some_texts();
  const ReadProgram read = read_texts(texts);
  RC_LOG() << texts.formulas << read.rendered();
  // `+z` may stand where a quantifier binds nothing of it, so there is nothing to say.
  RC_ASSERT(mistakes(read).empty());
  const ReadProgram again = read_texts({declarations_text(read.program(), &read.database()),
                                        read.rules(),
                                        facts_text(read.database()),
                                        queries_text(read.database(), QueryStyle::kWithTruth),
                                        unaries_text(read.database())});
  RC_LOG() << read.rules() << again.rendered();
  RC_ASSERT(mistakes(again).empty());
  RC_ASSERT(again.rules() == read.rules());
  RC_ASSERT(again.program() == with_all_constants(read.program(), read.database()));
  RC_ASSERT(data_text(again.database()) == data_text(read.database()));
}

TEST(MlnFiles, AreWrittenAndReadInBothForms) {
  const std::string folder = testing::TempDir() + "mln_files";
  std::filesystem::remove_all(folder);
  const ReadProgram model = read_texts(
      {"smokes(person)\nfriend(person, person)\nlabel(person) in {RL, ML}\n*likes(person, word)\n",
       "[0.5, -1, 2e-3] likes(x, +w) => label(x) = RL\n-0.25 friend(x, y) ^ x != y\n"
       "smokes(x) <=> smokes(y).\n",
       "likes(a, one)\nlikes(a, two)\nlikes(b, 3)\nfriend(\"x y\", a)\nlabel(a) = ML\n",
       "smokes(a)\n!smokes(b)\nlabel(b) = RL\n?friend(a, b)\n",
       "smokes(b) 0.7\nlabel(b) = ML -2\n"});
  ASSERT_EQ(model.rendered(), "");
  const Program expected = with_all_constants(model.program(), model.database());
  write_mln(model.program(), model.database(), {}, folder);
  write_mln(model.program(), model.database(), {}, folder + "/model.mln");
  Diagnostics sink;
  const LoadedProgram from_folder = read_mln(folder, "", sink);
  const LoadedProgram from_pair = read_mln(folder + "/model.mln", folder + "/model.db", sink);
  for (const Diagnostic& diagnostic : sink.all()) ADD_FAILURE() << render(diagnostic);
  for (const LoadedProgram* read : {&from_folder, &from_pair}) {
    EXPECT_TRUE(read->program == expected);
    EXPECT_EQ(data_text(read->database), data_text(model.database()));
  }
  read_mln(folder + "/nothing.mln", folder + "/none.db", sink);
  EXPECT_EQ(sink.num_errors(), 2U);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace sorites::markov
