// What is asked is beyond a method; another one may do it.
#pragma once

#include <stdexcept>

namespace sorites {

struct UnfitMethod : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

}  // namespace sorites
