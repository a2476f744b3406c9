// The data of a program: for every predicate a relation of dictionary-encoded columns.
//
//   Database database(program.predicates);
//   database.add(Partition::kObserved, "Likes", {"ann", "tea"}, 0.8);
//   database.add(Partition::kTarget, "Knows", {"ann", "bob"});
//
// Reading and const calls are safe from several threads at once, everything else is not.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sorites/diagnostic.h"
#include "sorites/program.h"

namespace sorites {

struct DataAccess;  // how the loader reaches the private parts of the classes below

enum class Partition : std::uint8_t { kObserved, kTarget, kTruth };
inline constexpr std::size_t kNumPartitions = 3;  // how many there are above
std::string_view name_of(Partition partition);    // "observations", "targets", "truth"

// A constant: its number in the dictionary of its domain, dense from 0 in order of first
// appearance.
using Code = std::uint32_t;
inline constexpr Code kNoCode = ~Code{0};  // of something that is no constant of a row

// Numbers (codes, rows) whose keys are stored elsewhere, found by the hash of the key: open
// addressing, four bytes per slot. The operations are internal.
struct HashSlots {
  std::vector<std::uint32_t> slots;
  std::uint32_t id_mask = 0;  // the low bits of a slot are the number, the others are of the hash
};

// The constants of one domain. Integers are 64-bit, reals are doubles, texts are bytes of UTF-8.
class Dictionary {
 public:
  explicit Dictionary(ConstantType type) : type_(type) {}

  ConstantType type() const { return type_; }
  std::size_t size() const;
  // Throws std::invalid_argument if the text is no constant of the domain ('x' as an integer).
  Code intern(std::string_view text);
  std::optional<Code> find(std::string_view text) const;
  std::string text(Code code) const;           // canonical: "7" for '007'
  std::int64_t integer(Code code) const;       // of the domain of integers
  double real(Code code) const;                // of the domain of reals
  std::string_view bytes_of(Code code) const;  // of texts; holds until the next intern
  bool less(Code left, Code right) const;      // the order of the domain: by number, or by bytes
  std::size_t memory_bytes() const;

 private:
  friend struct DataAccess;

  ConstantType type_;
  std::vector<std::uint64_t> numbers_;   // of integers and reals, per code: the bits of the number
  std::vector<char> bytes_;              // of texts: all of them, one after the other
  std::vector<std::uint64_t> text_end_;  // of texts, per code: where in bytes_ it ends
  HashSlots slots_;
};

// Rows of one partition of one predicate, in the order they were added.
struct Table {
  std::vector<std::vector<Code>> columns;  // per argument, per row
  std::vector<double> values;              // per row; empty while all are 1
  std::size_t num_rows = 0;

  double value(std::size_t row) const { return values.empty() ? 1.0 : values[row]; }
};

// A row of a table of a relation.
struct RowId {
  Partition partition = Partition::kObserved;
  std::uint32_t row = 0;

  bool operator==(const RowId&) const = default;
};

// The atoms of one predicate. No atom stands twice in observed and target together, nor in truth.
class Relation {
 public:
  explicit Relation(std::size_t arity);

  std::size_t arity() const { return tables_[0].columns.size(); }
  const Table& table(Partition partition) const {
    return tables_[static_cast<std::size_t>(partition)];
  }
  // The row of an atom among the observed and target rows.
  std::optional<RowId> find(std::span<const Code> arguments) const;
  // The row of an atom in the truth table.
  std::optional<std::uint32_t> find_truth(std::span<const Code> arguments) const;
  std::size_t memory_bytes() const;

 private:
  friend struct DataAccess;

  // Rows from first_row on stand on consecutive lines from first_line on, until the next segment.
  struct OriginSegment {
    std::uint32_t first_row = 0;
    std::uint32_t file = 0;
    std::uint32_t first_line = 0;
  };

  std::array<Table, kNumPartitions> tables_;
  std::array<std::vector<OriginSegment>, kNumPartitions> origins_;
  HashSlots atoms_;  // of observed and target rows
  HashSlots truth_;
};

class Database {
 public:
  // The listed constants of the domains are in their dictionaries from the start, in their order.
  explicit Database(std::vector<Predicate> predicates, std::span<const Domain> domains = {});

  // Adds one atom. Throws std::invalid_argument, and adds nothing, if the predicate is unknown, the
  // number of arguments or the type of one is wrong, the value is outside [0, 1], or the atom is
  // there already (observed and target atoms are disjoint).
  void add(Partition partition,
           std::string_view predicate,
           std::span<const std::string_view> arguments,
           double value = 1.0);
  void add(Partition partition,
           std::string_view predicate,
           std::initializer_list<std::string_view> arguments,
           double value = 1.0);

  // Adds the unary potential of one atom: its log-odds, any finite number, from what is outside the
  // rules. Whether the atom is observed, a target or none of both does not matter here. Throws
  // std::invalid_argument, and adds nothing, as add() does; an atom has one potential at most.
  void add_potential(std::string_view predicate,
                     std::span<const std::string_view> arguments,
                     double log_odds);
  void add_potential(std::string_view predicate,
                     std::initializer_list<std::string_view> arguments,
                     double log_odds);

  const std::vector<Predicate>& predicates() const { return predicates_; }
  const Relation& relation(PredicateId predicate) const { return relations_[predicate]; }
  // The unary potentials of a predicate: a row per atom that has one, with its log-odds as value.
  const Table& potentials(PredicateId predicate) const {
    return potentials_[predicate].table(Partition::kObserved);
  }
  std::size_t num_domains() const { return dictionaries_.size(); }
  const Dictionary& dictionary(DomainId domain) const { return dictionaries_[domain]; }
  // The file and line a row was read from; empty for rows added by add().
  Span origin(PredicateId predicate, RowId row) const;
  // The same of a row of potentials().
  Span potential_origin(PredicateId predicate, std::uint32_t row) const;
  // The arguments of a row as text.
  std::vector<std::string> arguments(PredicateId predicate, RowId row) const;
  // What the data occupies, spare capacity included.
  std::size_t memory_bytes() const;

 private:
  friend struct DataAccess;

  // What is declared of a domain.
  struct DomainList {
    std::string name;
    std::size_t num_listed = 0;  // constants, which are the first ones of the dictionary
    bool closed = false;         // there are no others
  };

  std::vector<Predicate> predicates_;
  std::vector<Relation> relations_;       // per predicate
  std::vector<Relation> potentials_;      // per predicate: rows of kObserved
  std::vector<Dictionary> dictionaries_;  // per domain
  std::vector<DomainList> domain_lists_;  // per domain
  std::vector<std::string> files_;        // that origins name
};

// A row to add, or, without a value, to remove.
struct RowChange {
  PredicateId predicate = 0;
  std::vector<std::string> arguments;
  std::optional<double> value;
  Partition partition = Partition::kObserved;  // kObserved or kTarget
};

// Rows that somebody else holds in memory. These are views: what they look at must stay as it is.
// The constants of one argument, a row each: numbers as they are, or texts, each of which stands
// once and is named by its place.
struct RowColumn {
  std::span<const std::int64_t> numbers;  // per row; empty: texts
  std::span<const std::uint32_t> codes;   // per row: which of the texts
  std::vector<std::string_view> texts;
};

struct RowTable {
  std::string name;  // for messages, as a file's
  std::size_t num_rows = 0;
  std::vector<RowColumn> columns;  // per argument
  std::span<const double> values;  // per row; empty: all 1
};

// Knows('ann', 'bob'): an atom that stands in the data, as the rule language writes it.
std::string atom_text(const Database& database, PredicateId predicate, RowId row);

}  // namespace sorites
