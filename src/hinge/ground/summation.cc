#include "hinge/ground/summation.h"

#include <algorithm>
#include <cmath>

namespace sorites {

SummationEmitter::SummationEmitter(const EmitContext& context,
                                   const Rule& rule,
                                   const RuleQuery& query,
                                   const JoinPlan& plan)
    : Emitter(context, query, plan),
      filters_(rule.variables.size()),
      codes_(rule.variables.size(), kNoCode),
      cardinality_(rule.variables.size(), 0.0),
      rows_(query.atoms.size()) {
  for (const Filter& filter : std::get<ArithmeticRule>(rule.body).filters) {
    filters_[filter.variable].emplace(filter.condition, context.program, context.database);
    has_filters_ = true;
  }
}

bool SummationEmitter::passes(VariableId variable, Code code) {
  if (!filters_[variable]) return true;
  codes_[variable] = code;
  return filters_[variable]->holds(codes_);
}

const std::vector<Code>& SummationEmitter::distinct_codes(PredicateId predicate,
                                                          std::uint32_t column) {
  const auto [entry, added] = distinct_.try_emplace({predicate, column});
  std::vector<Code>& codes = entry->second;
  if (added) {
    for (const Partition partition : {Partition::kObserved, Partition::kTarget}) {
      const auto& from = context_.database.relation(predicate).table(partition).columns[column];
      codes.insert(codes.end(), from.begin(), from.end());
    }
    std::sort(codes.begin(), codes.end());
    codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
  }
  return codes;
}

// The cardinality of a closed atom: the combinations of all codes that pass the filters, with a row
// or not.
void SummationEmitter::count_closed(const LinearAtom& atom) {
  double combinations = 1.0;
  for (std::size_t s = 0; s < atom.summed.size(); ++s) {
    const std::vector<Code>& codes = distinct_codes(atom.predicate, atom.columns[s]);
    const auto passing = std::count_if(
        codes.begin(), codes.end(), [&](Code code) { return passes(atom.summed[s], code); });
    combinations *= static_cast<double>(passing);
  }
  for (const VariableId variable : atom.summed) cardinality_[variable] = combinations;
}

// Collects the rows of an atom that pass the filters of its summation variables.
void SummationEmitter::expand(std::size_t i, Range range) {
  const LinearAtom& atom = rule_.atoms[i];
  const Trie& trie = *plan_.tries[atom.atom];
  const std::size_t first_level = trie.num_levels() - atom.summed.size();
  std::vector<std::uint32_t>& rows = rows_[i];
  rows.clear();
  for (std::uint32_t at = range.begin; at < range.end; ++at) {
    bool kept = true;
    for (std::size_t s = 0; kept && has_filters_ && s < atom.summed.size(); ++s) {
      kept = passes(atom.summed[s], trie.codes(first_level + s)[at]);
    }
    if (kept) rows.push_back(trie.row(at));
  }
  if (atom.summed.empty()) return;
  if (context_.layout[atom.predicate].open) {
    for (const VariableId variable : atom.summed) {
      cardinality_[variable] = static_cast<double>(rows.size());
    }
  } else {
    count_closed(atom);
  }
}

// Expands all atoms; false if none of them has a row.
bool SummationEmitter::expand_all(const JoinBatch& batch, std::uint32_t binding) {
  for (std::size_t v = 0; v < rule_.variables.size(); ++v) {
    codes_[rule_.variables[v]] = batch.value(v, binding);
  }
  bool any = false;
  for (std::size_t i = 0; i < rule_.atoms.size(); ++i) {
    expand(i, batch.range(rule_.atoms[i].atom, binding));
    any |= !rows_[i].empty();
  }
  return any;
}

void SummationEmitter::add_binding(const JoinBatch& batch, std::uint32_t binding) {
  if (!expand_all(batch, binding)) return;
  draft_.clear();
  draft_.offset = evaluate(rule_.constant, cardinality_);
  bool finite = std::isfinite(draft_.offset);
  for (std::size_t i = 0; i < rule_.atoms.size(); ++i) {
    if (rows_[i].empty()) continue;  // its coefficient may divide by its cardinality, 0
    const double coefficient = evaluate(rule_.atoms[i].coefficient, cardinality_);
    finite &= std::isfinite(coefficient);
    for (const std::uint32_t row : rows_[i]) {
      writer_.add_row(rule_.atoms[i].predicate, row, coefficient, draft_);
    }
  }
  if (finite) {
    writer_.write(draft_);
  } else {
    writer_.count_division_by_zero();
  }
}

void SummationEmitter::add(const JoinBatch& batch) {
  for (const std::uint32_t binding : batch.selected()) {
    if (!is_excluded(batch, binding)) add_binding(batch, binding);
  }
}

std::vector<RuleAtom> SummationEmitter::atoms(const JoinBatch& batch, std::uint32_t binding) {
  expand_all(batch, binding);
  std::vector<RuleAtom> atoms;
  for (std::size_t i = 0; i < rule_.atoms.size(); ++i) {
    const PredicateId predicate = rule_.atoms[i].predicate;
    const double coefficient = evaluate(rule_.atoms[i].coefficient, cardinality_);
    for (const std::uint32_t row : rows_[i]) {
      atoms.push_back(atom_of_row(predicate, row, coefficient));
    }
  }
  return atoms;
}

double SummationEmitter::constant(const JoinBatch& batch, std::uint32_t binding) {
  expand_all(batch, binding);
  return evaluate(rule_.constant, cardinality_);
}

}  // namespace sorites
