// Zip archives, as far as to tell whether they are whole: TorchScript files are such archives, and
// the library that reads them does not look at their checksums.
#pragma once

#include <span>
#include <string>

namespace sorites {

// What is wrong with the archive; empty if all its members are as they were packed.
std::string problem_of_zip(std::span<const char> archive);

}  // namespace sorites
