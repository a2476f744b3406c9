// sorites explain on a model of Markov logic: which formulas push an atom, and by how much.
#include <fmt/format.h>

#include "exit_code.h"
#include "markov_explain_report.h"
#include "markov_phase.h"

namespace sorites {

int explain_markov(const CommonFlags& flags,
                   const MarkovExplainFlags& own,
                   const RunContext& context) {
  const LoadedMarkov loaded = load_markov_phase(flags, context, NetworkUse::kRun, own);
  std::vector<MarkovAtom> atoms;  // looked up before inference, so that a typo costs no time
  for (const std::string& text : own.atoms) {
    atoms.push_back(find_unknown_atom(loaded.model, text));
  }
  LoadedMarkov quick = loaded;
  quick.mean_field.track_free_energy = false;
  ExactMeanField layer(loaded.model, quick.mean_field);
  const MarkovInferred<double> inferred = infer_phase(flags, quick, context, layer);
  if (inferred.status == MarkovStatus::kInterrupted) throw Interrupted();
  MarkovExplainOptions options;
  options.mean_field = loaded.mean_field;
  options.max_formulas = own.limit;
  const auto unaries = unaries_of<double>(loaded.model);
  Json list = Json::array();
  const char* between = "";
  for (const MarkovAtom& atom : atoms) {
    const MarkovExplanation found = explain_atom(
        loaded.model, inferred.result.marginals, unaries, atom.predicate, atom.atom, options);
    if (context.stop.stop_requested()) throw Interrupted();
    if (flags.json) {
      list.push_back(to_json(loaded.model, atom, found));
    } else {
      fmt::print(
          "{}{}",
          between,
          explanation_text(loaded.model, atom, found, own.limit, use_color(flags.color, stdout)));
      between = "\n\n";
    }
  }
  if (flags.json) {
    print_json({{"command", "explain"},
                {"semantics", "markov-logic"},
                {"status", name_of(inferred.status)},
                {"change", inferred.result.change},
                {"atoms", std::move(list)}});
  }
  if (exit_code_of(inferred.status) != kDone) {
    fmt::print(stderr,
               "sorites: the marginals have not converged ({}); see `sorites infer`\n",
               name_of(inferred.status));
  }
  return exit_code_of(inferred.status);
}

}  // namespace sorites
