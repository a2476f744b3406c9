// Presolve: sorts the terms of a model into folded terms and rows.
#pragma once

#include "hinge/presolve/presolve.h"

namespace sorites {

// Fills fold, rows (blocks, variables, offsets; weights are not set) and row_of_term, given the
// atom map. Rows stand in the order of TermKind; those that could be groups come last.
void collect_terms(const Model& model,
                   const Parameters& parameters,
                   Presolved& presolved,
                   ThreadPool& pool);

}  // namespace sorites
