// What kind of model a path is.
#pragma once

#include <string>

namespace sorites {

// Whether the path is a model of Markov logic: a folder in the four-file form, or an .mln file,
// which may not be there.
bool is_markov_model(const std::string& path);

}  // namespace sorites
