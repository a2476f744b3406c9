// How algorithms, domains, schedules and ends are called, in flags, files and messages.
#include "base/name_table.h"
#include "sorites/learn.h"

namespace sorites {
namespace {

constexpr std::array<std::string_view, 10> kAlgorithmNames = {"gradient",
                                                              "bilevel",
                                                              "gradient-following",
                                                              "policy",
                                                              "grid-search",
                                                              "random-grid",
                                                              "random-search",
                                                              "guided-search",
                                                              "hyperband",
                                                              "gaussian-process"};
constexpr std::array<std::string_view, 5> kDomainNames = {
    "mirror-simplex", "projected-simplex", "non-negative", "softmax-simplex", "real"};
constexpr std::array<std::string_view, 3> kOptimizerNames = {"plain", "adam", "adagrad"};
constexpr std::array<std::string_view, 2> kEstimatorNames = {"indecater", "reinforce"};
constexpr std::array<std::string_view, 3> kWeightPolicyNames = {"none", "log-normal", "dirichlet"};
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
std::string_view name_of(WeightOptimizer optimizer) { return name_in(kOptimizerNames, optimizer); }
std::string_view name_of(PolicyEstimator estimator) { return name_in(kEstimatorNames, estimator); }
std::string_view name_of(WeightPolicy policy) { return name_in(kWeightPolicyNames, policy); }
std::string_view name_of(StepSchedule schedule) { return name_in(kScheduleNames, schedule); }
std::string_view name_of(LearnStop stop) { return name_in(kStopNames, stop); }

}  // namespace sorites
