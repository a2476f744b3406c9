// How algorithms, domains, schedules and ends are called, in flags, files and messages.
#include "base/name_table.h"
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

}  // namespace

std::string_view name_of(LearnAlgorithm algorithm) { return name_in(kAlgorithmNames, algorithm); }
std::string_view name_of(WeightDomain domain) { return name_in(kDomainNames, domain); }
std::string_view name_of(StepSchedule schedule) { return name_in(kScheduleNames, schedule); }
std::string_view name_of(LearnStop stop) { return name_in(kStopNames, stop); }

std::optional<LearnAlgorithm> learn_algorithm_named(std::string_view name) {
  return value_named<LearnAlgorithm>(kAlgorithmNames, name);
}
std::optional<WeightDomain> weight_domain_named(std::string_view name) {
  return value_named<WeightDomain>(kDomainNames, name);
}
std::optional<StepSchedule> step_schedule_named(std::string_view name) {
  return value_named<StepSchedule>(kScheduleNames, name);
}

}  // namespace sorites
