#include "torch/random_scope.h"

#include "sorites/network.h"

namespace sorites {
namespace {

std::recursive_mutex& scope_mutex() {
  static std::recursive_mutex mutex;
  return mutex;
}

}  // namespace

torch::Tensor seeded_random_state(std::uint64_t seed) {
  return at::make_generator<at::CPUGeneratorImpl>(seed).get_state();
}

void check_random_state(const torch::Tensor& state) {
  try {
    at::Generator generator = at::make_generator<at::CPUGeneratorImpl>();
    generator.set_state(state);
  } catch (const c10::Error&) {
    throw NetworkError("the memory of a network is damaged: it has no state of random numbers");
  }
}

RandomScope::RandomScope(torch::Tensor& state) : lock_(scope_mutex()), state_(state) {
  at::Generator generator = at::detail::getDefaultCPUGenerator();
  before_ = generator.get_state();
  generator.set_state(state_);
}

RandomScope::~RandomScope() {
  at::Generator generator = at::detail::getDefaultCPUGenerator();
  state_ = generator.get_state();
  generator.set_state(before_);
}

}  // namespace sorites
