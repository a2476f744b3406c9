// A model with other weights on disk.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "modelfile/learned_model.h"
#include "session/session_state.h"

namespace sorites {

// The files beside `path` for rows that are in memory: for `learned.json`,
// learned.Knows.truth.csv.
std::vector<std::string> table_files(const ModelFile& file, const std::string& path);

// The model file with rows that are in memory in these files, which are written. Throws IoError.
ModelFile with_tables_on_disk(ModelFile file, const std::string& path);

// Rules with their weights, and the data that they were learned from.
struct Learned {
  const Program& program;
  const Database& database;
};

// Writes the rules of a program, by the name of the file: *.json is the whole model file, whose
// tables are all on disk; anything else the rules alone. A text of Markov logic stays one. Throws
// IoError.
void write_model(const ModelFile& file,
                 std::span<const OptionSetting> settings,
                 const Learned& learned,
                 std::span<const LearnedNetwork> networks,
                 const std::string& path);

// In the language that the rules of the file are written in.
std::string rules_text(const ModelFile& file, const Learned& learned);

}  // namespace sorites
