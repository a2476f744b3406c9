// The constants of a formula's variables, as a walk over its ground formulas binds them.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "meanfield/excluded_values.h"
#include "meanfield/model.h"

namespace sorites {

struct Binding {
  static constexpr std::uint32_t kFree = ExcludedValues::kAnyConstant;  // has no constant yet
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  std::vector<std::uint32_t> constants;  // per variable

  std::uint32_t of(const MeanFieldTerm& term) const {
    return term.is_constant ? term.index : constants[term.index];
  }
  std::vector<std::uint32_t> of(const MeanFieldLiteral& literal) const;

  // A variable of the literal that has no constant; kNone if all have.
  std::size_t free_variable(const MeanFieldLiteral& literal) const;

  // Gives free variables of the literal the constants of an atom. False if others differ from them.
  bool match(const MeanFieldLiteral& literal, std::span<const std::uint32_t> atom);
};

}  // namespace sorites
