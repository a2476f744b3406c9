// Which number every target has in the model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sorites/database.h"
#include "sorites/model.h"
#include "sorites/program.h"

namespace sorites {

// What stands behind the atoms of a predicate.
struct PredicateLayout {
  std::uint32_t num_observed = 0;
  std::uint32_t first = 0;  // AtomId of target row 0, or number of its first network output
  bool open = false;
  bool neural = false;
  const double* observed_values = nullptr;  // per observed row; null while all are 1

  double observed_value(std::uint32_t row) const {
    return observed_values == nullptr ? 1.0 : observed_values[row];
  }
};

// Numbers the targets, atoms of open predicates and outputs of neural ones, and notes it in the
// model.
std::vector<PredicateLayout> lay_out(const Program& program,
                                     const Database& database,
                                     Model& model);

// The model of a snapshot, which must have the numbers that lay_out() gives and the rules of the
// program: a checksum does not tell who wrote it. Throws InputError.
Model fitting(Model model,
              const std::string& path,
              const Program& program,
              const Database& database);

}  // namespace sorites
