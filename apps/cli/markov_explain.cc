// sorites explain on a model of Markov logic: which formulas push an atom, and by how much; how
// well a formula holds.
#include <fmt/format.h>

#include "exit_code.h"
#include "markov_explain_report.h"
#include "markov_phase.h"

namespace sorites {
namespace {

// What was asked for; looked up before inference, so that a typo costs no time.
struct Questions {
  std::vector<MarkovAtom> atoms;
  std::vector<std::uint32_t> formulas;
};

Questions questions_of(const MarkovModel& model, const MarkovExplainFlags& own) {
  Questions questions;
  for (const std::string& text : own.atoms) {
    questions.atoms.push_back(find_unknown_atom(model, text));
  }
  for (const std::string& text : own.rules) {
    const auto found = find_formulas(model, text);
    questions.formulas.insert(questions.formulas.end(), found.begin(), found.end());
  }
  return questions;
}

struct Explanations {
  std::vector<MarkovExplanation> atoms;
  std::vector<MarkovFormulaExplanation> formulas;
};

Explanations explain(const LoadedMarkov& loaded,
                     const Questions& questions,
                     const AtomValues<double>& marginals,
                     std::size_t limit,
                     const RunContext& context) {
  MarkovExplainOptions options;
  options.mean_field = loaded.mean_field;
  options.max_formulas = limit;
  const auto unaries = unaries_of<double>(loaded.model);
  Explanations found;
  for (const MarkovAtom& atom : questions.atoms) {
    found.atoms.push_back(
        explain_atom(loaded.model, marginals, unaries, atom.predicate, atom.atom, options));
    if (context.stop.stop_requested()) throw Interrupted();
  }
  options.max_groundings = limit;
  for (const std::uint32_t formula : questions.formulas) {
    found.formulas.push_back(explain_formula(loaded.model, marginals, formula, options));
    if (context.stop.stop_requested()) throw Interrupted();
  }
  return found;
}

void print_text(const MarkovModel& model,
                const Questions& questions,
                const Explanations& found,
                std::size_t limit,
                bool color) {
  const char* between = "";
  for (std::size_t i = 0; i < found.atoms.size(); ++i) {
    fmt::print(
        "{}{}", between, explanation_text(model, questions.atoms[i], found.atoms[i], limit, color));
    between = "\n\n";
  }
  for (const MarkovFormulaExplanation& formula : found.formulas) {
    fmt::print("{}{}", between, explanation_text(model, formula, color));
    between = "\n\n";
  }
}

}  // namespace

int explain_markov(const CommonFlags& flags,
                   const MarkovExplainFlags& own,
                   const RunContext& context) {
  const LoadedMarkov loaded = load_markov_phase(flags, context, NetworkUse::kRun, own);
  const Questions questions = questions_of(loaded.model, own);
  LoadedMarkov quick = loaded;
  quick.mean_field.track_free_energy = false;
  ExactMeanField layer(loaded.model, quick.mean_field);
  const MarkovInferred<double> inferred = infer_phase(flags, quick, context, layer);
  if (inferred.status == MarkovStatus::kInterrupted) throw Interrupted();
  const Explanations found =
      explain(loaded, questions, inferred.result.marginals, own.limit, context);
  if (flags.json) {
    Json atoms = Json::array(), rules = Json::array();
    for (std::size_t i = 0; i < found.atoms.size(); ++i) {
      atoms.push_back(to_json(loaded.model, questions.atoms[i], found.atoms[i]));
    }
    for (const auto& formula : found.formulas) rules.push_back(to_json(loaded.model, formula));
    print_json({{"command", "explain"},
                {"semantics", "markov-logic"},
                {"status", name_of(inferred.status)},
                {"change", inferred.result.change},
                {"atoms", std::move(atoms)},
                {"rules", std::move(rules)}});
  } else {
    print_text(loaded.model, questions, found, own.limit, use_color(flags.color, stdout));
  }
  if (exit_code_of(inferred.status) != kDone) {
    fmt::print(stderr,
               "sorites: the marginals have not converged ({}); see `sorites infer`\n",
               name_of(inferred.status));
  }
  return exit_code_of(inferred.status);
}

}  // namespace sorites
