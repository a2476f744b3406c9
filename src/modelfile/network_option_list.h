// The rows of network_option_table(), by topic: name, topic, kind, choices, bound, default, help.
#pragma once

#include "modelfile/network_option_table.h"

namespace sorites::network_option_list {

using enum NetworkOptionKind;
using enum NetworkOptionTopic;
using enum Bound;

// clang-format off
inline constexpr NetworkOptionInfo kOptions[] = {
    {"features", kData, kPath, "", kPositive, "",
     "what the network sees: an array (`.npy`, or IDX as of MNIST, gzipped too), an entity-data map (lines of entity "
     "arguments and numbers), or a TorchScript file (`.pt`) that makes it of `raw-features` or of the row number"},
    {"raw-features", kData, kPath, "", kPositive, "",
     "what the TorchScript file `features` sees: an array or an entity-data map; the entity's row number if nothing is said"},
    {"entities", kData, kPath, "", kPositive, "",
     "which row of the array is whose: lines of entity arguments and row number, separated by tabs; "
     "without it the entity's only argument is the row number"},
    {"entity-arguments", kData, kArguments, "", kPositive, "",
     "the arguments that name the entity, from 0; all but the class if nothing is said"},
    {"class-argument", kData, kArgument, "", kPositive, "-1",
     "the argument that is the class; `none` if the network has one output only"},
    {"classes", kData, kConstants, "", kPositive, "",
     "the constants of the classes, in the order of the network's outputs; 0, 1, ... if nothing is said"},
    {"class-size", kData, kCount, "", kPositive, "",
     "how many classes there are; not needed beside `classes`"},
    {"input-shape", kData, kCounts, "", kPositive, "",
     "shape of an entity's features, as in [1, 28, 28], if the file does not tell it; of `raw-features`, if there are some"},
    {"graph", kData, kText, "", kPositive, "",
     "a binary predicate whose observed atoms are the edges over which features are averaged (`sgc`)"},
    {"hops", kData, kCount, "", kNotNegative, "2", "how often features are averaged over the graph"},
    {"entity-data-map-path", kData, kPath, "", kPositive, "", "PSL's name of `features`"},
    {"entity-argument-indexes", kData, kArguments, "", kPositive, "", "PSL's name of `entity-arguments`"},

    {"network", kNetwork, kChoice,
     "mlp cnn resnet18 siamese sgc embedding torchscript registered", kPositive, "mlp",
     "what it is; `torchscript` if there is a `model-path`"},
    {"module", kNetwork, kText, "", kPositive, "",
     "`torchscript`: the file; `registered`: the name that C++ code gave the network"},
    {"model-path", kNetwork, kPath, "", kPositive, "", "PSL's name of `module`: a TorchScript file"},
    {"load", kNetwork, kPath, "", kPositive, "",
     "parameters to begin with, as `sorites learn --output` writes them; random ones if nothing is said"},
    {"hidden", kNetwork, kCounts, "", kPositive, "64",
     "widths of the layers between features and outputs; `0` for none"},
    {"channels", kNetwork, kCounts, "", kPositive, "",
     "channels of the convolutions: 16 and 32 of a `cnn`, 64 in the first layers of a `resnet18` if nothing is said"},
    {"kernel-size", kNetwork, kCount, "", kPositive, "3", "width of the convolutions of a `cnn`, odd"},
    {"activation", kNetwork, kChoice, "relu tanh sigmoid gelu elu", kPositive, "relu", "of the layers between"},
    {"normalization", kNetwork, kChoice, "none batch layer", kPositive, "none", "of the layers between"},
    {"dropout", kNetwork, kReal, "", kBelowOne, "0", "part of the neurons that are left out in training"},
    {"embedding-size", kNetwork, kCount, "", kPositive, "32", "length of the vectors of an `embedding`, and of what a `siamese` network makes of a part"},
    {"output", kNetwork, kChoice, "softmax sigmoid gumbel-softmax root-softmax", kPositive, "softmax",
     "how the last layer becomes values in [0, 1]"},
    {"layer", kNetwork, kChoice, "none logicmp", kPositive, "none",
     "what stands above it: in models of Markov logic always `logicmp`, the formulas as a layer, which takes its values for unary potentials"},
    {"temperature", kNetwork, kReal, "", kPositive, "1", "of the softmax: the smaller, the more decided"},
    {"final-temperature", kNetwork, kReal, "", kPositive, "",
     "the temperature of the last epoch; it stays the same if nothing is said"},

    {"optimizer", kTraining, kChoice, "adam adamw sgd adagrad", kPositive, "adam", "how steps are made"},
    {"learning-rate", kTraining, kReal, "", kPositive, "0.001", "how long steps are"},
    {"weight-decay", kTraining, kReal, "", kNotNegative, "0", "pull of the parameters towards 0"},
    {"momentum", kTraining, kReal, "", kBelowOne, "0.9", "of `sgd`"},
    {"schedule", kTraining, kChoice, "constant cosine linear step", kPositive, "constant",
     "what becomes of the learning rate over the epochs"},
    {"schedule-period", kTraining, kCount, "", kPositive, "30", "epochs between the tenfold drops of `step`"},
    {"max-gradient-norm", kTraining, kReal, "", kPositiveOrInfinite, "inf", "longer gradients are shortened to it"},
    {"supervised-loss", kTraining, kReal, "", kNotNegative, "1",
     "coefficient of the cross-entropy of the entities whose truth is known"},
    {"symbolic-loss", kTraining, kReal, "", kNotNegative, "1", "coefficient of what the rules say"},
    {"max-shift", kTraining, kReal, "", kNotNegative, "0", "images are moved at random, by so many pixels"},
    {"max-rotation", kTraining, kReal, "", kNotNegative, "0", "... turned, by so many degrees"},
    {"max-scaling", kTraining, kReal, "", kBelowOne, "0",
     "... made larger or smaller, each axis for itself, by so much of their size"},
    {"max-shear", kTraining, kReal, "", kBelowOne, "0", "... slanted, by so much of their size"},
    {"max-warp", kTraining, kReal, "", kNotNegative, "0", "... and warped, by so many pixels"},

    {"pretraining-epochs", kPretraining, kCount, "", kNotNegative, "0",
     "epochs in which the network first learns to tell images apart, without labels (SimCLR)"},
    {"pretraining-batch-size", kPretraining, kCount, "", kPositive, "256", "images per step"},
    {"pretraining-learning-rate", kPretraining, kReal, "", kPositive, "0.001", "how long steps are"},
    {"pretraining-temperature", kPretraining, kReal, "", kPositive, "0.5", "of the contrast"},
    {"pretraining-projection-size", kPretraining, kCount, "", kPositive, "64", "length of the vectors that are compared"},
    {"pretraining-max-shift", kPretraining, kReal, "", kNotNegative, "3", "as `max-shift`"},
    {"pretraining-max-rotation", kPretraining, kReal, "", kNotNegative, "15", "as `max-rotation`"},
    {"pretraining-max-scaling", kPretraining, kReal, "", kBelowOne, "0.2", "as `max-scaling`"},
    {"pretraining-max-shear", kPretraining, kReal, "", kBelowOne, "0", "as `max-shear`"},
    {"pretraining-max-warp", kPretraining, kReal, "", kNotNegative, "0", "as `max-warp`"},

    {"paradigm", kModel, kChoice, "variable parameter", kPositive, "variable",
     "`variable`: the atom is the output; `parameter`: the output is a prior that inference may overrule"},
    {"prior-weight", kModel, kReal, "", kPositive, "1", "`parameter`: weight of the rule that ties atom and output"},
};
// clang-format on

}  // namespace sorites::network_option_list
