// The terms of a model, cut into chunks that threads share.
#pragma once

#include <vector>

#include "base/thread_pool.h"
#include "sorites/model.h"

namespace sorites {

// Terms [first, last) of one block.
struct TermChunk {
  std::uint32_t block = 0;
  std::size_t first = 0, last = 0;
  std::size_t first_term = 0;  // of `first` among all terms
};

inline std::vector<TermChunk> chunks_of(const Model& model) {
  // About a millisecond of work: many to share, and few enough that handing them out costs nothing.
  constexpr std::size_t kChunkTerms = 1 << 16;
  std::vector<TermChunk> chunks;
  std::size_t before = 0;
  for (std::uint32_t b = 0; b < model.blocks.size(); ++b) {
    const std::size_t count = model.blocks[b].num_terms;
    for (std::size_t first = 0; first < count; first += kChunkTerms) {
      chunks.push_back({b, first, std::min(count, first + kChunkTerms), before + first});
    }
    before += count;
  }
  return chunks;
}

}  // namespace sorites
