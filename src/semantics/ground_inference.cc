#include "semantics/ground_inference.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ostream>

#include "base/diagnostics.h"
#include "base/name_table.h"
#include "base/psl_number.h"
#include "meanfield/exact_marginals.h"

namespace sorites {
namespace {

constexpr std::array<std::string_view, 4> kMethodNames{"mean-field", "exact", "gibbs", "mc-sat"};

[[noreturn]] void refuse(DiagnosticCode code,
                         std::string message,
                         std::string hint,
                         const Span& place = {}) {
  Diagnostics sink;
  sink.error(code, place, std::move(message)).notes.push_back({std::move(hint), {}});
  throw InputError(sink.take_sorted());
}

// The numbers of the network's atoms to where they stand among all.
void put(const MeanFieldModel& model,
         const GroundNetwork& network,
         const std::vector<std::vector<double>>& numbers,
         AtomValues<double>& to) {
  for (std::size_t i = 0; i < network.atoms.size(); ++i) {
    const auto& [predicate, atom, possible, potentials] = network.atoms[i];
    const std::uint32_t classes = model.predicates[predicate].num_classes();
    if (classes == 0) to[predicate][atom] = numbers[i][1];
    for (std::uint32_t v = 0; v < classes; ++v) to[predicate][atom * classes + v] = numbers[i][v];
  }
}

void infer_exactly(const GroundQuestion& question,
                   const GroundNetwork& network,
                   const RunEvents& events,
                   Answer& answer,
                   AtomValues<double>& marginals) {
  JunctionTree tree(network, {.stop = events.stop});
  if (!tree.fits()) {
    refuse(DiagnosticCode::kModelTooLarge,
           fmt::format("the ground model is too large for `exact`: {} unknown atoms in {} ground "
                       "clauses, whose junction tree has cliques of {} atoms and more",
                       network.atoms.size(),
                       network.clauses.size(),
                       tree.size().largest_clique),
           "gibbs and mc-sat take larger ones, mean-field any");
  }
  const ExactMarginals exact = tree.marginals();
  if (exact.stopped) throw Interrupted();
  if (!exact.possible) {
    answer.status = SolveStatus::kInfeasible;
    return;
  }
  put(question.model, network, exact.probabilities, marginals);
  answer.status = SolveStatus::kOptimal;
  answer.objective = network.constant - exact.log_partition;
  answer.lower_bound = answer.objective;
  answer.relative_gap = 0.0;
}

struct SampledNumbers {
  AtomValues<double>& marginals;
  AtomValues<double>& errors;
};

void infer_by_samples(const GroundQuestion& question,
                      const GroundNetwork& network,
                      const SamplingOptions& options,
                      Answer& answer,
                      SampledNumbers to) {
  const SampledMarginals sampled = sample_marginals(network, options);
  answer.iterations = sampled.num_samples;
  if (!sampled.possible && !sampled.stopped) {
    answer.status = SolveStatus::kNumericalError;
    answer.message =
        "no world that keeps the hard formulas was found; `exact` would tell if there is one";
    return;
  }
  if (sampled.num_samples == 0) throw Interrupted();
  put(question.model, network, sampled.probabilities, to.marginals);
  for (auto& numbers : to.errors) std::fill(numbers.begin(), numbers.end(), 0.0);
  put(question.model, network, sampled.errors, to.errors);
  answer.status = SolveStatus::kDone;
  if (sampled.stopped) {
    answer.status =
        options.stop.stop_requested() ? SolveStatus::kInterrupted : SolveStatus::kTimeLimit;
  }
}

}  // namespace

std::string_view name_of(MarkovMethod method) { return name_in(kMethodNames, method); }

GroundNetwork network_of(const GroundQuestion& question,
                         std::string_view what,
                         const RunEvents& events) {
  for (const MeanFieldPredicate& predicate : question.model.predicates) {
    if (predicate.num_values() <= kMostGroundValues) continue;
    refuse(DiagnosticCode::kModelTooLarge,
           fmt::format("`{}` has {} classes: `{}` takes at most {}",
                       predicate.name,
                       predicate.num_values(),
                       what,
                       kMostGroundValues),
           "inference by mean-field takes any number");
  }
  GroundLimits limits;
  limits.stop = events.stop;
  GroundNetwork network =
      ground_network(question.model, question.unaries, question.determined, limits);
  if (events.stop.stop_requested()) throw Interrupted();
  if (!network.complete) {
    refuse(DiagnosticCode::kModelTooLarge,
           fmt::format("the ground model is too large for `{}`: more than {} unknown atoms, {} "
                       "ground clauses, or {} steps to find them",
                       what,
                       limits.max_atoms,
                       limits.max_clauses,
                       limits.max_steps),
           "inference by mean-field never grounds");
  }
  return network;
}

void require_fitting(MarkovMethod method,
                     const GroundNetwork& network,
                     const MeanFieldModel& model) {
  if (method != MarkovMethod::kGibbs) return;
  const auto hard = std::find_if(network.clauses.begin(),
                                 network.clauses.end(),
                                 [](const GroundClause& clause) { return clause.hard; });
  if (hard == network.clauses.end()) return;
  refuse(DiagnosticCode::kUnfitSolver,
         "Gibbs sampling changes one atom at a time, and gets stuck between hard formulas",
         "take `--method mc-sat`",
         model.formulas[hard->formula].place);
}

ModelSize size_of(const GroundNetwork& network, const MeanFieldModel& model) {
  ModelSize size;
  size.atoms = static_cast<double>(network.atoms.size());
  size.terms = static_cast<double>(network.clauses.size());
  size.rule_terms.resize(model.rules.size());
  size.rule_bytes.resize(model.rules.size());
  for (const GroundClause& clause : network.clauses) {
    const std::uint32_t rule = model.formulas[clause.formula].rule;
    const auto bytes =
        static_cast<double>(sizeof(GroundClause) + clause.literals.size() * sizeof(GroundLiteral));
    size.nonzeros += static_cast<double>(clause.literals.size());
    size.bytes += bytes;
    size.rule_terms[rule] += 1.0;
    size.rule_bytes[rule] += bytes;
  }
  return size;
}

void write_network(const InferredProgram& what, const GroundNetwork& network, std::ostream& out) {
  out << "Weight\tSquared?\tRule\n";
  for (const GroundClause& clause : network.clauses) {
    out << (clause.hard ? "." : psl_number(clause.weight)) << "\tfalse\t"
        << ground_clause_text(what, network, clause) << "\n";
  }
}

Answer infer_ground(const GroundQuestion& question,
                    const MarkovMethodOptions& options,
                    const RunEvents& events,
                    AtomValues<double>& marginals,
                    AtomValues<double>& errors) {
  Answer answer;
  answer.method = name_of(options.method);
  const GroundNetwork network = network_of(question, answer.method, events);
  if (options.method == MarkovMethod::kExact) {
    infer_exactly(question, network, events, answer, marginals);
    return answer;
  }
  require_fitting(options.method, network, question.model);
  SamplingOptions sampling = options.sampling;
  sampling.mc_sat = options.method == MarkovMethod::kMcSat;
  sampling.stop = events.stop;
  errors = marginals;
  infer_by_samples(question, network, sampling, answer, {marginals, errors});
  return answer;
}

}  // namespace sorites
