// Runs `sorites check --print` in every folder tests/language/AREA/CASE, or the command line in its
// file `command`, and compares what it says.
//
//   language_test PROGRAM FOLDER [--update]
//
// A case holds its input: model.json, model.yaml, or program.rules with a program.data of its own
// or the predicates.data of its area. A case with a file `predicates` or model.mln (and perhaps
// data.db) is Markov logic, which is read by itself and written as text. expected.out is what the
// program must print; expected.err is what it must say about the input. The exit code must be that
// of the file exit_code; without one, 0 if there is an expected.out and 2 if not. --update writes
// both outputs anew.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "base/diagnostic_code.h"

namespace sorites {
namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void write_or_remove(const fs::path& path, const std::string& text) {
  if (text.empty()) {
    fs::remove(path);
  } else {
    std::ofstream(path, std::ios::binary) << text;
  }
}

struct Outcome {
  int exit_code = 0;
  std::string out, err;
};

std::string arguments_of(const fs::path& folder) {
  if (fs::exists(folder / "command")) {
    std::string arguments = read_file(folder / "command");
    while (arguments.ends_with('\n')) arguments.pop_back();
    return arguments;
  }
  for (const char* name : {"model.json", "model.yaml"}) {
    if (fs::exists(folder / name)) return fmt::format("check {} --print", name);
  }
  if (fs::exists(folder / "predicates")) return "check . --print";
  if (fs::exists(folder / "model.mln")) {
    return fmt::format("check model.mln {} --print",
                       fs::exists(folder / "data.db") ? "--data data.db" : "");
  }
  const bool own = fs::exists(folder / "program.data");
  // Rules are shown with little data: atoms that they need and nobody lists are not the point.
  return fmt::format("check program.rules --data {} --print -D pam.throw=false",
                     own ? "program.data" : "../predicates.data");
}

Outcome run_case(const std::string& program, const fs::path& folder) {
  const fs::path err_path = fs::temp_directory_path() / fmt::format("sorites_{}.err", ::getpid());
  const std::string command = fmt::format("cd '{}' && '{}' {} 2>'{}'",
                                          folder.string(),
                                          program,
                                          arguments_of(folder),
                                          err_path.string());
  Outcome outcome;
  FILE* pipe = ::popen(command.c_str(), "r");
  std::array<char, 4096> buffer{};
  for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    outcome.out.append(buffer.data(), n);
  }
  outcome.exit_code = WEXITSTATUS(::pclose(pipe));
  outcome.err = read_file(err_path);
  fs::remove(err_path);
  return outcome;
}

class LanguageCase : public testing::Test {
 public:
  LanguageCase(std::string program, fs::path folder, bool update)
      : program_(std::move(program)), folder_(std::move(folder)), update_(update) {}

  void TestBody() override {
    const Outcome outcome = run_case(program_, folder_);
    if (update_) {
      write_or_remove(folder_ / "expected.out", outcome.out);
      write_or_remove(folder_ / "expected.err", outcome.err);
      return;
    }
    EXPECT_EQ(outcome.out, read_file(folder_ / "expected.out"));
    EXPECT_EQ(outcome.err, read_file(folder_ / "expected.err"));
    EXPECT_EQ(outcome.exit_code, expected_exit_code());
  }

 private:
  int expected_exit_code() const {
    if (fs::exists(folder_ / "exit_code")) return std::stoi(read_file(folder_ / "exit_code"));
    return fs::exists(folder_ / "expected.out") ? 0 : 2;
  }

  std::string program_;
  fs::path folder_;
  bool update_;
};

// Every diagnostic code stands in some expected.err.
class EveryDiagnosticHasACase : public testing::Test {
 public:
  explicit EveryDiagnosticHasACase(std::vector<fs::path> folders) : folders_(std::move(folders)) {}

  void TestBody() override {
    std::string all;
    for (const fs::path& folder : folders_) all += read_file(folder / "expected.err");
    for (const DiagnosticInfo& info : kDiagnosticInfos) {
      // It takes two thousand million rows; src/data/sources/load_test.cc shows it with a lower
      // limit.
      if (info.code == DiagnosticCode::kTooManyRows) continue;
      // Hinge-loss semantics refuses it; src/hinge/lower/lower_test.cc shows it.
      if (info.code == DiagnosticCode::kUnaryPotential) continue;
      // It takes torch; apps/cli/network_command_test.cc shows it.
      if (info.code == DiagnosticCode::kUntrainedNetwork) continue;
      EXPECT_NE(all.find(fmt::format("[{}]\n", info.name)), std::string::npos) << info.name;
    }
  }

 private:
  std::vector<fs::path> folders_;
};

std::vector<fs::path> find_cases(const fs::path& root) {
  std::set<fs::path> cases;
  for (const auto& area : fs::directory_iterator(root)) {
    if (!area.is_directory()) continue;
    for (const auto& entry : fs::directory_iterator(area)) {
      if (entry.is_directory()) cases.insert(entry.path());
    }
  }
  return {cases.begin(), cases.end()};
}

void register_cases(const std::string& program, const fs::path& root, bool update) {
  const std::vector<fs::path> cases = find_cases(root);
  for (const fs::path& folder : cases) {
    const std::string area = folder.parent_path().filename(), name = folder.filename();
    testing::RegisterTest(
        area.c_str(), name.c_str(), nullptr, nullptr, __FILE__, __LINE__, [=]() -> testing::Test* {
          return new LanguageCase(program, folder, update);
        });
  }
  testing::RegisterTest("diagnostics",
                        "every_one_has_a_case",
                        nullptr,
                        nullptr,
                        __FILE__,
                        __LINE__,
                        [=]() -> testing::Test* { return new EveryDiagnosticHasACase(cases); });
}

}  // namespace
}  // namespace sorites

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() < 2) {
    fmt::print(stderr, "usage: language_test PROGRAM FOLDER [--update]\n");
    return 2;
  }
  const bool update = arguments.size() > 2 && arguments[2] == "--update";
  sorites::register_cases(std::filesystem::absolute(arguments[0]), arguments[1], update);
  return RUN_ALL_TESTS();
}
