// Incremental grounding.
//
// A change touches the ground rules in which a changed atom stands. Those of the old data are found
// by a join that begins with the changed atoms, and their terms are taken out; then the same with
// the new data, and their terms are put in. A ground rule with several changed atoms is counted for
// the first of them.
#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <stdexcept>
#include <unordered_map>

#include "data/change.h"
#include "hinge/ground/query_runner.h"
#include "sorites/ground.h"

namespace sorites {
namespace {

using ChangedAtoms = std::map<PredicateId, Relation>;

bool mentions(const Formula& formula, const ChangedAtoms& changed) {
  if (formula.kind == FormulaKind::kAtom) return changed.count(formula.atom.predicate) != 0;
  return std::any_of(formula.operands.begin(), formula.operands.end(), [&](const Formula& operand) {
    return mentions(operand, changed);
  });
}

bool has_cardinality(const Coefficient& coefficient) {
  return coefficient.kind == CoefficientKind::kCardinality ||
         std::any_of(coefficient.operands.begin(), coefficient.operands.end(), has_cardinality);
}

// A changed atom can touch ground rules in which it does not stand: through a filter, or through
// the cardinality of a closed predicate, which counts all its constants. Such rules are ground
// anew.
// The same holds for guards of existential atoms, and for variables that run over a domain, which
// may have new constants.
bool reaches_further(const Rule& rule, const RuleQuery& query, const ChangedAtoms& changed) {
  const bool by_guard =
      std::any_of(query.atoms.begin(), query.atoms.end(), [&](const LinearAtom& atom) {
        return mentions(atom.guard, changed);
      });
  if (by_guard || query.depends_on_domains()) return true;
  const auto* arithmetic = std::get_if<ArithmeticRule>(&rule.body);
  if (arithmetic == nullptr) return false;
  const bool by_filter = std::any_of(
      arithmetic->filters.begin(), arithmetic->filters.end(), [&](const Filter& filter) {
        return mentions(filter.condition, changed);
      });
  const bool counts =
      has_cardinality(query.constant) ||
      std::any_of(query.atoms.begin(), query.atoms.end(), [](const LinearAtom& atom) {
        return has_cardinality(atom.coefficient);
      });
  const bool sums_changed =
      std::any_of(query.atoms.begin(), query.atoms.end(), [&](const LinearAtom& atom) {
        return !atom.summed.empty() && changed.count(atom.predicate) != 0;
      });
  return by_filter || (counts && sums_changed);
}

// The query for the bindings in which atom number `i` of the expression is a changed one, and none
// of those before it is.
RuleQuery restricted(const RuleQuery& query, std::size_t i, const ChangedAtoms& changed) {
  RuleQuery result = query;
  const auto add = [&](const LinearAtom& linear, bool optional) {
    JoinAtom atom = query.query.atoms[linear.atom];
    atom.rows = RowSet::kChanged;
    atom.optional = optional;
    result.query.atoms.push_back(std::move(atom));
    return static_cast<std::uint32_t>(result.query.atoms.size() - 1);
  };
  add(query.atoms[i], false);
  for (std::size_t j = 0; j < i; ++j) {
    if (changed.count(query.atoms[j].predicate) != 0) {
      result.excluded.push_back(add(query.atoms[j], true));
    }
  }
  return result;
}

// The terms, per rule, of the ground rules that the changes touch in one state of the data.
class TouchedTerms {
 public:
  TouchedTerms(const Program& program,
               const Database& database,
               const ChangedAtoms& changed,
               const GroundOptions& options)
      : program_(program),
        changed_(changed),
        options_(options),
        context_{
            program, database, lay_out(program, database, numbering_), options.on_missing_target},
        pool_(options.threads),
        statistics_(database),
        tries_(database, changed),
        memory_(options.stop) {}

  // Of rules in `whole`, all terms, or none if they are going to be ground anew.
  enum class Whole : std::uint8_t { kAllTerms, kNoTerms };
  std::map<std::uint32_t, BlockSet> find(const std::set<std::uint32_t>& whole, Whole give);
  std::set<std::uint32_t> whole_rules() const;
  std::uint64_t num_missing() const { return num_missing_; }

 private:
  void run(std::uint32_t rule, RuleQuery query, BlockSet& blocks) {
    GroundCounts counts;
    QueryGroup group;
    group.join = query.query;
    group.plan = make_plan(group.join, statistics_, tries_);
    group.queries.push_back({rule, std::move(query)});
    const auto no_progress = [](double) {};
    const QueryOutput output{&blocks, &counts};
    run_group(group, context_, {pool_, options_.stop, memory_, no_progress}, {&output, 1});
    num_missing_ += counts.missing;
  }

  const Program& program_;
  const ChangedAtoms& changed_;
  const GroundOptions& options_;
  Model numbering_;
  EmitContext context_;
  ThreadPool pool_;
  ColumnStatistics statistics_;
  TrieStore tries_;
  MemoryWatch memory_;
  std::uint64_t num_missing_ = 0;
};

std::set<std::uint32_t> TouchedTerms::whole_rules() const {
  std::set<std::uint32_t> whole;
  for (std::uint32_t r = 0; r < program_.rules.size(); ++r) {
    for (const RuleQuery& query : rule_queries(program_.rules[r], program_, context_.database)) {
      if (reaches_further(program_.rules[r], query, changed_)) whole.insert(r);
    }
  }
  return whole;
}

std::map<std::uint32_t, BlockSet> TouchedTerms::find(const std::set<std::uint32_t>& whole,
                                                     Whole give) {
  std::map<std::uint32_t, BlockSet> touched;
  for (std::uint32_t r = 0; r < program_.rules.size(); ++r) {
    for (const RuleQuery& query : rule_queries(program_.rules[r], program_, context_.database)) {
      if (query.never) continue;
      if (whole.count(r) != 0) {
        if (give == Whole::kAllTerms) run(r, query, touched[r]);
        continue;
      }
      for (std::size_t i = 0; i < query.atoms.size(); ++i) {
        if (changed_.count(query.atoms[i].predicate) == 0) continue;
        run(r, restricted(query, i, changed_), touched[r]);
      }
    }
  }
  return touched;
}

// A term as bytes: its atoms, outputs and offset.
std::string bytes_of(const TermBlock& block, std::size_t term) {
  const auto atoms = block.atoms_of(term);
  const auto outputs = block.outputs_of(term);
  const double offset = block.offset_of(term);
  std::string bytes(reinterpret_cast<const char*>(atoms.data()), atoms.size_bytes());
  bytes.append(reinterpret_cast<const char*>(outputs.data()), outputs.size_bytes());
  bytes.append(reinterpret_cast<const char*>(&offset), sizeof offset);
  return bytes;
}

// Takes the terms of `gone` out of `block`, each as often as it stands there.
void remove_terms(TermBlock& block, const TermBlock& gone) {
  std::unordered_map<std::string, std::size_t> count;
  for (std::size_t t = 0; t < gone.num_terms; ++t) ++count[bytes_of(gone, t)];
  TermBlock kept;
  kept.rule = block.rule;
  kept.kind = block.kind;
  kept.coefficients = block.coefficients;
  kept.output_coefficients = block.output_coefficients;
  for (std::size_t t = 0; t < block.num_terms; ++t) {
    const auto found = count.find(bytes_of(block, t));
    if (found != count.end() && found->second > 0) {
      --found->second;
    } else {
      add_term(kept, block.atoms_of(t), block.outputs_of(t), block.offset_of(t));
    }
  }
  block = std::move(kept);
}

TermBlock* find_block(Model& model, std::uint32_t rule, const TermBlock& like) {
  for (TermBlock& block : model.blocks) {
    if (block.rule == rule && block.kind == like.kind && block.coefficients == like.coefficients &&
        block.output_coefficients == like.output_coefficients) {
      return &block;
    }
  }
  return nullptr;
}

void remove_terms(Model& model, std::map<std::uint32_t, BlockSet>& touched) {
  for (auto& [rule, blocks] : touched) {
    for (const TermBlock& gone : blocks.blocks()) {
      if (TermBlock* block = find_block(model, rule, gone)) remove_terms(*block, gone);
    }
  }
  std::erase_if(model.blocks, [](const TermBlock& block) { return block.num_terms == 0; });
}

void add_terms(Model& model, std::map<std::uint32_t, BlockSet>& touched) {
  for (auto& [rule, blocks] : touched) {
    for (TermBlock& added : blocks.blocks()) {
      if (TermBlock* block = find_block(model, rule, added)) {
        copy_terms(*block, reserve_terms(*block, added), added);
      } else {
        added.rule = rule;
        model.blocks.push_back(std::move(added));
      }
    }
  }
  std::stable_sort(model.blocks.begin(), model.blocks.end(), [](const auto& a, const auto& b) {
    return a.rule < b.rule;
  });
}

}  // namespace

void update(const Program& program,
            Database& database,
            Model& model,
            std::span<const RowChange> changes,
            const GroundOptions& options) {
  const ChangedAtoms changed = changed_atoms(database, changes);
  TouchedTerms before(program, database, changed, options);
  const std::set<std::uint32_t> whole = before.whole_rules();
  auto old_terms = before.find(whole, TouchedTerms::Whole::kNoTerms);
  apply_changes(database, changes);
  TouchedTerms after(program, database, changed, options);
  auto new_terms = after.find(whole, TouchedTerms::Whole::kAllTerms);
  if (after.num_missing() > 0 && options.on_missing_target == OnMissingTarget::kError) {
    throw std::invalid_argument(
        "the changes leave ground rules that need an atom which is neither observed nor a target");
  }
  std::erase_if(model.blocks, [&](const TermBlock& block) { return whole.count(block.rule) != 0; });
  remove_terms(model, old_terms);
  add_terms(model, new_terms);
}

}  // namespace sorites
