// Grounding: rules times data.
//
//   const Model model = ground(program, database);
//
// For every rule, a worst-case optimal join over sorted indexes finds the bindings of its
// variables, and every binding that can be violated becomes a term. The model is the same, byte for
// byte, for any number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "sorites/database.h"
#include "sorites/model.h"
#include "sorites/program.h"

namespace sorites {

// What to do with a ground rule that needs an atom of an open predicate which is neither observed
// nor a target, and that would count otherwise.
enum class OnMissingTarget : std::uint8_t {
  kError,  // throw InputError: counts by rule, with the first examples
  kSkip,   // leave the ground rule out
  kZero,   // take the atom to be observed with value 0
};

struct GroundOptions {
  unsigned threads = 0;  // 0: one per core
  OnMissingTarget on_missing_target = OnMissingTarget::kError;
  std::stop_token stop;
  // Called now and then with the work done so far and in all; never from two threads at once.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
};

// What became of the bindings of one rule.
struct GroundCounts {
  std::uint64_t terms = 0;
  std::uint64_t observed = 0;                 // dropped: no target in it
  std::uint64_t satisfied = 0;                // dropped: no values of its targets can violate it
  std::uint64_t missing = 0;                  // need an atom that is neither observed nor a target
  std::vector<std::string> missing_examples;  // the first of those atoms, at most 10
  std::uint64_t divided_by_zero = 0;          // a coefficient divides by a cardinality of 0
  double seconds = 0.0;
};

struct GroundReport {
  std::vector<GroundCounts> rules;     // per rule of the program
  std::size_t index_memory_bytes = 0;  // of the sorted indexes, which are gone afterwards
  double plan_seconds = 0.0;           // to choose plans and sort indexes
  double seconds = 0.0;                // in all
};

// Throws InputError if an atom is missing (see OnMissingTarget), a coefficient divides by zero or
// there are more than 2^32 - 1 targets; Interrupted if stopped.
Model ground(const Program& program,
             const Database& database,
             const GroundOptions& options = {},
             GroundReport* report = nullptr);

// Changes the observed atoms of a database, and the model that was ground from it: only ground
// rules in which a changed atom stands are made again (and rules in whose filter or cardinality its
// predicate stands). The model is then what ground() gives for the new data, up to the order of
// blocks and terms. Throws std::invalid_argument, and changes nothing, if an atom to add is there
// already, one to remove is not, or an argument or value is wrong; the same, with the database
// changed and the model as it was, if atoms are missing now (OnMissingTarget::kError).
void update(const Program& program,
            Database& database,
            Model& model,
            std::span<const RowChange> changes,
            const GroundOptions& options = {});

// What to expect of a rule, before it is ground.
struct RuleForecast {
  double terms = 0.0;
  double bytes = 0.0;  // of those terms in the model
  bool exact = false;  // all of it was counted, nothing extrapolated
  std::string reason;  // why a rule is large: "`A` and `B` share no atom: a cross product", ...
  double operations = 0.0;         // per iteration of mean field; else 0
  std::vector<std::string> steps;  // of mean field's plan
};

struct Forecast {
  std::vector<RuleForecast> rules;  // per rule of the program
  std::vector<GroundRule> sources;  // the rules themselves, if a semantics has changed them
  std::size_t index_memory_bytes = 0;
  double atoms = 0.0;              // unknown ones
  double operations = 0.0;         // per iteration of mean field; else 0
  std::vector<std::string> steps;  // of mean field's plan, that all rules share
  double seconds = 0.0;
};

// Grounds a sample of every rule for at most about `time_limit_seconds` in all, and extrapolates.
Forecast estimate(const Program& program,
                  const Database& database,
                  const GroundOptions& options = {},
                  double time_limit_seconds = 1.0);

}  // namespace sorites
