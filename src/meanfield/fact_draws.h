// Facts as something to learn from: some are hidden, and to be inferred from the others. Which ones
// an epoch of learning hides, and which are held out of all epochs to judge them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "meanfield/model.h"

namespace sorites {

struct DrawnFact {
  std::size_t predicate = 0;
  KnownAtom atom;
};

// Facts that are hidden and to be inferred, by ascending predicates and atoms; and atoms that are
// unknown anyway, presumed false.
struct FactDraw {
  std::vector<DrawnFact> hidden, presumed;
};

class FactDraws {
 public:
  // Of the facts of open predicates, a share is held out for validation (none of few facts), and
  // every draw hides a share of the others, at least one. Where all facts of a predicate are true,
  // nothing would speak against all its atoms being true: as many of the unknown ones are presumed
  // false.
  FactDraws(const MeanFieldModel& model,
            double hidden_share,
            double validation_share,
            std::uint64_t seed);

  bool has_facts() const { return !training_.empty(); }
  const std::vector<DrawnFact>& training() const { return training_; }
  // What epochs are judged by; hidden from the training facts if none is held out.
  const FactDraw& validation() const { return validation_; }
  // The draw of this number, which with the seed decides it.
  FactDraw draw(std::uint64_t number) const { return draw_from(training_, hidden_share_, number); }
  double mean_size() const;  // of a draw, both parts together

  // Per predicate, what is known where the facts of the draw are hidden; those held out are hidden
  // too.
  std::vector<std::vector<KnownAtom>> known_without(const FactDraw& draw) const;

 private:
  struct OfPredicate {
    std::vector<KnownAtom> known;  // all of it
    std::uint64_t num_atoms = 0;
    bool all_true = false;
  };

  FactDraw draw_from(const std::vector<DrawnFact>& facts, double share, std::uint64_t number) const;

  double hidden_share_;
  std::uint64_t seed_;
  std::vector<OfPredicate> predicates_;
  std::vector<DrawnFact> training_;
  FactDraw validation_;
  bool held_out_ = false;
};

}  // namespace sorites
