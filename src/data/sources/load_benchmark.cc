// How fast data loads, into how much memory, and whether both grow with the rows:
//
//   load_benchmark [millions of rows, default 10] [threads, default 2]
//
// A program of its own and not a set of Google benchmarks: each case runs in a process of its own,
// since the peak of resident memory cannot be set back. Ends with 1 if a bar is missed.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/check.h"
#include "data/sources/load.h"
#include "sorites/database.h"

namespace sorites {
namespace {

constexpr double kMostSeconds = 3.0, kMostBytesPerRow = 40.0;  // of ten million rows, two threads
constexpr int kRepeats = 3;

struct Case {
  std::string name;
  std::size_t num_rows = 0;
  std::size_t num_ids = 0;  // distinct ones
  ArgumentType type = ArgumentType::kUniqueIntId;
};

struct Measured {
  double seconds = 0.0;
  double cpu_seconds = 0.0;         // of all threads: tells a slow loader from a busy machine
  double bytes_per_row = 0.0;       // of the database
  double peak_bytes_per_row = 0.0;  // of resident memory, above what it was before
};

// A permutation of the numbers of `bits` bits that looks random.
std::uint64_t scrambled(std::uint64_t x, unsigned bits) {
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  for (const std::uint64_t factor :
       {0x9E3779B97F4A7C15U, 0xD1B54A32D192ED03U, 0x8CB92BA72F3D8DD7U}) {
    x = (x * factor) & mask;
    x ^= x >> (bits / 2);
  }
  return x;
}

// Calls visit(first, second, value) with distinct pairs of ids.
template <class Visit>
void for_each_row(const Case& c, const Visit& visit) {
  const std::uint64_t num_pairs = std::uint64_t{c.num_ids} * c.num_ids;
  const auto bits = static_cast<unsigned>(std::bit_width(num_pairs));
  std::uint64_t next = 0;
  for (std::size_t row = 0; row < c.num_rows; ++row) {
    std::uint64_t pair = scrambled(next++, bits);
    while (pair >= num_pairs) pair = scrambled(next++, bits);
    visit(pair / c.num_ids, pair % c.num_ids, pair % 1000);
  }
}

void write_file(const std::string& path, const Case& c) {
  std::ofstream out(path, std::ios::binary);
  fmt::memory_buffer buffer;
  const bool text = c.type == ArgumentType::kUniqueStringId;
  const auto flush = [&] {
    out.write(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    buffer.clear();
  };
  for_each_row(c, [&](std::uint64_t first, std::uint64_t second, std::uint64_t value) {
    auto to = std::back_inserter(buffer);
    if (text) {
      fmt::format_to(to, "person-{}\tperson-{}\t0.{:03}\n", first, second, value);
    } else {
      fmt::format_to(to, "{}\t{}\t0.{:03}\n", first, second, value);
    }
    if (buffer.size() > 1'000'000) flush();
  });
  flush();
  SORITES_CHECK(out.flush().good(), "the temporary folder has room for the data");
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Usage {
  double cpu_seconds, peak_bytes;
};
Usage usage_so_far() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return {seconds(usage.ru_utime) + seconds(usage.ru_stime),
          1024.0 * static_cast<double>(usage.ru_maxrss)};
}

// Runs `work` and sets all but bytes_per_row.
Measured measured(const Case& c, const std::function<void()>& work) {
  const Usage before = usage_so_far();
  const auto start = std::chrono::steady_clock::now();
  work();
  Measured result;
  result.seconds = seconds_since(start);
  const Usage after = usage_so_far();
  result.cpu_seconds = after.cpu_seconds - before.cpu_seconds;
  result.peak_bytes_per_row =
      (after.peak_bytes - before.peak_bytes) / static_cast<double>(c.num_rows);
  return result;
}

// Every 1000th row must be there as it was written.
void check_rows(const Database& database, const Case& c) {
  const std::string prefix = c.type == ArgumentType::kUniqueStringId ? "person-" : "";
  const Table& table = database.relation(0).table(Partition::kObserved);
  SORITES_CHECK(table.num_rows == c.num_rows, "all rows are read");
  std::uint32_t row = 0;
  for_each_row(c, [&](std::uint64_t first, std::uint64_t second, std::uint64_t value) {
    if (row % 1000 == 0) {
      const std::vector<std::string> expected{prefix + std::to_string(first),
                                              prefix + std::to_string(second)};
      SORITES_CHECK(database.arguments(0, {Partition::kObserved, row}) == expected,
                    "the arguments");
      SORITES_CHECK(table.value(row) == static_cast<double>(value) / 1000.0, "the value");
    }
    ++row;
  });
}

Measured load(const std::string& path, const Case& c, unsigned threads) {
  const std::vector<DataFile> files{{0, Partition::kObserved, path, {}}};
  Predicate predicate;
  predicate.name = "Knows";
  predicate.types = {c.type, c.type};
  std::optional<Database> database;
  Measured result =
      measured(c, [&] { database = load_database({predicate}, files, {.threads = threads}); });
  result.bytes_per_row =
      static_cast<double>(database->memory_bytes()) / static_cast<double>(c.num_rows);
  check_rows(*database, c);
  return result;
}

// What a straightforward loader does: lines, fields, a hash map of strings.
Measured load_plainly(const std::string& path, const Case& c) {
  std::unordered_map<std::string, std::uint32_t> codes;
  std::vector<std::uint32_t> columns[2];
  std::vector<double> values;
  Measured result = measured(c, [&] {
    std::ifstream in(path);
    std::string line;
    while (std::getline(in, line)) {
      std::size_t begin = 0;
      for (auto& column : columns) {
        const std::size_t tab = line.find('\t', begin);
        const auto code = static_cast<std::uint32_t>(codes.size());
        column.push_back(codes.try_emplace(line.substr(begin, tab - begin), code).first->second);
        begin = tab + 1;
      }
      values.push_back(std::strtod(line.c_str() + begin, nullptr));
    }
  });
  SORITES_CHECK(values.size() == c.num_rows, "all rows are read");
  result.bytes_per_row = result.peak_bytes_per_row;
  return result;
}

Measured in_own_process(const std::function<Measured()>& measure) {
  int ends[2];
  SORITES_CHECK(pipe(ends) == 0, "there is a pipe");
  const pid_t child = fork();
  SORITES_CHECK(child >= 0, "there is a process");
  Measured measured;
  if (child == 0) {
    measured = measure();
    const bool sent = write(ends[1], &measured, sizeof measured) == sizeof measured;
    _exit(sent ? 0 : 1);
  }
  close(ends[1]);
  const bool received = read(ends[0], &measured, sizeof measured) == sizeof measured;
  close(ends[0]);
  waitpid(child, nullptr, 0);
  SORITES_CHECK(received, "the case came to its end");
  return measured;
}

Measured fastest(const std::function<Measured()>& measure) {
  Measured best = in_own_process(measure);
  for (int i = 1; i < kRepeats; ++i) {
    const Measured again = in_own_process(measure);
    if (again.seconds < best.seconds) best = again;
  }
  return best;
}

void print_row(const Case& c, const Measured& m) {
  fmt::print("{:<40} {:>9} {:>8.3f} {:>8.3f} {:>8.1f} {:>10.1f} {:>9.1f}\n",
             c.name,
             c.num_rows,
             m.seconds,
             m.cpu_seconds,
             1e9 * m.seconds / static_cast<double>(c.num_rows),
             m.bytes_per_row,
             m.peak_bytes_per_row);
  std::fflush(stdout);
}

int run(std::size_t num_rows, unsigned threads) {
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("sorites-{}", getpid());
  std::filesystem::create_directories(folder);
  const std::string path = (folder / "rows.tsv").string();
  fmt::print("loading on {} threads, the fastest of {} runs\n", threads, kRepeats);
  fmt::print("{:<40} {:>9} {:>8} {:>8} {:>8} {:>10} {:>9}\n",
             "case",
             "rows",
             "seconds",
             "cpu s",
             "ns/row",
             "bytes/row",
             "peak/row");

  const auto measure = [&](const Case& c) {
    write_file(path, c);
    const Measured m = fastest([&] { return load(path, c, threads); });
    print_row(c, m);
    return m;
  };
  const std::size_t yardstick_rows = std::max<std::size_t>(num_rows / 10, 1);
  const Case small{"two integer columns and a value", yardstick_rows, yardstick_rows / 10 + 2};
  const Measured fast = measure(small);
  const Case plain{"  the same by getline and unordered_map", small.num_rows, small.num_ids};
  const Measured slow = fastest([&] { return load_plainly(path, plain); });
  print_row(plain, slow);
  measure({"two integer columns and a value", 3 * num_rows / 10, 3 * num_rows / 100 + 2});
  const Measured bar = measure({"two integer columns and a value", num_rows, num_rows / 10 + 2});
  measure({"  as many distinct ids as rows", num_rows, num_rows + 2});
  measure(
      {"two text columns and a value", num_rows, num_rows / 10 + 2, ArgumentType::kUniqueStringId});
  std::filesystem::remove_all(folder);

  fmt::print("\n{:.1f} times as fast as getline and unordered_map\n", slow.seconds / fast.seconds);
  const auto per_row = [](const Measured& m, std::size_t rows) {
    return m.seconds / static_cast<double>(rows);
  };
  fmt::print("time per row grows {:.2f}-fold from {} to {} rows\n",
             per_row(bar, num_rows) / per_row(fast, yardstick_rows),
             yardstick_rows,
             num_rows);
  const bool met = bar.seconds <= kMostSeconds && bar.peak_bytes_per_row <= kMostBytesPerRow &&
                   bar.bytes_per_row <= kMostBytesPerRow;
  fmt::print("bar of {} s and {} bytes per row: {}\n",
             kMostSeconds,
             kMostBytesPerRow,
             met ? "met" : "MISSED");
  return met ? 0 : 1;
}

}  // namespace
}  // namespace sorites

int main(int argc, char** argv) {
  const double millions = argc > 1 ? std::strtod(argv[1], nullptr) : 10.0;
  const unsigned long threads = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 2;
  try {
    return sorites::run(static_cast<std::size_t>(std::max(millions, 0.001) * 1e6),
                        static_cast<unsigned>(threads));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "load_benchmark: %s\n", error.what());
    return 1;
  }
}
