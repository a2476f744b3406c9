// The `evaluations` of one predicate.
#pragma once

#include <vector>

#include "config/config_report.h"
#include "modelfile/model_file.h"

namespace sorites {

void read_evaluations(const ConfigNode& node,
                      const ConfigReport& report,
                      std::vector<Evaluation>& evaluations);

// At most one evaluation of the whole model is marked primary, else an error; if none is, the first
// one becomes it.
void settle_primary_evaluation(ModelFile& model, Diagnostics& diagnostics);

}  // namespace sorites
