// The one list of the options that networks of deep predicates have in model files. Checking, the
// help and docs/network-options.md are read from it. The names are those of the fields of
// NetworkOptions, with dashes, and PSL's.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "modelfile/bounded_options.h"

namespace sorites {

enum class NetworkOptionKind : std::uint8_t {
  kCount,
  kCounts,  // a list of positive ones
  kReal,
  kChoice,
  kText,
  kPath,  // seen from the folder of the model file
  kArgument,
  kArguments,
  kConstants,
};

// What an option is about: the sections of the documentation.
enum class NetworkOptionTopic : std::uint8_t { kData, kNetwork, kTraining, kPretraining, kModel };

struct NetworkOptionInfo {
  std::string_view name;
  NetworkOptionTopic topic;
  NetworkOptionKind kind;
  std::string_view choices;  // of kChoice: separated by spaces
  Bound bound;               // of numbers
  std::string_view default_value;
  std::string_view help;
};

std::span<const NetworkOptionInfo> network_option_table();

// Null if there is no such option.
const NetworkOptionInfo* find_network_option(std::string_view name);

// "a positive number", "`adam`, `adamw` or `sgd`": what the option takes. Arguments are those of a
// predicate of this arity.
std::string describe_values(const NetworkOptionInfo& option, std::size_t arity);

// Whether the option of such a predicate can have this value.
bool can_take(const NetworkOptionInfo& option, std::string_view value, std::size_t arity);

// The parts of a list that a model file gave: ["a", "b"] is kept as "a:b".
std::vector<std::string_view> list_elements(std::string_view text);

// Argument numbers from 0, separated by colons or commas; negative ones count from the end. None if
// one is not there.
std::optional<std::vector<std::size_t>> argument_numbers(std::string_view text, std::size_t arity);

// `learning::hidden` is `hidden`, for the phase of learning.
std::string_view without_phase(std::string_view name);

}  // namespace sorites
