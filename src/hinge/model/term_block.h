// Adding terms to blocks.
#pragma once

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "sorites/model.h"

namespace sorites {

// Adds one term. Offsets are stored one by one only from the first that differs.
void add_term(TermBlock& block,
              std::span<const AtomId> atoms,
              std::span<const std::uint32_t> outputs,
              double offset);

// Blocks of one rule, each found by kind and coefficients, in the order in which they first came.
class BlockSet {
 public:
  TermBlock& find(TermKind kind,
                  std::span<const double> coefficients,
                  std::span<const double> output_coefficients);

  std::vector<TermBlock>& blocks() { return blocks_; }
  const std::vector<TermBlock>& blocks() const { return blocks_; }

 private:
  using Key = std::pair<std::vector<double>, std::vector<double>>;
  std::vector<TermBlock> blocks_;
  std::size_t last_ = 0;  // found last
  std::map<std::pair<TermKind, Key>, std::size_t> number_;
};

// Prepares `to` for the terms of `from`, and returns where they go; then `copy_terms` may run for
// different `from` at once.
std::size_t reserve_terms(TermBlock& to, const TermBlock& from);
void copy_terms(TermBlock& to, std::size_t first, const TermBlock& from);

}  // namespace sorites
