// What the blocks of C++ in the docs take as given (docs_examples.py).
#pragma once

#include <string>
#include <vector>

namespace given {

using namespace sorites;

template <class... Values>
void use(const Values&...);

#ifndef WITH_TORCH
extern const Database database;
extern const std::vector<double> values;
extern const PredicateId knows;
#else
struct TwoTowersImpl : ::torch::nn::Module {
  explicit TwoTowersImpl(std::size_t num_classes);
  ::torch::Tensor forward(::torch::Tensor input);
};
TORCH_MODULE(TwoTowers);
#endif

}  // namespace given
