#include "hinge/presolve/row_weights.h"

#include <unordered_map>

#include "hinge/problem/problem.h"

namespace sorites {
namespace {

class Recipes {
 public:
  explicit Recipes(std::vector<RowWeights::Recipe>& recipes) : recipes_(recipes) {
    recipes_.push_back({});
  }

  std::uint32_t with(std::uint32_t before, std::uint32_t rule) {
    const std::uint64_t key = std::uint64_t{before} << 32 | rule;
    if (key == last_key_) return last_;
    const auto [place, is_new] =
        known_.try_emplace(key, static_cast<std::uint32_t>(recipes_.size()));
    if (is_new) recipes_.push_back({before, rule});
    last_key_ = key;
    return last_ = place->second;
  }

 private:
  std::vector<RowWeights::Recipe>& recipes_;
  std::unordered_map<std::uint64_t, std::uint32_t> known_;
  std::uint64_t last_key_ = ~std::uint64_t{0};
  std::uint32_t last_ = 0;
};

}  // namespace

RowWeights row_weights_of(const Model& model,
                          std::span<const std::uint32_t> row_of_term,
                          std::size_t num_rows) {
  RowWeights rows;
  rows.recipe_of_row.assign(num_rows, 0);
  Recipes recipes(rows.recipes);
  const std::uint32_t* row = row_of_term.data();
  for (const TermBlock& block : model.blocks) {
    if (is_hard(block.kind)) {
      row += block.num_terms;
      continue;
    }
    for (std::size_t t = 0; t < block.num_terms; ++t, ++row) {
      if (*row >= num_rows) continue;
      rows.recipe_of_row[*row] = recipes.with(rows.recipe_of_row[*row], block.rule);
    }
  }
  return rows;
}

void set_row_weights(const RowWeights& rows,
                     std::span<const double> rule_weights,
                     std::span<double> weights) {
  std::vector<double> sums(rows.recipes.size(), 0.0);
  for (std::size_t r = 1; r < sums.size(); ++r) {
    sums[r] = sums[rows.recipes[r].before] + rule_weights[rows.recipes[r].rule];
  }
  for (std::size_t row = 0; row < weights.size(); ++row) {
    weights[row] = sums[rows.recipe_of_row[row]];
  }
}

}  // namespace sorites
