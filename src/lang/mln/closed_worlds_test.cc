#include "lang/mln/closed_worlds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lang/mln/test_programs.h"

namespace sorites::markov {
namespace {

using ::testing::HasSubstr;

// Names of the predicates that are closed, and what was said.
struct Guess {
  std::string closed, said;
  LoadedProgram loaded;
};
Guess guess_of(const ProgramTexts& texts) {
  ReadProgram read = read_texts(texts);
  Diagnostics sink;
  guess_closed_worlds(read.loaded.program, read.loaded.database, sink);
  Guess result{{}, {}, std::move(read.loaded)};
  for (const Predicate& predicate : result.loaded.program.predicates) {
    if (!predicate.open) result.closed += predicate.name + " ";
  }
  for (const Diagnostic& diagnostic : sink.take_sorted()) result.said += render(diagnostic);
  return result;
}

const ProgramTexts kFamily{"father(p, p)\nmale(p)\nchild(p, p)\n",
                           "1 father(x, y) => male(x)\n1 child(x, y) => father(y, x)\n",
                           "father(A, B)\nfather(A, C)\n",
                           "male(A)\n!male(B)\n"};

TEST(GuessedWorlds, CloseWhatIsToldAndNotAskedFor) {
  const Guess guess = guess_of(kFamily);
  EXPECT_EQ(guess.closed, "father ");
  EXPECT_THAT(guess.said, HasSubstr("what no fact tells of `father` is taken as false"));
}

TEST(GuessedWorlds, AreNotGuessedWhereTheTextSaysOrNothingIsAsked) {
  ProgramTexts declared = kFamily, asked_for_all = kFamily;
  declared.declarations = "father(p, p)\nmale(p)\n*child(p, p)\n";
  asked_for_all.queries = "";
  EXPECT_EQ(guess_of(declared).closed, "child ");
  EXPECT_EQ(guess_of(asked_for_all).closed, "");
  EXPECT_EQ(guess_of(asked_for_all).said, "");
}

TEST(GuessedWorlds, StayOpenWhereAFactIsFalseOrAnAtomHasAPotential) {
  ProgramTexts denied = kFamily, scored = kFamily;
  denied.facts += "!father(B, C)\n";
  scored.unaries = "father(B, C) 0.5\n";
  EXPECT_EQ(guess_of(denied).closed, "");
  EXPECT_EQ(guess_of(scored).closed, "");
}

// Four of five students have a phase; the fifth has one that nobody told.
TEST(GuessedWorlds, LeaveAttributesOpenOfThoseThatHaveNone) {
  const Guess guess =
      guess_of({"phase(student, level)\npasses(student)\n",
                "1 phase(x, Late) => passes(x)\n",
                "phase(A, Early)\nphase(B, Late)\nphase(C, Early)\nphase(D, Late)\n",
                "passes(A)\npasses(E)\n"});
  EXPECT_EQ(guess.closed, "");
  EXPECT_THAT(guess.said, HasSubstr("`phase` is taken as missing"));
  const Table& facts = guess.loaded.database.relation(0).table(Partition::kObserved);
  EXPECT_EQ(facts.num_rows, 8U);  // the other value of those that have one is false
  double sum = 0.0;
  for (std::size_t row = 0; row < facts.num_rows; ++row) sum += facts.value(row);
  EXPECT_EQ(sum, 4.0);
}

}  // namespace
}  // namespace sorites::markov
