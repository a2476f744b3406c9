// Data files cut into chunks of whole records, for threads to read side by side. Where the cuts are
// depends on the text alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/thread_pool.h"
#include "data/sources/file_bytes.h"
#include "data/sources/load.h"
#include "data/sources/records.h"
#include "sorites/database.h"

namespace sorites {

struct InputFile {
  DataFile declared;
  FileBytes bytes;
  std::string_view text;  // the bytes after a byte order mark
  RowFormat format = RowFormat::kTabs;
  bool has_values = false;      // by its first row
  std::uint32_t number = 0;     // in the database's list of files
  std::uint64_t num_rows = 0;   // of the file
  std::uint64_t first_row = 0;  // in its table
};

struct Chunk {
  std::size_t file = 0;  // index in the list of input files
  std::string_view text;
  bool quoted = false;  // of CSV: it holds quotes
  std::uint32_t num_rows = 0, num_lines = 0;
  std::uint64_t first_row = 0;  // in the table
  std::uint64_t first_line = 1;
};

// Looks at what comes first: the byte order mark, and the row that tells if there are values.
InputFile open_input(const DataFile& declared, FileBytes bytes, std::size_t arity);

// All chunks of all files in order, with their lines and rows counted; sets num_rows of the files.
// Throws Interrupted.
std::vector<Chunk> cut_into_chunks(std::vector<InputFile>& files,
                                   std::size_t chunk_bytes,
                                   ThreadPool& pool,
                                   const std::stop_token& stop);

}  // namespace sorites
