// The encoder of entities as what makes outputs in learning from facts: the unary potentials of all
// atoms, as FactLayer::potentials() takes them. It learns from the hidden facts through the layer,
// and by losses of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "learn/learning.h"
#include "meanfield/encoder.h"
#include "meanfield/fact_layer.h"

namespace sorites {

struct EncoderOptions {
  std::size_t dimension = 0;  // of embeddings; 0: no encoder
  double step = 0.005;        // of Adam
  double decay = 1e-3;        // half of this times the squared parameters is added
  // What the encoder learns from: the likelihood of hidden facts through the layer, the layer's
  // marginals of all atoms (distillation: cross-entropy, the layer's part fixed), and facts
  // directly.
  double through_layer = 1.0, distillation = 1.0, from_facts = 1.0;
  // And from violations that its own marginals expect, per atom (the paper's SLrelax).
  double expected_violation = 0.0;
};

class EncoderSource final : public OutputSource {
 public:
  EncoderSource(std::shared_ptr<FactLayer> layer,
                const EncoderOptions& options,
                std::uint64_t seed);

  // Of the model and of the encoder together.
  AtomValues<float> potentials() const;

  // All samples have the same atoms, and nothing is random.
  std::vector<double> predict(std::size_t sample) override;
  std::vector<std::vector<double>> forward(std::span<const std::size_t> samples) override;
  // With the rules as they were in the inference that the slopes are of.
  double step(std::span<const std::vector<double>> loss_in_outputs) override;
  double own_loss() override;
  void begin_epoch(std::uint64_t /*epoch*/, std::uint64_t /*max_epochs*/) override {}
  std::vector<NetworkState> memory() const override;
  void restore(std::span<const NetworkState> memory) override;
  bool start_anew(std::uint64_t seed) override;
  double seconds() const override { return seconds_; }
  std::uint64_t num_trained() const override { return 0; }  // entities are no examples here

 private:
  double add_own_losses(AtomValues<float>& slopes);
  double add_distillation(const AtomValues<float>& potentials, AtomValues<float>& slopes);
  double add_facts(const AtomValues<float>& potentials, AtomValues<float>& slopes) const;
  void add_expected_violation(const AtomValues<float>& potentials, AtomValues<float>& slopes);
  void follow(std::vector<float> gradient);

  std::shared_ptr<FactLayer> layer_;  // as of make_hidden_facts_energy()
  EncoderOptions options_;
  EmbeddingEncoder encoder_;
  std::uint64_t num_steps_ = 0;
  std::vector<float> mean_, mean_square_;  // of slopes, per parameter
  double seconds_ = 0.0;
};

}  // namespace sorites
