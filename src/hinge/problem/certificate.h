// The certificate of a solution: objective, lower bound and violation over all terms of the ground
// model, whatever presolve and solver did.
#pragma once

#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "sorites/model.h"
#include "sorites/solve.h"

namespace sorites {

struct Certificate {
  double objective = 0.0;
  double lower_bound = 0.0;
  double max_violation = 0.0;
};

// Multipliers outside their domain are taken at its end. -infinity is the bound without
// multipliers.
Certificate certify(const Model& model,
                    const Parameters& parameters,
                    std::span<const double> truth,
                    std::span<const double> multipliers,
                    ThreadPool& pool);

// b_t: the constant part and the network outputs.
inline double offset_of(const TermBlock& block, std::size_t term, std::span<const double> outputs) {
  double offset = block.offset_of(term);
  const auto links = block.outputs_of(term);
  for (std::size_t j = 0; j < links.size(); ++j) {
    offset += block.output_coefficients[j] * outputs[links[j]];
  }
  return offset;
}

}  // namespace sorites
