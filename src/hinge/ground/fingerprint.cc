#include "hinge/ground/fingerprint.h"

#include <cstring>

namespace sorites {
namespace {

// A multiplicative hash of 64-bit words: it tells changes apart, it is no defence against an
// adversary.
class Hash {
 public:
  void add(std::uint64_t word) { value_ = (value_ ^ word) * 0x9E3779B97F4A7C15U + (value_ >> 32U); }
  void add(double number) {
    std::uint64_t word = 0;
    std::memcpy(&word, &number, sizeof word);
    add(word);
  }
  void add(std::string_view text) {
    add(static_cast<std::uint64_t>(text.size()));
    for (const char c : text) add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xCBF29CE484222325U;
};

void add_table(const Table& table, Hash& hash) {
  hash.add(static_cast<std::uint64_t>(table.num_rows));
  for (const auto& column : table.columns) {
    for (const Code code : column) hash.add(static_cast<std::uint64_t>(code));
  }
  for (const double value : table.values) hash.add(value);
}

}  // namespace

std::uint64_t fingerprint(const Program& program, const Database& database) {
  Hash hash;
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
