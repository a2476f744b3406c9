// The mistakes of a whole load, by file.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "data/index.h"
#include "data/mistakes.h"
#include "data/sources/chunks.h"

namespace sorites {

class LoadReport {
 public:
  explicit LoadReport(std::size_t num_files) : found_(num_files) {}

  // The mistakes of the next chunk of a file. Once quotes do not match, where rows begin is not
  // known, and what is said about the rest of the file means nothing.
  void add_chunk(std::size_t file, MistakeList&& mistakes, bool quoting_broken);
  void add_duplicates(const Database& database,
                      PredicateId predicate,
                      std::span<const Duplicate> duplicates);
  // Constants of closed domains that are not in their lists.
  void add_unlisted(const Database& database, PredicateId predicate, Partition partition);
  // A first row that cannot be read while the second can is a header, most likely.
  void hint_at_headers(const Database& database, std::span<const InputFile> files);
  // Sends all to the sink.
  void finish(std::span<const InputFile> files, Diagnostics& sink);

 private:
  struct FileMistakes {
    MistakeList mistakes;
    bool quoting_broken = false;
  };
  std::vector<FileMistakes> found_;  // per file
  // Of whole rows; by name: it may be a model file's.
  std::map<std::string, MistakeList> of_rows_;
};

}  // namespace sorites
