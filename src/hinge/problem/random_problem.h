// Random problems for tests: small, deterministic from a seed, with everything a Problem may hold.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "hinge/problem/problem.h"

namespace sorites {

// How much there is of what. The defaults of random_problem vary with the seed.
struct RandomShape {
  std::size_t num_variables = 8;
  std::size_t num_rows = 12;
  std::size_t num_groups = 1;
  std::size_t cluster = 0;       // if not 0: rows and groups stay within clusters of so many
  bool hinges = true;            // linear rows
  bool squared_hinges = true;    // quadratic rows
  bool hard_rows = true;         // besides groups
  bool odd_coefficients = true;  // other than 1 and -1
};

struct RandomProblem {
  Problem problem;
  std::vector<double> feasible;  // keeps all hard rows and groups
};

// A row on its own, before rows of one kind are put into blocks.
struct PlainRow {
  TermKind kind = TermKind::kHinge;
  std::vector<double> coefficients;
  std::vector<std::uint32_t> variables;
  double weight = 0.0;
  double offset = 0.0;
};

// Appends the rows as blocks. The problem must not have rows yet.
inline void add_rows_as_blocks(Problem& problem, const std::vector<PlainRow>& rows) {
  std::map<std::pair<TermKind, std::vector<double>>, std::vector<const PlainRow*>> blocks;
  for (const PlainRow& row : rows) blocks[{row.kind, row.coefficients}].push_back(&row);
  for (const auto& [key, members] : blocks) {
    RowBlock block{.kind = key.first,
                   .coefficients = key.second,
                   .first_row = problem.num_rows(),
                   .num_rows = members.size(),
                   .first_entry = problem.variables.size()};
    for (const double a : key.second) block.norm2 += a * a;
    for (const PlainRow* row : members) {
      problem.variables.insert(
          problem.variables.end(), row->variables.begin(), row->variables.end());
      problem.weight.push_back(row->weight);
      problem.offset.push_back(row->offset);
    }
    problem.blocks.push_back(std::move(block));
  }
}

class ProblemGenerator {
 public:
  ProblemGenerator(std::uint64_t seed, const RandomShape& shape) : draw_(seed), shape_(shape) {}

  RandomProblem generate() {
    for (std::size_t i = 0; i < shape_.num_variables; ++i) add_variable();
    result_.problem.num_variables = shape_.num_variables;
    result_.problem.folded.begin.push_back(result_.problem.folded.segments.size());
    add_groups();
    std::vector<PlainRow> rows;
    while (shape_.num_variables >= 2 && rows.size() < shape_.num_rows) {
      const bool again = !rows.empty() && chance(0.1);  // redundant
      rows.push_back(again ? rows[below(rows.size())] : random_row());
    }
    add_rows_as_blocks(result_.problem, rows);
    return std::move(result_);
  }

 private:
  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(draw_() >> 11) * 0x1p-53;
  }
  bool chance(double probability) { return uniform(0.0, 1.0) < probability; }
  std::size_t below(std::size_t count) { return draw_() % count; }

  void add_variable() {
    double low = 0.0, high = 1.0;
    if (chance(0.2)) {
      low = uniform(0.0, 0.5);
      high = chance(0.2) ? low : uniform(low, 1.0);
    }
    Problem& problem = result_.problem;
    problem.lower.push_back(low);
    problem.upper.push_back(high);
    problem.folded.begin.push_back(problem.folded.segments.size());
    add_segments(low, high);
    result_.feasible.push_back(chance(0.3) ? low : chance(0.4) ? high : uniform(low, high));
  }

  // The sum of one-sided terms at up to three breakpoints, as folding makes it.
  void add_segments(double low, double high) {
    struct Piece {
      double at, weight;
      bool squared, rises;
    };
    std::vector<Piece> pieces(chance(0.2) ? 0 : below(4));
    std::vector<double> starts{low};
    for (Piece& piece : pieces) {
      piece = {uniform(low, high), uniform(0.05, 2.0), chance(0.4), chance(0.5)};
      if (chance(0.3)) piece.at = piece.rises ? low : high;
      if (piece.at > low && piece.at < high) starts.push_back(piece.at);
    }
    std::sort(starts.begin(), starts.end());
    starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
    const double shift = chance(0.1) ? uniform(-2.0, 2.0) : 0.0;
    for (std::size_t k = 0; k < starts.size(); ++k) {
      Segment segment{.start = starts[k], .constant = shift};
      const double middle = 0.5 * (starts[k] + (k + 1 < starts.size() ? starts[k + 1] : high));
      for (const Piece& piece : pieces) {
        if (piece.rises ? middle < piece.at : middle > piece.at) continue;
        const double sign = piece.rises ? 1.0 : -1.0, w = piece.weight, at = piece.at;
        segment.constant += piece.squared ? w * at * at : -sign * w * at;
        segment.slope += piece.squared ? -2.0 * w * at : sign * w;
        segment.curvature += piece.squared ? 2.0 * w : 0.0;
      }
      result_.problem.folded.segments.push_back(segment);
    }
  }

  // The first variable and the number of the cluster that a row or group is drawn from.
  std::pair<std::size_t, std::size_t> random_cluster() {
    const std::size_t n = shape_.num_variables, size = shape_.cluster;
    if (size < 2 || n < size) return {0, n};
    const std::size_t c = below(n / size);
    return {c * size, size};
  }

  std::vector<std::uint32_t> distinct_variables(std::size_t count) {
    const auto [first, size] = random_cluster();
    std::vector<std::uint32_t> drawn;
    while (drawn.size() < std::min(count, size)) {
      const auto i = static_cast<std::uint32_t>(first + below(size));
      if (std::find(drawn.begin(), drawn.end(), i) == drawn.end()) drawn.push_back(i);
    }
    return drawn;
  }

  void add_groups() {
    Problem& problem = result_.problem;
    std::vector<bool> taken(shape_.num_variables, false);
    for (std::size_t g = 0; g < shape_.num_groups && shape_.num_variables >= 2; ++g) {
      std::vector<std::uint32_t> members = distinct_variables(2 + below(3));
      std::erase_if(members, [&](std::uint32_t i) { return taken[i]; });
      if (members.size() < 2) continue;
      Group group{.first = static_cast<std::uint32_t>(problem.group_variables.size()),
                  .count = static_cast<std::uint32_t>(members.size())};
      for (const std::uint32_t i : members) {
        taken[i] = true;
        group.total += result_.feasible[i];
        problem.group_variables.push_back(i);
      }
      problem.groups.push_back(group);
    }
  }

  TermKind random_kind() {
    std::vector<TermKind> kinds;
    if (shape_.hinges) kinds.insert(kinds.end(), 3, TermKind::kHinge);
    if (shape_.squared_hinges) kinds.insert(kinds.end(), 3, TermKind::kSquaredHinge);
    if (shape_.hard_rows) {
      kinds.push_back(TermKind::kAtMost);
      if (chance(0.5)) kinds.push_back(TermKind::kEqual);
    }
    return kinds.empty() ? TermKind::kHinge : kinds[below(kinds.size())];
  }

  PlainRow random_row() {
    PlainRow row{.kind = random_kind()};
    row.variables = distinct_variables(chance(0.1) ? 5 : 2 + below(2));
    double value = 0.0;  // at the feasible point
    for (const std::uint32_t i : row.variables) {
      const double size = shape_.odd_coefficients && chance(0.15) ? uniform(0.2, 3.0) : 1.0;
      row.coefficients.push_back(chance(0.5) ? size : -size);
      value += row.coefficients.back() * result_.feasible[i];
    }
    if (row.kind == TermKind::kEqual) {
      row.offset = -value;
    } else if (row.kind == TermKind::kAtMost) {
      row.offset = -value - (chance(0.5) ? 0.0 : uniform(0.0, 1.0));
    } else {
      row.weight = chance(0.1) ? 0.0 : chance(0.1) ? uniform(5.0, 50.0) : uniform(0.01, 3.0);
      row.offset = chance(0.1) ? -10.0 : uniform(-1.0, 1.0);
    }
    return row;
  }

  std::mt19937_64 draw_;
  RandomShape shape_;
  RandomProblem result_;
};

inline RandomProblem random_problem(std::uint64_t seed, const RandomShape& shape) {
  return ProblemGenerator(seed, shape).generate();
}

// Of a shape that depends on the seed.
inline RandomProblem random_problem(std::uint64_t seed) {
  std::mt19937_64 draw(seed * 977 + 5);
  RandomShape shape;
  shape.num_variables = draw() % 20 == 0 ? draw() % 3 : 2 + draw() % 14;
  shape.num_rows = draw() % 12 == 0 ? 0 : draw() % 24;
  shape.num_groups = draw() % 3;
  shape.cluster = draw() % 3 == 0 ? 2 + draw() % 4 : 0;
  shape.hinges = draw() % 5 != 0;
  shape.squared_hinges = draw() % 5 != 0;
  shape.hard_rows = draw() % 3 != 0;
  shape.odd_coefficients = draw() % 2 == 0;
  return random_problem(seed, shape);
}

// The problem with two hard rows more that contradict each other, far apart by `by`. It must have
// two variables at least.
inline Problem made_infeasible(const Problem& problem, double by = 0.5) {
  Problem made = problem;
  for (const double sign : {1.0, -1.0}) {
    made.blocks.push_back({.kind = TermKind::kEqual,
                           .coefficients = {sign, -sign},
                           .norm2 = 2.0,
                           .first_row = made.num_rows(),
                           .num_rows = 1,
                           .first_entry = made.variables.size()});
    made.variables.insert(made.variables.end(), {0, 1});
    made.weight.push_back(0.0);
    made.offset.push_back(0.5 * by);
  }
  return made;
}

}  // namespace sorites
