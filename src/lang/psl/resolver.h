// Looks up the names of one rule: predicates in the program, variables in the rule.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "lang/psl/predicate_index.h"
#include "lang/psl/reporter.h"
#include "lang/psl/syntax.h"
#include "sorites/program.h"

namespace sorites::lang {

// The predicate of an atom that is unknown or has the wrong number of arguments. It is reported
// when it is declared; checks that follow take it for whatever does not add a second message.
inline constexpr PredicateId kUnresolved = std::numeric_limits<PredicateId>::max();

class Resolver {
 public:
  // All must outlive it.
  Resolver(const PredicateIndex& predicates, const std::vector<Domain>& domains, Reporter& reporter)
      : predicates_(predicates), domains_(domains), reporter_(reporter) {}

  // First, for every expression of the rule: takes in its variables and reports unknown predicates,
  // wrong arity, and constants and variables of the wrong type in atoms. (Comparisons have to wait,
  // since their types come from the atoms.)
  void declare(const Expression& expression);

  // After that: reports variables of quantifiers that hide others, or that nothing uses.
  void check_quantified();

  // Then: the parts of the rule, resolved.
  Formula formula(const Expression& expression);
  Atom atom(const Expression& expression);
  Comparison comparison(const Expression& expression);  // reports mistakes of type
  VariableId variable(const std::string& name, TextRange at);

  const Predicate* predicate(PredicateId id) const {
    return id == kUnresolved ? nullptr : &predicates_[id];
  }
  std::vector<Variable>& variables() { return variables_; }
  TextRange first_use(VariableId variable) const { return uses_[variable].first; }
  std::vector<std::string_view> variable_names() const;
  // Adds "did you mean?" if a name is near; short names are all near each other, and get none.
  static void suggest_variable(Diagnostic& added,
                               std::string_view name,
                               const std::vector<std::string_view>& known);

 private:
  struct Use {
    TextRange first;
    std::optional<DomainId> domain;  // none: it stands in no atom so far
    TextRange typed_at;              // where the domain comes from
    bool compared = false;
    bool unresolved = false;  // a mistake that is reported keeps from saying more
    bool quantified = false;
  };
  // The variables of quantifiers around a place, the innermost last.
  using Scope = std::vector<VariableId>;

  std::optional<VariableId> find_variable(const std::string& name) const;
  void declare_quantified(const Expression& quantifier);
  void report_hidden(const TermSyntax& hiding, TextRange hidden);
  PredicateId find(const Expression& atom) const;
  std::string describe(DomainId domain) const;  // "an integer", "of domain `person`"
  void declare_atom(const Expression& atom);
  void declare_variable(const TermSyntax& term, DomainId domain);
  void check_constant(const TermSyntax& term, DomainId domain, const std::string& what);
  void check_listed(const TermSyntax& term, DomainId domain, bool is_class);
  std::optional<DomainId> domain(const TermSyntax& term) const;
  Term term(const TermSyntax& term, DomainId domain);
  Formula quantified(const Expression& expression);

  const PredicateIndex& predicates_;
  const std::vector<Domain>& domains_;
  Reporter& reporter_;
  std::vector<Variable> variables_;
  std::vector<Use> uses_;                            // per variable
  std::unordered_map<std::string, VariableId> ids_;  // of variables that no quantifier binds
  // Quantifiers may use a name again one after the other, so their variables are found by place.
  std::unordered_map<std::uint32_t, VariableId> quantified_at_;
  Scope scope_;
};

}  // namespace sorites::lang
