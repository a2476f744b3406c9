// How algorithms, domains, schedules and ends are called, in flags, files and messages.
#include <array>
#include <cstddef>

#include "sorites/learn.h"

namespace sorites {
namespace {

constexpr std::array<std::string_view, 8> kAlgorithmNames = {"gradient",
                                                             "bilevel",
                                                             "grid-search",
                                                             "random-grid",
                                                             "random-search",
                                                             "guided-search",
                                                             "hyperband",
                                                             "gaussian-process"};
constexpr std::array<std::string_view, 4> kDomainNames = {
    "mirror-simplex", "projected-simplex", "non-negative", "softmax-simplex"};
constexpr std::array<std::string_view, 3> kScheduleNames = {"constant", "inverse", "inverse-root"};
constexpr std::array<std::string_view, 8> kStopNames = {"epochs",
                                                        "movement",
                                                        "training_metric",
                                                        "validation_metric",
                                                        "time",
                                                        "interrupted",
                                                        "searched",
                                                        "converged"};

template <class Enum, std::size_t kSize>
std::optional<Enum> named(const std::array<std::string_view, kSize>& names, std::string_view name) {
  for (std::size_t i = 0; i < kSize; ++i) {
    if (names[i] == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace

std::string_view name_of(LearnAlgorithm algorithm) {
  return kAlgorithmNames[static_cast<std::size_t>(algorithm)];
}
std::string_view name_of(WeightDomain domain) {
  return kDomainNames[static_cast<std::size_t>(domain)];
}
std::string_view name_of(StepSchedule schedule) {
  return kScheduleNames[static_cast<std::size_t>(schedule)];
}
std::string_view name_of(LearnStop stop) { return kStopNames[static_cast<std::size_t>(stop)]; }

std::optional<LearnAlgorithm> learn_algorithm_named(std::string_view name) {
  return named<LearnAlgorithm>(kAlgorithmNames, name);
}
std::optional<WeightDomain> weight_domain_named(std::string_view name) {
  return named<WeightDomain>(kDomainNames, name);
}
std::optional<StepSchedule> step_schedule_named(std::string_view name) {
  return named<StepSchedule>(kScheduleNames, name);
}

}  // namespace sorites
