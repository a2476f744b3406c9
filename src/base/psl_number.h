// Numbers as PSL prints them: single precision, in the form of Java's Float.toString.
#pragma once

#include <string>

namespace sorites {

std::string psl_number(double value);  // "0.29952204", "8.187412E-6", "1.0"

}  // namespace sorites
