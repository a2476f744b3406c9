// The weights of rows as sums of weights of rules, so that new weights need no pass over all terms.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sorites/model.h"

namespace sorites {

// Rows of equal rules share a recipe. Recipe 0 is the empty sum; each other adds one rule to an
// earlier one, in the order in which the terms of the row stand in the model.
struct RowWeights {
  struct Recipe {
    std::uint32_t before = 0;
    std::uint32_t rule = 0;
  };
  std::vector<Recipe> recipes;
  std::vector<std::uint32_t> recipe_of_row;
};

// `row_of_term` holds numbers from num_rows on for terms that are in no row. Hard terms weigh
// nothing.
RowWeights row_weights_of(const Model& model,
                          std::span<const std::uint32_t> row_of_term,
                          std::size_t num_rows);

// Sets the weight of each row.
void set_row_weights(const RowWeights& rows,
                     std::span<const double> rule_weights,
                     std::span<double> weights);

}  // namespace sorites
