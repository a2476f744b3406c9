// Rows from files and from model files into a database.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "data/index.h"
#include "data/intern.h"
#include "sorites/database.h"

namespace sorites {

struct LoadOptions {
  unsigned threads = 0;  // 0: one per core
  std::stop_token stop;
  // Called now and then with the bytes read so far and in all; never from two threads at once.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
};

// One file of rows for one partition of one predicate.
struct DataFile {
  PredicateId predicate = 0;
  Partition partition = Partition::kObserved;
  std::string path;  // *.csv is read by RFC 4180, anything else as tab separated; *.gz is unpacked
  Span declared_at;  // where the model file names it; may be empty
};

// Where the loader cuts and what it refuses. The result does not depend on chunk_bytes.
struct LoadLimits {
  std::size_t chunk_bytes = std::size_t{128} << 10U;   // what a thread takes at a time
  std::size_t max_line_bytes = std::size_t{1} << 20U;  // of one row
  std::size_t max_rows = kMaxRows;                     // of observed and target together; of truth
  std::size_t max_constants = kMaxConstants;           // of one domain
};

// Reads all files into the database; all mistakes go to the sink (then the database must be thrown
// away). Throws Interrupted.
void load_files(Database& database,
                std::span<const DataFile> files,
                const LoadOptions& options,
                Diagnostics& sink,
                const LoadLimits& limits = {});

// The same for a text in memory; `file.path` gives its name and format (a .gz ending means
// nothing).
void load_text(Database& database,
               const DataFile& file,
               std::string_view text,
               const LoadOptions& options,
               Diagnostics& sink,
               const LoadLimits& limits = {});

// Reads all files. Throws InputError with all mistakes of all files, Interrupted if stopped.
Database load_database(std::vector<Predicate> predicates,
                       std::span<const DataFile> files,
                       const LoadOptions& options = {},
                       std::vector<Diagnostic>* warnings = nullptr);

}  // namespace sorites
