// Integer inference on the tasks of joint reasoning under hard rules, against the same program
// handed to CBC whole.
//
//   integer_benchmark DATA [SAMPLES]
//
// DATA holds sudoku/sudoku17.tsv.gz, pathfinding/mazes32_test.tsv and road-r/requirements.cnf. One
// line per task: milliseconds per sample, the median over the samples solved one by one on two
// threads; the same with CBC alone, over a tenth of them; how many were proved optimal. Both must
// agree.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>
#include <stdexcept>

#include "data/sources/file_bytes.h"
#include "hinge/integer/cbc_alone.h"
#include "hinge/integer/integer.h"
#include "joint_models.h"

namespace sorites {
namespace {

constexpr double kNoise = 1.5;  // of digits: about one in fifty is read wrongly

double milliseconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

double median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// False if the answers differ.
bool time_task(const std::string& name,
               std::size_t samples,
               const std::function<Model(std::size_t)>& make) {
  constexpr double kYardstickSeconds = 20.0;
  ThreadPool pool(2);
  std::vector<double> own, yardstick;
  std::size_t num_optimal = 0;
  bool agree = true;
  for (std::size_t s = 0; s < samples; ++s) {
    const Model model = make(s);
    Parameters parameters;
    for (const GroundRule& rule : model.rules) parameters.weights.push_back(rule.weight);
    SolveOptions options;
    options.integer = {{0, 0, static_cast<std::uint32_t>(model.num_atoms)}};
    Solution solution;
    own.push_back(
        milliseconds_of([&] { solution = solve_integer(model, parameters, options, pool); }));
    num_optimal += solution.status == SolveStatus::kOptimal ? 1 : 0;
    if (s % 10 != 0) continue;
    CbcAnswer answer;
    yardstick.push_back(milliseconds_of([&] {
      answer = solve_by_cbc_alone(model, parameters, options.integer, kYardstickSeconds);
    }));
    const double size = std::max(1.0, std::abs(answer.objective));
    agree = agree && (answer.status != BranchStatus::kSolved ||
                      std::abs(answer.objective - solution.objective) <= 1e-3 * size);
  }
  fmt::print("| {} | {} | {:.3f} | {:.3f} | {:.1f} x | {} | {} |\n",
             name,
             samples,
             median(own),
             median(yardstick),
             median(yardstick) / median(own),
             num_optimal,
             agree ? "yes" : "NO");
  std::fflush(stdout);
  return agree;
}

std::vector<std::pair<std::string, std::string>> read_puzzles(const std::string& path) {
  const OpenedFile packed = open_file(path);
  if (!packed.error.empty()) throw std::runtime_error(path + ": " + packed.error);
  const OpenedFile file = unpack_gzip(packed.bytes.view());
  if (!file.error.empty()) throw std::runtime_error(path + ": " + file.error);
  std::istringstream lines{std::string(file.bytes.view().substr(0, 100'000))};
  std::vector<std::pair<std::string, std::string>> puzzles;
  std::string clues, solution;
  while (lines >> clues >> solution && solution.size() == 81) puzzles.emplace_back(clues, solution);
  return puzzles;
}

std::vector<std::vector<int>> read_clauses(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::vector<std::vector<int>> clauses;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == 'p' || line[0] == 'c') continue;
    std::istringstream words(line);
    std::vector<int>& clause = clauses.emplace_back();
    for (int literal = 0; words >> literal && literal != 0;) clause.push_back(literal);
  }
  return clauses;
}

// From the cell that is farthest from the goal, over cells that come nearer.
Grid read_maze(const std::string& line, Random& random) {
  std::istringstream words(line);
  std::string cells, distances;
  std::size_t row = 0, column = 0;
  words >> cells >> row >> column;
  std::getline(words, distances);
  std::replace(distances.begin(), distances.end(), ',', ' ');
  std::istringstream numbers(distances);
  std::vector<int> distance;
  for (int d = 0; numbers >> d;) distance.push_back(d);
  Grid grid{32, std::vector<char>(1024, 0), {}, 0, 32 * row + column};
  for (std::size_t k = 0; k < 1024; ++k) grid.is_free[k] = cells[k] == '.' && distance[k] >= 0;
  grid.from = static_cast<std::size_t>(std::max_element(distance.begin(), distance.end()) -
                                       distance.begin());
  std::vector<std::size_t> path{grid.from};
  while (path.back() != grid.to) {
    const int y = static_cast<int>(path.back() / 32), x = static_cast<int>(path.back() % 32);
    std::size_t best = path.back();
    for (int d = 0; d < 9; ++d) {
      const int r = y + d / 3 - 1, c = x + d % 3 - 1;
      if (r < 0 || c < 0 || r >= 32 || c >= 32) continue;
      const auto k = static_cast<std::size_t>(32 * r + c);
      if (grid.is_free[k] != 0 && distance[k] < distance[best]) best = k;
    }
    path.push_back(best);
  }
  set_scores(grid, path, random);
  return grid;
}

bool run(const std::string& data, std::size_t samples) {
  fmt::print(
      "| task | samples | ms per sample | CBC alone | ratio | optimal | agree |\n"
      "| --- | --- | --- | --- | --- | --- | --- |\n");
  Random random(11);
  const auto puzzles = read_puzzles(data + "/sudoku/sudoku17.tsv.gz");
  bool agree = time_task("sudoku, 30 noisy clues", samples, [&](std::size_t s) {
    return noisy_sudoku(puzzles.at(s).second, kNoise, random);
  });
  agree &= time_task("sudoku, 17 exact clues", samples, [&](std::size_t s) {
    return sudoku_model({puzzles.at(s).first});
  });
  agree &= time_task("MNIST-Add4, sum observed", samples, [&](std::size_t) {
    return addition_of_four(kNoise, random);
  });
  agree &= time_task(
      "path 12x12", samples, [&](std::size_t) { return path_model(open_grid(12, random)); });
  std::ifstream mazes(data + "/pathfinding/mazes32_test.tsv");
  agree &= time_task("maze 32x32", std::min<std::size_t>(samples, 100), [&](std::size_t) {
    std::string line;
    std::getline(mazes, line);
    return path_model(read_maze(line, random));
  });
  const auto clauses = read_clauses(data + "/road-r/requirements.cnf");
  return agree & time_task("ROAD-R box", 10 * samples, [&](std::size_t) {
           return box_model(clauses, 41, random);
         });
}

}  // namespace
}  // namespace sorites

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: integer_benchmark DATA [SAMPLES]\n");
    return 2;
  }
  const std::size_t samples = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 100;
  try {
    return sorites::run(argv[1], samples) ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "integer_benchmark: {}\n", error.what());
    return 1;
  }
}
