// The data sets that Markov logic is measured by read whole. They are not part of the repository:
// the folder is SORITES_SHARED, and without it there is nothing to test.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "lang/mln/test_programs.h"

namespace sorites::markov {
namespace {

namespace fs = std::filesystem;

fs::path shared_folder(const char* name) {
  const char* shared = std::getenv("SORITES_SHARED");
  return fs::path(shared == nullptr ? "" : shared) / "data" / "logicmp" / name;
}

ReadProgram read_folder(const fs::path& folder) {
  Diagnostics sink;
  LoadedProgram loaded = read_mln(folder.string(), "", sink);
  return {std::move(loaded), sink.take_sorted()};
}

// Lines that say something; no atom stands twice in these files.
std::size_t num_lines(const fs::path& path) {
  std::ifstream file(path);
  std::size_t count = 0;
  for (std::string line; std::getline(file, line);) count += line.empty() ? 0 : 1;
  return count;
}

std::size_t num_lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(SharedMarkovData, HasTheCountsOfItsFiles) {
  const fs::path root = shared_folder("");
  if (!fs::is_directory(root)) GTEST_SKIP() << "SORITES_SHARED has no data/logicmp";
  int num_folders = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (!entry.is_directory() || !fs::exists(entry.path() / "predicates")) continue;
    SCOPED_TRACE(entry.path().string());
    const ReadProgram model = read_folder(entry.path());
    EXPECT_EQ(model.program().predicates.size(), num_lines(entry.path() / "predicates"));
    EXPECT_EQ(num_lines_of(facts_text(model.database())), num_lines(entry.path() / "facts"));
    EXPECT_EQ(num_lines_of(queries_text(model.database(), QueryStyle::kWithTruth)),
              num_lines(entry.path() / "queries"));
    EXPECT_EQ(model.program().rules.size(), num_lines(entry.path() / "rules"));
    for (const Diagnostic& diagnostic : model.diagnostics) {
      EXPECT_EQ(diagnostic.code, "unknown-constant") << render(diagnostic);
    }
    ++num_folders;
  }
  EXPECT_GT(num_folders, 0);
}

TEST(SharedMarkovData, OfCoraHasOneWeightPerWord) {
  const fs::path folder = shared_folder("cora/S1");
  if (!fs::is_directory(folder)) GTEST_SKIP() << "SORITES_SHARED has no data/logicmp";
  const Program program = read_folder(folder).loaded.program;
  std::vector<std::string> domains;
  for (std::size_t d = builtin_domains().size(); d < program.domains.size(); ++d) {
    domains.push_back(program.domains[d].name);
  }
  ASSERT_EQ(domains.size(), 5U);
  EXPECT_EQ(domains[0], "bib");
  EXPECT_EQ(domains[4], "word");
  int num_weighted = 0;
  for (const Rule& rule : program.rules) {
    if (rule.weighted.empty()) continue;
    ++num_weighted;
    ASSERT_EQ(rule.weighted.size(), 1U);
    EXPECT_EQ(program.domains[rule.variables[rule.weighted[0]].domain].name, "word") << rule.text;
  }
  EXPECT_EQ(num_weighted, 18);
}

}  // namespace
}  // namespace sorites::markov
