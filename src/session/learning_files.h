// The files of a run of learning: whether they can be written, and where.
#pragma once

#include <string>
#include <vector>

#include "modelfile/model_file.h"
#include "sorites/session.h"

namespace sorites {

// Throws if a file cannot be written or its name is no good, before any work is done.
void check_files(const LearningFiles& files);

// What was read as Markov logic is written so: as *.mln, or as a folder of four files. Throws
// InputError if the name of the output says something else.
void check_kind_of_output(const ModelFile& model, const std::string& output);

// If it cannot be made, the file that cannot be written tells.
void make_folder_of(const std::string& path);

// All that is written: the learned model is several files, if it is Markov logic or has networks.
std::vector<std::string> all_outputs(const ModelFile& model, const LearningFiles& files);

}  // namespace sorites
