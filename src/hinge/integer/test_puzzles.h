// Sudoku puzzles for tests and benchmarks. Atom 729 p + 9 k + v: cell k of puzzle p has digit v
// + 1.
#pragma once

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "hinge/problem/random_model.h"

namespace sorites {

inline constexpr std::size_t kSudokuAtoms = 729;  // 9 digits for each of 81 cells

// One of the minimal puzzles with 17 clues, by G. Royle's list; it has one solution.
inline const std::string kSeventeenClues =
    "000000010400000000020000000000050407008000300001090000300400200050100000000806000";
inline const std::string kSeventeenCluesSolved =
    "693784512487512936125963874932651487568247391741398625319475268856129743274836159";

// Every cell one digit, every row, column and box each digit once.
inline void add_sudoku_rules(std::size_t puzzle, ModelBuilder& builder) {
  const std::vector<double> ones(9, 1.0);
  for (std::size_t i = 0; i < 9; ++i) {
    for (std::size_t j = 0; j < 9; ++j) {
      std::vector<AtomId> cell, row, column, box;
      const auto add =
          [&](std::vector<AtomId>& atoms, std::size_t r, std::size_t c, std::size_t v) {
            atoms.push_back(static_cast<AtomId>(kSudokuAtoms * puzzle + 9 * (9 * r + c) + v));
          };
      for (std::size_t k = 0; k < 9; ++k) {
        add(cell, i, j, k);
        add(row, i, k, j);
        add(column, k, i, j);
        add(box, i / 3 * 3 + k / 3, i % 3 * 3 + k % 3, j);
      }
      for (const auto* atoms : {&cell, &row, &column, &box}) {
        builder.add(TermKind::kEqual, 0, ones, *atoms, -1.0);
      }
    }
  }
}

// Puzzles whose clues (digits; 0 is none) are hard rules. With `noise`, they are scores instead, as
// a network gives them: a softmax of noise, and 6 more for the clue; every score is a wish of
// weight 1.
inline Model sudoku_model(const std::vector<std::string>& puzzles,
                          std::uint64_t seed = 0,
                          double noise = 0.0) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  ModelBuilder builder(kSudokuAtoms * puzzles.size());
  for (std::size_t p = 0; p < puzzles.size(); ++p) {
    add_sudoku_rules(p, builder);
    for (std::size_t k = 0; k < 81; ++k) {
      if (puzzles[p][k] == '0') continue;
      const auto first = static_cast<AtomId>(kSudokuAtoms * p + 9 * k);
      const auto digit = static_cast<AtomId>(puzzles[p][k] - '1');
      if (noise == 0.0) {
        builder.add(TermKind::kEqual, 0, {1}, {first + digit}, -1.0);
        continue;
      }
      std::vector<double> score(9);
      double sum = 0.0;
      for (AtomId v = 0; v < 9; ++v) {
        sum += score[v] = std::exp(noise * normal(random) + (v == digit ? 6.0 : 0.0));
      }
      for (AtomId v = 0; v < 9; ++v) {
        builder.add(TermKind::kHinge, 1.0, {1}, {first + v}, -score[v] / sum);
        builder.add(TermKind::kHinge, 1.0, {-1}, {first + v}, score[v] / sum);
      }
    }
  }
  return builder.take();
}

inline std::string digits_of(const std::vector<double>& truth, std::size_t puzzle) {
  std::string digits(81, '0');
  for (std::size_t k = 0; k < 81; ++k) {
    for (std::size_t v = 0; v < 9; ++v) {
      if (truth[kSudokuAtoms * puzzle + 9 * k + v] > 0.5) digits[k] = static_cast<char>('1' + v);
    }
  }
  return digits;
}

}  // namespace sorites
