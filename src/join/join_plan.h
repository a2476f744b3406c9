// From a query, a set of atoms and comparisons over variables, to the order in which to bind them.
//
// Variables are bound one at a time. The candidates of a variable are the codes that all its
// driving atoms have below what is bound already: their tries are intersected. This is worst-case
// optimal (Ngo, Porat, Re, Rudra, "Worst-case optimal join algorithms", 2012; Veldhuizen
// 2014, Leapfrog Triejoin): triangles and transitivity never pass through an intermediate result
// that is larger than their output can be.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "join/column_statistics.h"
#include "join/trie.h"
#include "sorites/database.h"
#include "sorites/program.h"

namespace sorites {

// An argument of an atom in a query.
struct JoinArgument {
  enum class Kind : std::uint8_t { kVariable, kConstant, kSummed };
  Kind kind = Kind::kVariable;
  std::uint32_t value = 0;  // variable number, or code; kNoCode is a constant that no row has
};

struct JoinAtom {
  PredicateId predicate = 0;
  std::vector<JoinArgument> arguments;
  RowChoice rows;
  bool optional = false;  // looked up, but need not be there; others drive the join
  bool implied = false;   // there for every binding of the others: not even looked up
};

struct JoinComparison {
  ComparisonOperator op = ComparisonOperator::kEqual;
  bool negated = false;
  DomainId domain = 0;
  JoinArgument left, right;
  std::string left_text, right_text;  // of constants, which need not be in the dictionary
};

struct JoinQuery {
  std::size_t num_variables = 0;
  // Per variable: how many codes its domain has. A variable that stands in no atom but optional
  // ones takes all of them; the others have no need of it.
  std::vector<std::uint32_t> domain_sizes;
  std::vector<JoinAtom> atoms;
  std::vector<JoinComparison> comparisons;
};

// An atom that goes down its trie when a variable is bound.
struct Participant {
  std::uint32_t atom = 0;
  std::uint32_t level = 0;       // the first level that the variable binds
  std::uint32_t num_levels = 1;  // more than one if the atom repeats the variable
  int depends_on = -1;           // the depth that bound the level before; none: -1
};

struct JoinDepth {
  std::uint32_t variable = 0;
  std::vector<Participant> drivers;  // none: the variable takes all codes of its domain
  std::uint32_t domain_size = 0;     // how many codes its domain has
  std::vector<Participant> optionals;
  std::vector<JoinComparison> comparisons;  // decidable from here on
  std::optional<JoinArgument> pinned;       // the variable must equal this
  int depends_on = -1;  // the candidates are the same while this depth and those before stand still
  double estimated_size = 1.0;  // bindings of this variable and those before
};

struct JoinPlan {
  std::vector<const Trie*> tries;  // per atom; null if others imply it
  std::vector<Range> start;        // per atom: its positions once its constants are bound
  std::vector<JoinDepth> depths;
  bool empty = false;  // a constant or a comparison of constants rules everything out
  bool tables = true;  // codes of drivers that stand still are looked up in tables (Join::Lookup)
  double estimated_cost = 0.0;
};

JoinPlan make_plan(const JoinQuery& query, ColumnStatistics& statistics, TrieStore& tries);

// The same in steps, for many queries: their orders, then all tries at once, then the plans.
struct JoinOrder;
void want_tries(const JoinQuery& query, const JoinOrder& order, TrieStore& tries);
JoinPlan make_plan(const JoinQuery& query, const JoinOrder& order, TrieStore& tries);

// Whether a comparison holds for the codes of its two sides.
bool holds(const JoinComparison& comparison, Code left, Code right, const Database& database);

// The order of a type on constants as text.
bool text_less(ConstantType type, const std::string& left, const std::string& right);

}  // namespace sorites
