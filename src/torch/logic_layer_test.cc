#include <gtest/gtest.h>

#include "sorites/torch.h"
#include "torch/torch_headers.h"

namespace sorites {
namespace {

// c(a,b) and c(b,c) imply c(a,c), and kind(a) tells c(a,a); perhaps c(a,b) must imply c(b,a).
LogicLayer tokens(std::size_t count,
                  const MeanFieldOptions& options = {},
                  bool with_hard_rule = false) {
  Program program;
  Domain token{.name = "token"}, kind{.name = "kind", .constants = {"A", "B", "C"}};
  for (std::size_t i = 0; i < count; ++i) token.constants.push_back("T" + std::to_string(i));
  program.domains.push_back(token);
  program.domains.push_back(kind);
  const auto text = ArgumentType::kUniqueStringId;
  program.predicates = {
      {.name = "c", .types = {text, text}, .open = true, .domains = {3, 3}, .open_world = true},
      {.name = "kind",
       .types = {text, text},
       .open = true,
       .domains = {3, 4},
       .open_world = true,
       .has_classes = true}};
  const auto atom = [](PredicateId predicate, Term first, Term second) {
    Formula formula;
    formula.atom = {predicate, {std::move(first), std::move(second)}};
    return formula;
  };
  const auto formula = [](FormulaKind of, std::vector<Formula> operands) {
    return Formula{.kind = of, .operands = std::move(operands)};
  };
  const auto v = [](VariableId variable) { return Term{variable}; };
  Rule transitivity{.weight = 0.7, .variables = {{"a", 3}, {"b", 3}, {"c", 3}}};
  transitivity.body =
      LogicalRule{formula(FormulaKind::kImplies,
                          {formula(FormulaKind::kAnd, {atom(0, v(0), v(1)), atom(0, v(1), v(2))}),
                           atom(0, v(0), v(2))})};
  Rule kinds{.weight = 0.4, .variables = {{"a", 3}}};
  kinds.body = LogicalRule{formula(
      FormulaKind::kOr, {atom(1, v(0), Term{"A"}), atom(1, v(0), Term{"B"}), atom(0, v(0), v(0))})};
  program.rules = {transitivity, kinds};
  if (with_hard_rule) {
    Rule symmetry{.variables = {{"a", 3}, {"b", 3}}};
    symmetry.body =
        LogicalRule{formula(FormulaKind::kImplies, {atom(0, v(0), v(1)), atom(0, v(1), v(0))})};
    program.rules.push_back(symmetry);
  }
  return LogicLayer(program, Database(program.predicates, program.domains), options);
}

double loss_of(LogicLayer& layer, const std::vector<torch::Tensor>& unaries) {
  const auto logits = layer->forward(unaries);
  return (logits[0].sigmoid().square().sum() + logits[1].log_softmax(-1).select(-1, 2).sum() +
          0.1 * layer->expected_violation(unaries))
      .item<double>();
}

// By differences, of single-precision numbers: large steps, rough agreement.
void expect_slope(LogicLayer& layer, const std::vector<torch::Tensor>& unaries, torch::Tensor of) {
  const torch::Tensor slopes = of.grad().clone().reshape({-1});
  torch::NoGradGuard no_gradients;
  torch::Tensor flat = of.view({-1});
  constexpr double kStep = 1e-2;
  for (std::int64_t i = 0; i < flat.numel(); ++i) {
    const double before = flat[i].item<double>();
    flat[i] = before + kStep;
    const double above = loss_of(layer, unaries);
    flat[i] = before - kStep;
    const double below = loss_of(layer, unaries);
    flat[i] = before;
    EXPECT_NEAR(slopes[i].item<double>(), (above - below) / (2 * kStep), 5e-3) << i;
  }
}

void expect_gradients_of_differences(LogicLayer layer) {
  torch::manual_seed(5);
  std::vector<torch::Tensor> unaries{torch::randn({4, 4}).requires_grad_(),
                                     torch::randn({4, 3}).requires_grad_()};
  const auto logits = layer->forward(unaries);
  EXPECT_EQ(logits[0].sizes(), unaries[0].sizes());
  const torch::Tensor loss = logits[0].sigmoid().square().sum() +
                             logits[1].log_softmax(-1).select(-1, 2).sum() +
                             0.1 * layer->expected_violation(unaries);
  loss.backward();
  expect_slope(layer, unaries, unaries[0]);
  expect_slope(layer, unaries, unaries[1]);
  expect_slope(layer, unaries, layer->weights);
}

TEST(LogicLayer, GradientsAreThoseOfDifferences) {
  expect_gradients_of_differences(tokens(4, MeanFieldOptions{.iterations = 3, .threads = 1}));
}

TEST(LogicLayer, GradientsAreThoseOfDifferencesWithAHardRule) {
  expect_gradients_of_differences(
      tokens(4, MeanFieldOptions{.iterations = 3, .hard_weight = 2.0, .threads = 1}, true));
}

TEST(LogicLayer, WeightsThatAreNotLearnedHaveNoGradient) {
  torch::manual_seed(5);
  LogicLayer layer = tokens(4, MeanFieldOptions{.iterations = 3, .threads = 1});
  const std::vector<torch::Tensor> unaries{torch::randn({4, 4}).requires_grad_(),
                                           torch::randn({4, 3})};
  layer->forward(unaries)[0].sum().backward();
  const torch::Tensor with_weights = unaries[0].grad().clone();
  unaries[0].mutable_grad().reset();
  layer->weights.set_requires_grad(false);
  layer->weights.mutable_grad().reset();
  layer->forward(unaries)[0].sum().backward();
  EXPECT_TRUE(torch::allclose(unaries[0].grad(), with_weights, 1e-5, 1e-6));
  EXPECT_FALSE(layer->weights.grad().defined());
}

TEST(LogicLayer, KeepsApartSamplesThatAreDifferentiatedLater) {
  LogicLayer layer = tokens(3, MeanFieldOptions{.iterations = 2, .threads = 1});
  const auto slope_of = [&](const torch::Tensor& scores, bool another_between) {
    torch::Tensor unary = scores.clone().requires_grad_();
    const auto logits = layer->forward({unary, torch::zeros({3, 3})});
    if (another_between) layer->forward({torch::ones({3, 3}), torch::zeros({3, 3})});
    logits[0].square().sum().backward();
    return unary.grad().clone();
  };
  const torch::Tensor scores = torch::randn({3, 3});
  EXPECT_TRUE(torch::equal(slope_of(scores, false), slope_of(scores, true)));
}

TEST(LogicLayer, RefusesPotentialsOfOtherShapes) {
  LogicLayer layer = tokens(3);
  EXPECT_THROW(layer->forward({torch::zeros({3, 3})}), std::invalid_argument);
  EXPECT_THROW(layer->forward({torch::zeros({3, 2}), torch::zeros({3, 3})}), std::invalid_argument);
}

}  // namespace
}  // namespace sorites
