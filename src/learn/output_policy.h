// Network outputs as a policy: what they choose is drawn (Dickens et al. 2024b, eq. 54).
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "learn/learning.h"

namespace sorites {

// Per choice of a sample: which of its outputs is 1; as many as there are: none of them.
using DrawnChoices = std::vector<std::uint32_t>;

// By one random number per choice, so that probabilities that change a little seldom change what is
// drawn from the same numbers.
DrawnChoices draw_choices(const LearnSample& sample, std::mt19937_64& random);

// The likeliest of each choice.
DrawnChoices likeliest_choices(const LearnSample& sample);

void put_choice(const OutputChoice& choice, std::uint32_t chosen, std::vector<double>& outputs);

// The outputs of a sample with its choices as drawn.
std::vector<double> outputs_of(const LearnSample& sample, const DrawnChoices& drawn);

// Adds factor d log p(drawn) / d outputs.
void add_score(const LearnSample& sample,
               const DrawnChoices& drawn,
               double factor,
               std::vector<double>& in_outputs);

// Slopes in outputs as slopes in log-odds of the choices (those that networks have before their
// softmax or sigmoid): what is equal for all of a choice is nothing there.
std::vector<double> in_log_odds(const LearnSample& sample, std::span<const double> in_outputs);

}  // namespace sorites
