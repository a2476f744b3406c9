// A folder to run the program in, for its tests.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>

namespace sorites {

struct Outcome {
  int exit_code = 0;
  std::string out, err;
};

// What the programs that a test ran took of processors: a machine that is busy does not change it.
inline double processor_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& time) {
    constexpr double kMicrosecond = 1e-6;  // in seconds
    return static_cast<double>(time.tv_sec) + kMicrosecond * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

class ProgramFolder : public testing::Test {
 protected:
  ProgramFolder() { std::filesystem::create_directories(folder_); }
  ~ProgramFolder() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }

  std::string read(const std::string& name) const {
    std::ifstream file(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

  // A shell line in the folder, with `sorites` as the program.
  Outcome run(const std::string& arguments) const {
    const std::string command = fmt::format(
        "cd '{}' && '{}' {} >out.txt 2>err.txt", folder_.string(), SORITES_PROGRAM, arguments);
    const int status = std::system(command.c_str());
    return {WEXITSTATUS(status), read("out.txt"), read("err.txt")};
  }

  // The same, interrupted (Ctrl-C) once `is_time` says so; by itself it ends after a minute.
  Outcome run_and_interrupt(const std::string& arguments,
                            const std::function<bool()>& is_time) const {
    const std::string command = fmt::format(
        "cd '{}' && exec '{}' {} >out.txt 2>err.txt", folder_.string(), SORITES_PROGRAM, arguments);
    const pid_t child = ::fork();
    if (child == 0) {
      ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
      ::_exit(127);
    }
    int status = 0;
    for (int wait = 0; wait < 6000 && !is_time(); ++wait) {
      ::usleep(10000);
      if (::waitpid(child, &status, WNOHANG) == child) {
        return {WEXITSTATUS(status), read("out.txt"), read("err.txt")};
      }
    }
    ::kill(child, SIGINT);
    ::waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read("out.txt"), read("err.txt")};
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / fmt::format("sorites_cli_{}", ::getpid());
};

}  // namespace sorites
