#include "hinge/presolve/postsolve.h"

#include <algorithm>
#include <cmath>

#include "hinge/problem/certificate.h"
#include "hinge/problem/solver.h"
#include "hinge/problem/term_chunks.h"
#include "hinge/problem/weight_range.h"

namespace sorites {
namespace {

// Where f_i(x) + gradient x is smallest, and which of the slopes at that place is the multiplier.
struct Support {
  double x = 0.0;
  double share = 0.0;   // of the right slope at a kink; the rest is of the left one
  double slope = 0.0;   // of f_i + gradient there: 0 but at a bound
  bool pinned = false;  // between equal bounds: kinks there are not part of f_i
  int side = 0;         // -1 at the lower bound, 1 at the upper one
  double held = 1.0;    // of the slopes of hinges that end at that bound: what is the multiplier
};

Support support_of(const Problem& problem, std::size_t i, double gradient) {
  const auto segments = problem.folded.of(i);
  auto hint = static_cast<std::uint32_t>(segments.size() / 2);
  const double x = minimise(segments, problem.upper[i], gradient, 0.0, hint).x;
  const std::size_t k = segment_at(segments, x);
  const double right = segments[k].derivative(x) + gradient;
  const double left =
      k > 0 && segments[k].start == x ? segments[k - 1].derivative(x) + gradient : right;
  if (x <= problem.lower[i]) return {x, 1.0, right, problem.upper[i] <= x, -1};
  if (x >= problem.upper[i]) return {x, 0.0, left, false, 1};
  const double share = right > left ? std::clamp(-left / (right - left), 0.0, 1.0) : 0.0;
  return {x, share, left + share * (right - left)};
}

// Whether a hinge ends at the bound that its variable is at: its slope may be anything up to its
// weight then, as far as that holds the variable there.
bool ends_at_bound(const Support& support, double a, double b) {
  return !support.pinned && support.side * a < 0.0 && support.x == -b / a;
}

// The slope of a folded term at the support of its variable: with respect to its residual.
double folded_multiplier(TermKind kind, double weight, double a, double b, const Support& support) {
  if (kind == TermKind::kSquaredHinge) return 2.0 * weight * std::max(0.0, a * support.x + b);
  const double breakpoint = -b / a;
  const double right = a > 0.0 ? weight : 0.0, left = weight - right;
  if (support.x > breakpoint) return right;
  if (support.x < breakpoint) return left;
  if (support.side != 0 && !support.pinned) {
    return support.side * a < 0.0 ? support.held * weight : 0.0;  // one ends, one begins there
  }
  return support.pinned ? 0.0 : support.share * right + (1.0 - support.share) * left;
}

class Postsolver {
 public:
  Postsolver(const Model& model,
             const Parameters& parameters,
             Presolved& presolved,
             ThreadPool& pool)
      : model_(model),
        parameters_(parameters),
        presolved_(presolved),
        problem_(presolved.problem),
        map_(presolved.atoms),
        pool_(pool) {}

  ModelPoint run(PrimalDual& point, bool keep) {
    std::vector<double> gradient;
    evaluate(problem_, point, gradient, pool_);
    supports_.resize(problem_.num_variables);
    pool_.for_each(kPresolveParts, [&](std::size_t p) {
      const Part part = part_of(problem_.num_variables, kPresolveParts, p);
      for (std::size_t i = part.begin; i < part.end; ++i) {
        supports_[i] = support_of(problem_, i, gradient[i]);
      }
    });
    constexpr double kHidden = 1e6;  // what is less far apart is far above rounding errors
    const WeightRange weights = weight_range(model_, parameters_);
    if (weights.largest > kHidden * weights.smallest) lighten_supports(std::move(gradient));
    if (!keep) presolved_.problem.folded = {};
    result_.truth = truth_of(map_, point.x);
    set_multipliers(point);
    set_group_multipliers(point);
    set_bound_multipliers();
    if (!map_.is_identity()) set_eliminated_multipliers();
    return std::move(result_);
  }

 private:
  // A heavy rule of one atom that just holds at a bound of it needs no more slope than what pulls
  // the atom away. With all of its weight the bound would be a difference of large numbers, whose
  // rounding errors are larger than what light rules cost.
  void lighten_supports(std::vector<double> pull) {
    const std::vector<double> room = room_at_bounds(pull);
    for (std::size_t i = 0; i < room.size(); ++i) {
      if (room[i] == 0.0) continue;
      Support& support = supports_[i];
      const double held = std::clamp(support.side * pull[i], 0.0, room[i]);
      support.held = held / room[i];
      support.slope = pull[i] - support.side * held;
    }
  }

  // Per variable: the slopes of hinges that end at the bound that it is at. What others of its
  // terms pull is added to `pull`.
  std::vector<double> room_at_bounds(std::vector<double>& pull) const {
    std::vector<double> room(problem_.num_variables, 0.0);
    ReducedTerm reduced;
    for (const TermChunk& chunk : chunks_of(model_)) {
      const TermBlock& block = model_.blocks[chunk.block];
      if (is_hard(block.kind)) continue;
      const double weight = parameters_.weights[block.rule];
      for (std::size_t t = chunk.first; t < chunk.last; ++t) {
        const std::size_t number = chunk.first_term + (t - chunk.first);
        if (presolved_.row_of_term[number] < kFoldedTerm) continue;
        reduce_term(block, t, offset_of(block, t, parameters_.outputs), map_, reduced);
        if (reduced.variables.size() != 1) continue;
        const std::uint32_t i = reduced.variables[0];
        const double a = reduced.coefficients[0], b = reduced.offset;
        if (block.kind == TermKind::kHinge && ends_at_bound(supports_[i], a, b)) {
          room[i] += weight * std::abs(a);
        } else {
          pull[i] += a * folded_multiplier(block.kind, weight, a, b, supports_[i]);
        }
      }
    }
    return room;
  }

  std::size_t term_number(TermId id) const { return first_term_[id.block] + id.term; }

  void set_multipliers(const PrimalDual& point) {
    result_.multipliers.assign(presolved_.row_of_term.size(), 0.0);
    const std::vector<TermChunk> chunks = chunks_of(model_);
    first_term_.assign(model_.blocks.size(), 0);
    for (const TermChunk& chunk : chunks) {
      if (chunk.first == 0) first_term_[chunk.block] = chunk.first_term;
    }
    hard_row_done_.assign(problem_.num_rows(), false);
    pool_.for_each(chunks.size(), [&](std::size_t c) { set_multipliers(point, chunks[c]); });
    for (const TermChunk& chunk : chunks) {
      if (is_hard(model_.blocks[chunk.block].kind)) set_hard_multipliers(point, chunk);
    }
  }

  void set_multipliers(const PrimalDual& point, const TermChunk& chunk) {
    const TermBlock& block = model_.blocks[chunk.block];
    if (is_hard(block.kind)) return;
    const double weight = parameters_.weights[block.rule];
    ReducedTerm reduced;
    for (std::size_t t = chunk.first; t < chunk.last; ++t) {
      const std::size_t number = chunk.first_term + (t - chunk.first);
      const std::uint32_t row = presolved_.row_of_term[number];
      double& mu = result_.multipliers[number];
      if (row < kFoldedTerm) {  // its part of a merged row
        if (problem_.weight[row] > 0.0)
          mu = point.multipliers[row] * (weight / problem_.weight[row]);
      } else if (row == kFoldedTerm && block.width() == 1) {
        mu = folded_multiplier(block.kind,
                               weight,
                               block.coefficients[0],
                               offset_of(block, t, parameters_.outputs),
                               supports_[map_.variable[block.atoms[t]]]);
      } else {
        mu = odd_multiplier(block, t, weight, reduced);
      }
    }
  }

  // A term that fixed atoms or aliases have made a folded or a constant one.
  double odd_multiplier(const TermBlock& block,
                        std::size_t t,
                        double weight,
                        ReducedTerm& reduced) const {
    reduce_term(block, t, offset_of(block, t, parameters_.outputs), map_, reduced);
    if (reduced.variables.size() == 1) {
      return folded_multiplier(block.kind,
                               weight,
                               reduced.coefficients[0],
                               reduced.offset,
                               supports_[reduced.variables[0]]);
    }
    const double residual = std::max(0.0, reduced.offset);
    if (block.kind == TermKind::kHinge) return residual > 0.0 ? weight : 0.0;
    return 2.0 * weight * residual;
  }

  // The first of equal hard terms gets all of the row's multiplier.
  void set_hard_multipliers(const PrimalDual& point, const TermChunk& chunk) {
    for (std::size_t t = chunk.first; t < chunk.last; ++t) {
      const std::size_t number = chunk.first_term + (t - chunk.first);
      const std::uint32_t row = presolved_.row_of_term[number];
      if (row >= kFoldedTerm || hard_row_done_[row]) continue;
      hard_row_done_[row] = true;
      result_.multipliers[number] = point.multipliers[row];
    }
  }

  void set_group_multipliers(const PrimalDual& point) {
    for (std::size_t g = 0; g < presolved_.group_terms.size(); ++g) {
      const GroupTerm& group = presolved_.group_terms[g];
      result_.multipliers[term_number(group.term)] = point.group_multipliers[g] / group.coefficient;
    }
  }

  // At a bound that a hard term gives, the term holds what is left of the slope.
  void set_bound_multipliers() {
    for (auto bound = map_.bounds.rbegin(); bound != map_.bounds.rend(); ++bound) {
      Support& support = supports_[bound->variable];  // later bounds are tighter: they come first
      const bool holds = bound->coefficient > 0.0
                             ? support.slope < 0.0 && support.x >= problem_.upper[bound->variable]
                             : support.slope > 0.0 && support.x <= problem_.lower[bound->variable];
      if (!holds) continue;
      result_.multipliers[term_number(bound->term)] = -support.slope / bound->coefficient;
      support.slope = 0.0;
    }
  }

  // The equalities by which atoms were eliminated balance the slopes of these atoms: first those
  // that fixed atoms, last first; then the aliases, from the leaves of their trees.
  void set_eliminated_multipliers() {
    const std::vector<TermChunk> chunks = chunks_of(model_);
    const std::size_t parts = pool_.num_threads();
    std::vector<std::vector<double>> slopes(parts);
    pool_.for_each(parts, [&](std::size_t p) {
      slopes[p].assign(model_.num_atoms, 0.0);
      const Part part = part_of(chunks.size(), parts, p);
      for (std::size_t c = part.begin; c < part.end; ++c) add_slopes(chunks[c], slopes[p]);
    });
    std::vector<double>& slope = slopes[0];
    for (std::size_t p = 1; p < parts; ++p) {
      for (std::size_t i = 0; i < slope.size(); ++i) slope[i] += slopes[p][i];
    }
    balance_fixes(slope);
    balance_aliases(slope);
  }

  // A'mu of the terms of a chunk.
  void add_slopes(const TermChunk& chunk, std::vector<double>& slope) const {
    const TermBlock& block = model_.blocks[chunk.block];
    const AtomId* atom = block.atoms.data() + chunk.first * block.width();
    for (std::size_t t = chunk.first; t < chunk.last; ++t) {
      const double mu = result_.multipliers[chunk.first_term + (t - chunk.first)];
      for (const double a : block.coefficients) slope[*atom++] += a * mu;
    }
  }

  void balance_fixes(std::vector<double>& slope) {
    if (map_.fixes.empty()) return;
    // Atoms of one alias class are balanced together, at the root of the class.
    std::vector<AtomId> root(model_.num_atoms);
    for (AtomId atom = 0; atom < root.size(); ++atom) root[atom] = atom;
    const auto root_of = [&](AtomId atom) {
      while (root[atom] != atom) atom = root[atom] = root[root[atom]];
      return atom;
    };
    for (const Alias& alias : map_.aliases) {
      const AtomId a = root_of(alias.atoms[0]), b = root_of(alias.atoms[1]);
      root[std::max(a, b)] = std::min(a, b);
    }
    std::vector<double> total(model_.num_atoms, 0.0);
    for (AtomId atom = 0; atom < root.size(); ++atom) total[root_of(atom)] += slope[atom];
    for (auto fix = map_.fixes.rbegin(); fix != map_.fixes.rend(); ++fix) {
      const double mu = -total[root_of(fix->atom)] / fix->coefficient;
      result_.multipliers[term_number(fix->term)] = mu;
      const TermBlock& block = model_.blocks[fix->term.block];
      const auto atoms = block.atoms_of(fix->term.term);
      for (std::size_t k = 0; k < atoms.size(); ++k) {
        slope[atoms[k]] += block.coefficients[k] * mu;
        total[root_of(atoms[k])] += block.coefficients[k] * mu;
      }
    }
  }

  void balance_aliases(std::vector<double>& slope) {
    // In a tree, an atom of degree one knows its only edge: the exclusive or of all its edges.
    std::vector<std::uint32_t> degree(model_.num_atoms, 0), edges(model_.num_atoms, 0);
    for (std::uint32_t e = 0; e < map_.aliases.size(); ++e) {
      for (const AtomId atom : map_.aliases[e].atoms) {
        ++degree[atom];
        edges[atom] ^= e;
      }
    }
    for (AtomId start = 0; start < model_.num_atoms; ++start) {
      AtomId leaf = start;
      while (degree[leaf] == 1) {
        const Alias& alias = map_.aliases[edges[leaf]];
        const bool is_first = alias.atoms[0] == leaf;
        const AtomId other = alias.atoms[is_first ? 1 : 0];
        const double a = is_first ? alias.coefficient : -alias.coefficient;
        const double mu = -slope[leaf] / a;
        result_.multipliers[term_number(alias.term)] = mu;
        slope[other] -= a * mu;
        slope[leaf] = 0.0;
        degree[leaf] = 0;
        edges[other] ^= edges[leaf];
        --degree[other];
        if (other > start) break;  // its turn comes
        leaf = other;
      }
    }
  }

  const Model& model_;
  const Parameters& parameters_;
  Presolved& presolved_;
  const Problem& problem_;
  const AtomMap& map_;
  ThreadPool& pool_;
  ModelPoint result_;
  std::vector<Support> supports_;        // per variable
  std::vector<std::size_t> first_term_;  // per block
  std::vector<bool> hard_row_done_;
};

}  // namespace

std::vector<double> truth_of(const AtomMap& map, std::span<const double> x) {
  std::vector<double> truth(map.variable.size());
  for (std::size_t atom = 0; atom < truth.size(); ++atom) {
    const std::uint32_t i = map.variable[atom];
    const double value = i == kFixedAtom ? map.fixed_value[atom] : x[i];
    truth[atom] = std::clamp(value, 0.0, 1.0);
  }
  return truth;
}

ModelPoint postsolve(const Model& model,
                     const Parameters& parameters,
                     Presolved& presolved,
                     PrimalDual point,
                     ThreadPool& pool,
                     bool keep) {
  return Postsolver(model, parameters, presolved, pool).run(point, keep);
}

PrimalDual start_from(const Model& model,
                      const Presolved& presolved,
                      ProblemStructure& structure,
                      std::span<const double> truth,
                      std::span<const double> multipliers) {
  const Problem& problem = presolved.problem;
  PrimalDual point = cold_start(problem);
  // A variable on its own is best where cold_start puts it, and solvers leave it there.
  const std::vector<bool>& is_coupled = structure.coupled();
  for (std::size_t atom = 0; atom < model.num_atoms; ++atom) {
    const std::uint32_t i = presolved.atoms.variable[atom];
    if (i != kFixedAtom && is_coupled[i])
      point.x[i] = std::clamp(truth[atom], problem.lower[i], problem.upper[i]);
  }
  if (multipliers.empty()) return point;
  for (std::size_t t = 0; t < multipliers.size(); ++t) {
    const std::uint32_t row = presolved.row_of_term[t];
    if (row < kFoldedTerm) point.multipliers[row] += multipliers[t];
  }
  for (const RowBlock& block : problem.blocks) {
    for (std::size_t row = block.first_row; row < block.end_row(); ++row) {
      const Interval domain = domain_of(block.kind, problem.weight[row]);
      point.multipliers[row] = std::clamp(point.multipliers[row], domain.low, domain.high);
    }
  }
  std::vector<std::size_t> first_term(model.blocks.size(), 0);
  for (std::size_t b = 1; b < first_term.size(); ++b) {
    first_term[b] = first_term[b - 1] + model.blocks[b - 1].num_terms;
  }
  for (std::size_t g = 0; g < problem.groups.size(); ++g) {
    const GroupTerm& group = presolved.group_terms[g];
    point.group_multipliers[g] =
        multipliers[first_term[group.term.block] + group.term.term] * group.coefficient;
  }
  return point;
}

}  // namespace sorites
