// What an update means for the rows of a database.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sorites/database.h"
#include "sorites/session.h"

namespace sorites {

[[noreturn]] void refuse_update(const std::string& why);  // by a std::invalid_argument

// The update with constants as dictionaries write them ('007' is '7' as an integer). Throws
// std::invalid_argument if a predicate is not there, arguments do not fit, or an atom stands twice
// among observations or among targets.
SessionUpdate canonical(const SessionUpdate& update, const Program& program);

// Changes as canonical() makes them, one after the other. Each throws std::invalid_argument if it
// does not fit the data, which must be there until the last one is added.
class RowChanges {
 public:
  RowChanges(const Program& program, const Database& database)
      : program_(program), database_(database) {}

  void add(const SessionUpdate& update);
  // With a value, a target becomes an observed atom, and the other way round.
  void observe(const AtomChange& change);
  void target(const AtomChange& change);
  // Where the atom of a change stands before all changes: observed, a target, or nowhere.
  std::optional<Partition> partition_of(const AtomChange& change) const;

  const std::vector<RowChange>& changes() const { return changes_; }
  bool of_targets() const { return of_targets_; }
  // Whether a database has them: a row to add is there, or one to remove is not.
  bool are_applied(const Database& database) const;
  // What takes the changes back.
  std::vector<RowChange> inverse() const;

 private:
  void remove(PredicateId p, const AtomChange& change, RowId row);
  void add(PredicateId p, const AtomChange& change, Partition partition, double value);

  const Program& program_;
  const Database& database_;
  using Atom = std::pair<PredicateId, std::vector<std::string>>;

  std::vector<RowChange> changes_, removed_;
  std::set<Atom> atoms_added_, atoms_removed_;  // by changes_
  bool of_targets_ = false;
};

}  // namespace sorites
