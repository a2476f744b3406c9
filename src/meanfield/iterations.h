// Mean-field iterations (Xu et al. 2024, algorithm 1) over a compiled model, and the way back
// through them. Atoms stand channel by channel here (atom_state.h). Marginals are the caller's:
// those of several iterations can be kept for the way back without a copy.
#pragma once

#include <deque>
#include <memory>
#include <stop_token>
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
  std::unique_ptr<TensorEvaluator<Real>> messages;  // what an iteration needs
  std::unique_ptr<TensorEvaluator<Real>>
      everything;            // violations as well; made when first asked for
  AtomValues<Real> factors;  // per predicate and atom; empty: 1
};

template <class Real>
class Iterations {
 public:
  // Weights are those of the model, hard formulas included. Of the options, only those that say
  // what messages are, and `stop`: throws Interrupted.
  Iterations(const MeanFieldModel& model, const MeanFieldOptions& options);

  ThreadPool& pool() { return pool_; }  // of all loops
  const MeanFieldPlan& plan() const { return plan_; }
  const std::vector<AtomLayout>& layouts() const { return layouts_; }
  std::span<const double> weights(std::size_t formula) const { return weights_.at(formula); }
  void set_weights(std::size_t formula, std::span<const double> weights);
  void set_known(std::size_t predicate, std::vector<KnownAtom> known);

  // The marginals of log-odds.
  void start(const AtomValues<Real>& log_odds, AtomValues<Real>& marginals);
  // One update of all marginals, `keep` being the share of the old log-odds that stays; `before`
  // and `after` may be the same. Returns the largest change of a marginal. Throws Interrupted, and
  // then has changed nothing.
  double step(const AtomValues<Real>& unaries,
              double keep,
              const AtomValues<Real>& before,
              AtomValues<Real>& log_odds,
              AtomValues<Real>& after,
              const std::stop_token& stop = {});
  AtomValues<Real> messages(const AtomValues<Real>& marginals, const std::stop_token& stop = {});

  // Slopes of a loss in the log-odds after a step from these marginals, to those before it; adds
  // those in unary potentials and, unless they are null, weights. Slopes of known atoms are zero.
  void step_back(const AtomValues<Real>& marginals,
                 double keep,
                 AtomValues<Real>& slopes,
                 AtomValues<Real>& in_unaries,
                 std::vector<std::vector<double>>* in_weights);
  // Slopes in the marginals to those in the log-odds that they come from.
  void back_through_softmax(const AtomValues<Real>& marginals, AtomValues<Real>& slopes) const;

  // Expected violations per formula and weight, and E - unary'Q - entropy.
  std::vector<std::vector<double>> violations(const AtomValues<Real>& marginals,
                                              const std::stop_token& stop = {});
  double free_energy(const AtomValues<Real>& unaries,
                     const AtomValues<Real>& marginals,
                     const std::vector<std::vector<double>>& violations) const;

  // Whether messages are the slopes of the expected weight of violations, E: then updates follow
  // the free energy. Not if messages are means or centred.
  bool has_free_energy() const { return is_plain(); }
  // The violations, and where messages pull log-odds to: unaries - dE/dQ. Only with a free energy.
  // Throws Interrupted.
  std::vector<std::vector<double>> pull(const AtomValues<Real>& unaries,
                                        const AtomValues<Real>& marginals,
                                        AtomValues<Real>& goals,
                                        const std::stop_token& stop = {});
  double weight_of(const std::vector<std::vector<double>>& violations) const;  // E
  double largest_part() const;  // of E, before parts cancel: what its rounding is relative to

 private:
  using Group = FormulaGroup<Real>;

  void add_group(const MeanFieldModel& model,
                 const std::vector<std::size_t>& formulas,
                 const MeanFieldOptions& options);
  void set_mean_factors(const MeanFieldModel& model,
                        const MeanFieldFormula& formula,
                        const MeanFieldOptions& options);
  std::unique_ptr<TensorEvaluator<Real>> make_evaluator(const Group& group,
                                                        std::vector<NodeId> wanted);
  TensorEvaluator<Real>& everything(Group& group);

  std::size_t value_of(std::size_t predicate, std::size_t channel) const;
  NodeId leaf_of(const Group& group, std::size_t predicate, std::size_t channel) const;
  NodeId slope_of(const Group& group, std::size_t predicate, std::size_t channel) const;

  // Whether messages are the slopes of the only group as they are.
  bool is_plain() const { return groups_.size() == 1 && groups_[0].factors.empty() && !centre_; }
  void set_marginals_of(const Group& group,
                        TensorEvaluator<Real>& evaluator,
                        const AtomValues<Real>& marginals) const;
  void update_messages(const AtomValues<Real>& marginals, const std::stop_token& stop = {});
  Channels<const Real> slopes_of(std::size_t predicate);
  void add_slopes(const Group& group, std::size_t predicate, std::span<Real> sums) const;
  void centre(std::size_t predicate, std::span<Real> numbers) const;

  void set_direction(const Group& group,
                     TensorEvaluator<Real>& evaluator,
                     const AtomValues<Real>& slopes);
  void add_weight_slopes(const Group& group,
                         Real take,
                         std::vector<std::vector<double>>& in_weights) const;
  Channels<const Real> changes_of(const TensorEvaluator<Real>& evaluator,
                                  std::size_t predicate) const;
  void add_change(const Group& group,
                  const TensorEvaluator<Real>& evaluator,
                  std::size_t predicate,
                  std::span<Real> sums) const;
  template <class Work>
  void for_open_predicates(const Work& work) const {
    for (std::size_t p = 0; p < layouts_.size(); ++p) {
      if (!layouts_[p].closed) work(p);
    }
  }

  std::vector<AtomLayout> layouts_;
  MeanFieldPlan plan_;
  bool sparse_evidence_, centre_;
  std::vector<std::vector<double>> weights_;  // per formula
  ThreadPool pool_;
  std::deque<Group> groups_;  // whose places do not change
  // Where messages are not those of one group: sums of slopes or of their changes, and directions.
  AtomValues<Real> sums_, directions_;
};

}  // namespace sorites
