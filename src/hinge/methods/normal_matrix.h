// The matrix C + A'DA of interior point methods: pattern, ordering and factorisation.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "hinge/methods/ldl_factor.h"

namespace sorites {

// The rows of A, one after the other.
struct SparseRows {
  std::vector<std::size_t> begin{0};  // per row, and the end
  std::vector<std::uint32_t> variables;
  std::vector<double> coefficients;

  std::size_t num_rows() const { return begin.size() - 1; }
  void add(std::span<const std::uint32_t> row, std::span<const double> a) {
    variables.insert(variables.end(), row.begin(), row.end());
    coefficients.insert(coefficients.end(), a.begin(), a.end());
    begin.push_back(variables.size());
  }
};

class NormalMatrix {
 public:
  // Finds an ordering with little fill. Nothing if the factor would have more entries than
  // `most_factor_entries`, or after `give_up`. The rows must outlive the matrix.
  static std::optional<NormalMatrix> make(std::size_t num_variables,
                                          const SparseRows& rows,
                                          std::size_t most_factor_entries,
                                          const GiveUp& give_up);
  ~NormalMatrix();
  NormalMatrix(NormalMatrix&&) noexcept;
  NormalMatrix& operator=(NormalMatrix&&) noexcept;

  // Factorises diagonal + A' scale A; whether that was possible, and not given up.
  bool factorise(std::span<const double> diagonal,
                 std::span<const double> scale,
                 const GiveUp& give_up);
  // The solution for a right-hand side.
  void solve(std::span<const double> right, std::vector<double>& solution) const;

 private:
  struct State;
  explicit NormalMatrix(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace sorites
