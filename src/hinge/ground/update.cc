// Incremental grounding.
//
// A change touches the ground rules in which a changed atom stands. Those of the old data are found
// by a join that begins with the changed atoms, and their terms are taken out; then the same with
// the new data, and their terms are put in. A ground rule with several changed atoms is counted for
// the first of them.
#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>

#include "data/change.h"
#include "data/same_predicates.h"
#include "hinge/ground/mistakes.h"
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
        memory_(options.stop),
        counts_(program.rules.size()) {}

  // Of rules in `whole`, all terms, or none if they are going to be ground anew.
  enum class Whole : std::uint8_t { kAllTerms, kNoTerms };
  std::map<std::uint32_t, BlockSet> find(const std::set<std::uint32_t>& whole, Whole give);
  std::set<std::uint32_t> whole_rules() const;
  const std::vector<GroundCounts>& counts() const { return counts_; }  // per rule

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
    add_counts(counts, counts_[rule]);
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
  std::vector<GroundCounts> counts_;
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

// Terms of one rule, each with its number if numbers were given.
struct NumberedBlock {
  TermBlock block;
  std::vector<double> numbers;
};

std::vector<NumberedBlock> take_blocks(Model& model, const std::vector<double>* numbers) {
  std::vector<NumberedBlock> result;
  result.reserve(model.blocks.size());
  std::size_t first = 0;
  for (TermBlock& block : model.blocks) {
    const std::size_t end = first + block.num_terms;
    NumberedBlock& one = result.emplace_back();
    if (numbers != nullptr) one.numbers.assign(numbers->data() + first, numbers->data() + end);
    one.block = std::move(block);
    first = end;
  }
  return result;
}

// Back into the model, by ascending rules.
void give_blocks(std::vector<NumberedBlock> blocks, Model& model, std::vector<double>* numbers) {
  std::stable_sort(blocks.begin(), blocks.end(), [](const auto& a, const auto& b) {
    return a.block.rule < b.block.rule;
  });
  model.blocks.clear();
  if (numbers != nullptr) numbers->clear();
  for (NumberedBlock& one : blocks) {
    if (one.block.num_terms == 0) continue;
    model.blocks.push_back(std::move(one.block));
    if (numbers != nullptr) {
      numbers->insert(numbers->end(), one.numbers.begin(), one.numbers.end());
    }
  }
}

// Takes the terms of `gone` out of a block, each as often as it stands there.
void remove_terms(NumberedBlock& from, const TermBlock& gone) {
  const TermBlock& block = from.block;
  std::unordered_map<std::string, std::size_t> count;
  for (std::size_t t = 0; t < gone.num_terms; ++t) ++count[bytes_of(gone, t)];
  NumberedBlock kept;
  kept.block.rule = block.rule;
  kept.block.kind = block.kind;
  kept.block.coefficients = block.coefficients;
  kept.block.output_coefficients = block.output_coefficients;
  for (std::size_t t = 0; t < block.num_terms; ++t) {
    const auto found = count.find(bytes_of(block, t));
    if (found != count.end() && found->second > 0) {
      --found->second;
      continue;
    }
    add_term(kept.block, block.atoms_of(t), block.outputs_of(t), block.offset_of(t));
    if (!from.numbers.empty()) kept.numbers.push_back(from.numbers[t]);
  }
  from = std::move(kept);
}

NumberedBlock* find_block(std::vector<NumberedBlock>& blocks,
                          std::uint32_t rule,
                          const TermBlock& like) {
  for (NumberedBlock& one : blocks) {
    const TermBlock& block = one.block;
    if (block.rule == rule && block.kind == like.kind && block.coefficients == like.coefficients &&
        block.output_coefficients == like.output_coefficients) {
      return &one;
    }
  }
  return nullptr;
}

void remove_terms(std::vector<NumberedBlock>& blocks, std::map<std::uint32_t, BlockSet>& touched) {
  for (auto& [rule, of_rule] : touched) {
    for (const TermBlock& gone : of_rule.blocks()) {
      if (NumberedBlock* block = find_block(blocks, rule, gone)) remove_terms(*block, gone);
    }
  }
}

// New terms have no number.
void add_terms(std::vector<NumberedBlock>& blocks,
               std::map<std::uint32_t, BlockSet>& touched,
               bool has_numbers) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  for (auto& [rule, of_rule] : touched) {
    for (TermBlock& added : of_rule.blocks()) {
      NumberedBlock* block = find_block(blocks, rule, added);
      if (block != nullptr) {
        copy_terms(block->block, reserve_terms(block->block, added), added);
      } else {
        added.rule = rule;
        block = &blocks.emplace_back();
        block->block = std::move(added);
      }
      if (has_numbers) block->numbers.resize(block->block.num_terms, kNone);
    }
  }
}

}  // namespace

void update(const Program& program,
            Database& database,
            Model& model,
            std::span<const RowChange> changes,
            const GroundOptions& options,
            std::vector<double>* numbers) {
  require_same_predicates(program, database);
  const ChangedAtoms changed = changed_atoms(database, changes);
  TouchedTerms before(program, database, changed, options);
  const std::set<std::uint32_t> whole = before.whole_rules();
  auto old_terms = before.find(whole, TouchedTerms::Whole::kNoTerms);
  apply_changes(database, changes);
  TouchedTerms after(program, database, changed, options);
  auto new_terms = after.find(whole, TouchedTerms::Whole::kAllTerms);
  require_no_mistakes(program, after.counts(), options.on_missing_target);
  std::vector<NumberedBlock> blocks = take_blocks(model, numbers);
  std::erase_if(blocks, [&](const auto& one) { return whole.count(one.block.rule) != 0; });
  remove_terms(blocks, old_terms);
  add_terms(blocks, new_terms, numbers != nullptr);
  give_blocks(std::move(blocks), model, numbers);
}

}  // namespace sorites
