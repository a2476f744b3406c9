#include "meanfield/fact_layer.h"

#include <utility>

namespace sorites {

FactLayer::FactLayer(MeanFieldModel model,
                     const FactOptions& facts,
                     const MeanFieldOptions& inference,
                     std::uint64_t seed)
    : model_(std::move(model)),
      inference_(inference),
      layouts_(layouts_of(model_)),
      layer_(model_, inference),
      draws_(model_, facts.hidden, facts.validation, seed),
      own_potentials_(unaries_of<float>(model_)) {
  for (const auto& of_predicate : own_potentials_) num_potentials_ += of_predicate.size();
}

AtomValues<float> FactLayer::potentials(std::span<const double> encoded) const {
  AtomValues<float> sum = own_potentials_;
  if (encoded.empty()) return sum;
  std::size_t next = 0;
  for (std::vector<float>& of_predicate : sum) {
    for (float& potential : of_predicate) potential += static_cast<float>(encoded[next++]);
  }
  return sum;
}

std::vector<double> FactLayer::flat(const AtomValues<float>& values) const {
  std::vector<double> all;
  all.reserve(num_potentials_);
  for (const std::vector<float>& of_predicate : values) {
    all.insert(all.end(), of_predicate.begin(), of_predicate.end());
  }
  return all;
}

void FactLayer::set_weights(const Parameters& parameters) {
  for (std::size_t f = 0; f < model_.formulas.size(); ++f) {
    if (model_.formulas[f].hard) continue;
    std::vector<double> weights = formula_weights(model_.formulas[f], parameters.weights);
    for (double& weight : weights) weight *= parameters.weight_scale;
    layer_.set_weights(f, weights);
  }
}

std::vector<double> FactLayer::in_weights(
    const Parameters& parameters, const std::vector<std::vector<double>>& of_formulas) const {
  std::vector<double> sums(parameters.weights.size(), 0.0);
  for (std::size_t f = 0; f < of_formulas.size(); ++f) {
    if (!model_.formulas[f].hard) add_weight_slopes(model_.formulas[f], of_formulas[f], sums);
  }
  for (double& slope : sums) slope *= parameters.weight_scale;
  return sums;
}

void FactLayer::hide(const FactDraw& draw) {
  auto known = draws_.known_without(draw);
  for (std::size_t p = 0; p < known.size(); ++p) {
    if (!layouts_[p].closed) layer_.set_known(p, std::move(known[p]));
  }
}

}  // namespace sorites
