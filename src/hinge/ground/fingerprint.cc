#include "hinge/ground/fingerprint.h"

#include "base/stable_hash.h"

namespace sorites {
namespace {

void add_table(const Table& table, StableHash& hash) {
  hash.add(static_cast<std::uint64_t>(table.num_rows));
  for (const auto& column : table.columns) {
    for (const Code code : column) hash.add(static_cast<std::uint64_t>(code));
  }
  for (const double value : table.values) hash.add(value);
}

}  // namespace

std::uint64_t fingerprint(const Program& program, const Database& database) {
  StableHash hash;
  hash.add(to_text(program));
  for (const Rule& rule : program.rules) {
    hash.add(std::uint64_t{rule.id});
    for (const Variable& variable : rule.variables) {
      if (variable.over_domain) hash.add(variable.name);
    }
  }
  for (PredicateId p = 0; p < program.predicates.size(); ++p) {
    const Predicate& predicate = program.predicates[p];
    hash.add(predicate.name);
    hash.add(static_cast<std::uint64_t>(predicate.open ? 1 : 0) + (predicate.neural ? 2 : 0) +
             (predicate.open_world ? 4 : 0) + (predicate.has_classes ? 8 : 0));
    for (const ArgumentType type : predicate.types) hash.add(static_cast<std::uint64_t>(type));
    for (const DomainId domain : predicate.domains) hash.add(std::uint64_t{domain});
    add_table(database.relation(p).table(Partition::kObserved), hash);
    add_table(database.relation(p).table(Partition::kTarget), hash);
  }
  // Codes number constants by first appearance, so the same codes with other constants are other
  // data.
  for (DomainId domain = 0; domain < database.num_domains(); ++domain) {
    const Dictionary& dictionary = database.dictionary(domain);
    for (Code code = 0; code < dictionary.size(); ++code) {
      switch (dictionary.type()) {
        case ConstantType::kText:
          hash.add(dictionary.bytes_of(code));
          break;
        case ConstantType::kInteger:
          hash.add(static_cast<std::uint64_t>(dictionary.integer(code)));
          break;
        case ConstantType::kReal:
          hash.add(dictionary.real(code));
          break;
      }
    }
  }
  return hash.value();
}

}  // namespace sorites
