// Mean-field iterations (logicmp Algorithm 1) over a compiled model, and the way back through them.
// Atoms stand channel by channel here (atom_state.h).
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "meanfield/atom_state.h"
#include "meanfield/compile.h"
#include "meanfield/evaluator.h"

namespace sorites {

// Formulas whose messages are computed together: all of them, or one whose messages to each atom
// are divided.
template <class Real>
struct FormulaGroup {
  std::vector<std::size_t> formulas;
  CompiledModel compiled;
  std::unique_ptr<Evaluator<Real>> messages;    // what an iteration needs
  std::unique_ptr<Evaluator<Real>> everything;  // violations as well; made when first asked for
  AtomValues<Real> factors;                     // per predicate and atom; empty: 1
};

template <class Real>
class Iterations {
 public:
  // Weights are those of the model, hard formulas included. Of the options, only those that say
  // what messages are.
  Iterations(const MarkovModel& model, const MeanFieldOptions& options);

  const MeanFieldPlan& plan() const { return plan_; }
  const std::vector<AtomLayout>& layouts() const { return layouts_; }
  std::span<const double> weights(std::size_t formula) const { return weights_.at(formula); }
  void set_weights(std::size_t formula, std::span<const double> weights);
  void set_known(std::size_t predicate, std::vector<KnownAtom> known);

  void start(const AtomValues<Real>& log_odds);
  void start_at(const AtomValues<Real>& marginals);
  // One update of all marginals, `keep` being the share of the old log-odds that stays. Returns the
  // largest change of a marginal.
  double step(const AtomValues<Real>& unaries, double keep, AtomValues<Real>& log_odds);
  AtomValues<Real> marginals();
  AtomValues<Real> messages();  // at the marginals

  // Slopes of a loss in the log-odds after a step, to those before it, at which it starts; adds
  // those in unary potentials and, unless they are null, weights.
  void step_back(const AtomValues<Real>& log_odds,
                 double keep,
                 AtomValues<Real>& slopes,
                 AtomValues<Real>& in_unaries,
                 std::vector<std::vector<double>>* in_weights);
  // Slopes in the marginals to those in the log-odds that they come from.
  void back_through_softmax(const AtomValues<Real>& log_odds, AtomValues<Real>& slopes);

  // At the marginals: expected violations per formula and weight, and E - unary'Q - entropy.
  std::vector<std::vector<double>> violations();
  double free_energy(const AtomValues<Real>& unaries);

 private:
  using Group = FormulaGroup<Real>;

  void add_group(const MarkovModel& model,
                 std::vector<std::size_t> formulas,
                 const MeanFieldPlanOptions& plan);
  void set_mean_factors(const MarkovModel& model,
                        const MarkovFormula& formula,
                        const MeanFieldPlanOptions& plan);
  std::unique_ptr<Evaluator<Real>> make_evaluator(const Group& group, std::vector<NodeId> wanted);
  Evaluator<Real>& everything(Group& group);

  std::size_t value_of(std::size_t predicate, std::size_t channel) const;
  NodeId leaf_of(const Group& group, std::size_t predicate, std::size_t channel) const;
  NodeId slope_of(const Group& group, std::size_t predicate, std::size_t channel) const;

  std::vector<std::span<Real>> places(std::size_t predicate);
  void share_marginals(const Group& group, Evaluator<Real>& evaluator);
  void update_messages();
  std::vector<std::span<const Real>> slopes_of(std::size_t predicate);
  void add_slopes(const Group& group, std::size_t predicate, std::span<Real> sums) const;
  void centre(std::size_t predicate, std::span<Real> numbers) const;

  void set_direction(const Group& group,
                     Evaluator<Real>& evaluator,
                     std::size_t predicate,
                     std::span<const Real> direction) const;
  void add_weight_slopes(const Group& group, std::vector<std::vector<double>>& in_weights) const;
  void add_change(const Group& group,
                  const Evaluator<Real>& evaluator,
                  std::size_t predicate,
                  std::span<Real> sums) const;
  template <class Work>
  void for_open_predicates(const Work& work);

  std::vector<AtomLayout> layouts_;
  MeanFieldPlan plan_;
  bool sparse_evidence_, centre_;
  std::vector<std::vector<double>> weights_;  // per formula
  ThreadPool pool_;
  std::deque<Group> groups_;  // whose places do not change
  // Per predicate and channel: marginals that the first group does not have.
  std::vector<std::vector<std::vector<Real>>> own_marginals_;
  AtomValues<Real> sums_;                // of slopes, where they are not those of one group
  AtomValues<Real> direction_, before_;  // of step_back(), for their memory
};

}  // namespace sorites
