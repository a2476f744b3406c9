// The work of a join, cut into tasks that threads can share.
#pragma once

#include <vector>

#include "base/thread_pool.h"
#include "join/join.h"

namespace sorites {

// All positions of the first variable's proposer, or all codes of its domain.
Range all_of_first(const JoinPlan& plan);

// Tasks of similar size. They depend on plan and data alone, not on the threads.
class JoinTasks {
 public:
  JoinTasks(const JoinPlan& plan, const Database& database, ThreadPool& pool);
  JoinTasks(const JoinTasks&) = delete;  // the tasks point into it
  JoinTasks& operator=(const JoinTasks&) = delete;

  const std::vector<JoinTask>& all() const { return tasks_; }

 private:
  void find_first(const JoinPlan& plan, const Database& database, ThreadPool& pool);
  void cut(const JoinPlan& plan);

  // The candidates of the first variable, in parts that threads find at once.
  std::vector<Candidates> first_;
  std::vector<JoinTask> tasks_;
};

}  // namespace sorites
