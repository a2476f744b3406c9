// The models of joint reasoning under hard rules that integer_benchmark times, with scores as a
// network would give them. One sample each.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "hinge/integer/test_puzzles.h"
#include "hinge/problem/random_model.h"
#include "sorites/model.h"

namespace sorites {

using Random = std::mt19937_64;

// A wish of weight `weight` that the atom equals the score.
inline void add_wish(ModelBuilder& builder, AtomId atom, double score, double weight = 1.0) {
  builder.add(TermKind::kHinge, weight, {1}, {atom}, -score);
  builder.add(TermKind::kHinge, weight, {-1}, {atom}, score);
}

// Scores of 10 digits: a softmax of noise, and 6 more for the true one.
inline std::array<double, 10> digit_scores(std::size_t digit, double noise, Random& random) {
  std::normal_distribution<double> normal;
  std::array<double, 10> scores{};
  double sum = 0.0;
  for (std::size_t v = 0; v < 10; ++v) {
    sum += scores[v] = std::exp(noise * normal(random) + (v == digit ? 6.0 : 0.0));
  }
  for (double& score : scores) score /= sum;
  return scores;
}

// 30 of the 81 cells of a solution as clues that a network has read.
inline Model noisy_sudoku(std::string solution, double noise, Random& random) {
  std::vector<std::size_t> cells(81);
  for (std::size_t k = 0; k < 81; ++k) cells[k] = k;
  std::shuffle(cells.begin(), cells.end(), random);
  for (std::size_t k = 30; k < 81; ++k) solution[cells[k]] = '0';
  return sudoku_model({solution}, random(), noise);
}

// Two numbers of four digits that a network has read, and their sum: column by column, digit +
// digit + carry = place + 10 next carry. Atoms: 10 per digit, then one per carry out.
inline Model addition_of_four(double noise, Random& random) {
  constexpr std::size_t kPlaces = 4;
  ModelBuilder builder(20 * kPlaces + kPlaces);
  std::uniform_int_distribution<std::size_t> any(0, 9);
  std::size_t carry = 0;
  for (std::size_t place = 0; place < kPlaces; ++place) {  // ones first
    std::vector<double> coefficients;
    std::vector<AtomId> atoms;
    std::size_t sum = carry;
    for (std::size_t number = 0; number < 2; ++number) {
      const std::size_t digit = any(random);
      sum += digit;
      const auto first = static_cast<AtomId>(20 * place + 10 * number);
      std::vector<AtomId> group;
      const auto scores = digit_scores(digit, noise, random);
      for (AtomId v = 0; v < 10; ++v) {
        add_wish(builder, first + v, scores[v]);
        group.push_back(first + v);
        if (v == 0) continue;
        coefficients.push_back(v);
        atoms.push_back(first + v);
      }
      builder.add(TermKind::kEqual, 0, std::vector<double>(10, 1.0), group, -1.0);
    }
    const auto carry_out = static_cast<AtomId>(20 * kPlaces + place);
    if (place > 0) {
      coefficients.push_back(1.0);
      atoms.push_back(carry_out - 1);
    }
    coefficients.push_back(-10.0);
    atoms.push_back(carry_out);
    builder.add(TermKind::kEqual, 0, coefficients, atoms, -static_cast<double>(sum % 10));
    carry = sum / 10;
  }
  // The leading place of the sum is the last carry.
  const auto last = static_cast<AtomId>(20 * kPlaces + kPlaces - 1);
  builder.add(TermKind::kEqual, 0, {1}, {last}, -static_cast<double>(carry));
  return builder.take();
}

// A grid in which a path goes from one cell to another over 8 neighbours. Atoms: one per free cell
// (on the path), then one per directed edge.
struct Grid {
  std::size_t size = 0;
  std::vector<char> is_free;   // per cell, row by row
  std::vector<double> scores;  // per cell: how sure a network is that it is on the path
  std::size_t from = 0, to = 0;
};

// A unit of flow enters at `from` and leaves at `to`: inflow = outflow = on the path, no edge both
// ways; the network's scores as wishes, and a small wish for short paths.
inline Model path_model(const Grid& grid) {
  constexpr double kShort = 0.01;
  std::vector<AtomId> vertex(grid.is_free.size(), 0);
  AtomId next = 0;
  for (std::size_t k = 0; k < vertex.size(); ++k) {
    if (grid.is_free[k] != 0) vertex[k] = next++;
  }
  std::map<std::pair<std::size_t, std::size_t>, AtomId> edges;
  const auto size = static_cast<int>(grid.size);
  for (int r = 0; r < size; ++r) {
    for (int c = 0; c < size; ++c) {
      for (int d = 0; d < 9; ++d) {
        const int y = r + d / 3 - 1, x = c + d % 3 - 1;
        if (d == 4 || y < 0 || x < 0 || y >= size || x >= size) continue;
        const auto a = static_cast<std::size_t>(r * size + c);
        const auto b = static_cast<std::size_t>(y * size + x);
        if (grid.is_free[a] != 0 && grid.is_free[b] != 0) edges[{a, b}] = next++;
      }
    }
  }
  ModelBuilder builder(next);
  std::vector<std::vector<AtomId>> in(vertex.size()), out(vertex.size());
  for (const auto& [ends, edge] : edges) {
    out[ends.first].push_back(edge);
    in[ends.second].push_back(edge);
    builder.add(TermKind::kHinge, kShort, {1}, {edge}, 0.0);
    if (ends.first < ends.second) {
      builder.add(TermKind::kAtMost, 0, {1, 1}, {edge, edges.at({ends.second, ends.first})}, -1.0);
    }
  }
  for (std::size_t k = 0; k < vertex.size(); ++k) {
    if (grid.is_free[k] == 0) continue;
    add_wish(builder, vertex[k], grid.scores[k]);
    for (const bool into : {true, false}) {
      std::vector<AtomId> atoms = into ? in[k] : out[k];
      std::vector<double> coefficients(atoms.size(), 1.0);
      atoms.push_back(vertex[k]);
      coefficients.push_back(-1.0);
      const bool is_end = k == (into ? grid.from : grid.to);  // the extra edge from end to start
      builder.add(TermKind::kEqual, 0, coefficients, atoms, is_end ? 1.0 : 0.0);
    }
  }
  for (const std::size_t k : {grid.from, grid.to}) {
    builder.add(TermKind::kEqual, 0, {1}, {vertex[k]}, -1.0);
  }
  return builder.take();
}

// Scores of a network that errs now and then, for a path that is known.
inline void set_scores(Grid& grid, const std::vector<std::size_t>& path, Random& random) {
  std::normal_distribution<double> normal;
  std::vector<char> is_on(grid.is_free.size(), 0);
  for (const std::size_t k : path) is_on[k] = 1;
  grid.scores.resize(grid.is_free.size());
  for (std::size_t k = 0; k < is_on.size(); ++k) {
    grid.scores[k] = 1.0 / (1.0 + std::exp(-(is_on[k] != 0 ? 3.0 : -3.0) - 1.5 * normal(random)));
  }
}

// An open grid with a path that wanders from the top left to the bottom right.
inline Grid open_grid(std::size_t size, Random& random) {
  Grid grid{size, std::vector<char>(size * size, 1), {}, 0, size * size - 1};
  std::vector<std::size_t> path{0};
  std::size_t r = 0, c = 0;
  while (r + 1 < size || c + 1 < size) {
    const std::uint64_t draw = random() % 3;
    if (draw != 0 && r + 1 < size) ++r;
    if (draw != 1 && c + 1 < size) ++c;
    path.push_back(r * size + c);
  }
  set_scores(grid, path, random);
  return grid;
}

// Clauses over the labels of a box, as signed numbers from 1, and scores that mostly keep them.
inline Model box_model(const std::vector<std::vector<int>>& clauses,
                       std::size_t num_labels,
                       Random& random) {
  ModelBuilder builder(num_labels);
  std::normal_distribution<double> normal;
  std::vector<char> is_on(num_labels, 0);
  for (std::size_t k = 0; k < 4; ++k) is_on[random() % num_labels] = 1;
  for (AtomId i = 0; i < num_labels; ++i) {
    const double score =
        1.0 / (1.0 + std::exp(-(is_on[i] != 0 ? 2.0 : -3.0) - 1.5 * normal(random)));
    builder.add(TermKind::kHinge, 1.0, {-1}, {i}, score);
    builder.add(TermKind::kHinge, 1.5, {1}, {i}, -score);
  }
  for (const std::vector<int>& clause : clauses) {
    std::vector<double> coefficients;
    std::vector<AtomId> atoms;
    double offset = 1.0;
    for (const int literal : clause) {
      atoms.push_back(static_cast<AtomId>(std::abs(literal) - 1));
      coefficients.push_back(literal > 0 ? -1.0 : 1.0);
      if (literal < 0) offset -= 1.0;
    }
    builder.add(TermKind::kAtMost, 0, coefficients, atoms, offset);
  }
  return builder.take();
}

}  // namespace sorites
