#include "hinge/presolve/output_terms.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "hinge/presolve/presolve.h"
#include "hinge/problem/certificate.h"

namespace sorites {
namespace {

// As reduce_term.
double reduced_offset(const Model& model,
                      TermId id,
                      const AtomMap& atoms,
                      std::span<const double> outputs) {
  const TermBlock& block = model.blocks[id.block];
  double offset = offset_of(block, id.term, outputs);
  if (atoms.num_fixed == 0) return offset;
  const auto of_term = block.atoms_of(id.term);
  for (std::size_t k = 0; k < of_term.size(); ++k) {
    if (atoms.variable[of_term[k]] != kFixedAtom) continue;
    offset += block.coefficients[k] * atoms.fixed_value[of_term[k]];
  }
  return offset;
}

}  // namespace

OutputTerms output_terms_of(const Model& model,
                            const AtomMap& atoms,
                            const Fold& fold,
                            std::span<const std::uint32_t> row_of_term) {
  std::map<std::tuple<std::uint32_t, TermKind, double>, std::uint32_t> piece_of;
  for (std::uint32_t p = 0; p < fold.pieces.size(); ++p) {
    const FoldPiece& piece = fold.pieces[p];
    if (piece.has_outputs) piece_of[{piece.rule, piece.kind, piece.coefficient}] = p;
  }
  OutputTerms terms;
  ReducedTerm reduced;
  const std::uint32_t* row = row_of_term.data();
  for (std::uint32_t b = 0; b < model.blocks.size(); ++b) {
    const TermBlock& block = model.blocks[b];
    for (std::uint32_t t = 0; t < block.num_terms; ++t, ++row) {
      if (block.output_coefficients.empty()) continue;
      if (*row < kFoldedTerm) {
        terms.rows.push_back({{b, t}, *row});
      } else if (*row == kFoldedTerm) {
        reduce_term(block, t, 0.0, atoms, reduced);
        const double a = reduced.coefficients[0];
        terms.events.push_back(
            {{b, t}, reduced.variables[0], piece_of.at({block.rule, block.kind, a}), a});
      }
    }
  }
  std::stable_sort(terms.events.begin(), terms.events.end(), [](const auto& a, const auto& b) {
    return a.variable < b.variable;
  });
  return terms;
}

void set_output_rows(const OutputTerms& terms,
                     const Model& model,
                     const AtomMap& atoms,
                     std::span<const double> outputs,
                     std::span<double> offsets) {
  for (const OutputTerms::Row& row : terms.rows) {
    offsets[row.row] = reduced_offset(model, row.term, atoms, outputs);
  }
}

void move_output_events(const OutputTerms& terms,
                        const Model& model,
                        const AtomMap& atoms,
                        std::span<const double> outputs,
                        ThreadPool& pool,
                        Fold& fold) {
  const auto at = [&](std::size_t e) {
    return fold.events.begin() + static_cast<std::ptrdiff_t>(e);
  };
  const auto move_events = [&](std::span<const OutputTerms::Event> events) {
    for (auto event = events.begin(); event != events.end();) {
      const std::uint32_t i = event->variable;
      const auto begin = at(fold.begin[i]), end = at(fold.begin[i + 1]);
      auto next = std::partition(
          begin, end, [&](const FoldEvent& old) { return !fold.pieces[old.piece].has_outputs; });
      for (; event != events.end() && event->variable == i; ++event) {
        *next++ = {-reduced_offset(model, event->term, atoms, outputs) / event->coefficient,
                   event->piece};
      }
      std::sort(begin, end, stands_before);
    }
  };
  // Where part p begins: at an event whose variable is none of the part before.
  const std::size_t parts = pool.num_threads(), count = terms.events.size();
  const auto begin_of = [&](std::size_t p) {
    std::size_t e = p == parts ? count : part_of(count, parts, p).begin;
    while (e > 0 && e < count && terms.events[e].variable == terms.events[e - 1].variable) ++e;
    return e;
  };
  pool.for_each(parts, [&](std::size_t p) {
    const std::size_t first = begin_of(p);
    move_events(std::span(terms.events).subspan(first, begin_of(p + 1) - first));
  });
}

}  // namespace sorites
