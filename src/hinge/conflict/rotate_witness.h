// From one state that breaks a single row of a conflict to more such states, without solving: if
// moving one atom mends that row and breaks a single other one, the conflict needs that one too.
// Method: Belov, Marques-Silva, "Accelerating MUS extraction with recursive model rotation", 2011,
// for states in [0, 1]^n instead of truth assignments.
#pragma once

#include <cstdint>
#include <vector>

#include "hinge/conflict/verdict.h"

namespace sorites {

class WitnessRotation {
 public:
  explicit WitnessRotation(const LocalRows& local);  // which must outlive it

  // `state` keeps all rows but `broken`: marks that one, and all that moves lead to from there.
  void mark_needed(std::vector<double> state, std::uint32_t broken, std::vector<char>& is_needed);

 private:
  struct Entry {
    std::uint32_t row;
    double coefficient;
  };
  struct Move {
    std::uint32_t broken;  // row
    std::size_t next = 0;  // entry of it to try
    AtomId atom = 0;       // that was moved to come here
    double from = 0.0;     // its value before
  };

  void set_state(std::vector<double> state);
  void move(AtomId atom, double to);
  void approach(std::uint32_t broken);
  bool try_entry(std::uint32_t broken, std::size_t k, const std::vector<char>& is_needed, Move& to);

  const LocalRows& local_;
  std::vector<std::vector<Entry>> columns_;  // per atom
  std::vector<double> state_, residual_;     // per atom, per row
  std::size_t num_broken_ = 0;
};

}  // namespace sorites
