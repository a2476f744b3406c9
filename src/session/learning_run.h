// A run of weight learning from data to files, whatever starts it.
//
//   LearningTask task{file, training, nullptr, learnable, settings, files, write_model};
//   const LearningOutcome outcome = run_learning(task);
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "modelfile/learned_model.h"
#include "perception/model_networks.h"
#include "session/learn_settings.h"
#include "session/learning_data.h"

namespace sorites {

// Views: all must outlive the run.
struct LearningTask {
  const ModelFile& file;
  LearningSet& training;
  LearningSet* validation = nullptr;  // null if there is none; ground from validation_program()
  std::vector<bool> learnable;        // of learnable_weights()
  LearnSettings settings;
  LearningFiles files;
  // Writes the learned model to files.output; weights are as they would be written.
  std::function<void(std::span<const double> weights, std::span<const LearnedNetwork> networks)>
      write_model;
  // Null if there are none. Its inputs are those of the training set, and are used up, as are those
  // of the validation set.
  ModelNetworks* networks = nullptr;
  std::vector<NetworkInputs> validation_inputs = {};
  // What is learned from where there are no labels; its samples are used up. Null: there are.
  FactSamples* facts = nullptr;
};

struct LearningOutcome {
  // As they would be written. On a simplex only the ratios of weights are learned: they are scaled
  // to the sum they had, so that rules which are not learned keep their weight in relation to them.
  std::vector<double> weights;
  std::optional<LearnStop> stop;  // none: learning failed, and `error` says why
  std::string error;
  std::string goal;        // what learning looked for: "squared_error", "categorical_accuracy", ...
  std::string undivided;   // why there is one sample, though several were asked for
  bool by_metric = false;  // a search for the best metric: the losses are its negative
  std::vector<LearnEpoch> history;
  std::uint64_t kept_epoch = 0;    // whose weights they are
  double inference_seconds = 0.0;  // of this run, without those before it was resumed
  double network_seconds = 0.0;
  std::uint64_t num_trained = 0;  // entities that networks were trained on, over all epochs
};

// Learns, and writes the files: log and state while it runs, all of them when it ends, in whatever
// way; parameters of networks beside the learned model. If learning fails, weights and networks are
// the best ones before. Throws IoError, InputError if the
// state to go on from does not fit.
LearningOutcome run_learning(LearningTask& task,
                             const std::function<void(const LearnEpoch&)>& progress = {});

}  // namespace sorites
