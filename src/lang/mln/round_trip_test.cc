// Random models, written and read again.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <filesystem>

#include "lang/mln/printer.h"
#include "lang/mln/test_texts.h"

namespace sorites::markov {
namespace {

template <class T>
T one_of(std::initializer_list<T> choices) {
  return *rc::gen::elementOf(std::vector<T>(choices));
}

std::string term() {
  return one_of<std::string>({"x", "y", "z", "v", "+x", "+y", "A", "B", "\"c d\"", "7"});
}

std::string random_atom() {
  switch (*rc::gen::inRange(0, 7)) {
    case 0:
      return fmt::format("smokes({})", term());
    case 1:
      return fmt::format("friend({}, {})", term(), term());
    case 2:
      return fmt::format("label({}) = {}", term(), one_of<std::string>({"RL", "ML", "DB", "c"}));
    case 3:
      return fmt::format("label({}) != {}", term(), one_of<std::string>({"RL", "\"a b\"", "+c"}));
    case 4:
      return fmt::format("label({}) in {{RL, DB}}", term());
    case 5:
      return fmt::format("x {} {}", one_of<std::string>({"=", "!="}), term());
    default:
      return fmt::format("kind({}, {})", term(), one_of<std::string>({"Cat", "Dog", "k", "+k"}));
  }
}

std::string random_formula(int depth) {
  switch (depth == 0 ? 6 : *rc::gen::inRange(0, 8)) {
    case 0:
      return fmt::format("({} => {})", random_formula(depth - 1), random_formula(depth - 1));
    case 1:
      return fmt::format("({} <=> {})", random_formula(depth - 1), random_formula(depth - 1));
    case 2:
      return fmt::format("({} ^ {})", random_formula(depth - 1), random_formula(depth - 1));
    case 3:
    case 4:
      return fmt::format("({} v {})", random_formula(depth - 1), random_formula(depth - 1));
    case 5:
      return fmt::format("!({})", random_formula(depth - 1));
    default:
      return random_atom();
  }
}

// Every variable has its type from the first atoms.
std::string random_statement() {
  const std::string formula =
      fmt::format("friend(x, y) v smokes(z) v smokes(v) v {}", random_formula(3));
  const std::string quantifier = one_of<std::string>({"", "", "FORALL y, x "});
  if (*rc::gen::inRange(0, 4) == 0) return quantifier + formula + ".\n";
  return fmt::format("{} {}{}\n", one_of<double>({1.5, -2, 0.1, 1e-7, 3e20}), quantifier, formula);
}

TestTexts random_texts() {
  TestTexts texts;
  texts.declarations =
      "*smokes(person)\nfriend(person, person)\nlabel(person) in {RL, ML, \"a b\", DB}\n"
      "kind(person, species!)\n";
  texts.facts =
      "smokes(A)\n!friend(A, B)\nfriend(\"c d\", A)\nlabel(A) = ML\nkind(A, Dog)\nkind(B, Cat)\n"
      "smokes(x)\n?friend(7, B)\n";
  texts.queries = "friend(A, A)\n!friend(B, B)\nlabel(B) = DB\nlabel(\"c d\")\n?kind(7)\n";
  texts.unaries = "friend(B, A) -1.25\nlabel(\"c d\") = \"a b\" 1e-7\nkind(B, Cat) 0.1\n";
  const int num_formulas = *rc::gen::inRange(1, 5);
  for (int i = 0; i < num_formulas; ++i) texts.formulas += random_statement();
  return texts;
}

RC_GTEST_PROP(MarkovText, ReadsAsTheSameFormulas, ()) {
  const TestTexts texts = random_texts();
  const TestResult read = compile_texts(texts);
  for (const Diagnostic& diagnostic : read.diagnostics) {
    // Much that is random is too long or says nothing.
    RC_ASSERT(diagnostic.code == "too-many-clauses" || diagnostic.code == "always-satisfied");
  }
  if (!read.model) return;
  const TestResult again = compile_texts({declarations_text(*read.model),
                                          formulas_text(*read.model),
                                          facts_text(*read.model),
                                          queries_text(*read.model, QueryStyle::kWithTruth),
                                          unaries_text(*read.model)});
  RC_ASSERT(again.rendered().empty());
  RC_LOG() << texts.formulas << formulas_text(*read.model);
  RC_ASSERT(same_model(*read.model, *again.model));
  RC_ASSERT(formulas_text(*again.model) == formulas_text(*read.model));
}

class MarkovFiles : public testing::Test {
 protected:
  MarkovFiles() : folder_(testing::TempDir() + "markov_files") {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~MarkovFiles() override { std::filesystem::remove_all(folder_); }

  static MarkovModel model() {
    TestResult read = compile_texts(
        {"smokes(person)\nfriend(person, person)\nlabel(person) in {RL, ML}\n*likes(person, "
         "word)\n",
         "[0.5, -1, 2e-3] likes(x, +w) => label(x) = RL\n-0.25 friend(x, y) ^ x != y\n"
         "smokes(x) <=> smokes(y).\n",
         "likes(a, one)\nlikes(a, two)\nlikes(b, 3)\nfriend(\"x y\", a)\nlabel(a) = ML\n",
         "smokes(a)\n!smokes(b)\nlabel(b) = RL\n?friend(a, b)\n",
         "smokes(b) 0.7\nlabel(b) = ML -2\n"});
    EXPECT_EQ(read.rendered(), "");
    return std::move(*read.model);
  }

  std::string folder_;
};

TEST_F(MarkovFiles, ReadAsTheSameModelFromAFolder) {
  const MarkovModel written = model();
  write_markov(written, folder_ + "/new/model");
  EXPECT_TRUE(is_markov_folder(folder_ + "/new/model"));
  std::vector<Diagnostic> warnings;
  EXPECT_TRUE(same_model(read_markov(folder_ + "/new/model", {}, &warnings), written));
  EXPECT_TRUE(warnings.empty());
}

TEST_F(MarkovFiles, ReadAsTheSameModelFromAPair) {
  const MarkovModel written = model();
  write_markov(written, folder_ + "/model.mln");
  EXPECT_FALSE(is_markov_folder(folder_));
  const MarkovModel read = read_markov(folder_ + "/model.mln", folder_ + "/model.db");
  EXPECT_TRUE(same_model(read, written));
  EXPECT_EQ(read.queries[0].values, (std::vector<std::uint32_t>{1, 0}));
}

TEST_F(MarkovFiles, ThatAreMissingAreNamed) {
  try {
    read_markov(folder_ + "/nothing.mln");
    FAIL();
  } catch (const IoError& error) {
    EXPECT_NE(std::string(error.what()).find("nothing.mln"), std::string::npos);
  }
  EXPECT_THROW(read_markov(folder_), IoError);
  EXPECT_THROW(write_markov(model(), "/proc/nowhere/model.mln"), IoError);
}

}  // namespace
}  // namespace sorites::markov
