// Features that are averaged over a graph.
#pragma once

#include "base/diagnostics.h"
#include "modelfile/model_file.h"
#include "perception/feature_table.h"

namespace sorites {

// Replaces the features by those after `hops` averages over the graph, whose edges are the observed
// atoms of a predicate. False, with an error, if an edge ends where there are no features.
bool average_over_graph(const ModelFile& file,
                        const LoadedModel& loaded,
                        PredicateId predicate,
                        const NetworkData& data,
                        FeatureTable& table,
                        Diagnostics& sink);

}  // namespace sorites
