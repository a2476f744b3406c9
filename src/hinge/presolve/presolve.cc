#include "hinge/presolve/presolve.h"

#include <algorithm>
#include <atomic>
#include <chrono>

#include "hinge/presolve/collect_terms.h"
#include "hinge/presolve/folder.h"
#include "hinge/presolve/merge_rows.h"
#include "hinge/problem/certificate.h"
#include "hinge/problem/term_chunks.h"
#include "hinge/problem/weight_range.h"

namespace sorites {
namespace {

// Gives rows new numbers, in row_of_term too; rows whose number is kGoneTerm go.
void renumber_rows(Presolved& presolved, std::vector<std::uint32_t>& new_row, ThreadPool& pool) {
  auto& row_of_term = presolved.row_of_term;
  pool.for_each(kPresolveParts, [&](std::size_t p) {
    const Part part = part_of(row_of_term.size(), kPresolveParts, p);
    for (std::size_t t = part.begin; t < part.end; ++t) {
      if (row_of_term[t] < kFoldedTerm) row_of_term[t] = new_row[row_of_term[t]];
    }
  });
}

// Drops the rows that are not to be kept, and closes the gaps.
void keep_rows(Problem& problem, const std::vector<bool>& keep) {
  std::size_t rows = 0, entries = 0;
  for (RowBlock& block : problem.blocks) {
    const std::size_t first_row = rows, first_entry = entries, width = block.width();
    for (std::size_t row = block.first_row; row < block.end_row(); ++row) {
      if (!keep[row]) continue;
      const auto from = problem.variables_of(block, row);
      std::copy(from.begin(),
                from.end(),
                problem.variables.begin() + static_cast<std::ptrdiff_t>(entries));
      entries += width;
      problem.offset[rows++] = problem.offset[row];
    }
    block.first_row = first_row;
    block.num_rows = rows - first_row;
    block.first_entry = first_entry;
  }
  problem.variables.resize(entries);
  problem.offset.resize(rows);
  std::erase_if(problem.blocks, [](const RowBlock& block) { return block.num_rows == 0; });
}

// Equalities of equal coefficients become groups, as long as they are disjoint.
void take_groups(const Model& model, Presolved& presolved, ThreadPool& pool) {
  Problem& problem = presolved.problem;
  if (std::none_of(problem.blocks.begin(), problem.blocks.end(), [](const RowBlock& block) {
        return block.may_be_group;
      })) {
    return;
  }
  std::vector<bool> keep(problem.num_rows(), true), in_group(problem.num_variables, false);
  std::vector<std::uint32_t> group_of_row(problem.num_rows(), kGoneTerm);
  for (const RowBlock& block : problem.blocks) {
    if (!block.may_be_group) continue;
    for (std::size_t row = block.first_row; row < block.end_row(); ++row) {
      const auto members = problem.variables_of(block, row);
      if (std::any_of(members.begin(), members.end(), [&](auto i) { return in_group[i]; }))
        continue;
      for (const std::uint32_t i : members) in_group[i] = true;
      keep[row] = false;
      group_of_row[row] = static_cast<std::uint32_t>(problem.groups.size());
      problem.groups.push_back({static_cast<std::uint32_t>(problem.group_variables.size()),
                                static_cast<std::uint32_t>(members.size()),
                                -problem.offset[row] / block.coefficients[0]});
      presolved.group_terms.push_back({{}, block.coefficients[0]});
      problem.group_variables.insert(problem.group_variables.end(), members.begin(), members.end());
    }
  }
  std::size_t t = 0;
  for (std::uint32_t b = 0; b < model.blocks.size(); ++b) {
    for (std::uint32_t i = 0; i < model.blocks[b].num_terms; ++i, ++t) {
      const std::uint32_t row = presolved.row_of_term[t];
      if (row < kFoldedTerm && !keep[row]) presolved.group_terms[group_of_row[row]].term = {b, i};
    }
  }
  std::vector<std::uint32_t> new_row(problem.num_rows(), kGoneTerm);
  std::uint32_t next = 0;
  for (std::size_t row = 0; row < keep.size(); ++row) {
    if (keep[row]) new_row[row] = next++;
  }
  keep_rows(problem, keep);
  renumber_rows(presolved, new_row, pool);
}

void merge_equal_rows(Presolved& presolved, ThreadPool& pool) {
  Problem& problem = presolved.problem;
  std::vector<std::uint32_t> new_row(problem.num_rows());  // first the equal row, then its number
  std::size_t merged = 0;
  for (const RowBlock& block : problem.blocks) {
    const auto first = static_cast<std::uint32_t>(block.first_row);
    if (block.has_outputs) {
      for (std::size_t r = 0; r < block.num_rows; ++r) {
        new_row[first + r] = first + static_cast<std::uint32_t>(r);
      }
      continue;
    }
    const auto equal = first_equal_rows({problem.variables.data() + block.first_entry,
                                         problem.offset.data() + first,
                                         block.num_rows,
                                         block.width()},
                                        problem.num_variables,
                                        pool);
    for (std::size_t r = 0; r < block.num_rows; ++r) {
      new_row[first + r] = first + equal[r];
      merged += equal[r] != r;
    }
  }
  presolved.summary.merged_terms = merged;
  if (merged == 0) return;
  std::vector<bool> keep(problem.num_rows());
  std::uint32_t next = 0;
  for (std::size_t row = 0; row < new_row.size(); ++row) {
    keep[row] = new_row[row] == row;
    new_row[row] = keep[row] ? next++ : new_row[new_row[row]];
  }
  keep_rows(problem, keep);
  renumber_rows(presolved, new_row, pool);
}

// The weights of the rows, by a pass over all terms.
void sum_weights(Presolved& presolved, const Model& model, const Parameters& parameters) {
  Problem& problem = presolved.problem;
  problem.weight.assign(problem.num_rows(), 0.0);
  const std::uint32_t* row = presolved.row_of_term.data();
  for (const TermBlock& block : model.blocks) {
    const double weight = is_hard(block.kind) ? 0.0 : parameters.weights[block.rule];
    for (std::size_t t = 0; t < block.num_terms; ++t, ++row) {
      if (*row < kFoldedTerm) problem.weight[*row] += weight;
    }
  }
}

// The same without one, once weights have changed before.
void add_row_weights(Presolved& presolved, const Model& model, const Parameters& parameters) {
  RowWeights& rows = presolved.row_weights;
  if (rows.recipe_of_row.empty()) {
    rows = row_weights_of(model, presolved.row_of_term, presolved.problem.num_rows());
  }
  set_row_weights(rows, parameters.weights, presolved.problem.weight);
}

// What counts as nothing in the relative gap of the whole. Components have their own, from their
// own weights (solve/component_gaps.h).
void set_smallest_objective(Presolved& presolved,
                            const Model& model,
                            const Parameters& parameters) {
  const WeightRange range = weight_range(model, parameters);
  if (!range.empty()) presolved.problem.smallest_objective = kSmallestViolation * range.largest;
}

// The terms whose atoms are all fixed.
void set_constant(Presolved& presolved, const Model& model, const Parameters& parameters) {
  Problem& problem = presolved.problem;
  problem.constant = 0.0;
  ReducedTerm reduced;
  for (const TermId id : presolved.constant_terms) {
    const TermBlock& block = model.blocks[id.block];
    reduce_term(
        block, id.term, offset_of(block, id.term, parameters.outputs), presolved.atoms, reduced);
    problem.constant += potential(block.kind, parameters.weights[block.rule], reduced.offset);
  }
}

// The functions of variables. `kinks_stay` as in FoldInput.
void fold_all(Presolved& presolved,
              const std::vector<double>& weights,
              const FoldWindow* window,
              bool kinks_stay,
              ThreadPool& pool) {
  Problem& problem = presolved.problem;
  const FoldInput input{presolved.fold, weights, {problem.lower, problem.upper}, kinks_stay};
  if (window == nullptr) {
    refold_terms(input, pool, problem.folded);
    presolved.centre.clear();
  } else {
    fold_window(input, *window, pool, problem.folded);
    presolved.centre = window->centre;
  }
}

// Rows and functions with other network outputs.
void move_outputs(Presolved& presolved,
                  const Model& model,
                  const std::vector<double>& outputs,
                  ThreadPool& pool) {
  const AtomMap& atoms = presolved.atoms;
  if (!presolved.output_terms) {
    presolved.output_terms = output_terms_of(model, atoms, presolved.fold, presolved.row_of_term);
  }
  const OutputTerms& terms = *presolved.output_terms;
  set_output_rows(terms, model, atoms, outputs, presolved.problem.offset);
  move_output_events(terms, model, atoms, outputs, pool, presolved.fold);
  presolved.window.reset();
}

std::size_t count_idle_atoms(const Model& model, ThreadPool& pool) {
  std::vector<char> is_used(model.num_atoms, 0);
  const std::vector<TermChunk> chunks = chunks_of(model);
  pool.for_each(chunks.size(), [&](std::size_t c) {
    const TermBlock& block = model.blocks[chunks[c].block];
    for (std::size_t k = chunks[c].first * block.width(); k < chunks[c].last * block.width(); ++k) {
      const std::atomic_ref<char> used(is_used[block.atoms[k]]);  // threads may meet here
      if (used.load(std::memory_order_relaxed) == 0) used.store(1, std::memory_order_relaxed);
    }
  });
  return static_cast<std::size_t>(std::count(is_used.begin(), is_used.end(), char{0}));
}

}  // namespace

Presolved presolve(const Model& model, const Parameters& parameters, ThreadPool& pool) {
  return *presolve_in_time(model, parameters, Deadline(Deadline::kYear, {}), pool);
}

std::optional<Presolved> presolve_in_time(const Model& model,
                                          const Parameters& parameters,
                                          const Deadline& deadline,
                                          ThreadPool& pool) {
  const auto start = std::chrono::steady_clock::now();
  Presolved presolved;
  presolved.atoms = reduce_atoms(model);
  presolved.infeasible = presolved.atoms.infeasible;
  Problem& problem = presolved.problem;
  problem.num_variables = presolved.atoms.num_variables;
  problem.lower = presolved.atoms.lower;
  problem.upper = presolved.atoms.upper;
  if (deadline.passed()) return std::nullopt;
  collect_terms(model, parameters, presolved, pool);
  if (deadline.passed()) return std::nullopt;
  take_groups(model, presolved, pool);
  merge_equal_rows(presolved, pool);
  if (deadline.passed()) return std::nullopt;
  sort_events(presolved.fold, pool);
  if (deadline.passed()) return std::nullopt;
  sum_weights(presolved, model, parameters);
  set_constant(presolved, model, parameters);
  set_smallest_objective(presolved, model, parameters);
  fold_all(presolved, parameters.weights, nullptr, false, pool);
  presolved.parameters = parameters;

  PresolveSummary& summary = presolved.summary;
  summary.aliased_atoms = presolved.atoms.num_aliased;
  summary.fixed_atoms = presolved.atoms.num_fixed;
  summary.idle_atoms = count_idle_atoms(model, pool);
  summary.folded_terms = presolved.fold.events.size();
  summary.groups = problem.groups.size();
  summary.variables = problem.num_variables;
  summary.rows = problem.num_rows();
  summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return presolved;
}

void set_parameters(Presolved& presolved,
                    const Model& model,
                    const Parameters& parameters,
                    Extent extent,
                    ThreadPool& pool) {
  const bool same_outputs = parameters.outputs == presolved.parameters.outputs;
  const bool same_weights = parameters.weights == presolved.parameters.weights;
  if (!same_outputs) move_outputs(presolved, model, parameters.outputs, pool);
  const FoldWindow* window =
      extent == Extent::kWindow && presolved.window ? &*presolved.window : nullptr;
  const bool same_extent =
      window == nullptr ? presolved.centre.empty() : presolved.centre == window->centre;
  if (!same_outputs || !same_weights) {
    add_row_weights(presolved, model, parameters);
    set_constant(presolved, model, parameters);
    set_smallest_objective(presolved, model, parameters);
  }
  if (!same_outputs || !same_weights || !same_extent) {
    const bool kinks_stay = same_outputs && same_extent &&
                            have_same_zeros(parameters.weights, presolved.parameters.weights);
    fold_all(presolved, parameters.weights, window, kinks_stay, pool);
  }
  presolved.parameters = parameters;
}

}  // namespace sorites
