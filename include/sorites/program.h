// A checked rule program: predicates and rules, with every name resolved.
//
//   Program program;
//   program.predicates = {{"Knows", {2, ArgumentType::kUniqueStringId}, /*open=*/true}};
//   add_rules(program, "10: Knows(A, B) & Knows(B, C) & (A != C) -> Knows(A, C) ^2");
//
// docs/language.md is the reference of the text form.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sorites/diagnostic.h"

namespace sorites {

// ---- Domains ----------------------------------------------------------------------------------

// The argument types of PSL. Types of one domain can be joined with each other.
enum class ArgumentType : std::uint8_t {
  kUniqueStringId,
  kUniqueIntId,
  kString,
  kInteger,
  kLong,
  kDouble,
};

// How the text of a constant is read, and what its order is (for `%`).
enum class ConstantType : std::uint8_t { kText, kInteger, kReal };

using DomainId = std::uint32_t;  // index in Program::domains

// Constants that can be joined with each other. Every domain has a dictionary of its own.
struct Domain {
  std::string name;
  ConstantType type = ConstantType::kText;
  std::vector<std::string> constants;  // listed, in canonical text; data may add others ...
  bool closed = false;                 // ... unless these are all there are

  bool operator==(const Domain&) const = default;
};

// The domains of predicates that name none: "text", "integer" and "real". Every program has them
// first, so that the number of each is that of its type.
std::vector<Domain> builtin_domains();
DomainId builtin_domain(ArgumentType type);

// ---- Predicates -------------------------------------------------------------------------------

using PredicateId = std::uint32_t;  // index in Program::predicates

struct Predicate {
  std::string name;  // as declared; names differ by more than case
  std::vector<ArgumentType> types;
  bool open = false;  // some of its atoms are unknown, to be inferred: the targets that are listed
  bool neural = false;                 // its atoms are outputs of a network
  std::vector<DomainId> domains = {};  // per argument; without: the built-in one of its type
  // Of an open one: all atoms over its domains that are not observed are unknown, listed or not.
  bool open_world = false;
  // The last argument is a class: of the atoms that differ in it alone, exactly one is true.
  bool has_classes = false;

  std::size_t arity() const { return types.size(); }
  DomainId domain(std::size_t argument) const {
    return argument < domains.size() ? domains[argument] : builtin_domain(types[argument]);
  }
  bool operator==(const Predicate&) const = default;
};

// ---- Atoms ------------------------------------------------------------------------------------

using VariableId = std::uint32_t;  // index in Rule::variables

struct Variable {
  std::string name;
  DomainId domain = 0;
  bool summed = false;  // a summation variable `+V`
  // Takes all constants of its domain, not only those that it has in the data of the rule's atoms.
  bool over_domain = false;

  bool operator==(const Variable&) const = default;
};

// A variable, or a constant in the canonical text of its domain ('007' is '7' as an integer).
using Term = std::variant<VariableId, std::string>;

struct Atom {
  PredicateId predicate = 0;
  std::vector<Term> arguments;

  bool operator==(const Atom&) const = default;
};

enum class ComparisonOperator : std::uint8_t { kEqual, kNotEqual, kLess };

// Holds or not by the constants alone; decided while grounding. `kLess` is the order of the domain.
struct Comparison {
  ComparisonOperator op = ComparisonOperator::kEqual;
  DomainId domain = 0;
  Term left;
  Term right;

  bool operator==(const Comparison&) const = default;
};

// ---- Logical rules ----------------------------------------------------------------------------

enum class FormulaKind : std::uint8_t {
  kAtom,
  kComparison,
  kNot,
  kAnd,
  kOr,
  kImplies,
  kIff,
  kForall,
  kExists,
};

// A formula as written, except that `head << body` is body -> head. kNot has one operand, kImplies
// and kIff two, kAnd and kOr two or more (nested ones of the same kind are flattened), kForall and
// kExists one, in which the variables of `quantified` run over their domains. Variables that no
// quantifier binds hold for the whole rule: it is meant for all of their values.
struct Formula {
  FormulaKind kind = FormulaKind::kAtom;
  std::vector<Formula> operands;
  Atom atom;                                // of kAtom
  Comparison comparison;                    // of kComparison
  std::vector<VariableId> quantified = {};  // of kForall and kExists

  bool operator==(const Formula&) const = default;
};

struct LogicalRule {
  Formula formula;

  bool operator==(const LogicalRule&) const = default;
};

// ---- Arithmetic rules -------------------------------------------------------------------------

enum class CoefficientKind : std::uint8_t {
  kNumber,
  kCardinality,  // |V|: how many atoms a summation variable stands for, in each ground rule
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kMax,
  kMin,
};

// An expression of numbers and cardinalities; operations have two operands. Operations on numbers
// alone are carried out: they are kNumber.
struct Coefficient {
  CoefficientKind kind = CoefficientKind::kNumber;
  double number = 1.0;      // of kNumber
  VariableId variable = 0;  // of kCardinality
  std::vector<Coefficient> operands;

  bool operator==(const Coefficient&) const = default;
};

// coefficient * atom, or a constant if there is no atom.
struct Summand {
  Coefficient coefficient;
  std::optional<Atom> atom;

  bool operator==(const Summand&) const = default;
};

enum class RelationalOperator : std::uint8_t { kLessEqual, kGreaterEqual, kEqual };

// Which values a summation variable takes: those for which the condition holds.
struct Filter {
  VariableId variable = 0;
  Formula condition;

  bool operator==(const Filter&) const = default;
};

// sum of left  op  sum of right. A grounding-only comparison among the summands restricts the
// groundings and adds nothing to the sum.
struct ArithmeticRule {
  std::vector<Summand> left;
  RelationalOperator op = RelationalOperator::kEqual;
  std::vector<Summand> right;
  std::vector<Comparison> conditions;
  std::vector<Filter> filters;

  bool operator==(const ArithmeticRule&) const = default;
};

// ---- Rules and programs -----------------------------------------------------------------------

// The weight of the groundings in which the weighted variables of a rule have these constants.
struct ConstantWeight {
  std::vector<std::string> constants;  // one per weighted variable
  double weight = 0.0;

  bool operator==(const ConstantWeight&) const = default;
};

// Its number less 1, in all phases. A Session numbers rules that all have 0; others differ.
using RuleId = std::uint32_t;

struct Rule {
  std::optional<double> weight;  // none: a hard rule, it must hold
  bool squared = false;
  std::variant<LogicalRule, ArithmeticRule> body;
  std::vector<Variable> variables;  // in the order of their first appearance in the body
  // Variables written `+v` in Markov logic: each combination of their constants has a weight of its
  // own, which is `weight` for those that `constant_weights` does not list.
  std::vector<VariableId> weighted = {};
  std::vector<ConstantWeight> constant_weights = {};
  RuleId id = 0;
  std::string text;  // as the user wrote it
  Span source;

  // Equal as rules: where and how they were written does not count.
  bool operator==(const Rule& other) const {
    return weight == other.weight && squared == other.squared && body == other.body &&
           variables == other.variables && weighted == other.weighted &&
           constant_weights == other.constant_weights;
  }
};

struct Program {
  std::vector<Predicate> predicates;
  std::vector<Rule> rules;
  std::vector<Domain> domains = builtin_domains();

  // By name, whatever its case.
  std::optional<PredicateId> find_predicate(std::string_view name) const;

  bool operator==(const Program&) const = default;
};

// Compiles `text` against program.predicates and appends its rules. Throws InputError with all
// mistakes of the text, and then leaves the program as it was. Returns the warnings. `file` is the
// name that diagnostics give as their place.
std::vector<Diagnostic> add_rules(Program& program,
                                  std::string_view text,
                                  std::string_view file = "<rules>");

// Text that compiles to the same rule (`program` gives the names of the predicates).
std::string to_text(const Rule& rule, const Program& program);

// All rules, one per line.
std::string to_text(const Program& program);

// ---- Models -----------------------------------------------------------------------------------

// A model may have other data, rules and options for each of these.
enum class Phase : std::uint8_t { kLearn, kValidation, kInfer };
inline constexpr Phase kPhases[] = {Phase::kLearn, Phase::kValidation, Phase::kInfer};
std::string_view name_of(Phase phase);  // "learn", "validation", "infer": the model file's

// An option of a model by its name.
struct OptionSetting {
  std::string name;  // in any case
  std::string value;
  Span declared_at;  // empty for options of the command line
  Span value_at;     // where the value stands; empty: `declared_at`
};

}  // namespace sorites
