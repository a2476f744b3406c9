#include "markov_explain_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "markov_phase.h"

namespace sorites {
namespace {

struct Style {
  std::string_view title, up, down, dim, off;
};
constexpr Style kPlain{};
constexpr Style kColor{"\x1b[1m", "\x1b[32m", "\x1b[31m", "\x1b[2m", "\x1b[0m"};

using Numbers = std::vector<double>;

constexpr const char* kTooMany =
    "    ... of the groundings that were looked at; there are too many\n";

// Where numbers point: to the class of the largest.
const std::string& favoured(const std::vector<std::string>& classes, const Numbers& numbers) {
  return classes[static_cast<std::size_t>(std::max_element(numbers.begin(), numbers.end()) -
                                          numbers.begin())];
}

// "+1.2345 towards true", "1.2345 towards RL"
std::string push_text(const MarkovPredicate& predicate, const Numbers& log_odds) {
  const double strength = strength_of(log_odds);
  if (strength == 0.0) return "0.0000";
  if (!predicate.classes.empty()) {
    return fmt::format("{:.4f} towards {}", strength, favoured(predicate.classes, log_odds));
  }
  return fmt::format("{:+.4f} towards {}", log_odds[0], log_odds[0] > 0.0 ? "true" : "false");
}

std::string values_text(const MarkovPredicate& predicate,
                        const std::vector<std::uint32_t>& values) {
  std::vector<std::string_view> names;
  for (const std::uint32_t value : values) names.emplace_back(predicate.classes[value]);
  return names.size() == 1 ? std::string(names[0]) : fmt::format("{{{}}}", fmt::join(names, ", "));
}

// "smokes(Ann)", "!smokes(Ann)", "label(P1) = RL"
std::string condition_text(const MarkovModel& model, const MarkovCondition& condition) {
  const MarkovPredicate& predicate = model.predicates[condition.predicate];
  const std::string atom = atom_text(model, condition.predicate, condition.atom);
  if (predicate.classes.empty()) return condition.values[0] == 1 ? atom : "!" + atom;
  return fmt::format("{} = {}", atom, values_text(predicate, condition.values));
}

// Each with its probability.
std::string conditions_text(const MarkovModel& model, const MarkovGrounding& grounding) {
  std::string text;
  for (const MarkovCondition& condition : grounding.conditions) {
    text += fmt::format("{}{} ({:.4g})",
                        text.empty() ? "" : ", ",
                        condition_text(model, condition),
                        condition.probability);
  }
  return text;
}

std::string grounding_text(const MarkovModel& model,
                           const MarkovPredicate& predicate,
                           const MarkovGrounding& grounding) {
  std::string text = conditions_text(model, grounding);
  if (text.empty()) text = "whatever the others are";
  if (predicate.classes.empty()) {
    const double push = grounding.values[0] == 1 ? grounding.push : -grounding.push;
    return fmt::format("{:+9.4f}  {}", push, text);
  }
  return fmt::format(
      "{:+9.4f} for {}  {}", grounding.push, values_text(predicate, grounding.values), text);
}

std::string place_of(const Span& place) {
  return place.line == 0 ? place.file : fmt::format("{}:{}", place.file, place.line);
}

std::string formula_text(const MarkovModel& model,
                         const MarkovPredicate& predicate,
                         const MarkovPush& push,
                         const Style& style) {
  const MarkovFormula& formula = model.formulas[push.formula];
  const bool up = predicate.classes.empty() && push.log_odds[0] > 0.0;
  std::string text = fmt::format("\n{}{}{}  {}\n  {}formula {} ({}){}\n",
                                 up ? style.up : style.down,
                                 push_text(predicate, push.log_odds),
                                 style.off,
                                 to_text(model, formula),
                                 style.dim,
                                 push.formula + 1,
                                 place_of(formula.place),
                                 style.off);
  for (const MarkovGrounding& grounding : push.groundings) {
    text += fmt::format("    {}\n", grounding_text(model, predicate, grounding));
  }
  if (!push.all_seen) text += kTooMany;
  return text;
}

Json conditions_to_json(const MarkovModel& model, const MarkovGrounding& grounding) {
  Json conditions = Json::array();
  for (const MarkovCondition& condition : grounding.conditions) {
    conditions.push_back({{"condition", condition_text(model, condition)},
                          {"atom", atom_text(model, condition.predicate, condition.atom)},
                          {"probability", condition.probability}});
  }
  return conditions;
}

Json to_json(const MarkovModel& model, const MarkovGrounding& grounding, bool has_classes) {
  Json document = {{"push", grounding.push}, {"clause", grounding.clause + 1}};
  if (has_classes) {
    document["values"] = grounding.values;
  } else if (grounding.values[0] == 0) {
    document["push"] = -grounding.push;
  }
  document["conditions"] = conditions_to_json(model, grounding);
  return document;
}

// One number, or an object of them by class.
Json numbers_to_json(const MarkovPredicate& predicate, const Numbers& numbers) {
  if (predicate.classes.empty()) return numbers[0];
  Json document = Json::object();
  for (std::size_t v = 0; v < numbers.size(); ++v) document[predicate.classes[v]] = numbers[v];
  return document;
}

// What a further iteration would make of the first of its marginals.
double next_marginal(const MarkovExplanation& found) {
  if (found.log_odds.size() == 1) return 1.0 / (1.0 + std::exp(-found.log_odds[0]));
  const double most = *std::max_element(found.log_odds.begin(), found.log_odds.end());
  double sum = 0.0;
  for (const double number : found.log_odds) sum += std::exp(number - most);
  return std::exp(found.log_odds[0] - most) / sum;
}

}  // namespace

std::string explanation_text(const MarkovModel& model,
                             const MarkovAtom& atom,
                             const MarkovExplanation& found,
                             std::size_t limit,
                             bool color) {
  const Style& style = color ? kColor : kPlain;
  const MarkovPredicate& predicate = model.predicates[atom.predicate];
  const std::string name = atom_text(model, atom.predicate, atom.atom);
  std::string text;
  if (predicate.classes.empty()) {
    text = fmt::format("{}{} = {:.4f}{}\n", style.title, name, found.marginal[0], style.off);
  }
  for (std::size_t v = 0; v < predicate.classes.size(); ++v) {
    text += fmt::format("{}{} = {}: {:.4f}{}\n",
                        style.title,
                        name,
                        predicate.classes[v],
                        found.marginal[v],
                        style.off);
  }
  text += fmt::format("log-odds {}: {} of its own, and the pushes of {} formula{}\n",
                      push_text(predicate, found.log_odds),
                      push_text(predicate, found.unary),
                      found.formulas.size(),
                      found.formulas.size() == 1 ? "" : "s");
  if (const double next = next_marginal(found); std::abs(next - found.marginal[0]) > 0.01) {
    text += fmt::format(
        "The iterations have not settled: one more would make {} {:.4f} (meanfield.iterations)\n",
        predicate.classes.empty() ? "it" : predicate.classes[0],
        next);
  }
  if (found.formulas.empty()) return text + "No formula mentions it: it is as likely as not.\n";
  const std::size_t shown = std::min(limit, found.formulas.size());
  for (std::size_t i = 0; i < shown; ++i) {
    text += formula_text(model, predicate, found.formulas[i], style);
  }
  if (shown < found.formulas.size()) {
    text += fmt::format("\n... and {} weaker formulas (--limit)\n", found.formulas.size() - shown);
  }
  return text;
}

std::string explanation_text(const MarkovModel& model,
                             const MarkovFormulaExplanation& found,
                             bool color) {
  const Style& style = color ? kColor : kPlain;
  const MarkovFormula& formula = model.formulas[found.formula];
  std::string text = fmt::format("{}{}{}\nformula {} ({})\n\n",
                                 style.title,
                                 to_text(model, formula),
                                 style.off,
                                 found.formula + 1,
                                 place_of(formula.place));
  text += fmt::format("groundings  {}, {:.6g} of them expected to be violated ({:.3g} %)\n",
                      rough_count_text(found.groundings),
                      found.violated,
                      100.0 * found.violated / std::max(found.groundings, 1.0));
  if (!formula.hard) {
    text += fmt::format("cost        {:.6g}: weights times expected violations\n", found.cost);
  }
  if (found.worst.empty()) return text + (found.all_seen ? "" : kTooMany);
  text += fmt::format(
      "\n{}{}{}\n", style.title, formula.hard ? "most likely violated" : "cost most", style.off);
  for (const MarkovGrounding& grounding : found.worst) {
    text += fmt::format("  {:9.4f}  {}\n", grounding.push, conditions_text(model, grounding));
  }
  return text + (found.all_seen ? "" : kTooMany);
}

Json to_json(const MarkovModel& model, const MarkovAtom& atom, const MarkovExplanation& found) {
  const MarkovPredicate& predicate = model.predicates[atom.predicate];
  Json formulas = Json::array();
  for (const MarkovPush& push : found.formulas) {
    const MarkovFormula& formula = model.formulas[push.formula];
    Json groundings = Json::array();
    for (const MarkovGrounding& grounding : push.groundings) {
      groundings.push_back(to_json(model, grounding, !predicate.classes.empty()));
      if (predicate.classes.empty()) continue;
      Json names = Json::array();
      for (const std::uint32_t value : grounding.values) names.push_back(predicate.classes[value]);
      groundings.back()["values"] = std::move(names);
    }
    formulas.push_back({{"formula", push.formula + 1},
                        {"text", formula.text},
                        {"file", formula.place.file},
                        {"line", formula.place.line},
                        {"push", numbers_to_json(predicate, push.log_odds)},
                        {"groundings", std::move(groundings)},
                        {"all_groundings_seen", push.all_seen}});
  }
  return {{"atom", atom_text(model, atom.predicate, atom.atom)},
          {"marginal", numbers_to_json(predicate, found.marginal)},
          {"log_odds", numbers_to_json(predicate, found.log_odds)},
          {"unary", numbers_to_json(predicate, found.unary)},
          {"formulas", std::move(formulas)}};
}

Json to_json(const MarkovModel& model, const MarkovFormulaExplanation& found) {
  const MarkovFormula& formula = model.formulas[found.formula];
  Json worst = Json::array();
  for (const MarkovGrounding& grounding : found.worst) {
    worst.push_back({{formula.hard ? "violated" : "cost", grounding.push},
                     {"clause", grounding.clause + 1},
                     {"conditions", conditions_to_json(model, grounding)}});
  }
  return {{"rule", found.formula + 1},
          {"text", formula.text},
          {"file", formula.place.file},
          {"line", formula.place.line},
          {"hard", formula.hard},
          {"groundings", found.groundings},
          {"violated", found.violated},
          {"cost", found.cost},
          {"worst_groundings", std::move(worst)},
          {"all_groundings_seen", found.all_seen}};
}

}  // namespace sorites
