#include "meanfield/lower_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <variant>

#include "meanfield/evidence_variables.h"
#include "meanfield/formula_logic.h"

namespace sorites::meanfield {
namespace {

enum class Outcome : std::uint8_t { kAlwaysTrue, kNeverTrue, kAdded, kRefused };

class RuleLowering {
 public:
  RuleLowering(const Program& program,
               const Database& database,
               const NarrowedDomains& domains,
               MeanFieldModel& model,
               Diagnostics& sink)
      : program_(program),
        database_(database),
        domains_(domains),
        model_(model),
        sink_(sink),
        logic_(program, database, domains, model) {}

  void lower(std::uint32_t r) {
    const Rule& rule = program_.rules[r];
    rule_ = r;
    const auto* logical = std::get_if<LogicalRule>(&rule.body);
    MeanFieldRule& place = model_.rules.emplace_back();
    place = {model_.weights.size(), 1, !rule.weight, !rule.weighted.empty() && rule.weight};
    if (logical == nullptr) {  // says that a predicate has classes
      model_.weights.push_back(0.0);
      return;
    }
    formula_ = &logical->formula;
    is_free_.assign(rule.variables.size(), true);
    // A variable that is quantified in front of the rule is one of the rule's.
    while (formula_->kind == FormulaKind::kForall) formula_ = &formula_->operands[0];
    is_class_.assign(rule.variables.size(), false);
    find_variables(*formula_);
    is_evidence_ = evidence_variables(*formula_, model_, rule.variables.size());
    if (!check_sizes()) return;
    const std::vector<double> weights = rule_weights(rule, variables(), model_, database_);
    check_weights(weights);
    place.num_weights = weights.size();
    model_.weights.insert(model_.weights.end(), weights.begin(), weights.end());
    warn_empty_domains();
    add_all();
  }

 private:
  const Rule& rule() const { return program_.rules[rule_]; }
  const std::vector<std::uint32_t>& variables() const { return domains_.of_variable[rule_]; }
  std::size_t size(std::size_t variable) const {
    return model_.domains[variables()[variable]].size();
  }

  // Which variables quantifiers bind, and which others stand for classes.
  void find_variables(const Formula& formula) {
    for (const VariableId v : formula.quantified) is_free_[v] = false;
    for (const Formula& operand : formula.operands) find_variables(operand);
    if (formula.kind != FormulaKind::kAtom) return;
    if (model_.predicates[formula.atom.predicate].num_classes() == 0) return;
    const auto* variable = std::get_if<VariableId>(&formula.atom.arguments.back());
    if (variable != nullptr) is_class_[*variable] = true;
  }

  bool is_bound_to_classes(std::size_t v) const { return is_free_[v] && is_class_[v]; }

  // The product of the sizes of the domains, or `most` + 1 if it is larger than that.
  template <class Chosen>
  std::size_t combinations(std::size_t most, const Chosen& chosen) const {
    std::size_t product = 1;
    for (std::size_t v = 0; v < is_free_.size(); ++v) {
      if (!chosen(v)) continue;
      if (size(v) == 0) return 0;
      product = product > most / size(v) ? most + 1 : product * size(v);
    }
    return product;
  }

  void check_weights(const std::vector<double>& weights) {
    for (const double weight : weights) {
      if (std::abs(weight) <= kLargestLogOdds) continue;
      sink_
          .error(DiagnosticCode::kUnfitSemantics,
                 rule().source,
                 fmt::format("a weight of {} is more than probabilities can be computed with: at "
                             "most {} in size",
                             weight,
                             kLargestLogOdds))
          .notes.push_back({"a rule that must hold has a period behind it, and no weight", {}});
      return;
    }
  }

  bool check_sizes() {
    const auto& weighted = rule().weighted;
    const auto is_weighted = [&](std::size_t v) {
      return std::find(weighted.begin(), weighted.end(), v) != weighted.end();
    };
    if (combinations(kMostWeights, is_weighted) > kMostWeights) {
      sink_.error(DiagnosticCode::kTooManyAtoms,
                  rule().source,
                  fmt::format("more than {} weights, one per combination of the constants of `+` "
                              "variables",
                              kMostWeights));
      return false;
    }
    if (combinations(kMostClassCombinations, [&](std::size_t v) {
          return is_bound_to_classes(v);
        }) > kMostClassCombinations) {
      sink_.error(DiagnosticCode::kTooManyClauses,
                  rule().source,
                  fmt::format("its variables for classes have more than {} combinations of classes",
                              kMostClassCombinations));
      return false;
    }
    return true;
  }

  // A built-in domain is empty where there is no data, which is no mistake.
  void warn_empty_domains() {
    for (std::size_t v = 0; v < is_free_.size(); ++v) {
      const DomainId domain = model_.domains[variables()[v]].domain;
      if (size(v) > 0 || domain < builtin_domains().size()) continue;
      sink_.warning(DiagnosticCode::kEmptyDomain,
                    rule().source,
                    fmt::format("there is no {}, so that the formula has no groundings",
                                program_.domains[domain].name));
      return;
    }
  }

  // One formula per combination of classes.
  void add_all() {
    used_facts_ = false;
    report(for_all(
        Binding(is_free_.size()),
        [&](std::size_t v) { return is_bound_to_classes(v); },
        [&](const Binding& binding) { return add(binding); }));
  }

  // Calls work for all combinations of the constants of the chosen variables, until a hard rule
  // cannot hold or a formula is refused. Gives the worst outcome.
  template <class Chosen, class Work>
  Outcome for_all(Binding binding, const Chosen& chosen, const Work& work) {
    std::vector<VariableId> variables;
    bool more = true;
    for (VariableId v = 0; v < binding.size(); ++v) {
      if (!chosen(v)) continue;
      variables.push_back(v);
      binding[v] = 0;
      more = more && size(v) > 0;
    }
    used_facts_ = used_facts_ || !more;
    Outcome worst = Outcome::kAlwaysTrue;
    while (more) {
      const Outcome outcome = work(binding);
      const bool contradiction = !rule().weight && outcome == Outcome::kNeverTrue;
      if (contradiction || outcome == Outcome::kRefused) return outcome;
      worst = std::max(worst, outcome);
      more = advance(variables, binding);
    }
    return worst;
  }

  // The next combination, the last variable first. False after the last one.
  bool advance(const std::vector<VariableId>& variables, Binding& binding) const {
    for (std::size_t i = variables.size(); i-- > 0;) {
      std::uint32_t& constant = *binding[variables[i]];
      if (++constant < size(variables[i])) return true;
      constant = 0;
    }
    return false;
  }

  // Written out, `exists` over a conjunction of n pairs has 2^n clauses. With constants for the
  // variables that closed atoms below it hang on, facts decide most of them: a formula for each
  // combination of these is as exact, and often much less.
  Outcome add(const Binding& binding) {
    const auto chosen = [&](std::size_t v) {
      return is_evidence_[v] && is_free_[v] && !binding[v];
    };
    bool any = false;
    for (std::size_t v = 0; v < binding.size(); ++v) any = any || chosen(v);
    const auto clauses = clauses_of(binding);
    const std::size_t num_combinations = combinations(kMostEvidence, chosen);
    const bool is_less = !clauses || num_combinations < clauses->size();
    if (!any || !is_less || num_combinations > kMostEvidence ||
        !logic_.unknown_constant().empty()) {
      return add(binding, clauses);
    }
    const std::size_t num_formulas = model_.formulas.size();
    const Outcome worst =
        for_all(binding, chosen, [&](const Binding& all) { return add(all, clauses_of(all)); });
    // Facts that break a hard rule are told by propagation, which names them, if it can be done.
    const bool is_broken = !rule().weight && worst == Outcome::kNeverTrue && clauses;
    if (worst != Outcome::kRefused && !is_broken) return worst;
    model_.formulas.resize(num_formulas);
    return add(binding, clauses_of(binding));  // once more, since the atoms are those of the last
  }

  // None if there are too many; their atoms are those of `logic_`.
  std::optional<std::vector<ValueClause>> clauses_of(const Binding& binding) {
    const auto node = logic_.logic(rule_, *formula_, binding);
    used_facts_ = used_facts_ || logic_.used_facts();
    if (!node) return std::nullopt;
    auto clauses = to_disjoint_clauses(*node, logic_.atoms().num_values);
    if (!clauses) return std::nullopt;
    std::size_t num_literals = 0;
    for (const ValueClause& clause : *clauses) num_literals += clause.size();
    if (num_literals > kMostLiterals) return std::nullopt;
    return clauses;
  }

  Outcome add(const Binding& binding, const std::optional<std::vector<ValueClause>>& clauses) {
    if (!clauses) return Outcome::kRefused;
    if (clauses->empty()) return Outcome::kAlwaysTrue;
    if ((*clauses)[0].empty()) {
      never_at_ = constants_text(binding);
      return Outcome::kNeverTrue;
    }
    add_formula(binding, *clauses);
    return Outcome::kAdded;
  }

  // A rule that is always or never true for one class only adds a constant; the whole should do
  // more, unless it is the data that decides.
  void report(Outcome worst) {
    const Span& place = rule().source;
    switch (worst) {
      case Outcome::kAdded:
        return;
      case Outcome::kAlwaysTrue:
        if (used_facts_) return;
        sink_.warning(DiagnosticCode::kAlwaysSatisfied,
                      place,
                      "this formula is always true, so that it has no effect");
        return;
      case Outcome::kNeverTrue:
        if (used_facts_ && rule().weight) return;
        sink_.error(used_facts_ ? DiagnosticCode::kContradiction : DiagnosticCode::kNoAtom,
                    place,
                    fmt::format("this formula is never true, whatever the {}atoms are{}",
                                used_facts_ ? "unknown " : "",
                                never_at_));
        return;
      case Outcome::kRefused:
        return report_refused();
    }
  }

  void report_refused() {
    if (!logic_.unknown_constant().empty()) {
      sink_
          .error(DiagnosticCode::kUnknownConstant,
                 rule().source,
                 fmt::format("`{}` is in no data", logic_.unknown_constant()))
          .notes.push_back({"list it among the constants of its domain", {}});
      return;
    }
    std::string sizes;
    for (std::size_t v = 0; v < is_free_.size(); ++v) {
      if (is_free_[v]) continue;
      sizes += fmt::format(
          "{}{} has {} values", sizes.empty() ? "" : ", ", rule().variables[v].name, size(v));
    }
    Diagnostic& added =
        sink_.error(DiagnosticCode::kTooManyClauses,
                    rule().source,
                    fmt::format("more than {} clauses that exclude each other, or {} literals{}",
                                kMaxClauses,
                                kMostLiterals,
                                sizes.empty() ? "" : ", with quantifiers written out: " + sizes));
    if (!sizes.empty()) {
      added.notes.push_back(
          {fmt::format("two unknown atoms under a quantifier over n constants are up to 2^n "
                       "clauses; of closed atoms only those that are true count, if the other "
                       "variables in them have at most {} combinations of constants",
                       kMostEvidence),
           {}});
    }
    added.notes.push_back(
        {"split it into several formulas, or name a part of it by a predicate of "
         "its own",
         {}});
  }

  // Variables that no clause mentions are left out: what such a formula weighs counts once for each
  // of their constants.
  void add_formula(const Binding& binding, const std::vector<ValueClause>& clauses) {
    const std::vector<bool> used = used_variables(clauses);
    MeanFieldFormula formula = to_formula(used, clauses);
    const auto& weighted = rule().weighted;
    for (std::size_t v = 0; v < used.size(); ++v) {
      if (used[v] || binding[v] || !is_free_[v]) continue;
      if (size(v) == 0) return;  // without groundings, and without a variable that would show it
      const bool is_weighted = std::find(weighted.begin(), weighted.end(), v) != weighted.end();
      if (!is_weighted) formula.factor *= static_cast<double>(size(v));
    }
    if (!formula.hard) {
      use_weights(
          {rule(), variables(), binding, used, model_.rules.back().first_weight}, model_, formula);
    }
    formula.text = rule().text + constants_text(binding);
    model_.formulas.push_back(std::move(formula));
  }

  std::string constants_text(const Binding& binding) const {
    std::string text;
    for (std::size_t v = 0; v < binding.size(); ++v) {
      if (!binding[v]) continue;
      const MeanFieldDomain& domain = model_.domains[variables()[v]];
      text += fmt::format("{}{} = {}",
                          text.empty() ? "" : ", ",
                          rule().variables[v].name,
                          database_.dictionary(domain.domain).text(domain.codes[*binding[v]]));
    }
    return text.empty() ? text : fmt::format(" [{}]", text);
  }

  std::vector<bool> used_variables(const std::vector<ValueClause>& clauses) const {
    std::vector<bool> used(is_free_.size(), false);
    for (const ValueClause& clause : clauses) {
      for (const ValueLiteral& literal : clause) {
        for (const MeanFieldTerm& term : logic_.atoms().atoms[literal.atom].terms) {
          if (!term.is_constant) used[term.index] = true;
        }
      }
    }
    return used;
  }

  MeanFieldFormula to_formula(const std::vector<bool>& used,
                              const std::vector<ValueClause>& clauses) const {
    MeanFieldFormula result;
    result.place = rule().source;
    result.rule = rule_;
    result.id = rule().id;
    result.hard = !rule().weight;
    std::vector<std::uint32_t> number(used.size(), 0);
    for (std::size_t v = 0; v < used.size(); ++v) {
      if (!used[v]) continue;
      number[v] = static_cast<std::uint32_t>(result.variables.size());
      result.variables.push_back(variables()[v]);
    }
    for (const VariableId v : result.hard ? std::vector<VariableId>{} : rule().weighted) {
      if (used[v]) result.weighted.push_back(number[v]);
    }
    for (const ValueClause& clause : clauses) {
      MeanFieldClause& to = result.clauses.emplace_back();
      for (const ValueLiteral& literal : clause) {
        const FormulaAtoms::Atom& atom = logic_.atoms().atoms[literal.atom];
        std::vector<MeanFieldTerm> terms = atom.terms;
        for (MeanFieldTerm& term : terms) {
          if (!term.is_constant) term.index = number[term.index];
        }
        to.push_back({atom.predicate, std::move(terms), literal.values});
      }
    }
    return result;
  }

  const Program& program_;
  const Database& database_;
  const NarrowedDomains& domains_;
  MeanFieldModel& model_;
  Diagnostics& sink_;
  FormulaLogic logic_;
  // Of the rule at hand.
  std::uint32_t rule_ = 0;
  const Formula* formula_ = nullptr;
  std::vector<bool> is_free_, is_class_, is_evidence_;  // per variable
  bool used_facts_ = false;
  std::string never_at_;  // with which constants it cannot hold
};

}  // namespace

void lower_rules(const Program& program,
                 const Database& database,
                 const NarrowedDomains& domains,
                 MeanFieldModel& model,
                 Diagnostics& sink,
                 const std::stop_token& stop) {
  RuleLowering lowering(program, database, domains, model, sink);
  for (std::uint32_t r = 0; r < program.rules.size(); ++r) {
    if (stop.stop_requested()) throw Interrupted();
    lowering.lower(r);
  }
}

}  // namespace sorites::meanfield
