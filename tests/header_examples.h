// What the examples in the comments of the public headers take as given (header_examples.py).
#pragma once

#include <string>
#include <vector>

namespace given {

using namespace sorites;

template <class... Values>
void use(const Values&...);

#ifndef WITH_TORCH
void report(const Solution&);

extern Program program;
extern Database database;
extern const Model model;
extern const Parameters parameters, other_parameters;
extern const Solution solution;
extern const std::vector<double> values, weights;
extern const std::vector<bool> fixed;
extern const PredicateId knows;

namespace in_explain {
extern Session session;
}

#else
namespace in_torch {
extern const Program program;
extern const Database database;
extern const torch::Tensor scores, truth;
struct TwoTowersImpl : ::torch::nn::Module {
  explicit TwoTowersImpl(std::size_t num_classes);
  ::torch::Tensor forward(::torch::Tensor input);
};
TORCH_MODULE(TwoTowers);
}  // namespace in_torch
#endif

}  // namespace given
