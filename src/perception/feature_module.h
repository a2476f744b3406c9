// TorchScript files that make the features of a deep predicate.
#pragma once

#include <string>

#include "base/diagnostics.h"
#include "modelfile/model_file.h"
#include "perception/feature_table.h"
#include "perception/network_inputs.h"

namespace sorites {

// Errors of files that cannot be TorchScript, or are cut off: all that can be told without torch.
void check_feature_modules(const ModelFile& file, Phase phase, Diagnostics& sink);

// Replaces raw features by what the module makes of them: of the whole table, and of the rows that
// entities have. Errors name the first entity whose features are no numbers.
void make_features(const NetworkData& data,
                   const PredicateDeclaration& declaration,
                   Phase phase,
                   FeatureTable& table,
                   Diagnostics& sink);
void make_features(const NetworkSettings& settings,
                   const PredicateDeclaration& declaration,
                   Phase phase,
                   DataOfNetwork& data,
                   Diagnostics& sink);

}  // namespace sorites
