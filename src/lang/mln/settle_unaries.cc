#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lang/mln/atom_index.h"
#include "lang/mln/atoms.h"

namespace sorites::markov {
namespace {

// Potentials stand one beside the other, so all atoms of the predicate need room.
constexpr std::uint64_t kMostNumbers = std::uint64_t{1} << 32U;

std::uint64_t num_numbers(const MarkovModel& model, std::uint32_t predicate) {
  const MarkovPredicate& declared = model.predicates[predicate];
  std::uint64_t count = std::max<std::uint64_t>(declared.classes.size(), 1);
  for (const std::uint32_t type : declared.arguments) count *= model.types[type].constants.size();
  return count;
}

Diagnostic& report(const AtomData& data,
                   DiagnosticCode code,
                   const AtomPlace& place,
                   std::string message,
                   Diagnostics& sink) {
  return sink.error(code, *data.sources[place.source], place.range, std::move(message));
}

std::string row_text(const MarkovModel& model,
                     std::uint32_t predicate,
                     const MarkovAtoms& atoms,
                     std::size_t row) {
  const MarkovPredicate& declared = model.predicates[predicate];
  std::string text = atom_text(
      model, predicate, atom_number(model, predicate, constants_of(model, predicate, atoms, row)));
  if (!declared.classes.empty()) text += " = " + declared.classes[atoms.values[row]];
  return text;
}

void report_twice(const AtomData& data,
                  const MarkovModel& model,
                  std::uint32_t predicate,
                  std::size_t first,
                  std::size_t second,
                  Diagnostics& sink) {
  const AtomRows& rows = data.unaries[predicate];
  const AtomPlace& before = rows.places[first];
  report(data,
         DiagnosticCode::kDuplicateAtom,
         rows.places[second],
         fmt::format("`{}` has a unary potential already",
                     row_text(model, predicate, rows.atoms, second)),
         sink)
      .notes.push_back({"before", data.sources[before.source]->locate(before.range)});
}

void settle(const AtomData& data, std::uint32_t predicate, MarkovModel& model, Diagnostics& sink) {
  const AtomRows& rows = data.unaries[predicate];
  const MarkovPredicate& declared = model.predicates[predicate];
  const std::uint64_t count = num_numbers(model, predicate);
  if (declared.closed || count > kMostNumbers) {
    report(
        data,
        declared.closed ? DiagnosticCode::kBadValue : DiagnosticCode::kTooManyAtoms,
        rows.places[0],
        declared.closed
            ? fmt::format("`{}` is closed: all its atoms are known", declared.name)
            : fmt::format("`{}` has {} atoms, too many for unary potentials", declared.name, count),
        sink);
    return;
  }
  constexpr std::uint32_t kNoRow = 0xFFFFFFFF;
  std::vector<float>& numbers = model.unaries[predicate];
  numbers.assign(count, 0.0F);
  std::vector<std::uint32_t> row_of(count, kNoRow);
  for (std::uint32_t row = 0; row < rows.atoms.size(); ++row) {
    std::uint64_t place =
        atom_number(model, predicate, constants_of(model, predicate, rows.atoms, row));
    if (!declared.classes.empty()) place = place * declared.classes.size() + rows.atoms.values[row];
    if (row_of[place] != kNoRow) {
      return report_twice(data, model, predicate, row_of[place], row, sink);
    }
    row_of[place] = row;
    numbers[place] = rows.numbers[row];
  }
}

}  // namespace

void settle_unaries(const AtomData& data, MarkovModel& model, Diagnostics& sink) {
  model.unaries.resize(model.predicates.size());
  for (std::uint32_t p = 0; p < data.unaries.size(); ++p) {
    if (data.unaries[p].atoms.size() > 0) settle(data, p, model, sink);
  }
}

}  // namespace sorites::markov
