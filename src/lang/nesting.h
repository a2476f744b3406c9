#pragma once

namespace sorites {

// How deep brackets, negations and signs may nest: beyond any sensible rule, and within any stack.
inline constexpr int kMaxNesting = 200;

}  // namespace sorites
