// Grounding: rules times data.
//
//   const Model model = ground(program, database);
//
// Worst-case optimal joins over sorted indexes find the bindings of a rule's variables that can be
// violated; each becomes a term. The model is the same, byte for byte, for any number of threads.
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

// Of a ground rule that would count, but needs an open atom that is neither observed nor a target.
enum class OnMissingTarget : std::uint8_t {
  kError,  // throw InputError: counts by rule, with the first examples
  kSkip,   // leave the ground rule out
  kZero,   // take the atom to be observed with value 0
};

// Which bindings are looked for, with the same terms: what costs least; those with a target,
// wherever they can be had alone; those that values admit; all, so that all are counted.
enum class GroundPlan : std::uint8_t { kCheapest, kParts, kWhole, kAllBindings };

struct GroundOptions {
  unsigned threads = 0;  // 0: one per core
  OnMissingTarget on_missing_target = OnMissingTarget::kError;
  GroundPlan plan = GroundPlan::kCheapest;
  std::stop_token stop;
  // Called now and then with the work done so far and in all; never from two threads at once.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
};

// What became of the bindings of one rule.
struct GroundCounts {
  std::uint64_t terms = 0;
  std::uint64_t observed = 0;                 // dropped, of those looked at: no target in it
  std::uint64_t satisfied = 0;                // the same: no values of its targets can violate it
  std::uint64_t missing = 0;                  // need an atom that is neither observed nor a target
  std::vector<std::string> missing_examples;  // the first of those atoms, at most 10
  std::uint64_t divided_by_zero = 0;          // a coefficient divides by a cardinality of 0
  double seconds = 0.0;
};

struct GroundReport {
  std::vector<GroundCounts> rules;     // per rule of the program
  bool all_counted = false;            // all bindings were looked at (GroundPlan::kAllBindings)
  std::size_t index_memory_bytes = 0;  // of the sorted indexes, which are gone afterwards
  double plan_seconds = 0.0;           // to choose plans and sort indexes
  double seconds = 0.0;                // in all
};

// Throws InputError if an atom is missing or a coefficient divides by zero; Interrupted if stopped;
// std::invalid_argument, as those below, if program and database have other predicates or domains.
Model ground(const Program& program,
             const Database& database,
             const GroundOptions& options = {},
             GroundReport* report = nullptr);

// Changes observed atoms of a database, and the model that was ground from it: only ground rules
// in which a changed atom stands are made again (and rules whose filter or cardinality has its
// predicate). The model is then that of the new data, but for the order of blocks and terms;
// numbers of its terms go along with them, NaN for new ones. Throws std::invalid_argument, and
// changes nothing, if an atom to add is there, one to remove is not, or an argument or value is
// wrong; InputError, and changes the database alone, where ground() would throw it.
void update(const Program& program,
            Database& database,
            Model& model,
            std::span<const RowChange> changes,
            const GroundOptions& options = {},
            std::vector<double>* numbers = nullptr);

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
