#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "lang/mln/atom_index.h"
#include "lang/mln/atoms.h"

namespace sorites::markov {
namespace {

// A row of what was read, by the number of its atom.
struct Numbered {
  std::uint64_t atom;
  std::uint32_t row;
};

std::vector<Numbered> sorted_rows(const MarkovModel& model,
                                  std::uint32_t predicate,
                                  const MarkovAtoms& atoms) {
  std::vector<Numbered> rows;
  rows.reserve(atoms.size());
  for (std::uint32_t row = 0; row < atoms.size(); ++row) {
    rows.push_back(
        {atom_number(model, predicate, constants_of(model, predicate, atoms, row)), row});
  }
  std::sort(rows.begin(), rows.end(), [](const Numbered& a, const Numbered& b) {
    return std::pair(a.atom, a.row) < std::pair(b.atom, b.row);
  });
  return rows;
}

class Settler {
 public:
  Settler(const AtomData& data, MarkovModel& model, Diagnostics& sink)
      : data_(data), model_(model), sink_(sink) {}

  void settle(std::uint32_t predicate) {
    const AtomRows& facts = data_.facts[predicate];
    const AtomRows& queries = data_.queries[predicate];
    const std::vector<Numbered> fact_rows = sorted_rows(model_, predicate, facts.atoms);
    const std::vector<Numbered> query_rows = sorted_rows(model_, predicate, queries.atoms);
    std::vector<std::uint32_t> kept_facts = without_repetitions(predicate, facts, fact_rows);
    std::vector<std::uint32_t> kept_queries = without_repetitions(predicate, queries, query_rows);
    drop_known(predicate, fact_rows, kept_queries);
    copy(predicate, facts.atoms, std::move(kept_facts), model_.facts[predicate]);
    copy(predicate, queries.atoms, std::move(kept_queries), model_.queries[predicate]);
  }

 private:
  std::uint64_t number(std::uint32_t predicate, const MarkovAtoms& atoms, std::uint32_t row) const {
    return atom_number(model_, predicate, constants_of(model_, predicate, atoms, row));
  }
  Span locate(const AtomPlace& place) const {
    if (data_.locate_row) return data_.locate_row(place);
    return data_.sources[place.source]->locate(place.range);
  }
  void add_excerpt(Diagnostic& diagnostic, const AtomPlace& place) const {
    if (data_.locate_row) return;
    diagnostic.excerpt = data_.sources[place.source]->excerpt(place.range);
  }

  // The first row of every atom, or the first that says something: `?p(A)` beside `p(A)` adds
  // nothing.
  std::vector<std::uint32_t> without_repetitions(std::uint32_t predicate,
                                                 const AtomRows& rows,
                                                 const std::vector<Numbered>& sorted) {
    std::vector<std::uint32_t> kept;
    kept.reserve(sorted.size());
    for (std::size_t i = 0; i < sorted.size();) {
      std::uint32_t best = sorted[i].row;
      std::size_t j = i + 1;
      for (; j < sorted.size() && sorted[j].atom == sorted[i].atom; ++j) {
        const std::uint32_t value = rows.atoms.values[sorted[j].row];
        const std::uint32_t known = rows.atoms.values[best];
        if (known == kUnknownValue) {
          best = sorted[j].row;
        } else if (value != kUnknownValue && value != known) {
          report_contradiction(predicate, rows, best, sorted[j].row);
        }
      }
      kept.push_back(best);
      i = j;
    }
    return kept;
  }

  std::string value_text(std::uint32_t predicate, std::uint32_t value) const {
    const MarkovPredicate& declared = model_.predicates[predicate];
    if (declared.classes.empty()) return value == 1 ? "true" : "false";
    return fmt::format("`{}`", declared.classes[value]);
  }

  void report_contradiction(std::uint32_t predicate,
                            const AtomRows& rows,
                            std::uint32_t first,
                            std::uint32_t second) {
    const AtomPlace& place = rows.places[second];
    Diagnostic& added =
        sink_.error(DiagnosticCode::kContradictingFacts,
                    locate(place),
                    fmt::format("`{}` is {} here, but {} before",
                                atom_text(model_, predicate, number(predicate, rows.atoms, second)),
                                value_text(predicate, rows.atoms.values[second]),
                                value_text(predicate, rows.atoms.values[first])));
    add_excerpt(added, place);
    added.notes.push_back({"before", locate(rows.places[first])});
  }

  // A fact wins over a query of the same atom; of a closed predicate everything is a fact.
  void drop_known(std::uint32_t predicate,
                  const std::vector<Numbered>& facts,
                  std::vector<std::uint32_t>& queries) {
    const AtomRows& rows = data_.queries[predicate];
    const bool closed = model_.predicates[predicate].closed;
    std::size_t num_dropped = 0;
    std::uint32_t first_dropped = 0;
    Span fact;
    const auto is_known = [&](std::uint32_t row) {
      const std::uint64_t atom = number(predicate, rows.atoms, row);
      const auto found = std::lower_bound(
          facts.begin(), facts.end(), atom, [](const Numbered& a, std::uint64_t b) {
            return a.atom < b;
          });
      const bool is_fact = found != facts.end() && found->atom == atom;
      if (!is_fact && !closed) return false;
      if (num_dropped++ == 0 || row < first_dropped) {
        first_dropped = row;
        fact = is_fact ? locate(data_.facts[predicate].places[found->row]) : Span{};
      }
      return true;
    };
    queries.erase(std::remove_if(queries.begin(), queries.end(), is_known), queries.end());
    if (num_dropped > 0) warn_known(predicate, first_dropped, num_dropped, fact);
  }

  void warn_known(std::uint32_t predicate, std::uint32_t row, std::size_t count, const Span& fact) {
    const AtomRows& rows = data_.queries[predicate];
    const AtomPlace& place = rows.places[row];
    Diagnostic& added =
        sink_.warning(DiagnosticCode::kObservedAndTarget,
                      locate(place),
                      fmt::format("`{}` is asked for, but {}; it is no query",
                                  atom_text(model_, predicate, number(predicate, rows.atoms, row)),
                                  fact.file.empty() ? "its predicate is closed" : "it is a fact"));
    add_excerpt(added, place);
    if (!fact.file.empty()) added.notes.push_back({"the fact", fact});
    if (count > 1) {
      added.notes.push_back(
          {fmt::format("{} queries of this predicate are known already", count), {}});
    }
  }

  // In the order of the files.
  void copy(std::uint32_t predicate,
            const MarkovAtoms& from,
            std::vector<std::uint32_t> rows,
            MarkovAtoms& to) const {
    std::sort(rows.begin(), rows.end());
    for (const std::uint32_t row : rows) {
      const auto constants = constants_of(model_, predicate, from, row);
      to.constants.insert(to.constants.end(), constants.begin(), constants.end());
      to.values.push_back(from.values[row]);
    }
  }

  const AtomData& data_;
  MarkovModel& model_;
  Diagnostics& sink_;
};

}  // namespace

void settle_atoms(const AtomData& data, MarkovModel& model, Diagnostics& sink) {
  Settler settler(data, model, sink);
  for (std::uint32_t p = 0; p < data.facts.size(); ++p) settler.settle(p);
}

}  // namespace sorites::markov
