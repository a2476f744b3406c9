#include "hinge/presolve/collect_terms.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "base/check.h"
#include "hinge/model/residual.h"
#include "hinge/problem/certificate.h"
#include "hinge/problem/term_chunks.h"

namespace sorites {
namespace {

// Rows of a pattern become one RowBlock. Coefficients stand in descending order.
struct Pattern {
  TermKind kind = TermKind::kHinge;
  std::vector<double> coefficients;
  bool has_outputs = false;  // offsets change: such rows are never merged

  auto operator<=>(const Pattern&) const = default;
  bool may_be_group() const {
    return kind == TermKind::kEqual && !has_outputs && coefficients.size() > 1 &&
           coefficients.front() == coefficients.back();
  }
};

// How a block's terms are put into the order of their pattern.
struct BlockPlan {
  std::uint32_t pattern = 0;  // if terms have two atoms or more
  std::uint32_t piece = 0;    // if they have one
  std::vector<std::size_t> order;
};

// A term that aliases and fixed atoms have changed.
struct OddRow {
  std::uint32_t pattern = 0;
  TermId term;
  std::vector<std::uint32_t> variables;  // in the order of the pattern
  double offset = 0.0;
};
struct OddEvent {
  std::uint32_t variable = 0;
  FoldEvent event;
};

// What one chunk holds.
struct ChunkCounts {
  std::size_t rows = 0;            // that go to the pattern of their block
  std::size_t first_row = 0;       // of them, in the problem
  std::vector<std::uint32_t> odd;  // terms
};

class Collector {
 public:
  Collector(const Model& model, const Parameters& parameters, Presolved& out, ThreadPool& pool)
      : model_(model), parameters_(parameters), out_(out), map_(out.atoms), pool_(pool) {}

  void run() {
    chunks_ = chunks_of(model_);
    first_term_.assign(model_.blocks.size(), 0);
    for (std::size_t b = 1; b < model_.blocks.size(); ++b) {
      first_term_[b] = first_term_[b - 1] + model_.blocks[b - 1].num_terms;
    }
    counts_.resize(chunks_.size());
    out_.row_of_term.assign(model_.num_terms(), kGoneTerm);
    plan_blocks();
    count();
    for (std::size_t c = 0; c < chunks_.size(); ++c) {
      for (const std::uint32_t t : counts_[c].odd) reduce_odd({chunks_[c].block, t});
    }
    place_rows();
    place_events();
    fill();
  }

 private:
  std::uint32_t pattern_number(Pattern pattern) {
    const auto [at, is_new] =
        pattern_numbers_.try_emplace(pattern, static_cast<std::uint32_t>(patterns_.size()));
    if (is_new) patterns_.push_back(std::move(pattern));
    return at->second;
  }
  std::uint32_t piece_number(const TermBlock& block, double coefficient) {
    const FoldPiece piece{block.rule, block.kind, coefficient, !block.output_coefficients.empty()};
    const auto [at, is_new] =
        piece_numbers_.try_emplace({piece.rule, piece.kind, piece.coefficient, piece.has_outputs},
                                   static_cast<std::uint32_t>(out_.fold.pieces.size()));
    if (is_new) out_.fold.pieces.push_back(piece);
    return at->second;
  }

  static bool is_foldable(const TermBlock& block) {
    return block.width() == 1 && !is_hard(block.kind);
  }

  void plan_blocks() {
    plans_.resize(model_.blocks.size());
    for (std::size_t b = 0; b < model_.blocks.size(); ++b) {
      const TermBlock& block = model_.blocks[b];
      BlockPlan& plan = plans_[b];
      if (map_.used[b]) continue;
      if (is_foldable(block)) {
        plan.piece = piece_number(block, block.coefficients[0]);
        continue;
      }
      plan.order.resize(block.width());
      std::iota(plan.order.begin(), plan.order.end(), 0U);
      std::stable_sort(plan.order.begin(), plan.order.end(), [&](std::size_t i, std::size_t j) {
        return block.coefficients[i] > block.coefficients[j];
      });
      Pattern pattern{block.kind, {}, !block.output_coefficients.empty()};
      for (const std::size_t k : plan.order) pattern.coefficients.push_back(block.coefficients[k]);
      plan.pattern = pattern_number(std::move(pattern));
    }
  }

  // Whether fixed or equal atoms change the term.
  bool is_odd(const AtomId* atoms, std::size_t width) const {
    for (std::size_t k = 0; k < width; ++k) {
      const std::uint32_t variable = map_.variable[atoms[k]];
      if (variable == kFixedAtom) return true;
      for (std::size_t j = 0; j < k; ++j) {
        if (map_.variable[atoms[j]] == variable) return true;
      }
    }
    return false;
  }

  // Per part: how many folded terms a variable has; per chunk: rows and odd terms.
  void count() {
    const std::size_t parts = pool_.num_threads();
    events_of_.resize(parts);
    pool_.for_each(parts, [&](std::size_t p) {
      events_of_[p].assign(map_.num_variables, 0);
      const Part part = part_of(chunks_.size(), parts, p);
      for (std::size_t c = part.begin; c < part.end; ++c)
        count(chunks_[c], counts_[c], events_of_[p]);
    });
  }

  void count(const TermChunk& chunk,
             ChunkCounts& counts,
             std::vector<std::uint32_t>& events) const {
    if (map_.used[chunk.block]) return;
    const TermBlock& block = model_.blocks[chunk.block];
    const std::size_t width = block.width();
    const bool folds = is_foldable(block);
    if (!folds && map_.is_identity()) {
      counts.rows = chunk.last - chunk.first;
      return;
    }
    const AtomId* atoms = block.atoms.data() + chunk.first * width;
    for (std::size_t t = chunk.first; t < chunk.last; ++t, atoms += width) {
      if (is_odd(atoms, width)) {
        counts.odd.push_back(static_cast<std::uint32_t>(t));
      } else if (folds) {
        ++events[map_.variable[atoms[0]]];
      } else {
        ++counts.rows;
      }
    }
  }

  void reduce_odd(TermId id) {
    const TermBlock& block = model_.blocks[id.block];
    const double offset = offset_of(block, id.term, parameters_.outputs);
    reduce_term(block, id.term, offset, map_, reduced_);
    const std::size_t width = reduced_.variables.size();
    if (width == 0) {
      out_.infeasible |= violation(block.kind, reduced_.offset) > kResidualRounding;
      out_.constant_terms.push_back(id);
    } else if (width == 1 && !is_hard(block.kind)) {
      const double a = reduced_.coefficients[0];
      odd_events_.push_back(
          {reduced_.variables[0], {-reduced_.offset / a, piece_number(block, a)}});
      out_.row_of_term[first_term_of(id.block) + id.term] = kFoldedTerm;
    } else if (width > 1 || !is_implied(block.kind)) {
      add_odd_row(block, id);
    }
  }

  // Whether a hard term of one variable says no more than its bounds.
  bool is_implied(TermKind kind) const {
    const std::uint32_t i = reduced_.variables[0];
    const double a = reduced_.coefficients[0];
    const double at_lower = a * map_.lower[i] + reduced_.offset;
    const double at_upper = a * map_.upper[i] + reduced_.offset;
    constexpr double kProductRounding = 1e-12;  // of a product and a sum of numbers around 1
    return violation(kind, at_lower) <= kProductRounding &&
           violation(kind, at_upper) <= kProductRounding;
  }

  void add_odd_row(const TermBlock& block, TermId id) {
    std::vector<std::size_t> order(reduced_.variables.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
      return reduced_.coefficients[i] > reduced_.coefficients[j];
    });
    Pattern pattern{block.kind, {}, !block.output_coefficients.empty()};
    OddRow row;
    row.term = id;
    row.offset = reduced_.offset;
    for (const std::size_t k : order) {
      pattern.coefficients.push_back(reduced_.coefficients[k]);
      row.variables.push_back(reduced_.variables[k]);
    }
    row.pattern = pattern_number(std::move(pattern));
    odd_rows_.push_back(std::move(row));
  }

  std::size_t first_term_of(std::uint32_t block) const { return first_term_[block]; }

  // Patterns in the order of their kind, possible groups last; then where their rows go.
  void place_rows() {
    std::vector<std::uint32_t> order(patterns_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      const auto key = [&](std::uint32_t p) {
        return std::tuple(patterns_[p].kind, patterns_[p].may_be_group());
      };
      return key(a) < key(b);
    });
    std::vector<std::size_t> num_rows(patterns_.size(), 0);
    for (std::size_t c = 0; c < chunks_.size(); ++c) {
      if (counts_[c].rows == 0) continue;
      std::size_t& rows = num_rows[plans_[chunks_[c].block].pattern];
      counts_[c].first_row = rows;
      rows += counts_[c].rows;
    }
    odd_first_row_ = num_rows;
    for (const OddRow& row : odd_rows_) ++num_rows[row.pattern];

    Problem& problem = out_.problem;
    std::size_t first_row = 0, entries = 0;
    block_of_pattern_.assign(patterns_.size(), 0);
    for (const std::uint32_t p : order) {
      if (num_rows[p] == 0) continue;
      const std::vector<double>& a = patterns_[p].coefficients;
      block_of_pattern_[p] = static_cast<std::uint32_t>(problem.blocks.size());
      problem.blocks.push_back({.kind = patterns_[p].kind,
                                .coefficients = a,
                                .norm2 = std::inner_product(a.begin(), a.end(), a.begin(), 0.0),
                                .may_be_group = patterns_[p].may_be_group(),
                                .has_outputs = patterns_[p].has_outputs,
                                .first_row = first_row,
                                .num_rows = num_rows[p],
                                .first_entry = entries});
      first_row += num_rows[p];
      entries += num_rows[p] * a.size();
    }
    problem.variables.resize(entries);
    problem.offset.resize(first_row);
  }

  // Turns counts per part into places: the events of a variable stand by part.
  void place_events() {
    Fold& fold = out_.fold;
    for (const OddEvent& odd : odd_events_) ++events_of_.back()[odd.variable];
    fold.begin.assign(map_.num_variables + 1, 0);
    for (std::size_t i = 0; i < map_.num_variables; ++i) {
      std::size_t count = 0;
      for (std::vector<std::uint32_t>& events : events_of_) {
        const std::uint32_t own = events[i];
        events[i] = static_cast<std::uint32_t>(count);
        count += own;
      }
      fold.begin[i + 1] = fold.begin[i] + count;
    }
    fold.events.resize(fold.begin[map_.num_variables]);
  }

  void fill() {
    const std::size_t parts = pool_.num_threads();
    pool_.for_each(parts, [&](std::size_t p) {
      const Part part = part_of(chunks_.size(), parts, p);
      for (std::size_t c = part.begin; c < part.end; ++c) {
        if (map_.used[chunks_[c].block]) continue;
        if (is_foldable(model_.blocks[chunks_[c].block])) {
          fill_events(chunks_[c], events_of_[p]);
        } else {
          fill_rows(chunks_[c], counts_[c]);
        }
      }
    });
    for (const OddEvent& odd : odd_events_) add_event(odd.variable, odd.event, events_of_.back());
    for (const OddRow& row : odd_rows_) fill_odd(row);
  }

  void add_event(std::uint32_t variable, const FoldEvent& event, std::vector<std::uint32_t>& next) {
    out_.fold.events[out_.fold.begin[variable] + next[variable]++] = event;
  }

  void fill_events(const TermChunk& chunk, std::vector<std::uint32_t>& next) {
    const TermBlock& block = model_.blocks[chunk.block];
    const double a = block.coefficients[0];
    const std::uint32_t piece = plans_[chunk.block].piece;
    for (std::size_t t = chunk.first; t < chunk.last; ++t) {
      const std::uint32_t variable = map_.variable[block.atoms[t]];
      if (variable == kFixedAtom) continue;  // odd: done
      add_event(variable, {-offset_of(block, t, parameters_.outputs) / a, piece}, next);
      out_.row_of_term[chunk.first_term + (t - chunk.first)] = kFoldedTerm;
    }
  }

  void fill_rows(const TermChunk& chunk, const ChunkCounts& counts) {
    const TermBlock& block = model_.blocks[chunk.block];
    const BlockPlan& plan = plans_[chunk.block];
    if (counts.rows == 0) return;
    const RowBlock& rows = out_.problem.blocks[block_of_pattern_[plan.pattern]];
    std::size_t row = rows.first_row + counts.first_row;
    const std::size_t width = block.width();
    std::uint32_t* entry =
        out_.problem.variables.data() + rows.first_entry + counts.first_row * width;
    const AtomId* atoms = block.atoms.data() + chunk.first * width;
    const bool any_odd = !counts.odd.empty();
    for (std::size_t t = chunk.first; t < chunk.last; ++t, atoms += width) {
      if (any_odd && is_odd(atoms, width)) continue;
      for (std::size_t k = 0; k < width; ++k) entry[k] = map_.variable[atoms[plan.order[k]]];
      sort_equal_coefficients(rows.coefficients, entry);
      entry += width;
      out_.problem.offset[row] = offset_of(block, t, parameters_.outputs);
      out_.row_of_term[chunk.first_term + (t - chunk.first)] = static_cast<std::uint32_t>(row++);
    }
  }

  // So that equal rows look equal.
  static void sort_equal_coefficients(const std::vector<double>& coefficients,
                                      std::uint32_t* entry) {
    for (std::size_t k = 1; k < coefficients.size(); ++k) {  // rows are short: insertion
      const std::uint32_t variable = entry[k];
      std::size_t to = k;
      while (to > 0 && coefficients[to - 1] == coefficients[k] && entry[to - 1] > variable) {
        entry[to] = entry[to - 1];
        --to;
      }
      entry[to] = variable;
    }
  }

  void fill_odd(const OddRow& odd) {
    const RowBlock& rows = out_.problem.blocks[block_of_pattern_[odd.pattern]];
    const std::size_t place = odd_first_row_[odd.pattern]++;
    std::copy(odd.variables.begin(),
              odd.variables.end(),
              out_.problem.variables.begin() +
                  static_cast<std::ptrdiff_t>(rows.first_entry + place * rows.width()));
    out_.problem.offset[rows.first_row + place] = odd.offset;
    out_.row_of_term[first_term_of(odd.term.block) + odd.term.term] =
        static_cast<std::uint32_t>(rows.first_row + place);
  }

  const Model& model_;
  const Parameters& parameters_;
  Presolved& out_;
  const AtomMap& map_;
  ThreadPool& pool_;

  std::vector<TermChunk> chunks_;
  std::vector<ChunkCounts> counts_;  // per chunk
  std::vector<BlockPlan> plans_;     // per block
  std::vector<Pattern> patterns_;
  std::map<Pattern, std::uint32_t> pattern_numbers_;
  std::map<std::tuple<std::uint32_t, TermKind, double, bool>, std::uint32_t> piece_numbers_;
  std::vector<std::vector<std::uint32_t>> events_of_;  // per part, per variable
  std::vector<OddRow> odd_rows_;
  std::vector<OddEvent> odd_events_;
  std::vector<std::size_t> odd_first_row_;       // per pattern
  std::vector<std::uint32_t> block_of_pattern_;  // per pattern
  std::vector<std::size_t> first_term_;          // per block
  ReducedTerm reduced_;
};

}  // namespace

void collect_terms(const Model& model,
                   const Parameters& parameters,
                   Presolved& presolved,
                   ThreadPool& pool) {
  Collector(model, parameters, presolved, pool).run();
}

}  // namespace sorites
