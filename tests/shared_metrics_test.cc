// The values at the optimum of the models that the project is measured by have the metrics that
// their reference results list. They are not part of the repository: the folder is SORITES_SHARED,
// and without it there is nothing to test.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "eval/results.h"
#include "modelfile/model_file.h"
#include "session/model_evaluation.h"
#include "sorites/evaluate.h"

namespace sorites {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// How the reference results call the metrics. Where values tie, theirs is the mean over all ways to
// break ties.
const std::map<std::string, std::string> kMetricNames = {
    {"MAE", "mae"},
    {"MSE", "mse"},
    {"RMSE", "rmse"},
    {"Accuracy", "accuracy"},
    {"F1", "f1"},
    {"AUROC", "auroc"},
    {"CategoricalAccuracy", "categorical_accuracy_expected"},
    {"tied_items", "categorical_ties"}};

std::vector<AtomRange> ranges_of(const Database& database) {
  std::vector<AtomRange> ranges;
  std::uint32_t next = 0;
  for (PredicateId p = 0; p < database.predicates().size(); ++p) {
    const auto count =
        static_cast<std::uint32_t>(database.relation(p).table(Partition::kTarget).num_rows);
    if (count > 0) ranges.push_back({p, next, count});
    next += count;
  }
  return ranges;
}

// NAME.values.tsv as a folder of results: its first column is the predicate if there are several.
void write_as_results(const fs::path& values,
                      const Database& database,
                      std::span<const AtomRange> ranges,
                      const fs::path& folder) {
  fs::create_directories(folder);
  std::map<std::string, std::ofstream> files;
  std::ifstream file(values);
  for (std::string line; std::getline(file, line);) {
    std::string name = results_file_name(database.predicates()[ranges[0].predicate]);
    if (ranges.size() > 1) {
      const std::size_t tab = line.find('\t');
      name = line.substr(0, tab) + ".txt";
      line.erase(0, tab + 1);
    }
    auto [entry, is_new] = files.try_emplace(name);
    if (is_new) entry->second.open(folder / name);
    entry->second << line << "\n";
  }
}

// Returns how many were compared.
int compare(const EvaluationResult& result, const Json& golden) {
  int compared = 0;
  for (const Metric& metric : result.metrics) {
    for (const auto& [name, value] : golden.items()) {
      const auto known = kMetricNames.find(name);
      if (known == kMetricNames.end() || known->second != metric.name) continue;
      EXPECT_NEAR(metric.value, value.get<double>(), 1.5e-6) << metric.name;
      ++compared;
    }
  }
  return compared;
}

TEST(SharedMetrics, AreThoseOfTheReferenceResults) {
  const char* setting = std::getenv("SORITES_SHARED");
  const fs::path shared = setting == nullptr ? fs::path() : fs::path(setting);
  if (!fs::is_directory(shared / "golden"))
    GTEST_SKIP() << "SORITES_SHARED names no folder with reference results";
  const fs::path scratch =
      fs::temp_directory_path() / ("sorites_metrics_" + std::to_string(::getpid()));
  int compared = 0;
  for (const auto& entry : fs::directory_iterator(shared / "golden")) {
    const fs::path values = fs::path(entry.path()).replace_extension("values.tsv");
    const fs::path model_path = shared / "models" / entry.path().filename();
    if (entry.path().extension() != ".json" || !fs::exists(values) || !fs::exists(model_path)) {
      continue;
    }
    SCOPED_TRACE(entry.path().filename().string());
    const Json golden = Json::parse(std::ifstream(entry.path()))["metrics_at_optimum"];
    const LoadedModel model = load_model(read_model(model_path), Phase::kInfer);
    const auto ranges = ranges_of(model.database);
    const fs::path folder = scratch / entry.path().stem();
    write_as_results(values, model.database, ranges, folder);
    const auto truth = read_results(folder, model.database, ranges);
    for (const EvaluationResult& result : evaluate_model(model, ranges, truth)) {
      std::string name = results_file_name(model.database.predicates()[result.predicate]);
      name.erase(name.rfind('.'));
      compared += compare(result, golden.contains(name) ? golden[name] : golden);
    }
  }
  fs::remove_all(scratch);
  EXPECT_GT(compared, 0);
}

}  // namespace
}  // namespace sorites
