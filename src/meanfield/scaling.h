// Which multiple of a product, and what becomes of what the result was.
#pragma once

namespace sorites {

// out = alpha times the product, or out += that.
template <class Real>
struct Scaling {
  Real alpha = 1;
  bool accumulate = false;
};

}  // namespace sorites
