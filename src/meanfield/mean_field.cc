// The public calls of mean-field inference.
#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <optional>
#include <stdexcept>
#include <string>

#include "base/name_table.h"
#include "meanfield/descent.h"
#include "meanfield/iterations.h"
#include "meanfield/lower.h"
#include "meanfield/weight_scales.h"
#include "sorites/diagnostic.h"
#include "sorites/meanfield.h"

namespace sorites {
namespace {

constexpr std::array<std::string_view, 2> kUpdates{"plain", "descending"};

// Hard formulas as what they weigh, with one weight for all.
MeanFieldModel with_hard_weights(MeanFieldModel model, double weight) {
  for (MeanFieldFormula& formula : model.formulas) {
    if (!formula.hard) continue;
    formula.weighted.clear();
    formula.weights = {weight};
  }
  return model;
}

}  // namespace

std::string_view name_of(MeanFieldUpdates updates) { return name_in(kUpdates, updates); }

template <class Real>
struct BasicMeanField<Real>::Impl {
  Impl(const MeanFieldModel& model, MeanFieldOptions given)
      : options(std::move(given)),
        iterations(with_hard_weights(model, options.hard_weight), options),
        divisors(weight_divisors(with_hard_weights(model, options.hard_weight), options)) {
    for (const MeanFieldFormula& formula : model.formulas) is_hard.push_back(formula.hard);
    for (const MeanFieldAtom& target : model.task.targets) {
      const std::size_t num_classes = model.predicates[target.predicate].num_classes();
      targets.emplace_back(
          target.predicate,
          num_classes == 0 ? target.atom : target.atom * num_classes + target.value);
    }
    own_unaries = model.unaries;
    for (std::size_t f = 0; f < divisors.size(); ++f) {
      const std::span<const double> given_weights = iterations.weights(f);
      weights.emplace_back(given_weights.begin(), given_weights.end());
      set_weights(f);
    }
  }

  void set_weights(std::size_t formula) {
    std::vector<double> scaled = weights[formula];
    for (double& weight : scaled) weight /= divisors[formula];
    iterations.set_weights(formula, scaled);
  }

  // Slopes in scaled weights to those in the weights.
  void scale_back(std::vector<std::vector<double>>& slopes) const {
    for (std::size_t f = 0; f < slopes.size(); ++f) {
      for (double& slope : slopes[f]) slope /= divisors[f];
    }
  }

  void scale_up(std::vector<std::vector<double>>& slopes) const {
    for (std::size_t f = 0; f < slopes.size(); ++f) {
      for (double& slope : slopes[f]) slope *= divisors[f];
    }
  }

  const std::vector<AtomLayout>& layouts() const { return iterations.layouts(); }

  void check_updates() const {
    if (options.updates != MeanFieldUpdates::kDescending || iterations.has_free_energy()) return;
    throw std::invalid_argument(
        "mean field: messages that are means or centred follow no free energy that could fall");
  }

  // Marginals and log-odds of results are channel by channel.
  MeanFieldResult<Real> infer_plain(const AtomValues<Real>& unaries, bool keep) {
    MeanFieldResult<Real> result;
    result.log_odds = unaries;
    AtomValues<Real>* current = keep ? &next_kept() : &result.marginals;
    iterations.start(result.log_odds, *current);
    while (result.iterations < options.iterations) {
      result.stopped = options.stop.stop_requested();
      if (result.stopped) break;
      AtomValues<Real>* next = keep ? &next_kept() : current;
      try {
        result.change = iterations.step(
            unaries, options.damping, *current, result.log_odds, *next, options.stop);
      } catch (const Interrupted&) {  // before anything has changed
        result.stopped = true;
        if (keep) --num_kept;
        break;
      }
      kept_shares.push_back(options.damping);
      current = next;
      ++result.iterations;
      if (options.track_free_energy && !track(unaries, *current, result)) break;
      if (options.on_iteration) options.on_iteration(result.iterations, result.change);
      if (result.change <= options.tolerance) break;
    }
    if (keep) result.marginals = *current;
    scale_back(result.violations);
    return result;
  }

  // False: stopped.
  bool track(const AtomValues<Real>& unaries,
             const AtomValues<Real>& marginals,
             MeanFieldResult<Real>& result) {
    result.violations.clear();
    try {
      result.violations = iterations.violations(marginals, options.stop);
    } catch (const Interrupted&) {
      result.stopped = true;
      return false;
    }
    result.free_energy.push_back(iterations.free_energy(unaries, marginals, result.violations));
    return true;
  }

  MeanFieldResult<Real> infer_descending(const AtomValues<Real>& unaries, bool keep) {
    MeanFieldResult<Real> result;
    AtomValues<Real>* current = keep ? &next_kept() : &result.marginals;
    std::optional<DescentSteps<Real>> begun;
    try {
      begun.emplace(iterations, unaries, options.damping, *current, options.stop);
    } catch (const Interrupted&) {
      result.stopped = true;
      if (keep) result.marginals = *current;
      result.log_odds = unaries;
      return result;
    }
    DescentSteps<Real>& descent = *begun;
    result.change = descent.residual(*current);
    while (result.iterations < options.iterations) {
      result.stopped = options.stop.stop_requested();
      if (result.stopped || result.change <= options.tolerance) break;
      AtomValues<Real>* next = keep ? &next_kept() : current;
      bool moved = false;
      try {
        moved = descent.step(*current, *next, options.stop);
      } catch (const Interrupted&) {
        result.stopped = true;
      }
      if (!moved) {
        if (keep) --num_kept;
        break;
      }
      kept_shares.push_back(descent.kept());
      current = next;
      ++result.iterations;
      result.change = descent.residual(*current);
      if (options.track_free_energy) result.free_energy.push_back(descent.free_energy());
      if (options.on_iteration) options.on_iteration(result.iterations, result.change);
    }
    if (keep) result.marginals = *current;
    result.log_odds = descent.log_odds();
    result.violations = descent.violations();
    scale_back(result.violations);
    return result;
  }

  AtomValues<Real>& next_kept() {
    if (num_kept == kept.size()) kept.emplace_back();
    return kept[num_kept++];
  }

  // Numbers of all atoms, channel by channel, if they have the right shape: those given, or where
  // the order differs a copy in `memory`.
  const AtomValues<Real>& checked(const AtomValues<Real>& values,
                                  const char* what,
                                  AtomValues<Real>& memory) const {
    bool fits = values.size() == layouts().size();
    for (std::size_t p = 0; fits && p < values.size(); ++p) {
      fits = values[p].size() == layouts()[p].size();
    }
    if (!fits) {
      throw std::invalid_argument(
          std::string("mean field: one number per atom of every open predicate is needed in ") +
          what);
    }
    return by_channel(layouts(), values, memory);
  }

  MeanFieldOptions options;
  Iterations<Real> iterations;
  std::vector<double> divisors;  // of the weights of each formula
  std::vector<bool> is_hard;
  std::vector<std::pair<std::size_t, std::size_t>> targets;  // predicates and places of numbers
  std::vector<std::vector<float>> own_unaries;               // per predicate; empty: none
  std::vector<std::vector<double>> weights;                  // as given
  // Marginals before each iteration and after the last. Their memory is used again.
  std::deque<AtomValues<Real>> kept;
  std::size_t num_kept = 0;
  std::vector<double> kept_shares;  // of the old log-odds, per iteration
  AtomValues<Real> slopes_memory;   // of backward()
};

template <class Real>
BasicMeanField<Real>::BasicMeanField(const MeanFieldModel& model, MeanFieldOptions options) {
  check_num_atoms(model, options.plan, sizeof(Real));
  impl_ = std::make_unique<Impl>(model, std::move(options));
  impl_->check_updates();
}
template <class Real>
BasicMeanField<Real>::BasicMeanField(const Program& program,
                                     const Database& database,
                                     MeanFieldOptions options)
    : BasicMeanField(mean_field_model(program, database), std::move(options)) {}
template <class Real>
BasicMeanField<Real>::~BasicMeanField() = default;
template <class Real>
BasicMeanField<Real>::BasicMeanField(BasicMeanField&&) noexcept = default;
template <class Real>
BasicMeanField<Real>& BasicMeanField<Real>::operator=(BasicMeanField&&) noexcept = default;

template <class Real>
const MeanFieldPlan& BasicMeanField<Real>::plan() const {
  return impl_->iterations.plan();
}

template <class Real>
AtomValues<Real> BasicMeanField<Real>::no_unaries() const {
  AtomValues<Real> values;
  for (const AtomLayout& layout : impl_->layouts()) values.emplace_back(layout.size(), Real{0});
  return values;
}

template <class Real>
AtomValues<Real> BasicMeanField<Real>::unaries() const {
  AtomValues<Real> values = no_unaries();
  for (std::size_t p = 0; p < impl_->own_unaries.size(); ++p) {
    const std::vector<float>& own = impl_->own_unaries[p];
    if (!own.empty()) values[p].assign(own.begin(), own.end());
  }
  return values;
}

template <class Real>
std::vector<double> BasicMeanField<Real>::of_targets(const AtomValues<Real>& marginals) const {
  std::vector<double> result;
  result.reserve(impl_->targets.size());
  for (const auto& [predicate, place] : impl_->targets) {
    result.push_back(static_cast<double>(marginals[predicate][place]));
  }
  return result;
}

template <class Real>
void BasicMeanField<Real>::set_options(const MeanFieldOptions& options) {
  impl_->options = options;
  impl_->check_updates();
}

template <class Real>
void BasicMeanField<Real>::set_weights(std::size_t formula, std::span<const double> weights) {
  if (impl_->is_hard.at(formula) || weights.size() != this->weights(formula).size()) {
    throw std::invalid_argument("mean field: the formula has other weights than these");
  }
  impl_->weights[formula].assign(weights.begin(), weights.end());
  impl_->set_weights(formula);
}

template <class Real>
std::span<const double> BasicMeanField<Real>::weights(std::size_t formula) const {
  return impl_->weights.at(formula);
}

template <class Real>
void BasicMeanField<Real>::set_known(std::size_t predicate, std::vector<KnownAtom> known) {
  const AtomLayout& layout = impl_->layouts().at(predicate);
  const std::size_t num_values = layout.has_classes() ? layout.num_channels : 2;
  const bool fits = std::all_of(known.begin(), known.end(), [&](const KnownAtom& atom) {
    return atom.atom < layout.num_atoms && atom.value < num_values;
  });
  if (layout.closed ? !known.empty() : !fits) {
    throw std::invalid_argument("mean field: there is no such atom that could be known");
  }
  impl_->iterations.set_known(predicate, std::move(known));
}

template <class Real>
MeanFieldResult<Real> BasicMeanField<Real>::infer(const AtomValues<Real>& given, bool keep) {
  const auto start = std::chrono::steady_clock::now();
  AtomValues<Real> ordered;
  const AtomValues<Real>& unaries = impl_->checked(given, "unaries", ordered);
  impl_->num_kept = 0;
  impl_->kept_shares.clear();
  MeanFieldResult<Real> result = impl_->options.updates == MeanFieldUpdates::kDescending
                                     ? impl_->infer_descending(unaries, keep)
                                     : impl_->infer_plain(unaries, keep);
  result.marginals = by_atom(impl_->layouts(), std::move(result.marginals));
  result.log_odds = by_atom(impl_->layouts(), std::move(result.log_odds));
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

template <class Real>
MeanFieldGradient<Real> BasicMeanField<Real>::backward(const AtomValues<Real>& given,
                                                       bool in_log_odds,
                                                       bool in_weights) {
  if (impl_->num_kept == 0) throw std::logic_error("mean field: backward() needs infer(.., keep)");
  Iterations<Real>& iterations = impl_->iterations;
  AtomValues<Real>& slopes = impl_->slopes_memory;
  if (const auto& ordered = impl_->checked(given, "slopes", slopes); &ordered != &slopes) {
    slopes = ordered;
  }
  MeanFieldGradient<Real> gradient{no_unaries(), {}};
  for (std::size_t f = 0; f < impl_->is_hard.size(); ++f) {
    gradient.in_weights.emplace_back(weights(f).size(), 0.0);
  }
  const StoppableLoops stoppable(iterations.pool(), impl_->options.stop);
  if (in_log_odds) {
    forget_known(impl_->layouts(), slopes);
  } else {
    iterations.back_through_softmax(impl_->kept[impl_->num_kept - 1], slopes);
  }
  for (std::size_t t = impl_->num_kept - 1; t-- > 0;) {
    iterations.step_back(impl_->kept[t],
                         impl_->kept_shares[t],
                         slopes,
                         gradient.in_unaries,
                         in_weights ? &gradient.in_weights : nullptr);
  }
  for (std::size_t p = 0; p < slopes.size(); ++p) {  // the first log-odds are the unaries
    for (std::size_t i = 0; i < slopes[p].size(); ++i) gradient.in_unaries[p][i] += slopes[p][i];
  }
  gradient.in_unaries = by_atom(impl_->layouts(), std::move(gradient.in_unaries));
  impl_->scale_back(gradient.in_weights);
  for (std::size_t f = 0; f < impl_->is_hard.size(); ++f) {
    if (impl_->is_hard[f] || !in_weights) gradient.in_weights[f].clear();
  }
  return gradient;
}

template <class Real>
std::vector<std::vector<double>> BasicMeanField<Real>::violations(
    const AtomValues<Real>& marginals) {
  AtomValues<Real> ordered;
  auto violations = impl_->iterations.violations(impl_->checked(marginals, "marginals", ordered),
                                                 impl_->options.stop);
  impl_->scale_back(violations);
  return violations;
}

template <class Real>
double BasicMeanField<Real>::free_energy(const AtomValues<Real>& unaries,
                                         const AtomValues<Real>& marginals) {
  return free_energy(unaries, marginals, violations(marginals));
}

template <class Real>
double BasicMeanField<Real>::free_energy(const AtomValues<Real>& unaries,
                                         const AtomValues<Real>& marginals,
                                         std::vector<std::vector<double>> violations) {
  AtomValues<Real> ordered_unaries, ordered;
  impl_->scale_up(violations);
  return impl_->iterations.free_energy(impl_->checked(unaries, "unaries", ordered_unaries),
                                       impl_->checked(marginals, "marginals", ordered),
                                       violations);
}

template <class Real>
AtomValues<Real> BasicMeanField<Real>::messages(const AtomValues<Real>& marginals) {
  AtomValues<Real> ordered;
  return by_atom(impl_->layouts(),
                 impl_->iterations.messages(impl_->checked(marginals, "marginals", ordered),
                                            impl_->options.stop));
}

template class BasicMeanField<float>;
template class BasicMeanField<double>;

}  // namespace sorites
