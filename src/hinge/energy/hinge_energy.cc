// The energy of hinge-loss Markov random fields: values by MAP inference, gradients from potentials
// and multipliers (Dickens et al. 2024a, theorem 5.2).
#include "hinge/energy/hinge_energy.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>

#include "base/thread_pool.h"
#include "hinge/energy/given_state.h"
#include "hinge/energy/implicit.h"
#include "hinge/energy/potentials.h"
#include "hinge/model/fix_atoms.h"
#include "hinge/model/proximity.h"
#include "hinge/problem/regularize.h"
#include "hinge/solve/engine.h"
#include "hinge/solve/inference.h"
#include "sorites/learn.h"

namespace sorites {
namespace {

// A model that is solved again and again, each time from where the last solve ended.
class RepeatedSolve {
 public:
  RepeatedSolve(const Model& model, ThreadPool& pool, const InferenceMemory& memory)
      : model_(model), pool_(pool), engine_(model, pool, Engine::Use::kAgain, memory) {}

  Solution solve(const Parameters& parameters, const SolveOptions& options, bool warm) {
    Solution solution =
        warm ? engine_.resolve(parameters, options)
             : Engine(model_, pool_, Engine::Use::kOnce).solve(parameters, options, nullptr);
    if (solution.status == SolveStatus::kInfeasible ||
        solution.status == SolveStatus::kNumericalError) {
      throw LearnError("inference failed: " + solution.message);
    }
    last_gap_ = solution.relative_gap;
    return solution;
  }

  double last_gap() const { return last_gap_; }
  InferenceMemory memory() const { return engine_.memory(); }

 private:
  const Model& model_;
  ThreadPool& pool_;
  Engine engine_;
  double last_gap_ = 0.0;
};

class HingeEnergy final : public Energy {
 public:
  HingeEnergy(const Model& model, std::vector<double> labels, const HingeEnergyOptions& options)
      : num_weights_(model.rules.size()),
        regular_(options.solve.regularization > 0.0 ? std::optional(regularized(model))
                                                    : std::nullopt),
        model_(regular_ ? *regular_ : model),
        labels_(std::move(labels)),
        options_(options),
        pool_(options.solve.threads) {
    if (labels_.size() != model.num_atoms) {
      throw std::invalid_argument("energy: one label per atom is needed");
    }
  }

  std::size_t num_weights() const override { return num_weights_; }
  std::size_t num_outputs() const override { return model_.num_outputs; }
  std::span<const double> labels() const override { return labels_; }
  double gap() const override { return options_.solve.gap; }
  EnergyStatistics statistics() const override {
    EnergyStatistics result = statistics_;
    for (const auto* part : {&full_, &latent_, &proximal_}) {
      if (*part) result.relative_gap = std::max(result.relative_gap, (*part)->last_gap());
    }
    return result;
  }

  EnergyValue full(const Parameters& parameters, double gap) override {
    EnergyValue result = value_of(full_solver(), model_, of_model(parameters), gap);
    result.in_weights.resize(num_weights_);
    return result;
  }

  EnergyValue latent(const Parameters& given, double gap) override {
    const Parameters& parameters = of_model(given);
    const FixedModel& fixed = fixed_model();
    EnergyValue result;
    if (fixed.atoms.empty()) {
      result.in_weights.assign(model_.rules.size(), 0.0);
      result.in_outputs.assign(num_outputs(), 0.0);
    } else {
      result = value_of(latent_solver(), fixed.open, parameters, gap);
      result.multipliers.clear();
    }
    add_settled(parameters, result);
    result.in_weights.resize(num_weights_);
    std::vector<double> state = labels_;
    for (std::size_t i = 0; i < fixed.atoms.size(); ++i) {
      state[fixed.atoms[i]] = result.state[i];
    }
    result.state = std::move(state);
    return result;
  }

  ProximalValue proximal(const Parameters& parameters,
                         double proximity,
                         std::span<const double> centre,
                         double gap) override {
    RepeatedSolve& solver = proximal_solver();
    Parameters extended = of_model(parameters);
    extended.weights.push_back(proximity);
    extended.outputs.insert(extended.outputs.end(), centre.begin(), centre.end());
    ProximalValue result{value_of(solver, *near_, extended, gap), {}};
    result.multipliers.clear();
    result.in_weights.resize(num_weights_);
    result.in_outputs.resize(num_outputs());
    // The gradient of an envelope: that of the proximity at the minimiser.
    for (std::size_t i = 0; i < centre.size(); ++i) {
      result.in_centre.push_back(2.0 * proximity * (centre[i] - result.state[i]));
    }
    return result;
  }

  StateValue at(const Parameters& parameters, std::span<const double> state) override {
    if (state.size() != model_.num_atoms) {
      throw std::invalid_argument("energy: one value per atom is needed");
    }
    StateValue result = energy_at(model_, of_model(parameters), state, num_weights_);
    result.in_weights.resize(num_weights_);
    return result;
  }

  ParameterGradient through_minimiser(const Parameters& parameters,
                                      const EnergyValue& minimum,
                                      const StateSlopes& loss) override {
    const Parameters& whole = of_model(parameters);
    Solution solution;
    if (minimum.multipliers.empty()) {
      solution = solve(full_solver(), whole, true, minimum.relative_gap);
    }
    const SolutionView view = minimum.multipliers.empty()
                                  ? SolutionView{solution.truth, solution.multipliers}
                                  : SolutionView{minimum.state, minimum.multipliers};
    ParameterGradient gradient = implicit_gradient(
        model_, whole, view, loss.in_state, options_.smoothing, options_.solve.stop);
    gradient.in_weights.resize(num_weights_);
    return gradient;
  }

  EnergyMemory memory() const override {
    const auto of = [](const std::optional<RepeatedSolve>& part) {
      return part ? part->memory() : InferenceMemory();
    };
    return {of(full_), of(latent_), of(proximal_)};
  }

  void restore(const EnergyMemory& memory) override {
    full_.reset();
    latent_.reset();
    proximal_.reset();
    if (!memory.full.empty()) full_solver(memory.full);
    if (!memory.latent.empty()) latent_solver(memory.latent);
    if (!memory.proximal.empty()) proximal_solver(memory.proximal);
  }

 private:
  // With the weight of the regulariser, if there is one.
  const Parameters& of_model(const Parameters& parameters) {
    if (!regular_) return parameters;
    return extended_ = regularized(parameters, options_.solve.regularization);
  }

  // Models and their solvers are made when they are first asked for.
  const FixedModel& fixed_model() {
    if (!fixed_) fixed_.emplace(fix_atoms(model_, labels_));
    return *fixed_;
  }
  RepeatedSolve& full_solver(const InferenceMemory& memory = {}) {
    return full_ ? *full_ : full_.emplace(model_, pool_, memory);
  }
  RepeatedSolve& latent_solver(const InferenceMemory& memory = {}) {
    return latent_ ? *latent_ : latent_.emplace(fixed_model().open, pool_, memory);
  }
  RepeatedSolve& proximal_solver(const InferenceMemory& memory = {}) {
    if (!near_) near_.emplace(with_proximity(model_));
    return proximal_ ? *proximal_ : proximal_.emplace(*near_, pool_, memory);
  }

  Solution solve(RepeatedSolve& solver,
                 const Parameters& parameters,
                 bool multipliers,
                 double gap) {
    SolveOptions options = options_.solve;
    if (gap > 0.0) options.gap = gap;
    options.multipliers = multipliers;
    Solution solution = solver.solve(parameters, options, options_.warm_start);
    ++statistics_.solves;
    statistics_.seconds += solution.seconds;
    if (solution.status != SolveStatus::kOptimal) ++statistics_.unfinished;
    return solution;
  }

  EnergyValue value_of(RepeatedSolve& solver,
                       const Model& model,
                       const Parameters& parameters,
                       double gap) {
    Solution solution = solve(solver, parameters, num_outputs() > 0, gap);
    EnergyValue result;
    result.value = solution.objective;
    result.relative_gap = solution.relative_gap;
    result.state = std::move(solution.truth);
    result.multipliers = std::move(solution.multipliers);
    result.in_weights = potentials_by_rule(model, result.state, parameters.outputs, pool_);
    result.in_outputs.assign(model.num_outputs, 0.0);
    if (!result.multipliers.empty()) {
      add_output_slopes(model, result.multipliers, result.in_outputs);
    }
    return result;
  }

  // The terms whose atoms are all labelled.
  void add_settled(const Parameters& parameters, EnergyValue& result) {
    if (settled_.empty() || num_outputs() > 0) {
      settled_ = potentials_by_rule(fixed_->settled, {}, parameters.outputs, pool_);
    }
    for (std::size_t r = 0; r < settled_.size(); ++r) {
      result.in_weights[r] += settled_[r];
      if (settled_[r] > 0.0) result.value += parameters.weights[r] * settled_[r];
    }
    if (num_outputs() > 0) {
      const std::vector<double> slopes = slopes_at(fixed_->settled, parameters, {});
      add_output_slopes(fixed_->settled, slopes, result.in_outputs);
    }
  }

  std::size_t num_weights_;
  std::optional<Model> regular_;  // the model with its regulariser, if it has one
  const Model& model_;            // that, or the one that was given
  Parameters extended_;           // its numbers, of the last call
  std::vector<double> labels_;
  HingeEnergyOptions options_;
  ThreadPool pool_;
  std::optional<FixedModel> fixed_;  // labels fixed
  std::optional<Model> near_;        // with proximity
  std::vector<double> settled_;      // potentials of terms whose atoms are all labelled, by rule
  std::optional<RepeatedSolve> full_, latent_, proximal_;
  EnergyStatistics statistics_;
};

}  // namespace

std::unique_ptr<Energy> make_hinge_energy(const Model& model,
                                          std::vector<double> labels,
                                          const HingeEnergyOptions& options) {
  return std::make_unique<HingeEnergy>(model, std::move(labels), options);
}

}  // namespace sorites
