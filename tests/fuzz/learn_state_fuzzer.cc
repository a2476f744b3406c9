// Any bytes are either a state of learning or get a reason why not. The head is made right first,
// so that what lies behind it is reached.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <variant>

#include "session/learn_state_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sorites;
  std::string file(reinterpret_cast<const char*>(data), size);
  if (size >= sizeof(FrameHeader)) {
    const std::size_t body = size - sizeof(FrameHeader);
    const FrameHeader header = make_header(
        kLearnStateFormat, 0, body, checksum(0, {file.data() + sizeof(FrameHeader), body}));
    std::memcpy(file.data(), &header, sizeof header);
  }
  const auto result = read_learn_state({file.data(), file.size()}, 0);
  if (const auto* state = std::get_if<LearnState>(&result)) {
    for (const double weight : state->weights) {
      if (!std::isfinite(weight)) __builtin_trap();
    }
  }
  return 0;
}
