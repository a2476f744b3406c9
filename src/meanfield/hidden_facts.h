// Facts as something to learn from: some are hidden, and to be inferred from the others.
#pragma once

#include <cstdint>
#include <vector>

#include "meanfield/mean_field_energy.h"
#include "meanfield/model.h"

namespace sorites {

class HidingFacts {
 public:
  // Makes the facts of open predicates the targets of the model. Where all facts of a predicate say
  // "true", nothing would speak against all atoms being true: then there are as many targets for
  // atoms that are presumed false.
  HidingFacts(MeanFieldModel& model, const HiddenFacts& options);

  // Draws anew what is hidden, which alone has labels then, and what is presumed false. Returns
  // what stays known, per predicate.
  std::vector<std::vector<KnownAtom>> draw(MeanFieldTask& task);

  // How often that was done: the next draw depends on nothing else.
  std::uint64_t num_draws() const { return num_draws_; }
  void set_num_draws(std::uint64_t count) { num_draws_ = count; }

 private:
  HiddenFacts options_;
  std::uint64_t num_draws_ = 0;
  std::vector<std::vector<KnownAtom>> known_;  // per predicate; empty of closed ones
  std::vector<std::uint64_t> num_atoms_;       // per predicate
  std::vector<double> labels_;                 // per target that is a fact
};

}  // namespace sorites
