// A predicate with targets, values and truth in a few lines, for tests.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sorites/evaluate.h"

namespace sorites {

class TestRelation {
 public:
  explicit TestRelation(std::size_t arity = 2)
      : database({{.name = "Has", .types = {arity, ArgumentType::kUniqueStringId}, .open = true}}) {
  }

  void target(std::vector<std::string_view> arguments,
              double value,
              std::optional<double> truth = std::nullopt) {
    database.add(Partition::kTarget, "Has", arguments);
    values.push_back(value);
    if (truth) database.add(Partition::kTruth, "Has", arguments, *truth);
  }

  // A target with a name of its own.
  void pair(double value, double truth) {
    const std::string name = std::to_string(values.size());
    target({name, "x"}, value, truth);
  }

  std::vector<Metric> metrics(Evaluator evaluator, const EvaluationOptions& options = {}) const {
    return evaluate(database, 0, values, evaluator, options);
  }

  double metric(std::string_view name,
                Evaluator evaluator,
                const EvaluationOptions& options = {}) const {
    for (const Metric& metric : metrics(evaluator, options)) {
      if (metric.name == name) return metric.value;
    }
    ADD_FAILURE() << "no metric " << name;
    return -1.0;
  }

  Database database;
  std::vector<double> values;  // per target
};

}  // namespace sorites
