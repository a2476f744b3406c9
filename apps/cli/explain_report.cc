#include "explain_report.h"

#include <fmt/format.h>

#include <cmath>

namespace sorites {
namespace {

struct EffectStyle {
  std::string_view title, up, down, dim, off;
};
constexpr EffectStyle kEffectPlain{};
constexpr EffectStyle kEffectColor{"\x1b[1m", "\x1b[32m", "\x1b[31m", "\x1b[2m", "\x1b[0m"};

std::string place_of(const Span& source) {
  return source.line == 0 ? source.file : fmt::format("{}:{}", source.file, source.line);
}

// Which rule it is, and where it stands.
std::string rule_title(const Model& model, std::uint32_t rule) {
  const GroundRule& ground = model.rules[rule];
  return fmt::format("rule {} ({})", rule + 1, place_of(ground.source));
}

std::string facts_text(const GroundRuleText& ground, const EffectStyle& style) {
  constexpr std::size_t kMost = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(ground.facts.size(), kMost); ++i) {
    const Fact& fact = ground.facts[i];
    text += fmt::format(
        "{}               {} = {:.6g}{}{}\n",
        style.dim,
        fact.atom,
        fact.value,
        fact.origin.file.empty() ? ", not in the data" : fmt::format(", {}", place_of(fact.origin)),
        style.off);
  }
  if (ground.facts.size() > kMost) {
    text += fmt::format("               ... and {} more facts\n", ground.facts.size() - kMost);
  }
  return text;
}

std::string state_of(const GroundRuleEffect& effect, const GroundRule& rule) {
  if (effect.tight) return rule.hard ? "hard, holds" : "just satisfied";
  if (effect.distance <= kSatisfied) return "satisfied";
  return fmt::format("{} by {:.4g}", rule.hard ? "hard, violated" : "violated", effect.distance);
}

std::string effect_text(const GroundRuleEffect& effect,
                        const Model& model,
                        double number,
                        const EffectStyle& style) {
  return fmt::format(
      "  {:9.4f}  {}\n             {}{}: {}{}\n{}",
      number,
      effect.ground.text.empty() ? model.rules[effect.rule].text : effect.ground.text,
      style.dim,
      rule_title(model, effect.rule),
      state_of(effect, model.rules[effect.rule]),
      style.off,
      facts_text(effect.ground, style));
}

void add_direction(std::string& text,
                   std::string_view title,
                   std::uint64_t count,
                   double force,
                   const std::vector<GroundRuleEffect>& effects,
                   const Model& model,
                   const EffectStyle& style) {
  text += fmt::format("\n{}{}{}: {} ground rule{}, force {:.4f}\n",
                      style.title,
                      title,
                      style.off,
                      grouped(count),
                      count == 1 ? "" : "s",
                      force);
  for (const GroundRuleEffect& effect : effects) {
    text += effect_text(effect, model, std::abs(effect.force), style);
  }
  if (effects.size() < count) {
    text += fmt::format("  ... and {} weaker ones (--limit)\n", grouped(count - effects.size()));
  }
}

Json to_json(const GroundRuleEffect& effect, const Model& model) {
  Json facts = Json::array();
  for (const Fact& fact : effect.ground.facts) {
    facts.push_back({{"atom", fact.atom},
                     {"value", fact.value},
                     {"file", fact.origin.file},
                     {"line", fact.origin.line}});
  }
  const GroundRule& rule = model.rules[effect.rule];
  return {{"ground_rule", effect.ground.text},
          {"rule", effect.rule + 1},
          {"text", rule.text},
          {"file", rule.source.file},
          {"line", rule.source.line},
          {"force", effect.force},
          {"coefficient", effect.coefficient},
          {"multiplier", effect.multiplier},
          {"distance", effect.distance},
          {"energy", effect.energy},
          {"tight", effect.tight},
          {"facts", std::move(facts)}};
}

Json to_json(const std::vector<GroundRuleEffect>& effects, const Model& model) {
  Json list = Json::array();
  for (const GroundRuleEffect& effect : effects) list.push_back(to_json(effect, model));
  return list;
}

}  // namespace

std::string explanation_text(const AtomExplanation& atom, const Model& model, bool color) {
  const EffectStyle& style = color ? kEffectColor : kEffectPlain;
  std::string text =
      fmt::format("{}{} = {:.4f}{}\n", style.title, atom.atom, atom.value, style.off);
  if (atom.terms == 0) return text + "No ground rule mentions it: any value is as good.\n";
  text += fmt::format(
      "It stands in {} ground rule{}.\n", grouped(atom.terms), atom.terms == 1 ? "" : "s");
  add_direction(text, "pull it up", atom.pull_up, atom.force_up, atom.up, model, style);
  add_direction(text, "pull it down", atom.pull_down, atom.force_down, atom.down, model, style);
  if (!atom.tight.empty()) {
    text += fmt::format("\n{}just hold, without force{}\n", style.title, style.off);
    for (const GroundRuleEffect& effect : atom.tight)
      text += effect_text(effect, model, 0.0, style);
  }
  return text;
}

std::string explanation_text(const RuleExplanation& rule, const Model& model, bool color) {
  const EffectStyle& style = color ? kEffectColor : kEffectPlain;
  const RuleStatistics& statistics = rule.statistics;
  const double terms = static_cast<double>(std::max<std::uint64_t>(statistics.terms, 1));
  std::string text = fmt::format("{}{}{}\n{}\n\n",
                                 style.title,
                                 model.rules[rule.rule].text,
                                 style.off,
                                 rule_title(model, rule.rule));
  text += fmt::format("ground rules  {}, {} of them satisfied ({:.1f} %)\n",
                      grouped(statistics.terms),
                      grouped(statistics.satisfied),
                      100.0 * static_cast<double>(statistics.satisfied) / terms);
  text += fmt::format("distance      {:.4g} on average, {:.4g} at worst\n",
                      statistics.distance / terms,
                      statistics.worst);
  if (!model.rules[rule.rule].hard)
    text += fmt::format("energy        {:.6g}\n", statistics.energy);
  if (rule.worst.empty()) return text;
  text += fmt::format("\n{}farthest from satisfied{}\n", style.title, style.off);
  for (const GroundRuleEffect& effect : rule.worst) {
    text += effect_text(effect, model, effect.distance, style);
  }
  return text;
}

Json to_json(const AtomExplanation& atom, const Model& model) {
  return {{"atom", atom.atom},
          {"value", atom.value},
          {"terms", atom.terms},
          {"force_up", atom.force_up},
          {"force_down", atom.force_down},
          {"pull_up", atom.pull_up},
          {"pull_down", atom.pull_down},
          {"up", to_json(atom.up, model)},
          {"down", to_json(atom.down, model)},
          {"tight", to_json(atom.tight, model)}};
}

Json to_json(const RuleExplanation& rule, const Model& model) {
  const GroundRule& ground = model.rules[rule.rule];
  const RuleStatistics& statistics = rule.statistics;
  return {{"rule", rule.rule + 1},
          {"text", ground.text},
          {"file", ground.source.file},
          {"line", ground.source.line},
          {"hard", ground.hard},
          {"terms", statistics.terms},
          {"satisfied", statistics.satisfied},
          {"energy", statistics.energy},
          {"distance", statistics.distance},
          {"worst", statistics.worst},
          {"worst_groundings", to_json(rule.worst, model)}};
}

}  // namespace sorites
