// Which facts an epoch of learning hides, and which are held out of all epochs to judge them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "meanfield/model.h"

namespace sorites {

struct Fact {
  std::size_t predicate = 0;
  KnownAtom atom;
};

// Facts that are hidden and to be inferred, by ascending predicates and atoms; and atoms that are
// unknown anyway, presumed false.
struct FactDraw {
  std::vector<Fact> hidden, presumed;

  bool empty() const { return hidden.empty() && presumed.empty(); }
};

class FactDraws {
 public:
  // Of the facts of open predicates, a share is held out for validation (none of few facts), and
  // every draw hides a share of the others. Where all facts of a predicate are true, nothing would
  // speak against all its atoms being true: as many of the unknown ones are presumed false.
  FactDraws(const MeanFieldModel& model,
            double hidden_share,
            double validation_share,
            std::uint64_t seed);

  bool has_facts() const { return !training_.empty(); }
  const std::vector<Fact>& training() const { return training_; }
  // What epochs are judged by; hidden from the training facts if none is held out.
  const FactDraw& validation() const { return validation_; }
  FactDraw draw() { return draw_from(training_, hidden_share_); }

  // Per predicate, what is known where the facts of the draw are hidden; those held out are hidden
  // too.
  std::vector<std::vector<KnownAtom>> known_without(const FactDraw& draw) const;

 private:
  struct OfPredicate {
    std::vector<KnownAtom> known;  // all of it
    std::uint64_t num_atoms = 0;
    bool all_true = false;
  };

  FactDraw draw_from(const std::vector<Fact>& facts, double share);
  void presume_false(std::size_t predicate, std::size_t count, std::vector<Fact>& presumed);

  double hidden_share_;
  std::mt19937_64 random_;
  std::vector<OfPredicate> predicates_;
  std::vector<Fact> training_;
  FactDraw validation_;
  bool held_out_ = false;
};

}  // namespace sorites
