// Any bytes are either a state of inference or get a reason why not. The head is made right first,
// so that what lies behind it is reached.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <variant>

#include "hinge/solve/state_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sorites;
  constexpr std::size_t kAtoms = 2, kTerms = 3;
  std::string file(reinterpret_cast<const char*>(data), size);
  if (size >= sizeof(FrameHeader)) {
    const std::size_t body = size - sizeof(FrameHeader);
    const FrameHeader header =
        make_header(kStateFormat, 0, body, checksum(0, {file.data() + sizeof(FrameHeader), body}));
    std::memcpy(file.data(), &header, sizeof header);
  }
  const auto result = read_state({file.data(), file.size()}, 0, kAtoms, kTerms);
  if (const auto* solution = std::get_if<SolveState>(&result)) {
    bool good = solution->truth.size() == kAtoms && solution->multipliers.size() == kTerms;
    for (const double value : solution->truth) good &= value >= 0.0 && value <= 1.0;
    for (const double value : solution->multipliers) good &= std::isfinite(value);
    if (!good) __builtin_trap();
  }
  return 0;
}
