// The data sets that Markov logic is measured by read whole. They are not part of the repository:
// the folder is SORITES_SHARED, and without it there is nothing to test.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "sorites/markov.h"

namespace sorites {
namespace {

namespace fs = std::filesystem;

// Lines that say something; no atom stands twice in these files.
std::size_t num_lines(const fs::path& path) {
  std::ifstream file(path);
  std::size_t count = 0;
  for (std::string line; std::getline(file, line);) count += line.empty() ? 0 : 1;
  return count;
}

std::size_t num_atoms(const std::vector<MarkovAtoms>& atoms) {
  std::size_t count = 0;
  for (const MarkovAtoms& of_predicate : atoms) count += of_predicate.size();
  return count;
}

TEST(SharedMarkovData, HasTheCountsOfItsFiles) {
  const char* shared = std::getenv("SORITES_SHARED");
  const fs::path root = fs::path(shared == nullptr ? "" : shared) / "data" / "logicmp";
  if (!fs::is_directory(root)) GTEST_SKIP() << "SORITES_SHARED has no data/logicmp";
  int num_folders = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (!entry.is_directory() || !is_markov_folder(entry.path())) continue;
    SCOPED_TRACE(entry.path().string());
    std::vector<Diagnostic> warnings;
    const MarkovModel model = read_markov(entry.path(), {}, &warnings);
    EXPECT_EQ(model.predicates.size(), num_lines(entry.path() / "predicates"));
    EXPECT_EQ(num_atoms(model.facts), num_lines(entry.path() / "facts"));
    EXPECT_EQ(num_atoms(model.queries), num_lines(entry.path() / "queries"));
    EXPECT_EQ(model.formulas.size(), num_lines(entry.path() / "rules"));
    for (const Diagnostic& warning : warnings) {
      EXPECT_EQ(warning.code, "unknown-constant") << render(warning);
    }
    ++num_folders;
  }
  EXPECT_GT(num_folders, 0);
}

TEST(SharedMarkovData, OfCoraHasOneWeightPerWord) {
  const char* shared = std::getenv("SORITES_SHARED");
  const fs::path folder = fs::path(shared == nullptr ? "" : shared) / "data/logicmp/cora/S1";
  if (!fs::is_directory(folder)) GTEST_SKIP() << "SORITES_SHARED has no data/logicmp";
  const MarkovModel model = read_markov(folder);
  ASSERT_EQ(model.types.size(), 5U);
  EXPECT_EQ(model.types[0].name, "bib");
  EXPECT_EQ(model.types[4].name, "word");
  const auto weighted = std::count_if(model.formulas.begin(),
                                      model.formulas.end(),
                                      [](const MarkovFormula& f) { return !f.weighted.empty(); });
  EXPECT_EQ(weighted, 18);
  for (const MarkovFormula& formula : model.formulas) {
    EXPECT_EQ(formula.clauses.size(), 1U) << formula.text;
    if (!formula.weighted.empty()) {
      EXPECT_EQ(formula.weights.size(), model.types[4].constants.size());
    }
  }
}

}  // namespace
}  // namespace sorites
