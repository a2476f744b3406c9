#include "sorites/model.h"

namespace sorites {

std::size_t TermBlock::memory_bytes() const {
  return sizeof(TermBlock) +
         (coefficients.capacity() + output_coefficients.capacity()) * sizeof(double) +
         atoms.capacity() * sizeof(AtomId) + outputs.capacity() * sizeof(std::uint32_t) +
         offsets.capacity() * sizeof(double);
}

std::size_t Model::num_terms() const {
  std::size_t sum = 0;
  for (const TermBlock& block : blocks) sum += block.num_terms;
  return sum;
}

std::size_t Model::num_nonzeros() const {
  std::size_t sum = 0;
  for (const TermBlock& block : blocks) sum += block.num_terms * block.width();
  return sum;
}

std::size_t Model::memory_bytes() const {
  std::size_t sum = sizeof(Model);
  for (const TermBlock& block : blocks) sum += block.memory_bytes();
  return sum;
}

}  // namespace sorites
