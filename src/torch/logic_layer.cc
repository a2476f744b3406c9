// Mean-field inference as a function that torch can differentiate.
#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "meanfield/lower.h"
#include "sorites/torch.h"
#include "torch/torch_headers.h"

namespace sorites {

struct LogicLayerImpl::State {
  State(const MeanFieldModel& model, const MeanFieldOptions& options)
      : layer(model, options),
        shape(layer.no_unaries()),
        formulas(model.formulas),
        all_weights(model.weights) {
    for (const MeanFieldRule& rule : model.rules) {
      for (std::size_t i = 0; i < rule.num_weights && !rule.hard; ++i) {
        soft_weights.push_back(rule.first_weight + i);
      }
    }
    for (const MeanFieldPredicate& predicate : model.predicates) {
      if (!predicate.closed) num_classes.push_back(predicate.num_classes());
    }
  }

  // All numbers one after the other, to and from those of predicates.
  AtomValues<float> split(const torch::Tensor& flat) const {
    const torch::Tensor numbers = flat.detach().to(torch::kFloat32).contiguous();
    const float* from = numbers.data_ptr<float>();
    AtomValues<float> values;
    for (const auto& of_predicate : shape) {
      values.emplace_back(from, from + of_predicate.size());
      from += of_predicate.size();
    }
    return values;
  }
  static torch::Tensor join(const AtomValues<float>& values) {
    std::size_t size = 0;
    for (const auto& of_predicate : values) size += of_predicate.size();
    torch::Tensor flat = torch::empty({static_cast<std::int64_t>(size)}, torch::kFloat32);
    float* to = flat.data_ptr<float>();
    for (const auto& of_predicate : values) {
      to = std::copy(of_predicate.begin(), of_predicate.end(), to);
    }
    return flat;
  }

  void set_weights(const torch::Tensor& weights) {
    const torch::Tensor numbers = weights.detach().to(torch::kFloat64).contiguous();
    const double* from = numbers.data_ptr<double>();
    for (const std::size_t slot : soft_weights) all_weights[slot] = *from++;
    for (std::size_t f = 0; f < formulas.size(); ++f) {
      if (!formulas[f].hard) layer.set_weights(f, formula_weights(formulas[f], all_weights));
    }
  }
  torch::Tensor weights() const { return soft_part(all_weights); }
  // Numbers per weight of the soft rules, of those per weight of all rules or of formulas.
  torch::Tensor soft_part(const std::vector<double>& of_weights) const {
    std::vector<float> numbers;
    for (const std::size_t slot : soft_weights) {
      numbers.push_back(static_cast<float>(of_weights[slot]));
    }
    return torch::tensor(numbers);
  }
  torch::Tensor of_soft_rules(const std::vector<std::vector<double>>& of_formulas) const {
    std::vector<double> sums(all_weights.size(), 0.0);
    for (std::size_t f = 0; f < formulas.size(); ++f) {
      if (!formulas[f].hard) add_weight_slopes(formulas[f], of_formulas[f], sums);
    }
    return soft_part(sums);
  }

  // What hard rules, which have no weight of their own, are expected to cost.
  double of_hard_rules(const std::vector<std::vector<double>>& violations) const {
    double sum = 0.0;
    for (std::size_t f = 0; f < formulas.size(); ++f) {
      if (formulas[f].hard) sum += layer.weights(f)[0] * violations[f][0];
    }
    return sum;
  }

  MeanField layer;
  AtomValues<float> shape;
  std::vector<MeanFieldFormula> formulas;
  std::vector<double> all_weights;        // of the program
  std::vector<std::size_t> soft_weights;  // those of soft rules
  std::vector<std::int64_t> num_classes;  // per open predicate; 0 without
  std::int64_t last_run = 0;              // whose log-odds the layer keeps for the way back
};

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;
using StatePointer = std::int64_t;  // as an argument that torch passes on

template <class State>
State& state_at(StatePointer pointer) {
  return *reinterpret_cast<State*>(pointer);  // NOLINT: torch functions take no pointers
}

template <class State>
struct LogicFunction : torch::autograd::Function<LogicFunction<State>> {
  static torch::Tensor forward(AutogradContext* context,
                               const torch::Tensor& weights,
                               const torch::Tensor& unaries,
                               StatePointer pointer) {
    State& state = state_at<State>(pointer);
    state.set_weights(weights);
    const auto result = state.layer.infer(state.split(unaries), true);
    context->save_for_backward({weights, unaries});
    context->saved_data["state"] = pointer;
    context->saved_data["run"] = ++state.last_run;
    return State::join(result.log_odds);
  }

  static variable_list backward(AutogradContext* context, variable_list slopes) {
    State& state = state_at<State>(context->saved_data["state"].toInt());
    const auto saved = context->get_saved_variables();
    state.set_weights(saved[0]);
    if (context->saved_data["run"].toInt() != state.last_run) {  // another sample came between
      state.layer.infer(state.split(saved[1]), true);
      context->saved_data["run"] = ++state.last_run;
    }
    const bool in_weights = context->needs_input_grad(0);
    const auto gradient = state.layer.backward(state.split(slopes[0]), true, in_weights);
    return {in_weights ? state.of_soft_rules(gradient.in_weights) : torch::Tensor{},
            State::join(gradient.in_unaries),
            {}};
  }
};

// The expected violation in terms of marginals, whose slope is minus the messages.
template <class State>
struct ViolationFunction : torch::autograd::Function<ViolationFunction<State>> {
  static torch::Tensor forward(AutogradContext* context,
                               const torch::Tensor& weights,
                               const torch::Tensor& marginals,
                               StatePointer pointer) {
    State& state = state_at<State>(pointer);
    state.set_weights(weights);
    const AtomValues<float> values = state.split(marginals);
    const auto violations = state.layer.violations(values);
    const torch::Tensor counts = state.of_soft_rules(violations);
    context->save_for_backward({weights, marginals, counts});
    context->saved_data["state"] = pointer;
    return (weights.detach() * counts).sum() + state.of_hard_rules(violations);
  }

  static variable_list backward(AutogradContext* context, variable_list slopes) {
    State& state = state_at<State>(context->saved_data["state"].toInt());
    const auto saved = context->get_saved_variables();
    state.set_weights(saved[0]);
    const torch::Tensor messages = State::join(state.layer.messages(state.split(saved[1])));
    return {slopes[0] * saved[2], -slopes[0] * messages, {}};
  }
};

}  // namespace

LogicLayerImpl::LogicLayerImpl(const Program& program,
                               const Database& database,
                               const MeanFieldOptions& options)
    : LogicLayerImpl(mean_field_model(program, database), options) {}

LogicLayerImpl::LogicLayerImpl(const MeanFieldModel& model, const MeanFieldOptions& options)
    : state_(std::make_shared<State>(model, options)) {
  weights = register_parameter("weights", state_->weights());
}

LogicLayerImpl::~LogicLayerImpl() = default;

void LogicLayerImpl::check(const std::vector<torch::Tensor>& unaries) const {
  std::vector<std::int64_t> sizes;  // of open predicates
  for (const auto& of_predicate : state_->shape) {
    if (!of_predicate.empty()) sizes.push_back(static_cast<std::int64_t>(of_predicate.size()));
  }
  bool fits = unaries.size() == sizes.size();
  for (std::size_t i = 0; fits && i < sizes.size(); ++i) fits = unaries[i].numel() == sizes[i];
  if (!fits) {
    throw std::invalid_argument(
        "logic layer: unary potentials of all atoms of every open predicate are needed");
  }
}

std::vector<torch::Tensor> LogicLayerImpl::forward(const std::vector<torch::Tensor>& unaries) {
  check(unaries);
  std::vector<torch::Tensor> flat, result;
  for (const torch::Tensor& unary : unaries) flat.push_back(unary.reshape({-1}));
  const torch::Tensor all = LogicFunction<State>::apply(
      weights, torch::cat(flat), reinterpret_cast<StatePointer>(state_.get()));
  std::int64_t begin = 0;
  for (const torch::Tensor& unary : unaries) {
    result.push_back(all.narrow(0, begin, unary.numel()).reshape(unary.sizes()));
    begin += unary.numel();
  }
  return result;
}

torch::Tensor LogicLayerImpl::expected_violation(const std::vector<torch::Tensor>& unaries) {
  check(unaries);
  std::vector<torch::Tensor> marginals;
  for (std::size_t i = 0; i < unaries.size(); ++i) {
    const std::int64_t classes = state_->num_classes[i];
    const torch::Tensor probabilities =
        classes == 0 ? unaries[i].sigmoid() : unaries[i].reshape({-1, classes}).softmax(-1);
    marginals.push_back(probabilities.reshape({-1}));
  }
  return ViolationFunction<State>::apply(
      weights, torch::cat(marginals), reinterpret_cast<StatePointer>(state_.get()));
}

}  // namespace sorites
