// Mean-field iterations (logicmp Algorithm 1) over a compiled model, and the way back through them. Atoms stand channel
// by channel here (atom_state.h).
#pragma once

#include <memory>
#include <vector>

#include "meanfield/atom_state.h"
#include "meanfield/compile.h"
#include "meanfield/evaluator.h"

namespace sorites {

template <class Real>
class Iterations {
 public:
  Iterations(const MarkovModel& model, const MeanFieldPlanOptions& plan, unsigned threads);

  const MeanFieldPlan& plan() const { return compiled_.plan; }
  const std::vector<AtomLayout>& layouts() const { return layouts_; }
  std::span<const double> weights(std::size_t formula) const { return weights_.at(formula); }
  void set_weights(std::size_t formula, std::span<const double> weights);
  void set_known(std::size_t predicate, std::vector<KnownAtom> known);

  void start(const AtomValues<Real>& log_odds);
  void start_at(const AtomValues<Real>& marginals);
  // One update of all marginals, `keep` being the share of the old log-odds that stays. Returns the largest change of
  // a marginal.
  double step(const AtomValues<Real>& unaries, double keep, AtomValues<Real>& log_odds);
  AtomValues<Real> marginals();
  AtomValues<Real> messages();  // at the marginals

  // Slopes of a loss in the log-odds after a step, to those before it, at which it starts; adds those in unary
  // potentials and weights.
  void step_back(const AtomValues<Real>& log_odds,
                 double keep,
                 AtomValues<Real>& slopes,
                 AtomValues<Real>& in_unaries,
                 std::vector<std::vector<double>>& in_weights);
  // Slopes in the marginals to those in the log-odds that they come from.
  void back_through_softmax(const AtomValues<Real>& log_odds, AtomValues<Real>& slopes);

  // At the marginals: expected violations per formula and weight, and E - unary'Q - entropy.
  std::vector<std::vector<double>> violations();
  double free_energy(const AtomValues<Real>& unaries);

 private:
  std::size_t value_of(std::size_t predicate, std::size_t channel) const;
  NodeId leaf_of(std::size_t predicate, std::size_t channel) const;
  NodeId slope_of(std::size_t predicate, std::size_t channel) const;
  std::vector<std::span<Real>> places(Evaluator<Real>& evaluator, std::size_t predicate);
  Evaluator<Real>& everything();
  Evaluator<Real>& everything_at_marginals();
  void add_weight_slopes(std::vector<std::vector<double>>& in_weights);
  void add_direction(std::size_t predicate, Real factor, std::span<const Real> slopes);
  template <class Work>
  void for_open_predicates(const Work& work);

  std::vector<AtomLayout> layouts_;
  CompiledModel compiled_;
  bool sparse_evidence_;
  std::vector<std::vector<double>> weights_;  // per formula
  ThreadPool pool_;
  Evaluator<Real> messages_;                      // what an iteration needs
  std::unique_ptr<Evaluator<Real>> everything_;  // violations as well; made when first asked for
  // Per predicate and channel: marginals that no formula needs.
  std::vector<std::vector<std::vector<Real>>> own_marginals_;
};

}  // namespace sorites
