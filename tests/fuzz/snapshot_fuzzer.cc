// Any bytes are either a snapshot or get a reason why not. The checksums are made right first, so
// that what lies behind them is reached.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <variant>

#include "hinge/model/snapshot.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sorites;
  std::string file(reinterpret_cast<const char*>(data), size);
  if (size >= sizeof(FrameHeader)) {
    const std::size_t body = size - sizeof(FrameHeader);
    const FrameHeader header = make_header(
        kSnapshotFormat, 0, body, checksum(0, {file.data() + sizeof(FrameHeader), body}));
    std::memcpy(file.data(), &header, sizeof header);
  }
  const auto result = read_snapshot({file.data(), file.size()}, 0);
  if (const auto* model = std::get_if<Model>(&result)) {
    std::size_t sum = 0;  // every index must be in range
    for (const TermBlock& block : model->blocks) {
      for (std::size_t t = 0; t < block.num_terms; ++t) {
        for (const AtomId atom : block.atoms_of(t)) sum += atom < model->num_atoms ? 0 : 1;
      }
    }
    if (sum != 0) __builtin_trap();
  }
  return 0;
}
