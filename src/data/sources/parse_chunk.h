// One chunk of a data file into its rows of the final columns, in codes of the chunk's own.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "data/mistakes.h"
#include "data/origin.h"
#include "data/sources/chunks.h"
#include "data/sources/local_dictionary.h"

namespace sorites {

struct ParsedChunk {
  std::vector<LocalDictionary>
      dictionaries;                    // per slot of the predicate; more if it was used before
  std::deque<std::string> unquoted;    // texts that the dictionary points to
  std::vector<OriginSegment> origins;  // of its rows
  MistakeList mistakes;
  bool all_ones = true;
  bool quoting_broken = false;  // where rows end is not known from some point on

  void clear();
};

// The slots of the dictionaries of the chunk that a thread reads; they should stay in its cache.
struct ParseScratch {
  std::vector<HashSlots> slots;  // per slot of the predicate
};

// Hands out one scratch per thread that asks.
class ScratchPool {
 public:
  std::unique_ptr<ParseScratch> take();
  void give_back(std::unique_ptr<ParseScratch> scratch);

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<ParseScratch>> free_;
};

struct ChunkTarget {
  const Predicate* predicate = nullptr;
  Table* table = nullptr;          // sized for all rows
  std::size_t max_line_bytes = 0;  // longer rows are a mistake
};

// Writes the rows of the chunk into the table. Rows with a mistake get kNoCode in the first column.
// `result` must be clear.
void parse_chunk(const InputFile& file,
                 const Chunk& chunk,
                 const ChunkTarget& target,
                 ParseScratch& scratch,
                 ParsedChunk& result);

// Turns the chunk's own codes into the database's, after the dictionaries are merged.
void remap_codes(const Chunk& chunk, const ChunkTarget& target, const ParsedChunk& parsed);

}  // namespace sorites
