// What commands on Markov logic share: the model that is loaded, the marginals that are inferred.
#pragma once

#include <string>
#include <vector>

#include "markov_commands.h"
#include "session/markov_loader.h"
#include "sorites/meanfield.h"

namespace sorites {

// Whether what networks of deep predicates say is needed.
enum class NetworkUse : std::uint8_t { kLeave, kRun };

// Reads the model, with --set and the flags over its options, and shows progress. Throws
// InputError.
LoadedMarkov read_markov_phase(const CommonFlags& flags,
                               const RunContext& context,
                               NetworkUse networks,
                               const MarkovInferFlags& own = {});
// The same, and prints warnings.
LoadedMarkov load_markov_phase(const CommonFlags& flags,
                               const RunContext& context,
                               NetworkUse networks,
                               const MarkovInferFlags& own = {});

enum class MarkovStatus : std::uint8_t {
  kConverged,       // no marginal changed by more than the tolerance
  kDone,            // all iterations, and no tolerance was asked for
  kIterationLimit,  // all iterations, and the tolerance was not met
  kTimeLimit,
  kInterrupted,
};
std::string_view name_of(MarkovStatus status);  // "converged", ...

template <class Real>
struct MarkovInferred {
  MeanFieldResult<Real> result;
  MarkovStatus status = MarkovStatus::kDone;
};

// Runs the iterations, with a progress line. If stopped, the result is what there is by then.
template <class Real>
MarkovInferred<Real> infer_phase(const CommonFlags& flags,
                                 const LoadedMarkov& loaded,
                                 const RunContext& context,
                                 BasicMeanField<Real>& layer);

// 0 for kConverged and kDone.
int exit_code_of(MarkovStatus status);

// "621,234,567,890 (621 billion)"
std::string count_text(double count);
// "1.2 billion", "314 million", "5,123"
std::string rough_count_text(double count);

}  // namespace sorites
