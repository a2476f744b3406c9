#include "hinge/ground/existential_emitter.h"

#include <algorithm>

namespace sorites {

ExistentialEmitter::ExistentialEmitter(const EmitContext& context,
                                       const RuleQuery& rule,
                                       const JoinPlan& plan)
    : Emitter(context, rule, plan),
      guards_(rule.atoms.size()),
      summed_(rule.atoms.size()),
      domain_sizes_(rule.atoms.size()),
      constant_(evaluate(rule.constant, {})) {
  VariableId last = 0;
  for (const VariableId variable : rule.variables) last = std::max(last, variable);
  for (std::size_t i = 0; i < rule.atoms.size(); ++i) {
    const LinearAtom& atom = rule.atoms[i];
    coefficient_.push_back(evaluate(atom.coefficient, {}));
    for (std::size_t s = 0; s < atom.summed.size(); ++s) {
      const VariableId variable = atom.summed[s];
      last = std::max(last, variable);
      auto& own = summed_[i];
      if (std::find(own.begin(), own.end(), variable) != own.end()) continue;
      own.push_back(variable);
      const DomainId domain = context.program.predicates[atom.predicate].domain(atom.columns[s]);
      domain_sizes_[i].push_back(
          static_cast<std::uint32_t>(context.database.dictionary(domain).size()));
    }
    if (!atom.guard.operands.empty()) {
      guards_[i].emplace(atom.guard, context.program, context.database);
    }
  }
  codes_.assign(last + std::size_t{1}, kNoCode);
}

// A variable may be summed in one atom and bound in another, so codes are set before each guard.
void ExistentialEmitter::bind(const JoinBatch& batch, std::uint32_t binding) {
  for (std::size_t v = 0; v < rule_.variables.size(); ++v) {
    codes_[rule_.variables[v]] = batch.value(v, binding);
  }
}

// The rows that an existential atom stands for.
std::vector<std::uint32_t> ExistentialEmitter::rows_of(std::size_t i, Range range) {
  const LinearAtom& atom = rule_.atoms[i];
  const Trie& trie = *plan_.tries[atom.atom];
  const std::size_t first_level = trie.num_levels() - atom.summed.size();
  const bool repeats = summed_[i].size() < atom.summed.size();
  std::vector<std::uint32_t> rows;
  for (std::uint32_t at = range.begin; at < range.end; ++at) {
    bool kept = true;
    if (repeats || guards_[i]) {
      for (const VariableId variable : summed_[i]) codes_[variable] = kNoCode;
      for (std::size_t s = 0; kept && s < atom.summed.size(); ++s) {
        Code& code = codes_[atom.summed[s]];
        const Code here = trie.codes(first_level + s)[at];
        kept = code == kNoCode || code == here;
        code = here;
      }
      kept = kept && (!guards_[i] || guards_[i]->holds(codes_));
    }
    if (kept) rows.push_back(trie.row(at));
  }
  return rows;
}

// For how many values of its variables the guard of an existential atom holds.
std::uint64_t ExistentialEmitter::num_values(std::size_t i) {
  std::uint64_t count = 0;
  if (guards_[i]) {
    count_values(i, 0, count);
  } else {
    count = 1;
    for (const std::uint32_t size : domain_sizes_[i]) count *= size;
  }
  return count;
}

void ExistentialEmitter::count_values(std::size_t i, std::size_t variable, std::uint64_t& count) {
  if (variable == summed_[i].size()) {
    count += guards_[i]->holds(codes_) ? 1 : 0;
    return;
  }
  for (Code code = 0; code < domain_sizes_[i][variable]; ++code) {
    codes_[summed_[i][variable]] = code;
    count_values(i, variable + 1, count);
  }
}

// A literal whose atom has a row.
void ExistentialEmitter::add_literal(std::size_t i, std::uint32_t row) {
  const PredicateId predicate = rule_.atoms[i].predicate;
  const PredicateLayout& layout = context_.layout[predicate];
  draft_.satisfied |=
      row < layout.num_observed && satisfies_clause(coefficient_[i], layout.observed_value(row));
  writer_.add_row(predicate, row, coefficient_[i], draft_);
}

void ExistentialEmitter::put_together(const JoinBatch& batch, std::uint32_t binding) {
  draft_.clear();
  draft_.offset = constant_;
  for (std::size_t i = 0; i < rule_.atoms.size(); ++i) {
    const LinearAtom& atom = rule_.atoms[i];
    const Range range = batch.range(atom.atom, binding);
    if (!atom.existential) {
      if (!range.empty()) {
        add_literal(i, plan_.tries[atom.atom]->row(range.begin));
      } else if (context_.layout[atom.predicate].open) {
        draft_.missing.push_back(coefficient_[i]);
      }
      continue;
    }
    bind(batch, binding);
    const std::vector<std::uint32_t> rows = rows_of(i, range);
    for (const std::uint32_t row : rows) add_literal(i, row);
    if (coefficient_[i] < 0.0) continue;
    bind(batch, binding);
    draft_.satisfied |= num_values(i) > rows.size();  // one without a row: it is false
    draft_.offset -= static_cast<double>(rows.size());
  }
}

void ExistentialEmitter::add(const JoinBatch& batch) {
  for (const std::uint32_t binding : batch.selected()) {
    if (is_excluded(batch, binding)) continue;
    put_together(batch, binding);
    if (!writer_.write(draft_)) writer_.count_missing(batch, binding);
  }
}

std::vector<RuleAtom> ExistentialEmitter::atoms(const JoinBatch& batch, std::uint32_t binding) {
  std::vector<RuleAtom> atoms;
  for (std::size_t i = 0; i < rule_.atoms.size(); ++i) {
    const LinearAtom& linear = rule_.atoms[i];
    if (!linear.existential) {
      atoms.push_back({linear.predicate, coefficient_[i], arguments_of(linear, batch, binding)});
      continue;
    }
    bind(batch, binding);
    for (const std::uint32_t row : rows_of(i, batch.range(linear.atom, binding))) {
      atoms.push_back(atom_of_row(linear.predicate, row, coefficient_[i]));
    }
  }
  return atoms;
}

double ExistentialEmitter::constant(const JoinBatch& batch, std::uint32_t binding) {
  double constant = constant_;
  for (std::size_t i = 0; i < rule_.atoms.size(); ++i) {
    if (!rule_.atoms[i].existential || coefficient_[i] < 0.0) continue;
    bind(batch, binding);
    constant -= static_cast<double>(rows_of(i, batch.range(rule_.atoms[i].atom, binding)).size());
  }
  return constant;
}

}  // namespace sorites
