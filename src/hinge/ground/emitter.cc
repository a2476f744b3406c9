#include "hinge/ground/emitter.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "hinge/ground/existential_emitter.h"
#include "hinge/ground/linear_emitter.h"
#include "hinge/ground/summation.h"
#include "hinge/model/residual.h"
#include "hinge/model/term_kind.h"

namespace sorites {
namespace {

bool repeats(const OwnVector<std::uint32_t>& ids) {
  constexpr std::size_t kFew = 16;     // pairs of so many ids cost less than a hash table
  if (ids.size() > kFew) return true;  // let merging find out
  for (std::size_t i = 1; i < ids.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (ids[i] == ids[j]) return true;
    }
  }
  return false;
}

// Adds up the coefficients of atoms that stand more than once, and leaves out those that cancel.
void merge_repeated(OwnVector<std::uint32_t>& ids, OwnVector<double>& coefficients) {
  std::unordered_map<std::uint32_t, std::size_t> place;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto [same, added] = place.try_emplace(ids[i], kept);
    if (!added) {
      coefficients[same->second] += coefficients[i];
      continue;
    }
    ids[kept] = ids[i];
    coefficients[kept++] = coefficients[i];
  }
  std::size_t nonzero = 0;
  for (std::size_t i = 0; i < kept; ++i) {
    if (coefficients[i] == 0.0) continue;
    ids[nonzero] = ids[i];
    coefficients[nonzero++] = coefficients[i];
  }
  ids.resize(nonzero);
  coefficients.resize(nonzero);
}

// How far values in [0, 1] can move the sum in one direction.
double reach(const OwnVector<double>& coefficients, double direction) {
  double sum = 0.0;
  for (const double coefficient : coefficients) sum += std::max(0.0, direction * coefficient);
  return sum;
}

void negate(TermDraft& draft) {
  for (double& coefficient : draft.coefficients) coefficient = -coefficient;
  for (double& coefficient : draft.output_coefficients) coefficient = -coefficient;
  draft.offset = -draft.offset;
}

// Each atom once, however many ground rules need it.
void add_example(const std::string& atom, GroundCounts& counts) {
  std::vector<std::string>& examples = counts.missing_examples;
  if (examples.size() == kMostMissingExamples ||
      std::find(examples.begin(), examples.end(), atom) != examples.end()) {
    return;
  }
  examples.push_back(atom);
}

}  // namespace

void add_counts(const GroundCounts& from, GroundCounts& to) {
  to.terms += from.terms;
  to.observed += from.observed;
  to.satisfied += from.satisfied;
  to.missing += from.missing;
  to.divided_by_zero += from.divided_by_zero;
  for (const std::string& example : from.missing_examples) add_example(example, to);
}

TermWriter::TermWriter(const EmitContext& context, const RuleQuery& rule)
    : context_(context), rule_(rule), is_hard_(rule.is_hard()) {
  for (std::size_t i = 0; i < rule.atoms.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      may_repeat_ |= rule.atoms[i].predicate == rule.atoms[j].predicate;
    }
  }
}

void TermWriter::add_row(PredicateId predicate,
                         std::uint32_t row,
                         double coefficient,
                         TermDraft& draft) const {
  const PredicateLayout& layout = context_.layout[predicate];
  if (row < layout.num_observed) {
    draft.offset += coefficient * layout.observed_value(row);
  } else if (coefficient == 0.0) {
    return;
  } else if (layout.neural) {
    draft.outputs.push_back(layout.first + row - layout.num_observed);
    draft.output_coefficients.push_back(coefficient);
  } else {
    draft.atoms.push_back(layout.first + row - layout.num_observed);
    draft.coefficients.push_back(coefficient);
  }
}

bool TermWriter::write(TermDraft& full) {
  if (may_repeat_ && (repeats(full.atoms) || repeats(full.outputs))) {
    merged_ = full;
    merge_repeated(merged_.atoms, merged_.coefficients);
    merge_repeated(merged_.outputs, merged_.output_coefficients);
    return write_merged(merged_);
  }
  return write_merged(full);
}

bool TermWriter::write_merged(TermDraft& draft) {
  GroundCounts& counts = result_->counts;
  const bool missing =
      !draft.missing.empty() && context_.on_missing_target != OnMissingTarget::kZero;
  if (draft.atoms.empty() && draft.outputs.empty() && !missing) {
    ++counts.observed;
    if (draft.missing.empty()) write_broken(draft);
    return true;
  }
  const auto largest = [&](double direction) {
    return direction * draft.offset + reach(draft.coefficients, direction) +
           reach(draft.output_coefficients, direction) + reach(draft.missing, direction);
  };
  for (const TermForm& form : rule_.forms) {
    // However small the largest violation is, the weight of the rule may make it matter, unless it
    // is all rounding.
    const double negligible =
        is_hard(form.kind) ? kResidualRounding : kSumRounding * (largest(1.0) + largest(-1.0));
    if (draft.satisfied || (form.kind != TermKind::kEqual && largest(form.sign) <= negligible)) {
      ++counts.satisfied;
      continue;
    }
    if (missing) return false;
    if (form.sign < 0) negate(draft);
    write_form(form, draft);
    if (form.sign < 0) negate(draft);
  }
  return true;
}

// A hard ground rule that observed atoms alone decide is of no interest if it holds. If it does
// not, it becomes a term without atoms, which no state keeps.
void TermWriter::write_broken(TermDraft& draft) {
  constexpr double kBroken = 1e-4;  // as far as solvers keep hard rules; data are rounded, too
  if (draft.satisfied) return;
  for (const TermForm& form : rule_.forms) {
    if (violation(form.kind, form.sign * draft.offset) <= kBroken) continue;
    if (form.sign < 0) negate(draft);
    write_form(form, draft);
    if (form.sign < 0) negate(draft);
  }
}

void TermWriter::write_form(const TermForm& form, TermDraft& draft) {
  TermBlock& block = result_->blocks.find(form.kind, draft.coefficients, draft.output_coefficients);
  add_term(block, draft.atoms, draft.outputs, draft.offset);
  ++result_->counts.terms;
}

void TermWriter::count_missing(const JoinBatch& batch, std::uint32_t binding) {
  GroundCounts& counts = result_->counts;
  ++counts.missing;
  for (const LinearAtom& linear : rule_.atoms) {
    if (counts.missing_examples.size() == kMostMissingExamples) return;
    if (linear.existential || !context_.layout[linear.predicate].open ||
        !batch.range(linear.atom, binding).empty())
      continue;
    const Predicate& predicate = context_.program.predicates[linear.predicate];
    const JoinAtom& atom = rule_.query.atoms[linear.atom];
    std::string text = predicate.name;
    for (std::size_t c = 0; c < atom.arguments.size(); ++c) {
      const JoinArgument& argument = atom.arguments[c];
      const Code code = argument.kind == JoinArgument::Kind::kVariable
                            ? batch.value(argument.value, binding)
                            : argument.value;
      const Dictionary& dictionary = context_.database.dictionary(predicate.domain(c));
      const auto unknown = rule_.unknown_constants.find({linear.atom, c});
      text += c == 0 ? "('" : "', '";
      text += unknown != rule_.unknown_constants.end() ? unknown->second : dictionary.text(code);
    }
    add_example(text + "')", counts);
  }
}

bool Emitter::is_excluded(const JoinBatch& batch, std::uint32_t binding) const {
  return std::any_of(rule_.excluded.begin(), rule_.excluded.end(), [&](std::uint32_t atom) {
    return !batch.range(atom, binding).empty();
  });
}

std::vector<Code> Emitter::arguments_of(const LinearAtom& atom,
                                        const JoinBatch& batch,
                                        std::uint32_t binding) const {
  std::vector<Code> codes;
  for (const JoinArgument& argument : rule_.query.atoms[atom.atom].arguments) {
    codes.push_back(argument.kind == JoinArgument::Kind::kVariable
                        ? batch.value(argument.value, binding)
                        : argument.value);
  }
  return codes;
}

RuleAtom Emitter::atom_of_row(PredicateId predicate, std::uint32_t row, double coefficient) const {
  const std::uint32_t num_observed = context_.layout[predicate].num_observed;
  const bool observed = row < num_observed;
  const Table& table = context_.database.relation(predicate).table(observed ? Partition::kObserved
                                                                            : Partition::kTarget);
  RuleAtom atom{predicate, coefficient, {}};
  for (const auto& column : table.columns) {
    atom.arguments.push_back(column[observed ? row : row - num_observed]);
  }
  return atom;
}

std::unique_ptr<Emitter> make_emitter(const EmitContext& context,
                                      const Rule& rule,
                                      const RuleQuery& query,
                                      const JoinPlan& plan) {
  if (query.has_summation) return std::make_unique<SummationEmitter>(context, rule, query, plan);
  if (query.is_quantified) return std::make_unique<ExistentialEmitter>(context, query, plan);
  return std::make_unique<LinearEmitter>(context, query, plan);
}

}  // namespace sorites
