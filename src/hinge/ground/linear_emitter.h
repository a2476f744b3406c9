// The terms of rules without summation variables.
#pragma once

#include <utility>
#include <vector>

#include "hinge/ground/emitter.h"

namespace sorites {

class LinearEmitter : public Emitter {
 public:
  LinearEmitter(const EmitContext& context, const RuleQuery& rule, const JoinPlan& plan);

  void add(const JoinBatch& batch) override;
  std::vector<RuleAtom> atoms(const JoinBatch& batch, std::uint32_t binding) override;
  double constant(const JoinBatch& batch, std::uint32_t binding) override;

 private:
  // An atom of the expression that is looked up.
  struct Source {
    std::size_t part = 0;    // number in the expression
    std::uint32_t atom = 0;  // of the query
    const Trie* trie = nullptr;
    const PredicateLayout* layout = nullptr;
    double coefficient = 0.0;
  };
  // What an atom of the expression adds to a term.
  struct Part {
    enum class Kind : std::uint8_t { kValue, kTarget, kOutput, kMissing };
    Kind kind = Kind::kValue;
    bool satisfies = false;  // the clause, whatever the others are
    std::uint32_t id = 0;    // of a target or output
    double value = 0.0;      // coefficient * observed value
  };
  // What is known of some atoms of a binding together.
  struct Outlook {
    bool unknown = false;    // one of them is not observed
    bool satisfied = false;  // one of them satisfies the clause
    bool special = false;    // one of them is missing, or the output of a network
    double largest = 0.0;    // what they add to the expression at most
  };

  // Terms in which the same atoms are targets have the same coefficients.
  struct Shape {
    std::uint64_t targets = 0;  // a bit per atom of the expression
    double reach = 0.0;         // what the targets can add to the decisive expression
    double size = 0.0;          // sum of absolute coefficients
    OwnVector<double> coefficients;
    std::size_t block = 0;     // of the result it was looked up for
    std::uint64_t result = 0;  // number of that result
  };

  Part part_of(const Source& source, Range range) const;
  Outlook resolve(const JoinBatch& batch, std::uint32_t binding, bool varying);
  void put_together();
  void add_one(const JoinBatch& batch, std::uint32_t binding, const Outlook& outer);
  void add_by_shape(const JoinBatch& batch, const Outlook& outer);
  bool find_varying(std::uint32_t binding, std::uint64_t& targets, bool& satisfied);
  Shape& shape_of(std::uint64_t targets);
  bool write_shape(std::uint64_t targets, double offset);

  double constant_ = 0.0;
  double sign_ = 0.0;            // of the expression that must not be positive; 0 if both count
  double fixed_ = 0.0;           // of the constant and of atoms that are not looked up
  bool counts_missing_ = false;  // a missing atom is unknown, and not 0
  bool has_shapes_ = false;      // terms are written by their shapes
  OwnVector<Source> sources_;
  OwnVector<double> coefficient_;  // per atom of the expression
  OwnVector<Part> parts_;          // per atom of the expression, for the current binding
  // Of the current batch: the atoms that vary in it, and their ranges.
  OwnVector<std::pair<const Source*, const Range*>> varying_;
  OwnVector<Shape> shapes_;
  std::size_t last_shape_ = 0;
  OwnVector<AtomId> ids_;
  TermDraft draft_;
};

}  // namespace sorites
