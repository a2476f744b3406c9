#include "data/open_world.h"

#include <vector>

#include "data/access.h"
#include "data/index.h"
#include "data/origin.h"

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

}  // namespace

double num_atoms(const Database& database, PredicateId predicate) {
  double count = 1.0;
  for (const Code size : domain_sizes(database, predicate)) count *= size;
  return count;
}

std::uint64_t add_unknown_atoms(Database& database, PredicateId predicate) {
  if (num_atoms(database, predicate) == 0.0) return 0;
  Relation& relation = DataAccess::relation(database, predicate);
  const std::vector<Code> sizes = domain_sizes(database, predicate);
  std::vector<Code> codes(sizes.size(), 0);
  const auto first = static_cast<std::uint32_t>(relation.table(Partition::kTarget).num_rows);
  std::uint64_t added = 0;
  do {
    if (relation.find(codes)) continue;
    append_row(relation, Partition::kTarget, codes, 1.0);
    ++added;
  } while (advance(codes, sizes));
  if (added > 0) add_origin(DataAccess::origins(relation, Partition::kTarget), {first, kNoFile, 0});
  return added;
}

}  // namespace sorites
