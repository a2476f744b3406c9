// Steps of a plan, for people.
#pragma once

#include <string>

#include "meanfield/expression.h"
#include "meanfield/model.h"

namespace sorites {

// As "t7[a,c] = sum_b Q(friend)[a,b] t3[b,c]   1.2e+06 operations".
std::string step_text(const MeanFieldModel& model,
                      const Expression& expression,
                      NodeId node,
                      double operations);

}  // namespace sorites
