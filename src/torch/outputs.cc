#include "torch/outputs.h"

namespace sorites {
namespace {

// The slope of a root has no bound at 0.
constexpr double kSmallestProbability = 1e-6;
constexpr double kSmallestDraw = 1e-30;  // whose logarithm is finite in single precision

// Jang, Gu, Poole, "Categorical Reparameterization with Gumbel-Softmax", 2017, equation 2.
torch::Tensor gumbel_noise(const torch::Tensor& like) {
  return -torch::empty_like(like, torch::MemoryFormat::Contiguous)
              .exponential_()
              .clamp_min_(kSmallestDraw)
              .log_();
}

}  // namespace

torch::Tensor outputs_of(const torch::Tensor& logits,
                         OutputKind kind,
                         double temperature,
                         bool noisy) {
  switch (kind) {
    case OutputKind::kSoftmax:
      return torch::softmax(logits / temperature, 1);
    case OutputKind::kSigmoid:
      return torch::sigmoid(logits / temperature);
    case OutputKind::kGumbelSoftmax:
      return torch::softmax((noisy ? logits + gumbel_noise(logits.detach()) : logits) / temperature,
                            1);
    case OutputKind::kRootSoftmax:
      return torch::sqrt(torch::softmax(logits / temperature, 1).clamp_min(kSmallestProbability));
  }
  return logits;
}

CrossEntropy cross_entropy(const torch::Tensor& logits,
                           const torch::Tensor& labels,
                           OutputKind kind,
                           double temperature) {
  const torch::Tensor known = labels.isnan().logical_not();
  const torch::Tensor targets = torch::nan_to_num(labels);
  const torch::Tensor scaled = logits / temperature;
  if (kind == OutputKind::kSigmoid) {
    // - t log s(z) - (1 - t) log s(-z), which is finite for all z
    const torch::Tensor losses =
        -targets * torch::log_sigmoid(scaled) - (1.0 - targets) * torch::log_sigmoid(-scaled);
    return {(losses * known).sum(), known.sum().item<std::int64_t>()};
  }
  return {-(targets * torch::log_softmax(scaled, 1)).sum(),
          known.any(1).sum().item<std::int64_t>()};
}

}  // namespace sorites
