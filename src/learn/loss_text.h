// Mixtures of losses as options and messages write them.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "options/option_value.h"
#include "sorites/learn.h"

namespace sorites {

// "squared_error:1,energy:0.1", or "squared_error" alone for a coefficient of 1. Throws
// std::invalid_argument that says what is wrong.
LossMix loss_from_text(std::string_view text);
std::string to_text(const LossMix& loss);

template <>
struct OptionValue<LossMix> : SimpleValue {
  static constexpr OptionKind kKind = OptionKind::kText;
  static std::string takes(const NumberRange&) { return "losses with their coefficients"; }
  static std::string read(std::string_view text, const NumberRange&, LossMix& value) {
    try {
      value = loss_from_text(text);
      return {};
    } catch (const std::invalid_argument& error) {
      return std::string(": ") + error.what();
    }
  }
  static std::string write(const LossMix& value) { return to_text(value); }
};

}  // namespace sorites
