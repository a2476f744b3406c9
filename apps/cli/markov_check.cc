// sorites check and sorites ground on a model of Markov logic.
#include <fmt/format.h>

#include <chrono>
#include <optional>

#include "base/diagnostics.h"
#include "exit_code.h"
#include "markov_infer_report.h"
#include "table.h"

namespace sorites {
namespace {

struct Checked {
  std::optional<LoadedMarkov> loaded;  // none: there are mistakes
  std::vector<Diagnostic> diagnostics;
  double seconds = 0.0;
};

Checked read_and_check(const CommonFlags& flags, const RunContext& context) {
  const auto begin = std::chrono::steady_clock::now();
  Checked checked;
  try {
    checked.loaded = read_markov_phase(flags, context, NetworkUse::kLeave);
    checked.diagnostics = checked.loaded->warnings;
  } catch (const InputError& error) {
    checked.diagnostics = error.diagnostics();
  }
  checked.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return checked;
}

double num_atoms(const MarkovModel& model, const MarkovPredicate& predicate) {
  double count = 1.0;
  for (const std::uint32_t type : predicate.arguments) {
    count *= static_cast<double>(model.types[type].constants.size());
  }
  return count;
}

// "label(paper) = {RL, ML}"
std::string signature(const MarkovModel& model, const MarkovPredicate& predicate) {
  std::vector<std::string_view> types;
  for (const std::uint32_t type : predicate.arguments) types.push_back(model.types[type].name);
  std::string text = predicate.name;
  if (!types.empty()) text += fmt::format("({})", fmt::join(types, ", "));
  if (!predicate.classes.empty())
    text += fmt::format(" = {{{}}}", fmt::join(predicate.classes, ", "));
  return text;
}

std::string predicates_table(const MarkovModel& model, bool color) {
  std::vector<std::vector<std::string>> rows = {{"atoms", "facts", "queries", "", "predicate"}};
  for (std::size_t p = 0; p < model.predicates.size(); ++p) {
    const MarkovPredicate& predicate = model.predicates[p];
    if (predicate.name == "=") continue;  // no file declares it
    rows.push_back({rough_count_text(num_atoms(model, predicate)),
                    grouped(model.facts[p].size()),
                    grouped(model.queries[p].size()),
                    predicate.closed ? "closed" : "open",
                    signature(model, predicate)});
  }
  return table_text(rows, color);
}

std::string summary_text(const CommonFlags& flags, const Checked& checked) {
  const bool color = use_color(flags.color, stdout);
  const MarkovModel& model = checked.loaded->model;
  std::string text =
      fmt::format("{}: {}no mistakes{}{}\n\n",
                  flags.model,
                  color ? "\x1b[1;32m" : "",
                  color ? "\x1b[0m" : "",
                  checked.diagnostics.empty() ? "" : ", " + count_text(checked.diagnostics));
  text += predicates_table(model, color);
  std::vector<std::string> types;
  for (const MarkovType& type : model.types) {
    types.push_back(fmt::format("{} {}", grouped(type.constants.size()), type.name));
  }
  text += fmt::format("\n  formulas  {}\n  entities  {}\n\n{:.2f} s\n",
                      formula_counts(model),
                      fmt::join(types, ", "),
                      checked.seconds);
  return text;
}

Json predicates_to_json(const MarkovModel& model) {
  Json predicates = Json::array();
  for (std::size_t p = 0; p < model.predicates.size(); ++p) {
    const MarkovPredicate& predicate = model.predicates[p];
    if (predicate.name == "=") continue;
    Json types = Json::array();
    for (const std::uint32_t type : predicate.arguments) types.push_back(model.types[type].name);
    predicates.push_back({{"name", predicate.name},
                          {"types", std::move(types)},
                          {"classes", predicate.classes},
                          {"open", !predicate.closed},
                          {"atoms", num_atoms(model, predicate)},
                          {"facts", model.facts[p].size()},
                          {"queries", model.queries[p].size()}});
  }
  return predicates;
}

Json to_json(const CommonFlags& flags, const Checked& checked) {
  Json document = {{"command", "check"},
                   {"version", SORITES_VERSION},
                   {"model", flags.model},
                   {"semantics", "markov-logic"},
                   {"ok", checked.loaded.has_value()}};
  if (checked.loaded) {
    const MarkovModel& model = checked.loaded->model;
    Json types = Json::object(), formulas = Json::array();
    for (const MarkovType& type : model.types) types[type.name] = type.constants.size();
    for (const MarkovFormula& formula : model.formulas) {
      formulas.push_back({{"text", to_text(model, formula)},
                          {"file", formula.place.file},
                          {"line", formula.place.line},
                          {"hard", formula.hard},
                          {"weights", formula.hard ? std::vector<double>{} : formula.weights}});
    }
    document["types"] = std::move(types);
    document["predicates"] = predicates_to_json(model);
    document["formulas"] = std::move(formulas);
  }
  document["diagnostics"] = sorites::to_json(std::span<const Diagnostic>(checked.diagnostics));
  document["seconds"] = checked.seconds;
  return document;
}

}  // namespace

int check_markov(const CommonFlags& flags, bool print, const RunContext& context) {
  refuse_flags(flags);
  const Checked checked = read_and_check(flags, context);
  print_diagnostics(checked.diagnostics, flags);
  if (flags.json) {
    print_json(to_json(flags, checked));
  } else if (!checked.loaded) {
    fmt::print(stderr, "{}: {}\n", flags.model, count_text(checked.diagnostics));
  } else if (print) {
    for (const MarkovFormula& formula : checked.loaded->model.formulas) {
      fmt::print("{}\n", to_text(checked.loaded->model, formula));
    }
  } else if (!flags.quiet) {
    fmt::print("{}", summary_text(flags, checked));
  }
  return checked.loaded ? kDone : kInputWrong;
}

void refuse_to_ground_markov(const CommonFlags& flags) {
  Diagnostics sink;
  sink.error(DiagnosticCode::kUnknownModelFormat,
             Span{flags.model},
             "a model of Markov logic is never grounded: its formulas become products of tensors")
      .notes.push_back({"`sorites estimate` counts the groundings that they stand for, and "
                        "`sorites infer` computes the marginals",
                        {}});
  throw InputError(sink.take_sorted());
}

}  // namespace sorites
