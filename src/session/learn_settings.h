// What the options of a model say about learning.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sorites/learn.h"
#include "sorites/model_file.h"

namespace sorites {

struct LearnSettings {
  LearnOptions learn;         // `stop` is left to the caller
  HingeEnergyOptions energy;  // of every inference
  bool weights = true;        // false: only networks learn
  bool random_weights = false;
  std::uint64_t batch_components = 0;       // connected components per step; 0: all of them
  std::uint64_t components_per_sample = 0;  // a step takes several samples where networks learn
  std::string output;                       // runtime.learn.output.model.path; empty: none is named
};

// From the options of the model's learning phase. Ours (`learn.*`) win over those of PSL, and
// `flags`, options too, over everything; an empty value unsets one. Throws InputError with all that
// are out of range or do not go together.
LearnSettings learn_settings(const ModelFile& model,
                             std::span<const OptionSetting> overrides = {},
                             std::span<const OptionSetting> flags = {});

// "squared_error:1,energy:0.1", or "squared_error" alone for a coefficient of 1. Throws
// std::invalid_argument that says what is wrong.
LossMix loss_from_text(std::string_view text);
std::string to_text(const LossMix& loss);

// Whether the algorithm tries weights instead of following a slope. Searches look for the best
// metric if there is one, and for the smallest loss if not.
bool is_search(LearnAlgorithm algorithm);

}  // namespace sorites
