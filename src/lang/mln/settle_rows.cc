#include "lang/mln/settle_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "data/insert.h"
#include "lang/mln/data_printer.h"

namespace sorites::markov {
namespace {

// The atoms of one predicate, with their arguments without the class.
class RowList {
 public:
  RowList(const AtomRows& rows, std::size_t num_arguments)
      : rows_(rows), num_arguments_(num_arguments) {}

  std::uint32_t size() const { return static_cast<std::uint32_t>(rows_.size()); }
  std::span<const Code> arguments(std::uint32_t row) const {
    return std::span(rows_.constants).subspan(row * num_arguments_, num_arguments_);
  }
  std::uint32_t value(std::uint32_t row) const { return rows_.values[row]; }
  double number(std::uint32_t row) const { return rows_.numbers[row]; }
  const AtomPlace& place(std::uint32_t row) const { return rows_.places[row]; }

  // All rows, by their arguments and then by their order in the files.
  std::vector<std::uint32_t> sorted() const {
    std::vector<std::uint32_t> order(size());
    for (std::uint32_t row = 0; row < size(); ++row) order[row] = row;
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      const int compared = compare(arguments(a), arguments(b));
      return compared != 0 ? compared < 0 : a < b;
    });
    return order;
  }

  static int compare(std::span<const Code> a, std::span<const Code> b) {
    for (std::size_t k = 0; k < a.size(); ++k) {
      if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
    }
    return 0;
  }

 private:
  const AtomRows& rows_;
  std::size_t num_arguments_;
};

class RowSettler {
 public:
  RowSettler(const AtomData& data, Database& database, Diagnostics& sink)
      : data_(data), database_(database), sink_(sink) {}

  void settle(PredicateId predicate) {
    const RowList facts = list(data_.facts[predicate], predicate);
    const RowList queries = list(data_.queries[predicate], predicate);
    const std::vector<std::uint32_t> fact_order = facts.sorted();
    std::vector<std::uint32_t> kept_facts = without_repetitions(predicate, facts, fact_order);
    std::vector<std::uint32_t> kept = without_repetitions(predicate, queries, queries.sorted());
    drop_known(predicate, facts, fact_order, queries, kept);
    std::sort(kept_facts.begin(), kept_facts.end());  // in the order of the files
    std::sort(kept.begin(), kept.end());
    for (const std::uint32_t row : kept_facts) add_fact(predicate, facts, row);
    for (const std::uint32_t row : kept) add_query(predicate, queries, row);
  }

  void settle_potentials(PredicateId predicate) {
    const RowList rows = list(data_.unaries[predicate], predicate);
    const Predicate& declared = database_.predicates()[predicate];
    if (rows.size() > 0 && !declared.open) {
      error(DiagnosticCode::kBadValue,
            rows.place(0),
            fmt::format("`{}` is closed: all its atoms are known", declared.name));
      return;
    }
    std::vector<std::uint32_t> order = rows.sorted();
    if (declared.has_classes) {  // the class is one more argument
      std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const int compared = RowList::compare(rows.arguments(a), rows.arguments(b));
        return compared != 0 ? compared < 0 : rows.value(a) < rows.value(b);
      });
    }
    std::uint32_t second = kNoRow, first = kNoRow;
    for (std::size_t i = 1; i < order.size(); ++i) {
      const std::uint32_t a = order[i - 1], b = order[i];
      const bool same = RowList::compare(rows.arguments(a), rows.arguments(b)) == 0 &&
                        (!declared.has_classes || rows.value(a) == rows.value(b));
      if (!same || b >= second) continue;
      first = a;
      second = b;
    }
    if (second != kNoRow) {
      error(DiagnosticCode::kDuplicateAtom,
            rows.place(second),
            fmt::format("`{}` has a unary potential already", text(predicate, rows, second, true)))
          .notes.push_back({"before", locate(rows.place(first))});
      return;
    }
    for (std::uint32_t row = 0; row < rows.size(); ++row) {
      std::vector<Code> codes(rows.arguments(row).begin(), rows.arguments(row).end());
      if (declared.has_classes) codes.push_back(rows.value(row));
      insert_potential_codes(
          database_, predicate, codes, rows.number(row), locate(rows.place(row)));
    }
  }

 private:
  static constexpr std::uint32_t kNoRow = 0xFFFFFFFF;

  RowList list(const AtomRows& rows, PredicateId predicate) const {
    const Predicate& declared = database_.predicates()[predicate];
    return {rows, declared.arity() - (declared.has_classes ? 1 : 0)};
  }
  Span locate(const AtomPlace& place) const {
    return data_.sources[place.source]->locate(place.range);
  }
  Diagnostic& error(DiagnosticCode code, const AtomPlace& place, std::string message) {
    return sink_.error(code, *data_.sources[place.source], place.range, std::move(message));
  }

  std::string text(PredicateId predicate, const RowList& rows, std::uint32_t row, bool with_class) {
    std::vector<Code> codes(rows.arguments(row).begin(), rows.arguments(row).end());
    if (with_class && database_.predicates()[predicate].has_classes) {
      codes.push_back(rows.value(row));
    }
    return atom_text(database_, predicate, codes);
  }

  // The first row of every atom, or the first that says something: `?p(A)` beside `p(A)` adds
  // nothing.
  std::vector<std::uint32_t> without_repetitions(PredicateId predicate,
                                                 const RowList& rows,
                                                 const std::vector<std::uint32_t>& order) {
    std::vector<std::uint32_t> kept;
    kept.reserve(order.size());
    for (std::size_t i = 0; i < order.size();) {
      std::uint32_t best = order[i];
      std::size_t j = i + 1;
      for (; j < order.size() &&
             RowList::compare(rows.arguments(order[j]), rows.arguments(order[i])) == 0;
           ++j) {
        const std::uint32_t value = rows.value(order[j]), known = rows.value(best);
        if (known == kUnknownValue) {
          best = order[j];
        } else if (value != kUnknownValue && value != known) {
          report_contradiction(predicate, rows, best, order[j]);
        }
      }
      kept.push_back(best);
      i = j;
    }
    return kept;
  }

  std::string value_text(PredicateId predicate, std::uint32_t value) const {
    const Predicate& declared = database_.predicates()[predicate];
    if (!declared.has_classes) return value == 1 ? "true" : "false";
    return fmt::format("`{}`",
                       database_.dictionary(declared.domain(declared.arity() - 1)).text(value));
  }

  void report_contradiction(PredicateId predicate,
                            const RowList& rows,
                            std::uint32_t first,
                            std::uint32_t second) {
    error(DiagnosticCode::kContradictingFacts,
          rows.place(second),
          fmt::format("`{}` is {} here, but {} before",
                      text(predicate, rows, second, false),
                      value_text(predicate, rows.value(second)),
                      value_text(predicate, rows.value(first))))
        .notes.push_back({"before", locate(rows.place(first))});
  }

  // A fact wins over a query of the same atom; of a closed predicate everything is a fact.
  void drop_known(PredicateId predicate,
                  const RowList& facts,
                  const std::vector<std::uint32_t>& fact_order,
                  const RowList& queries,
                  std::vector<std::uint32_t>& kept) {
    const bool closed = !database_.predicates()[predicate].open;
    std::size_t num_dropped = 0;
    std::uint32_t first_dropped = 0;
    Span fact;
    const auto is_known = [&](std::uint32_t row) {
      const auto found = std::lower_bound(
          fact_order.begin(), fact_order.end(), row, [&](std::uint32_t a, std::uint32_t b) {
            return RowList::compare(facts.arguments(a), queries.arguments(b)) < 0;
          });
      const bool is_fact = found != fact_order.end() &&
                           RowList::compare(facts.arguments(*found), queries.arguments(row)) == 0;
      if (!is_fact && !closed) return false;
      if (num_dropped++ == 0 || row < first_dropped) {
        first_dropped = row;
        fact = is_fact ? locate(facts.place(*found)) : Span{};
      }
      return true;
    };
    kept.erase(std::remove_if(kept.begin(), kept.end(), is_known), kept.end());
    if (num_dropped == 0) return;
    const AtomPlace& place = queries.place(first_dropped);
    Diagnostic& added =
        sink_.warning(DiagnosticCode::kObservedAndTarget,
                      *data_.sources[place.source],
                      place.range,
                      fmt::format("`{}` is asked for, but {}; it is no query",
                                  text(predicate, queries, first_dropped, false),
                                  fact.file.empty() ? "its predicate is closed" : "it is a fact"));
    if (!fact.file.empty()) added.notes.push_back({"the fact", fact});
    if (num_dropped > 1) {
      added.notes.push_back(
          {fmt::format("{} queries of this predicate are known already", num_dropped), {}});
    }
  }

  void add_fact(PredicateId predicate, const RowList& rows, std::uint32_t row) {
    const bool has_classes = database_.predicates()[predicate].has_classes;
    std::vector<Code> codes(rows.arguments(row).begin(), rows.arguments(row).end());
    if (has_classes) codes.push_back(rows.value(row));
    const double value = has_classes || rows.value(row) == 1 ? 1.0 : 0.0;
    insert_codes(database_, predicate, Partition::kObserved, codes, value, locate(rows.place(row)));
  }

  void add_query(PredicateId predicate, const RowList& rows, std::uint32_t row) {
    const Predicate& declared = database_.predicates()[predicate];
    const Span at = locate(rows.place(row));
    const std::uint32_t value = rows.value(row);
    std::vector<Code> codes(rows.arguments(row).begin(), rows.arguments(row).end());
    if (!declared.has_classes) {
      insert_codes(database_, predicate, Partition::kTarget, codes, 1.0, at);
      if (value == kUnknownValue) return;
      insert_codes(database_, predicate, Partition::kTruth, codes, value == 1 ? 1.0 : 0.0, at);
      return;
    }
    codes.push_back(0);
    const std::size_t num_classes =
        database_.dictionary(declared.domain(declared.arity() - 1)).size();
    for (codes.back() = 0; codes.back() < num_classes; ++codes.back()) {
      insert_codes(database_, predicate, Partition::kTarget, codes, 1.0, at);
    }
    if (value == kUnknownValue) return;
    codes.back() = value;
    insert_codes(database_, predicate, Partition::kTruth, codes, 1.0, at);
  }

  const AtomData& data_;
  Database& database_;
  Diagnostics& sink_;
};

}  // namespace

void settle_rows(const AtomData& data, Database& database, Diagnostics& sink) {
  RowSettler settler(data, database, sink);
  for (PredicateId p = 0; p < data.facts.size(); ++p) settler.settle(p);
}

void settle_potentials(const AtomData& data, Database& database, Diagnostics& sink) {
  RowSettler settler(data, database, sink);
  for (PredicateId p = 0; p < data.unaries.size(); ++p) settler.settle_potentials(p);
}

}  // namespace sorites::markov
