// Writing and reading the values of a million targets.
#include <benchmark/benchmark.h>

#include <filesystem>
#include <random>
#include <string>

#include "eval/results.h"
#include "sorites/evaluate.h"

namespace sorites {
namespace {

constexpr std::uint32_t kNumTargets = 1000000;

struct Million {
  Million() : database({{.name = "P", .types = {2, ArgumentType::kUniqueStringId}, .open = true}}) {
    std::mt19937 random(1);
    for (std::uint32_t i = 0; i < kNumTargets; ++i) {
      const std::string left = "user" + std::to_string(i / 100), right = std::to_string(i % 100);
      database.add(Partition::kTarget, "P", {left, right});
      truth.push_back(std::uniform_real_distribution<double>(0, 1)(random));
    }
    folder = (std::filesystem::temp_directory_path() / "sorites_results_benchmark").string();
  }
  ~Million() { std::filesystem::remove_all(folder); }
  Million(const Million&) = delete;
  Million& operator=(const Million&) = delete;

  Database database;
  std::vector<double> truth;
  const std::vector<AtomRange> ranges = {{0, 0, kNumTargets}};
  std::string folder;
};

void count_rows(benchmark::State& state) {
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * kNumTargets);
}

void write(benchmark::State& state) {
  const Million million;
  for ([[maybe_unused]] auto _ : state) {
    write_results(million.folder, million.database, million.ranges, million.truth);
  }
  count_rows(state);
}
BENCHMARK(write)->Unit(benchmark::kMillisecond);

void read(benchmark::State& state) {
  const Million million;
  write_results(million.folder, million.database, million.ranges, million.truth);
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(read_results(million.folder, million.database, million.ranges));
  }
  count_rows(state);
}
BENCHMARK(read)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sorites

BENCHMARK_MAIN();
