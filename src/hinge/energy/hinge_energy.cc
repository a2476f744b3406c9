// The energy of hinge-loss Markov random fields: values by MAP inference, gradients from potentials
// and multipliers (nesy-ebm Theorem 5, convex-bilevel Theorem 5.2).
#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>

#include "base/thread_pool.h"
#include "hinge/energy/implicit.h"
#include "hinge/energy/potentials.h"
#include "hinge/model/fix_atoms.h"
#include "hinge/model/proximity.h"
#include "sorites/energy.h"
#include "sorites/learn.h"

namespace sorites {
namespace {

// A model that is solved again and again, each time from where the last solve ended.
class RepeatedSolve {
 public:
  RepeatedSolve(const Model& model, const HingeEnergyOptions& options)
      : model_(model), options_(options), inference_(model, options.solve.threads) {}

  const Solution& solve(const Parameters& parameters,
                        bool multipliers,
                        EnergyStatistics& statistics) {
    SolveOptions options = options_.solve;
    options.multipliers = multipliers;
    last_ = options_.warm_start ? inference_.resolve(parameters, options)
                                : sorites::solve(model_, parameters, options);
    ++statistics.solves;
    statistics.seconds += last_.seconds;
    if (last_.status == SolveStatus::kInfeasible || last_.status == SolveStatus::kNumericalError) {
      throw LearnError("inference failed: " + last_.message);
    }
    if (last_.status != SolveStatus::kOptimal) ++statistics.unfinished;
    return last_;
  }

  const Solution& last() const { return last_; }
  const Inference& inference() const { return inference_; }
  Inference& inference() { return inference_; }

 private:
  const Model& model_;
  const HingeEnergyOptions& options_;
  Inference inference_;
  Solution last_;
};

class HingeEnergy final : public Energy {
 public:
  HingeEnergy(const Model& model, std::vector<double> labels, const HingeEnergyOptions& options)
      : model_(model),
        labels_(std::move(labels)),
        options_(options),
        gap_(options.solve.gap),
        pool_(options.solve.threads) {
    if (labels_.size() != model.num_atoms) {
      throw std::invalid_argument("energy: one label per atom is needed");
    }
  }

  std::size_t num_weights() const override { return model_.rules.size(); }
  std::size_t num_outputs() const override { return model_.num_outputs; }
  std::span<const double> labels() const override { return labels_; }
  void set_effort(double effort) override {
    constexpr double kRoughest = 0.1;
    options_.solve.gap = std::min(gap_ / (effort * effort), std::max(gap_, kRoughest));
  }
  void set_sufficient_gap(double gap) override { options_.solve.gap = std::max(gap_, gap); }
  EnergyStatistics statistics() const override {
    EnergyStatistics result = statistics_;
    for (const auto* part : {&full_, &latent_, &proximal_}) {
      if (!*part) continue;
      result.relative_gap = std::max(result.relative_gap, (*part)->last().relative_gap);
    }
    return result;
  }

  EnergyValue full(const Parameters& parameters) override {
    return value_of(
        model_, parameters, ready(full_).solve(parameters, num_outputs() > 0, statistics_));
  }

  EnergyValue latent(const Parameters& parameters) override {
    fix_labels();
    EnergyValue result;
    if (fixed_->atoms.empty()) {
      result.in_weights.assign(num_weights(), 0.0);
      result.in_outputs.assign(num_outputs(), 0.0);
    } else {
      result = value_of(fixed_->open,
                        parameters,
                        ready(latent_).solve(parameters, num_outputs() > 0, statistics_));
    }
    add_settled(parameters, result);
    std::vector<double> state = labels_;
    for (std::size_t i = 0; i < fixed_->atoms.size(); ++i) {
      state[fixed_->atoms[i]] = result.state[i];
    }
    result.state = std::move(state);
    return result;
  }

  ProximalValue proximal(const Parameters& parameters,
                         double proximity,
                         std::span<const double> centre) override {
    RepeatedSolve& solver = ready(proximal_);
    Parameters extended = parameters;
    extended.weights.push_back(proximity);
    extended.outputs.insert(extended.outputs.end(), centre.begin(), centre.end());
    ProximalValue result{
        value_of(*near_, extended, solver.solve(extended, num_outputs() > 0, statistics_)), {}};
    result.in_weights.pop_back();
    result.in_outputs.resize(num_outputs());
    // The gradient of an envelope: that of the proximity at the minimiser.
    for (std::size_t i = 0; i < centre.size(); ++i) {
      result.in_centre.push_back(2.0 * proximity * (centre[i] - result.state[i]));
    }
    return result;
  }

  ParameterGradient through_minimiser(const Parameters& parameters,
                                      std::span<const double> loss_in_state) override {
    if (!full_) throw std::logic_error("energy: through_minimiser comes after full");
    if (full_->last().multipliers.empty()) full_->solve(parameters, true, statistics_);
    return implicit_gradient(model_, parameters, full_->last(), loss_in_state, options_.smoothing);
  }

  std::vector<double> memory() const override {
    std::vector<double> memory;
    for (const auto* part : {&full_, &latent_, &proximal_}) {
      const std::vector<double> own = *part ? (*part)->inference().memory() : std::vector<double>();
      memory.push_back(static_cast<double>(own.size()));
      memory.insert(memory.end(), own.begin(), own.end());
    }
    return memory;
  }

  void restore(std::span<const double> memory) override {
    for (auto* part : {&full_, &latent_, &proximal_}) {
      part->reset();
      const double size = memory.empty() ? -1.0 : memory.front();
      if (!(size >= 0.0 && size < static_cast<double>(memory.size()))) {
        throw std::invalid_argument("energy: the memory is damaged");
      }
      const auto count = static_cast<std::size_t>(size);
      const auto own = memory.subspan(1, count);
      memory = memory.subspan(1 + count);
      if (count > 0) ready(*part).inference().restore({own.begin(), own.end()});
    }
  }

 private:
  void fix_labels() {
    if (!fixed_) fixed_.emplace(fix_atoms(model_, labels_));
  }

  // Made when it is first asked for.
  RepeatedSolve& ready(std::optional<RepeatedSolve>& part) {
    if (part) return *part;
    if (&part == &latent_) {
      fix_labels();
      return part.emplace(fixed_->open, options_);
    }
    if (&part == &proximal_) {
      near_.emplace(with_proximity(model_));
      return part.emplace(*near_, options_);
    }
    return part.emplace(model_, options_);
  }

  EnergyValue value_of(const Model& model, const Parameters& parameters, const Solution& solution) {
    EnergyValue result;
    result.value = solution.objective;
    result.state = solution.truth;
    result.in_weights = potentials_by_rule(model, solution.truth, parameters.outputs, pool_);
    result.in_outputs.assign(model.num_outputs, 0.0);
    if (!solution.multipliers.empty()) {
      add_output_slopes(model, solution.multipliers, result.in_outputs);
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

  const Model& model_;
  std::vector<double> labels_;
  HingeEnergyOptions options_;
  double gap_;  // at full effort
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
