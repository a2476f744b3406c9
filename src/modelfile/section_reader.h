// Rules and options of a model file: at the top, and in `learn`, `validation` and `infer`.
#pragma once

#include <vector>

#include "config/config_report.h"
#include "modelfile/model_file.h"
#include "modelfile/model_reader.h"

namespace sorites {

// Names and values as they stand; check_options() looks at them.
std::vector<OptionSetting> read_options(const ConfigNode& node, const ConfigReport& report);

// A list of rules, or the path of a rule file, whose text is added to the model.
void read_rules(const ConfigNode& node,
                const ConfigReport& report,
                const FileReader& files,
                ModelFile& model,
                ModelSection& section);

}  // namespace sorites
