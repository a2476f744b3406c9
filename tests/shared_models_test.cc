// The models that the project is measured by give the ground terms that their reference results
// list. They are not part of the repository: the folder is SORITES_SHARED, and without it there is
// nothing to test.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "modelfile/model_file.h"
#include "sorites/ground.h"

namespace sorites {
namespace {

namespace fs = std::filesystem;

TEST(SharedModels, HaveTheTermsOfTheirReferenceResults) {
  const char* folder = std::getenv("SORITES_SHARED");
  const fs::path shared = folder == nullptr ? fs::path() : fs::path(folder);
  if (!fs::is_directory(shared / "models"))
    GTEST_SKIP() << "SORITES_SHARED names no folder with models";
  int compared = 0;
  for (const auto& entry : fs::directory_iterator(shared / "models")) {
    const fs::path golden_path = shared / "golden" / entry.path().filename();
    if (entry.path().extension() != ".json" || !fs::exists(golden_path)) continue;
    SCOPED_TRACE(entry.path().filename().string());
    const auto golden = nlohmann::json::parse(std::ifstream(golden_path));
    const LoadedModel loaded = load_model(read_model(entry.path()), Phase::kInfer);
    GroundReport report;
    const Model model = ground(loaded.program, loaded.database, {}, &report);
    EXPECT_EQ(model.num_atoms, golden["atoms"]);
    EXPECT_EQ(model.num_terms(), golden["terms_clean"]);
    ASSERT_EQ(report.rules.size(), golden["terms_per_rule"].size());
    std::uint64_t never_violated = 0;
    for (std::size_t r = 0; r < report.rules.size(); ++r) {
      const std::uint64_t with_those = golden["terms_per_rule"][r];
      EXPECT_LE(report.rules[r].terms, with_those) << "rule " << r;
      never_violated += with_those - report.rules[r].terms;
    }
    EXPECT_EQ(never_violated, golden["never_violated"]);
    ++compared;
  }
  EXPECT_GT(compared, 0);
}

}  // namespace
}  // namespace sorites
