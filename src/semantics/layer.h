// Inference under one semantics as a function of network outputs and weights that can be
// differentiated (sorites/layer.h).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "semantics/reasoner.h"
#include "sorites/layer.h"

namespace sorites {

// Not for several threads at once; it uses them itself.
class Layer {
 public:
  virtual ~Layer() = default;

  virtual LayerShape shape() const = 0;
  // Throws std::invalid_argument if sizes do not fit.
  virtual void run(const LayerBatch& batch, const LayerAnswer& answer) = 0;
};

// What a layer is made from. Data and reasoner must outlive it.
struct LayerInput {
  ReasonerInput data;
  std::function<Reasoner&()> reasoner;  // of the data; it is made where a layer needs one
  std::optional<double> smoothing;      // of implicit differentiation; none: HingeEnergyOptions
};

std::unique_ptr<Layer> make_hinge_layer(const LayerInput& input);
std::unique_ptr<Layer> make_mean_field_layer(const LayerInput& input);

// For layers: throws std::invalid_argument unless it fits.
void require_fit(bool fits, const char* what);
void check_sizes(const LayerBatch& batch, const LayerAnswer& answer, const LayerShape& shape);
std::size_t count_of(const std::vector<AtomRange>& ranges);

// The numbers of one sample among those of all.
template <class Number>
std::span<Number> of_sample(std::span<Number> all, std::size_t sample, std::size_t size) {
  return all.empty() ? all : all.subspan(sample * size, size);
}

}  // namespace sorites
