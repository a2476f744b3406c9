#include "semantics/mean_field_explanation.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "data/atom_text.h"
#include "meanfield/explain_program.h"
#include "meanfield/lower.h"

namespace sorites {
namespace {

MeanFieldExplainOptions explain_options(const MeanFieldQuestion& question, std::size_t limit) {
  MeanFieldExplainOptions options;
  options.mean_field = question.options;
  options.max_formulas = options.max_groundings = std::max<std::size_t>(limit, 1);
  return options;
}

InferredProgram inferred(const MeanFieldQuestion& question) {
  return {question.program, question.database, question.model, question.marginals};
}

std::string text_of(const MeanFieldQuestion& question, const MeanFieldAtom& atom) {
  const Predicate& predicate = question.program.predicates[atom.predicate];
  std::vector<std::string> constants;
  for (const Code code : atom_codes(question.model, atom)) {
    constants.push_back(
        question.database.dictionary(predicate.domain(constants.size())).text(code));
  }
  return atom_text(predicate, constants);
}

// Where the data has what is said of an atom.
Fact fact_of(const MeanFieldQuestion& question, const FailedLiteral& literal) {
  const Predicate& predicate = question.program.predicates[literal.predicate];
  Fact fact{literal.text, literal.probability, !predicate.open && !predicate.neural, {}};
  const auto look_up = [&](const std::vector<Code>& codes) {
    const auto row = question.database.relation(literal.predicate).find(codes);
    if (!row || row->partition != Partition::kObserved) return;
    fact.known = true;
    fact.origin = question.database.origin(literal.predicate, *row);
  };
  if (literal.classes.empty()) look_up(literal.arguments);
  for (const Code code : literal.classes) {
    std::vector<Code> codes = literal.arguments;
    codes.push_back(code);
    look_up(codes);
  }
  return fact;
}

// What must be the case for the grounding to matter, and what it then says.
GroundRuleText ground_text(const MeanFieldQuestion& question,
                           const ProgramGrounding& grounding,
                           const std::string& head) {
  GroundRuleText result;
  for (const FailedLiteral& condition : grounding.conditions) {
    result.text += (result.text.empty() ? "" : " & ") + condition.text;
    result.facts.push_back(fact_of(question, condition));
  }
  if (!head.empty()) result.text += (result.text.empty() ? "" : " -> ") + head;
  return result;
}

// Numbers of classes are known up to a constant. Log-odds of one of n classes are what it has more
// than the mean of the other ones, which is n / (n - 1) times what it has more than the mean of
// all: with two classes those of its probability.
double against_others(double against_mean, std::size_t num_classes) {
  if (num_classes < 2) return against_mean;
  const auto n = static_cast<double>(num_classes);
  return against_mean * n / (n - 1.0);
}

// What a grounding adds to the log-odds of the value that is explained.
double force_of(const ProgramGrounding& grounding, std::uint32_t value, std::size_t num_classes) {
  const bool holds =
      std::find(grounding.values.begin(), grounding.values.end(), value) != grounding.values.end();
  if (num_classes == 0) return holds ? grounding.push : -grounding.push;
  const double share =
      static_cast<double>(grounding.values.size()) / static_cast<double>(num_classes);
  return against_others(grounding.push * ((holds ? 1.0 : 0.0) - share), num_classes);
}

template <class Force>
void sort_by_force(std::vector<Force>& forces) {
  std::stable_sort(forces.begin(), forces.end(), [](const Force& a, const Force& b) {
    return std::abs(a.force) > std::abs(b.force);
  });
}

void keep_strongest(std::vector<GroundRuleEffect>& effects, std::size_t limit) {
  sort_by_force(effects);
  if (effects.size() > limit) effects.resize(limit);
}

}  // namespace

AtomExplanation explain_mean_field_atom(const MeanFieldQuestion& question,
                                        const MeanFieldAtom& atom,
                                        std::size_t limit) {
  const MeanFieldExplanation why =
      explain(inferred(question), question.unaries, atom, explain_options(question, limit));
  const std::size_t which = why.classes.empty() ? 0 : atom.value;
  AtomExplanation result;
  result.unit = "log-odds";
  result.counts = "rule";
  result.atom = text_of(question, atom);
  result.value = why.marginal[which];
  result.own = against_others(why.unary[which], why.classes.size());
  for (const RulePush& push : why.rules) {
    const double force = against_others(push.log_odds[which], why.classes.size());
    result.rules.push_back({push.rule, force});
    ++(force > 0.0 ? result.pull_up : result.pull_down);
    (force > 0.0 ? result.force_up : result.force_down) += std::abs(force);
    result.all_seen = result.all_seen && push.all_seen;
    for (const ProgramGrounding& grounding : push.groundings) {
      GroundRuleEffect effect;
      effect.rule = push.rule;
      effect.force = force_of(grounding, atom.value, why.classes.size());
      effect.distance = -1.0;  // it depends on the atom that is explained
      const bool up = effect.force > 0.0;
      effect.ground = ground_text(question, grounding, up ? result.atom : "!" + result.atom);
      (up ? result.up : result.down).push_back(std::move(effect));
    }
  }
  sort_by_force(result.rules);
  result.terms = static_cast<double>(result.up.size() + result.down.size());
  keep_strongest(result.up, limit);
  keep_strongest(result.down, limit);
  return result;
}

RuleExplanation explain_mean_field_rule(const MeanFieldQuestion& question,
                                        std::uint32_t rule,
                                        std::size_t limit) {
  const RuleViolations found =
      explain_rule(inferred(question), rule, explain_options(question, limit));
  RuleExplanation result;
  result.rule = rule;
  result.all_seen = found.all_seen;
  for (const ProgramGrounding& grounding : found.worst) {
    GroundRuleEffect effect;
    effect.rule = rule;
    effect.energy = question.program.rules[rule].weight ? grounding.push : 0.0;
    effect.distance = 1.0;
    for (const FailedLiteral& condition : grounding.conditions) {
      effect.distance *= condition.probability;
    }
    effect.ground = ground_text(question, grounding, {});
    result.worst.push_back(std::move(effect));
  }
  if (result.worst.size() > limit) result.worst.resize(limit);
  return result;
}

}  // namespace sorites
