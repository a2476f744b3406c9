// Markov logic inferred on its ground network, exactly or by samples: what mean field costs can be
// seen by it.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string_view>
#include <vector>

#include "meanfield/explain_program.h"
#include "meanfield/ground_network.h"
#include "meanfield/sampled_marginals.h"
#include "options/option.h"
#include "sorites/diagnostic.h"
#include "sorites/model.h"
#include "sorites/solve.h"

namespace sorites {

enum class MarkovMethod : std::uint8_t { kMeanField, kExact, kGibbs, kMcSat };
std::string_view name_of(MarkovMethod method);  // "mean-field", "exact", "gibbs", "mc-sat"

struct MarkovMethodOptions {
  MarkovMethod method = MarkovMethod::kMeanField;
  SamplingOptions sampling;
};

template <>
inline constexpr std::string_view kSemanticsOf<MarkovMethodOptions> = kMarkovSemantics;

inline constexpr UsedWith kWithSamples{"inference.method", "gibbs mc-sat"};

inline constexpr Option<MarkovMethodOptions> kMarkovMethodOptions[] = {
    {"inference.method",
     "",
     field<&MarkovMethodOptions::method>,
     {},
     "how Markov logic is inferred: mean-field; exact, where the ground model is small enough; or "
     "by samples, which have error bars: gibbs, or mc-sat where there are hard formulas; --method "
     "is the same"},
    {"inference.samples",
     "",
     field<&MarkovMethodOptions::sampling, &SamplingOptions::samples>,
     at_least(1),
     "samples of each chain of gibbs or mc-sat; --samples is the same",
     {},
     kWithSamples},
    {"inference.chains",
     "",
     field<&MarkovMethodOptions::sampling, &SamplingOptions::chains>,
     at_least(1),
     "chains of gibbs or mc-sat, each from a start of its own",
     {},
     kWithSamples},
};

// What is known besides the facts, and the log-odds before any formula.
struct GroundQuestion {
  const MeanFieldModel& model;
  const AtomValues<double>& unaries;
  const std::vector<std::vector<KnownAtom>>& determined;
};

// Throws InputError if the network is larger than its limits, whose words name `what` needs it.
GroundNetwork network_of(const GroundQuestion& question,
                         std::string_view what,
                         const RunEvents& events);

// Throws InputError, with the place of the formula, if the method cannot work on the clauses.
void require_fitting(MarkovMethod method,
                     const GroundNetwork& network,
                     const MeanFieldModel& model);

ModelSize size_of(const GroundNetwork& network, const MeanFieldModel& model);

// A table with a line for each ground clause, as the one of hinge-loss semantics.
void write_network(const InferredProgram& what, const GroundNetwork& network, std::ostream& out);

// Status, method, iterations (samples) and message are filled in, and the objective of an exact
// answer: -log Z, the least free energy there is. `marginals`, which have known atoms at their
// values, get those of the others, and `errors`, of the same shape, their standard errors, if there
// are any. Throws InputError if the method cannot do it.
Answer infer_ground(const GroundQuestion& question,
                    const MarkovMethodOptions& options,
                    const RunEvents& events,
                    AtomValues<double>& marginals,
                    AtomValues<double>& errors);

}  // namespace sorites
