#include "report/evaluate_json.h"

namespace sorites {

Json to_json(const Evaluated& what,
             Session& session,
             const EvaluateResult& result,
             const std::vector<Diagnostic>& diagnostics) {
  const auto& predicates = session.database().predicates();
  return {{"command", "eval"},
          {"ok", true},
          {"model", what.path},
          {"semantics", session.semantics()},
          {"results", what.results},
          {"metrics", metrics_to_json(result.metrics, predicates)},
          {"atoms", evaluated_atoms_to_json(result.metrics, predicates)},
          {"primary", primary_metric_to_json(result.metrics, predicates)},
          {"diagnostics", to_json(std::span<const Diagnostic>(diagnostics))},
          {"seconds", to_json(result.seconds)}};
}

}  // namespace sorites
