// How long a resident model takes to answer a change, through a session as users have it: the model
// of an agent that asks after every observation.
//
//   update_benchmark [UPDATES]
//
// Candidates are good or not by six rules over hints, prices, and pairs that were seen together or
// apart. One line per size of the model and number of observations that change: median and 99th
// percentile of update and certified answer together, the medians of both parts, and what a session
// that is opened anew takes, in microseconds.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <random>
#include <set>
#include <stdexcept>

#include "sorites/session.h"

namespace sorites {
namespace {

constexpr const char* kRules =
    "2.0: Hint(A) -> Good(A) ^2\n"
    "1.0: Price(A) -> !Good(A)\n"
    "1.5: Together(A, B) & Good(A) -> Good(B) ^2\n"
    "1.0: Apart(A, B) & Good(A) -> !Good(B)\n"
    "0.3: !Good(A) ^2\n"
    "Good(+A) <= 12 .\n";

class Agent {
 public:
  Agent(std::size_t candidates, std::size_t pairs) : candidates_(candidates), pairs_(pairs) {
    program_.predicates = {{.name = "Hint", .types = {kText}},
                           {.name = "Price", .types = {kText}},
                           {.name = "Together", .types = {kText, kText}},
                           {.name = "Apart", .types = {kText, kText}},
                           {.name = "Good", .types = {kText}, .open = true}};
    add_rules(program_, kRules);
  }

  const Program& program() const { return program_; }

  Database database() {
    Database database(program_.predicates);
    for (std::size_t i = 0; i < candidates_; ++i) {
      const std::string who = fmt::format("c{}", i);
      database.add(Partition::kObserved, "Hint", {who}, value());
      database.add(Partition::kObserved, "Price", {who}, value());
      database.add(Partition::kTarget, "Good", {who});
    }
    std::set<std::string> seen;
    for (std::size_t i = 0; i < pairs_; ++i) {
      const AtomChange pair = pair_change();
      if (!seen.insert(pair.predicate + pair.arguments[0] + pair.arguments[1]).second) continue;
      database.add(Partition::kObserved,
                   pair.predicate,
                   {pair.arguments[0], pair.arguments[1]},
                   *pair.value);
    }
    return database;
  }

  // Hints and prices change, and pairs are seen for the first time or again.
  SessionUpdate update(std::size_t observations) {
    SessionUpdate update;
    std::set<std::vector<std::string>> named;  // an update names an atom once
    while (named.size() < observations) {
      const bool is_pair = random_() % 4 == 0;
      const char* own = random_() % 2 == 0 ? "Hint" : "Price";
      AtomChange change = is_pair ? pair_change() : AtomChange{own, {one()}, value()};
      std::vector<std::string> name = change.arguments;
      name.push_back(change.predicate);
      if (named.insert(name).second) update.observations.push_back(std::move(change));
    }
    return update;
  }

 private:
  static constexpr ArgumentType kText = ArgumentType::kUniqueStringId;

  double value() { return std::uniform_real_distribution<double>(0.0, 1.0)(random_); }
  std::string one() { return fmt::format("c{}", random_() % candidates_); }
  AtomChange pair_change() {
    return {random_() % 2 == 0 ? "Together" : "Apart", {one(), one()}, value()};
  }

  std::size_t candidates_, pairs_;
  std::mt19937_64 random_{7};
  Program program_;
};

double microseconds(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double, std::micro>(duration).count();
}

double at_share(std::vector<double>& values, double share) {
  const auto place = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return values[static_cast<std::size_t>(place)];
}

void time_updates(std::size_t candidates,
                  std::size_t pairs,
                  std::size_t observations,
                  std::size_t updates) {
  using Clock = std::chrono::steady_clock;
  Agent agent(candidates, pairs);
  const auto begin = Clock::now();
  Session session(agent.program(), agent.database());
  const InferResult first = session.infer();
  const double cold = microseconds(Clock::now() - begin);
  std::vector<double> all, updating, inferring;
  for (std::size_t i = 0; i < updates; ++i) {
    const SessionUpdate update = agent.update(observations);
    const auto start = Clock::now();
    session.update(update);
    const auto middle = Clock::now();
    const InferResult result = session.infer();
    const auto end = Clock::now();
    if (result.status != SolveStatus::kOptimal) throw std::runtime_error("not optimal");
    all.push_back(microseconds(end - start));
    updating.push_back(microseconds(middle - start));
    inferring.push_back(microseconds(end - middle));
  }
  fmt::print("{:>8} {:>8} {:>10.0f} {:>10.0f} {:>10.0f} {:>10.0f} {:>10.0f}\n",
             first.size.terms,
             observations,
             at_share(all, 0.5),
             at_share(all, 0.99),
             at_share(updating, 0.5),
             at_share(inferring, 0.5),
             cold);
}

void run(std::size_t updates) {
  fmt::print("{:>8} {:>8} {:>10} {:>10} {:>10} {:>10} {:>10}\n",
             "terms",
             "changes",
             "median us",
             "99 % us",
             "update us",
             "answer us",
             "anew us");
  for (const std::size_t observations : {1, 20}) time_updates(40, 900, observations, updates);
  for (const std::size_t observations : {1, 20}) time_updates(400, 9000, observations, updates);
}

}  // namespace
}  // namespace sorites

int main(int argc, char** argv) {
  const std::size_t updates = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10000;
  sorites::run(updates);
}
