// From bindings to terms: observed atoms go into the offset, repeated atoms are merged, and what no
// point of the box can violate is dropped.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "hinge/ground/layout.h"
#include "hinge/ground/rule_query.h"
#include "hinge/model/term_block.h"
#include "join/join.h"
#include "sorites/ground.h"

namespace sorites {

// What all emitters of a grounding share.
struct EmitContext {
  const Program& program;
  const Database& database;
  std::vector<PredicateLayout> layout;  // per predicate
  OnMissingTarget on_missing_target = OnMissingTarget::kError;
  bool count_all = false;  // every binding is looked at, one by one
};

// A term under construction: r = sum of coefficients * atoms + sum of output coefficients * outputs
// + offset.
struct TermDraft {
  OwnVector<AtomId> atoms;
  OwnVector<double> coefficients;
  OwnVector<std::uint32_t> outputs;
  OwnVector<double> output_coefficients;
  double offset = 0.0;
  bool satisfied = false;     // by an observed atom alone
  OwnVector<double> missing;  // coefficients of atoms that are neither observed nor targets

  void clear() {
    atoms.clear();
    coefficients.clear();
    outputs.clear();
    output_coefficients.clear();
    missing.clear();
    offset = 0.0;
    satisfied = false;
  }
};

// What one task of a rule gives.
struct TaskResult {
  BlockSet blocks;
  GroundCounts counts;
};

inline constexpr std::size_t kMostMissingExamples = 10;  // that a message names

// Adds up what two parts of a rule gave; of the examples, the first are kept.
void add_counts(const GroundCounts& from, GroundCounts& to);

// Whether an observed atom satisfies a clause alone: in the body (coefficient > 0) if it is false,
// in the head if it is true; as in PSL, within 1e-4.
inline constexpr double kNearlyDecided = 1e-4;
inline bool satisfies_clause(double coefficient, double value) {
  return (coefficient > 0 ? value : 1.0 - value) <= kNearlyDecided;
}

// Makes terms of drafts, for one task at a time.
class TermWriter {
 public:
  TermWriter(const EmitContext& context, const RuleQuery& rule);

  void begin(TaskResult& result) { result_ = &result; }

  // coefficient * the atom that stands at a row of its relation.
  void add_row(PredicateId predicate,
               std::uint32_t row,
               double coefficient,
               TermDraft& draft) const;
  // Adds the draft as terms of all forms of the rule, or counts why not. Returns false if atoms are
  // missing that count.
  bool write(TermDraft& draft);
  // Counts a draft that needs missing atoms, and keeps the first of their names.
  void count_missing(const JoinBatch& batch, std::uint32_t binding);
  // A draft without unknown atoms, if that is all there is to say of it.
  void count_observed() { ++result_->counts.observed; }
  // One that nothing can violate.
  void count_satisfied() { ++result_->counts.satisfied; }
  bool is_hard_rule() const { return is_hard_; }
  bool may_repeat() const { return may_repeat_; }
  TaskResult& result() { return *result_; }
  void count_division_by_zero() { ++result_->counts.divided_by_zero; }

 private:
  bool write_merged(TermDraft& draft);
  void write_broken(TermDraft& draft);
  void write_form(const TermForm& form, TermDraft& draft);

  const EmitContext& context_;
  const RuleQuery& rule_;
  bool is_hard_ = false;
  bool may_repeat_ = false;  // two atoms of the expression can be the same
  TaskResult* result_ = nullptr;
  TermDraft merged_;
};

// An atom of a ground rule: a row of its relation, or arguments that no row has.
struct RuleAtom {
  PredicateId predicate = 0;
  double coefficient = 1.0;
  std::vector<Code> arguments;
};

// Turns the bindings of one rule query into terms.
class alignas(kOwnLines) Emitter {
 public:
  Emitter(const EmitContext& context, const RuleQuery& rule, const JoinPlan& plan)
      : context_(context), rule_(rule), plan_(plan), writer_(context, rule) {}
  virtual ~Emitter() = default;

  // What follows goes to `result`.
  void begin(TaskResult& result) {
    writer_.begin(result);
    ++num_results_;
  }
  virtual void add(const JoinBatch& batch) = 0;

  // The atoms and the constant of one binding's expression, for people to read.
  virtual std::vector<RuleAtom> atoms(const JoinBatch& batch, std::uint32_t binding) = 0;
  virtual double constant(const JoinBatch& batch, std::uint32_t binding) = 0;

 protected:
  // Whether a binding belongs to another query (RuleQuery::excluded).
  bool is_excluded(const JoinBatch& batch, std::uint32_t binding) const;
  // The arguments of an atom without summation variables.
  std::vector<Code> arguments_of(const LinearAtom& atom,
                                 const JoinBatch& batch,
                                 std::uint32_t binding) const;
  RuleAtom atom_of_row(PredicateId predicate, std::uint32_t row, double coefficient) const;

  const EmitContext& context_;
  const RuleQuery& rule_;
  const JoinPlan& plan_;
  TermWriter writer_;
  std::uint64_t num_results_ = 0;  // begun so far
};

std::unique_ptr<Emitter> make_emitter(const EmitContext& context,
                                      const Rule& rule,
                                      const RuleQuery& query,
                                      const JoinPlan& plan);

}  // namespace sorites
