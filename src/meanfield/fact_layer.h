// The layer in which hidden facts are inferred. The energies of training and of validation and the
// encoder look at it in turn, so that its tensors are in memory once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "meanfield/atom_state.h"
#include "meanfield/fact_draws.h"
#include "meanfield/model.h"
#include "sorites/solve.h"

namespace sorites {

struct FactOptions {
  double hidden = 0.3;  // share of the facts that an epoch hides
  // Share of the facts that is held out of all epochs: the best epoch is chosen by them. Of few
  // facts none is, and some of those that are learned from judge.
  double validation = 0.2;
};

class FactLayer {
 public:
  FactLayer(MeanFieldModel model,
            const FactOptions& facts,
            const MeanFieldOptions& inference,
            std::uint64_t seed);

  const MeanFieldModel& model() const { return model_; }
  const std::vector<AtomLayout>& layouts() const { return layouts_; }
  const FactDraws& draws() const { return draws_; }
  const MeanFieldOptions& inference() const { return inference_; }
  // In single precision: hidden facts are a few of many, whose gradients need no more digits.
  MeanField& layer() { return layer_; }

  // The unary potentials of the model, and with what an encoder adds to them: one number per atom
  // and class, predicate by predicate.
  const AtomValues<float>& own_potentials() const { return own_potentials_; }
  AtomValues<float> potentials(std::span<const double> encoded) const;
  std::size_t num_potentials() const { return num_potentials_; }
  std::vector<double> flat(const AtomValues<float>& values) const;

  // What was last drawn to learn from.
  void set_drawn(FactDraw drawn) { drawn_ = std::move(drawn); }
  const FactDraw& drawn() const { return drawn_; }

  void set_weights(const Parameters& parameters);
  std::vector<double> in_weights(const Parameters& parameters,
                                 const std::vector<std::vector<double>>& of_formulas) const;
  // Those of the draw are hidden from what follows, and those that are held out.
  void hide(const FactDraw& draw);

 private:
  MeanFieldModel model_;
  MeanFieldOptions inference_;
  std::vector<AtomLayout> layouts_;
  MeanField layer_;
  FactDraws draws_;
  FactDraw drawn_;
  AtomValues<float> own_potentials_;
  std::size_t num_potentials_ = 0;
};

}  // namespace sorites
