#include "hinge/model/term_block.h"

#include <algorithm>

namespace sorites {
namespace {

// Gives every term its own offset.
void spell_out_offsets(TermBlock& block) {
  if (block.offsets.empty()) block.offsets.assign(block.num_terms, block.offset);
}

}  // namespace

void add_term(TermBlock& block,
              std::span<const AtomId> atoms,
              std::span<const std::uint32_t> outputs,
              double offset) {
  if (block.num_terms == 0) block.offset = offset;
  if (block.offsets.empty() && offset != block.offset) spell_out_offsets(block);
  if (!block.offsets.empty()) block.offsets.push_back(offset);
  block.atoms.append(atoms);
  block.outputs.append(outputs);
  ++block.num_terms;
}

TermBlock& BlockSet::find(TermKind kind,
                          std::span<const double> coefficients,
                          std::span<const double> output_coefficients) {
  // Most rules have a few shapes, and the next term mostly has the shape of the last.
  const auto matches = [&](const TermBlock& block) {
    return block.kind == kind && std::ranges::equal(block.coefficients, coefficients) &&
           std::ranges::equal(block.output_coefficients, output_coefficients);
  };
  if (last_ < blocks_.size() && matches(blocks_[last_])) return blocks_[last_];
  constexpr std::size_t kFewBlocks = 8;  // to look at one by one, before a map is asked
  for (last_ = 0; last_ < std::min(kFewBlocks, blocks_.size()); ++last_) {
    if (matches(blocks_[last_])) return blocks_[last_];
  }
  Key key{{coefficients.begin(), coefficients.end()},
          {output_coefficients.begin(), output_coefficients.end()}};
  const auto [entry, added] = number_.try_emplace({kind, key}, blocks_.size());
  if (added) {
    TermBlock& block = blocks_.emplace_back();
    block.kind = kind;
    block.coefficients = std::move(key.first);
    block.output_coefficients = std::move(key.second);
  }
  last_ = entry->second;
  return blocks_[last_];
}

std::size_t reserve_terms(TermBlock& to, const TermBlock& from) {
  const std::size_t first = to.num_terms;
  if (first == 0) to.offset = from.offset;
  if (to.offsets.empty() && (!from.offsets.empty() || from.offset != to.offset)) {
    to.offsets.assign(first, to.offset);
  }
  const bool spelled_out = !to.offsets.empty() || !from.offsets.empty() || from.offset != to.offset;
  to.num_terms += from.num_terms;
  to.atoms.extend(from.atoms.size());
  to.outputs.extend(from.outputs.size());
  if (spelled_out) to.offsets.extend(from.num_terms);
  return first;
}

void copy_terms(TermBlock& to, std::size_t first, const TermBlock& from) {
  std::copy(from.atoms.begin(), from.atoms.end(), to.atoms.begin() + first * to.width());
  std::copy(from.outputs.begin(),
            from.outputs.end(),
            to.outputs.begin() + first * to.output_coefficients.size());
  if (to.offsets.empty()) return;
  double* offsets = to.offsets.begin() + first;
  if (from.offsets.empty()) {
    std::fill(offsets, offsets + from.num_terms, from.offset);
  } else {
    std::copy(from.offsets.begin(), from.offsets.end(), offsets);
  }
}

}  // namespace sorites
