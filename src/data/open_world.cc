#include "data/open_world.h"

#include <set>
#include <utility>
#include <vector>

#include "base/between_looks.h"
#include "data/access.h"
#include "data/index.h"
#include "data/origin.h"
#include "sorites/diagnostic.h"

namespace sorites {
namespace {

std::vector<Code> domain_sizes(const Database& database, PredicateId predicate) {
  const Predicate& declared = database.predicates()[predicate];
  std::vector<Code> sizes;
  for (std::size_t k = 0; k < declared.arity(); ++k) {
    sizes.push_back(static_cast<Code>(database.dictionary(declared.domain(k)).size()));
  }
  return sizes;
}

// The next combination of codes, the last argument first; false after the last one.
bool advance(std::vector<Code>& codes, const std::vector<Code>& sizes) {
  for (std::size_t k = codes.size(); k-- > 0;) {
    if (++codes[k] < sizes[k]) return true;
    codes[k] = 0;
  }
  return false;
}

// Arguments, without the class, of observed atoms that have one; none without classes.
std::set<std::vector<Code>> classified_atoms(const Database& database, PredicateId predicate) {
  std::set<std::vector<Code>> found;
  if (!database.predicates()[predicate].has_classes) return found;
  const Table& observed = database.relation(predicate).table(Partition::kObserved);
  for (std::uint32_t row = 0; row < observed.num_rows; ++row) {
    if (observed.value(row) != 1.0) continue;
    std::vector<Code> codes;
    for (std::size_t k = 0; k + 1 < observed.columns.size(); ++k) {
      codes.push_back(observed.columns[k][row]);
    }
    found.insert(std::move(codes));
  }
  return found;
}

}  // namespace

double num_atoms(const Database& database, PredicateId predicate) {
  double count = 1.0;
  for (const Code size : domain_sizes(database, predicate)) count *= size;
  return count;
}

std::uint64_t add_unknown_atoms(Database& database,
                                PredicateId predicate,
                                const std::stop_token& stop) {
  if (num_atoms(database, predicate) == 0.0) return 0;
  Relation& relation = DataAccess::relation(database, predicate);
  const std::vector<Code> sizes = domain_sizes(database, predicate);
  std::vector<Code> codes(sizes.size(), 0);
  const std::set<std::vector<Code>> known = classified_atoms(database, predicate);
  const auto first = static_cast<std::uint32_t>(relation.table(Partition::kTarget).num_rows);
  std::uint64_t added = 0, looked_at = 0;
  do {
    if (++looked_at % kBetweenLooks == 0 && stop.stop_requested()) throw Interrupted();
    if (relation.find(codes)) continue;
    if (!known.empty() && known.contains({codes.begin(), codes.end() - 1})) continue;
    append_row(relation, Partition::kTarget, codes, 1.0);
    ++added;
  } while (advance(codes, sizes));
  if (added > 0) add_origin(DataAccess::origins(relation, Partition::kTarget), {first, kNoFile, 0});
  return added;
}

}  // namespace sorites
