// Learning in Markov logic from the facts alone: weights of formulas, and an encoder of entities
// that makes unary potentials (docs/markov-logic.md). Networks that see features are trained by
// learn() through meanfield/mean_field_energy.h, or in torch by sorites/torch.h.
//
//   const MarkovLearnResult learned = learn_markov(program, database, {.epochs = 100});
//   use(learned.weights, learned.unaries);
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "meanfield/model.h"

namespace sorites {

// Whose weights are learned: those of all soft formulas, of those with `+` variables, or none.
enum class LearnedWeights : std::uint8_t { kAll, kPlus, kNone };
std::string_view name_of(LearnedWeights weights);  // "all", "plus", "none"
std::optional<LearnedWeights> learned_weights_named(std::string_view name);

// One epoch hides some of the facts of open predicates, infers them from the others, and follows
// the gradient of their log-likelihood through all iterations of the layer.
struct MarkovLearnOptions {
  MeanFieldOptions inference;
  std::uint64_t epochs = 100;
  double hidden = 0.3;  // share of the facts that is hidden
  // Share of the facts that is held out of all epochs: the best epoch is chosen by them. Of few
  // facts none is, and some of those that are learned from judge.
  double validation = 0.2;
  std::uint64_t patience = 20;  // epochs without a better one before it ends; 0: all are made
  LearnedWeights learn_weights = LearnedWeights::kAll;
  double weight_step = 0.02;  // of Adam; 0: weights stay as they are
  double weight_prior =
      0.1;  // half of this times the squared distance from the first weights is added to the loss
  // Where weights of formulas with `+` variables start if they are learned. One that is written
  // says little about each of a thousand words: the words decide.
  double plus_start = 0.0;

  std::size_t dimension = 0;    // of embeddings; 0: no encoder
  double encoder_step = 0.005;  // of Adam
  double encoder_decay = 1e-3;  // half of this times the squared parameters is added
  // What the encoder learns from: the likelihood of hidden facts through the layer, the layer's
  // marginals of all atoms (distillation: cross-entropy, the layer's part fixed), and facts
  // directly.
  double through_layer = 1.0, distillation = 1.0, from_facts = 1.0;
  // And from violations that its own marginals expect, per atom (the paper's SLrelax).
  double expected_violation = 0.0;

  std::uint64_t seed = 0;
  std::stop_token stop;
};

struct MarkovEpoch {
  std::uint64_t epoch = 0;
  double loss = 0.0;          // mean negative log-likelihood of hidden facts
  double distillation = 0.0;  // mean cross-entropy of the encoder from the layer
  double seconds = 0.0;       // since the start
};

struct MarkovLearnResult {
  std::vector<std::vector<double>> weights;  // per rule
  AtomValues<float> unaries;                 // of the model, and of the encoder if there is one
  std::vector<MarkovEpoch> epochs;
  // Whose weights and encoder these are; 0: those from before the first.
  std::uint64_t kept_epoch = 0;
  bool stopped = false;
  bool got_no_better = false;  // it ended for want of patience, before its last epoch
  bool had_facts = true;  // false: there was nothing to learn weights from, and they are as before
  bool diverged = false;  // the loss was no number any more; everything is from before that
};

// Throws std::invalid_argument if there is nothing to learn.
MarkovLearnResult learn_markov(const Program& program,
                               const Database& database,
                               const MarkovLearnOptions& options,
                               const std::function<void(const MarkovEpoch&)>& on_epoch = {});
// The same on the compiled form.
MarkovLearnResult learn_markov(const MeanFieldModel& model,
                               const MarkovLearnOptions& options,
                               const std::function<void(const MarkovEpoch&)>& on_epoch = {});

}  // namespace sorites
