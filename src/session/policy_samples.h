// What policies need of the samples of a data set: what networks choose among, and the metric of
// each sample alone.
#pragma once

#include <span>
#include <vector>

#include "session/learning_batches.h"

namespace sorites {

// The choices of networks that learn: one class per entity, or of a sigmoid each class for itself.
// `num_used`: per sample, how many of its outputs, the first ones, are in rules; the others are not
// drawn. Throws InputError if outputs are no probabilities.
void add_choices(const ModelFile& file,
                 const ModelNetworks& networks,
                 std::span<const NetworkInputs> inputs,
                 std::span<const std::size_t> num_used,
                 PreparedSet& prepared);

// The primary metric of a sample, larger is better; nothing, if the model has none.
void add_sample_metric(const LearningSet& data, PreparedSet& prepared);

}  // namespace sorites
