// The outputs of networks that a command works with.
#pragma once

#include <vector>

#include "common_flags.h"
#include "output.h"
#include "perception/model_networks.h"
#include "session/inference_settings.h"

namespace sorites {

struct NetworkOutputs {
  std::vector<double> values;  // per output of the model
  std::vector<NetworkSummary> networks;
  std::vector<Diagnostic> warnings;
  double seconds = 0.0;
};

// Makes the networks of the model and computes their outputs, if it has some; prints warnings.
// Throws InputError.
NetworkOutputs network_phase(const CommonFlags& common,
                             const InferenceSettings& settings,
                             const ModelFile& file,
                             const LoadedModel& loaded,
                             const Model& model);

// The phase that a command works on: that of --phase, or kInfer.
Phase phase_of(const CommonFlags& flags);

// "mlp, 12,345 parameters, 600 entities of 10 classes"
std::string network_text(const NetworkSummary& network);
Json to_json(const NetworkSummary& network);

}  // namespace sorites
