// The semantics that a program can be given, by name.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "options/option.h"
#include "semantics/layer.h"
#include "semantics/reasoner.h"

namespace sorites {

std::vector<std::string_view> semantics_names();

// What has to be known of a semantics before there is a reasoner.
struct SemanticsTraits {
  bool negative_weights = false;   // weights may be less than 0
  bool logic_layers = false;       // formulas may be the last layer of a network
  bool learns_from_facts = false;  // where there are no labels: Reasoner::fact_samples()
  // Samples of one connected component each cost little, so that batches can be drawn anew.
  bool has_small_samples = false;
  // To make a reasoner takes all ground rules, and finds what is wrong with the data.
  bool grounds = false;
  // What inference takes beside the ground model; 0: nothing that its terms tell.
  double bytes_per_term = 0.0;
  // Inference is regularised by this where the losses of learning follow how the minimiser moves.
  double minimiser_regularization = 0.0;
  void (*set_learning_defaults)(LearnOptions& options) = nullptr;  // null: those of LearnOptions
};
const SemanticsTraits& traits_of(std::string_view semantics);

// The name as the table has it, whatever its case; an empty one stays. Throws InputError, about the
// place, if there is no such semantics.
std::string known_semantics(std::string_view name, const Span& at = {});

// Throw InputError if there is no semantics of this name, or it does not take the program.
std::unique_ptr<Reasoner> make_reasoner(std::string_view semantics,
                                        const ReasonerInput& input,
                                        const RunEvents& events);
std::unique_ptr<Layer> make_layer(std::string_view semantics, const LayerInput& input);
Forecast estimate(std::string_view semantics,
                  const ReasonerInput& input,
                  double time_limit_seconds,
                  const RunEvents& events);

// Refuses options that mean nothing under the semantics, or beside the others (`settings` are all
// of the phase, these among them), by an InputError: what is asked for is not ignored. Learning
// takes those of mean field, whatever the method of inference is.
void refuse_foreign_options(std::string_view semantics,
                            std::span<const std::string> names,
                            const Settings& settings,
                            bool learns = false);

// Reports what the semantics does not take of a program and its data. The database may get further
// targets by it.
void check_semantics(std::string_view semantics,
                     const Program& program,
                     Database& database,
                     Diagnostics& sink);

}  // namespace sorites
