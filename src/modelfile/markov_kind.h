// What kind of model a path is.
#pragma once

#include <string>

namespace sorites {

// Whether the path is a model of Markov logic: a folder in the four-file form, an .mln file (which
// may not be there), or a model file that says so.
bool is_markov_model(const std::string& path);

// The same, but for model files: those have phases.
bool is_markov_text(const std::string& path);

}  // namespace sorites
