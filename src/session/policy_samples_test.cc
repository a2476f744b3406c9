#include "session/policy_samples.h"

#include <gtest/gtest.h>

#include "sorites/session.h"

namespace sorites {
namespace {

// Samples have dictionaries of their own, also of domains that have a name.
TEST(PolicySamples, AreEvaluatedOverNamedDomains) {
  Session session = Session::from_text(R"json({
    "domains": {"kind": ["x"], "thing": ["a", "b"]},
    "predicates": {
      "P/1": {"types": ["thing"], "observations": [["a"], ["b"]]},
      "Q/1": {"types": ["thing"], "targets": [["a"], ["b"]], "truth": [["a", 1], ["b", 0]],
              "evaluations": ["DiscreteEvaluator"]}},
    "rules": ["1: P(X) -> Q(X)", "1: !Q(X)"],
    "options": {"learn.algorithm": "policy", "learn.max_epochs": 2, "learn.batch_components": 1}
  })json");
  const LearnReport report = session.learn();
  EXPECT_TRUE(report.error.empty()) << report.error;
  EXPECT_EQ(report.history.size(), 3U);
}

}  // namespace
}  // namespace sorites
