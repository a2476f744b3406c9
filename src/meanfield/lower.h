// The way from a program and its data to what mean-field inference takes.
#pragma once

#include <optional>
#include <stop_token>

#include "base/diagnostics.h"
#include "meanfield/model.h"

namespace sorites {

// None if there was an error: a rule or a value that Markov logic does not have, or something too
// large to be expanded. An open predicate without an open world is unknown at its targets and known
// everywhere else; but an atom with classes of which none is observed is unknown, listed or not,
// since one of them must be true.
std::optional<MeanFieldModel> lower_to_mean_field(const Program& program,
                                                  const Database& database,
                                                  Diagnostics& sink,
                                                  const std::stop_token& stop = {});

// The same; throws InputError, and as that Interrupted.
MeanFieldModel mean_field_model(const Program& program,
                                const Database& database,
                                const std::stop_token& stop = {});

// Of which domain of the program and which codes the arguments of an atom are, the class (if its
// predicate has any) being `value`.
std::vector<Code> atom_codes(const MeanFieldModel& model, const MeanFieldAtom& atom);

}  // namespace sorites
