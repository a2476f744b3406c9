// The terms of a presolved model whose offsets hold network outputs: where new outputs go.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "hinge/presolve/fold.h"
#include "hinge/presolve/reduce_atoms.h"
#include "sorites/model.h"
#include "sorites/solve.h"

namespace sorites {

struct OutputTerms {
  struct Row {
    TermId term;
    std::uint32_t row = 0;
  };
  struct Event {
    TermId term;
    std::uint32_t variable = 0, piece = 0;
    double coefficient = 0.0;
  };
  std::vector<Row> rows;
  std::vector<Event> events;  // folded terms, by variable
};

// `row_of_term` as in Presolved.
OutputTerms output_terms_of(const Model& model,
                            const AtomMap& atoms,
                            const Fold& fold,
                            std::span<const std::uint32_t> row_of_term);

void set_output_rows(const OutputTerms& terms,
                     const Model& model,
                     const AtomMap& atoms,
                     std::span<const double> outputs,
                     std::span<double> offsets);

// Takes the breakpoints out and puts them in again where they are now. Events stay sorted.
void move_output_events(const OutputTerms& terms,
                        const Model& model,
                        const AtomMap& atoms,
                        std::span<const double> outputs,
                        ThreadPool& pool,
                        Fold& fold);

}  // namespace sorites
