// Which atoms are evaluated: each with its inferred value and its truth.
#pragma once

#include <span>
#include <vector>

#include "sorites/evaluate.h"

namespace sorites {

struct LabelledAtom {
  double value = 0.0;
  double truth = 0.0;
  RowId row;
};

// Targets by row, then observed atoms by row. Values and truth are rounded to single precision if
// the options ask for PSL's numbers. With classes, truth of an entity's class is truth of its other
// classes too: they are false.
std::vector<LabelledAtom> labelled_atoms(const Relation& relation,
                                         bool has_classes,
                                         std::span<const double> target_values,
                                         const EvaluationOptions& options);

// The arguments of a row.
std::vector<Code> arguments_of(const Relation& relation, RowId row);

}  // namespace sorites
