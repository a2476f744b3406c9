#include "explain_report.h"

#include <fmt/format.h>

#include <cmath>

#include "base/shown_number.h"
#include "base/shown_text.h"
#include "rule_names.h"
#include "sorites/explain.h"

namespace sorites {
namespace {

struct EffectStyle {
  std::string_view title, up, down, dim, off;
};
constexpr const char* kTooMany =
    "There are too many ground rules to look at: others may count more.\n";
constexpr EffectStyle kEffectPlain{};
// Bold, green, red, dim, and none of them: SGR codes of ECMA-48.
constexpr EffectStyle kEffectColor{"\x1b[1m", "\x1b[32m", "\x1b[31m", "\x1b[2m", "\x1b[0m"};

// Rules, and what they are called.
struct NamedRules {
  const std::vector<GroundRule>& rules;
  std::vector<std::string> titles = rule_titles(rules);
};

std::string origin_text(const Fact& fact) {
  if (!fact.known) return {};  // inferred
  return fact.origin.file.empty() ? ", not in the data" : ", " + shown_text(place_of(fact.origin));
}

std::string facts_text(const GroundRuleText& ground, const EffectStyle& style) {
  std::string text;
  for (std::size_t i = 0; i < std::min(ground.facts.size(), kMostShown); ++i) {
    const Fact& fact = ground.facts[i];
    text += fmt::format("{}               {} = {:.6g}{}{}\n",
                        style.dim,
                        shown_text(fact.atom),
                        Shown{fact.value},
                        origin_text(fact),
                        style.off);
  }
  if (ground.facts.size() > kMostShown) {
    text += fmt::format("               ... and {} more facts\n", ground.facts.size() - kMostShown);
  }
  return text;
}

std::string state_of(const GroundRuleEffect& effect, const GroundRule& rule) {
  if (effect.distance < 0.0) return {};  // nobody says
  if (effect.tight) return rule.hard ? "hard, holds" : "just satisfied";
  if (effect.distance <= kSatisfied) return "satisfied";
  return fmt::format("{} by {:.4g}", rule.hard ? "hard, violated" : "violated", effect.distance);
}

std::string effect_text(const GroundRuleEffect& effect,
                        const NamedRules& named,
                        double number,
                        const EffectStyle& style) {
  const std::string state = state_of(effect, named.rules[effect.rule]);
  return fmt::format(
      "  {:9.4f}  {}\n             {}{}{}{}{}\n{}",
      Shown{number},
      shown_text(effect.ground.text.empty() ? named.rules[effect.rule].text : effect.ground.text),
      style.dim,
      shown_text(named.titles[effect.rule]),
      state.empty() ? "" : ": ",
      state,
      style.off,
      facts_text(effect.ground, style));
}

// The ground rules that pull an atom one way.
struct Direction {
  std::string_view title;
  std::uint64_t count = 0;
  double force = 0.0;
  const std::vector<GroundRuleEffect>& effects;
};

std::string direction_text(const Direction& direction,
                           const AtomExplanation& atom,
                           const NamedRules& named,
                           const EffectStyle& style) {
  std::string text = fmt::format("\n{}{}{}: {} {}{}, {} {:.4f}\n",
                                 style.title,
                                 direction.title,
                                 style.off,
                                 grouped(direction.count),
                                 atom.counts,
                                 direction.count == 1 ? "" : "s",
                                 atom.unit,
                                 Shown{direction.force});
  for (const GroundRuleEffect& effect : direction.effects) {
    text += effect_text(effect, named, std::abs(effect.force), style);
  }
  if (direction.effects.size() < direction.count) {
    text += fmt::format("  ... and {} weaker ones (--limit)\n",
                        grouped(direction.count - direction.effects.size()));
  }
  return text;
}

// Of an integer atom: what its other value would take.
std::string integer_text(const AtomExplanation& atom,
                         const NamedRules& named,
                         const EffectStyle& style) {
  const int other = atom.value > 0.5 ? 0 : 1;
  if (!atom.is_forced) {
    if (atom.flip_bound == atom.flip_cost) {
      return fmt::format(
          "With the value {} the best state costs {:.6g} more (weights as written).\n",
          other,
          atom.flip_cost);
    }
    return fmt::format(
        "With the value {} the best state costs at least {:.6g} more, at most {:.6g}.\n",
        other,
        atom.flip_bound,
        atom.flip_cost);
  }
  std::string text =
      fmt::format("The hard rules force it: with the value {} no state keeps them.\n", other);
  if (atom.reasons.empty()) return text;
  text += fmt::format("\n{}force it together{}: {} ground rule{}\n",
                      style.title,
                      style.off,
                      atom.reasons.size(),
                      atom.reasons.size() == 1 ? "" : "s");
  for (const GroundRuleEffect& reason : atom.reasons) {
    text += fmt::format(
        "  {}\n      {}{}{}\n",
        shown_text(reason.ground.text.empty() ? named.rules[reason.rule].text : reason.ground.text),
        style.dim,
        shown_text(named.titles[reason.rule]),
        style.off);
  }
  return text;
}

std::string atom_explanation_text(const AtomExplanation& atom,
                                  const NamedRules& named,
                                  const EffectStyle& style) {
  std::string text = fmt::format(
      "{}{} = {:.4f}{}\n", style.title, shown_text(atom.atom), Shown{atom.value}, style.off);
  if (atom.own != 0.0) text += fmt::format("Its own {} is {:+.4f}.\n", atom.unit, atom.own);
  if (atom.terms == 0.0) return text + "No ground rule mentions it: any value is as good.\n";
  text += fmt::format(
      "It stands in {} ground rule{}.\n", count_text(atom.terms), atom.terms == 1.0 ? "" : "s");
  if (atom.is_integer) return text + integer_text(atom, named, style);
  text += direction_text({"pull it up", atom.pull_up, atom.force_up, atom.up}, atom, named, style);
  text += direction_text(
      {"pull it down", atom.pull_down, atom.force_down, atom.down}, atom, named, style);
  if (!atom.tight.empty()) {
    text += fmt::format("\n{}just hold, without force{}\n", style.title, style.off);
    for (const GroundRuleEffect& effect : atom.tight) {
      text += effect_text(effect, named, 0.0, style);
    }
  }
  return text + (atom.all_seen ? "" : kTooMany);
}

std::string rule_explanation_text(const RuleExplanation& rule,
                                  const NamedRules& named,
                                  const EffectStyle& style) {
  const RuleStatistics& statistics = rule.statistics;
  const double terms = std::max(statistics.terms, 1.0);
  std::string text = fmt::format("{}{}{}\n{}\n\n",
                                 style.title,
                                 shown_text(named.rules[rule.rule].text),
                                 style.off,
                                 shown_text(named.titles[rule.rule]));
  text += fmt::format("ground rules  {}, {} of them satisfied ({:.1f} %)\n",
                      count_text(statistics.terms),
                      count_text(statistics.satisfied),
                      100.0 * statistics.satisfied / terms);
  text += fmt::format("distance      {:.4g} on average", statistics.distance / terms);
  text += statistics.worst ? fmt::format(", {:.4g} at worst\n", *statistics.worst) : "\n";
  if (!named.rules[rule.rule].hard) {
    text += fmt::format("energy        {:.6g}\n", statistics.energy);
  }
  if (rule.worst.empty()) return text + (rule.all_seen ? "" : kTooMany);
  text += fmt::format("\n{}farthest from satisfied{}\n", style.title, style.off);
  for (const GroundRuleEffect& effect : rule.worst) {
    text += effect_text(effect, named, effect.distance, style);
  }
  return text + (rule.all_seen ? "" : kTooMany);
}

}  // namespace

std::string explanation_text(const ExplainResult& result, bool color) {
  const EffectStyle& style = color ? kEffectColor : kEffectPlain;
  const NamedRules named{result.rules};
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "\n\n") + part; };
  for (const AtomExplanation& atom : result.atoms) add(atom_explanation_text(atom, named, style));
  for (const RuleExplanation& rule : result.explained_rules) {
    add(rule_explanation_text(rule, named, style));
  }
  return text;
}

}  // namespace sorites
