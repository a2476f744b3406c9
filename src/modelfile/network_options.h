// What the options of a deep predicate say about its network, as they stand in a model file: the
// names are those of the fields of NetworkOptions, with dashes, and PSL's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "options/option_catalog.h"
#include "sorites/network.h"

namespace sorites {

// Which argument is the class: a number from 0, or from the end if it is negative; or none.
struct ClassArgument {
  std::optional<int> number = -1;
};
enum class NetworkLayer : std::uint8_t { kNone, kLogicMp };
enum class OutputParadigm : std::uint8_t { kVariable, kParameter };
std::string_view name_of(NetworkLayer layer);       // "none", "logicmp"
std::string_view name_of(OutputParadigm paradigm);  // "variable", "parameter"

struct DeepOptions {
  std::string features, raw_features, entities;      // paths
  std::optional<std::vector<int>> entity_arguments;  // none: all but the class
  ClassArgument class_argument;
  std::vector<std::string> classes;
  std::optional<std::size_t> class_size;
  std::vector<std::size_t> input_shape;
  std::vector<int> skip_columns;    // of an entity-data map, counted behind the entity
  std::optional<int> label_column;  // likewise
  std::string graph;
  std::size_t hops = 2;

  NetworkOptions network;
  NetworkLayer layer = NetworkLayer::kNone;

  OutputParadigm paradigm = OutputParadigm::kVariable;
  double prior_weight = 1.0;
};

// A section of the documentation.
struct NetworkOptionTopic {
  std::string_view title;
  std::span<const Option<DeepOptions>> table;
};
std::span<const NetworkOptionTopic> network_option_topics();

// The same, to look them up. Names have no phase: without_phase().
const OptionCatalog& network_option_catalog();

// Reads all of them. Texts that are paths stay as they are written.
DeepOptions read_network_options(const Settings& settings, Diagnostics& sink);

// Numbers from 0 of arguments of a predicate of this arity. None if one is not there.
std::optional<std::vector<std::size_t>> argument_numbers(std::span<const int> numbers,
                                                         std::size_t arity);

// `learning::hidden` is `hidden`, for the phase of learning.
std::string_view without_phase(std::string_view name);

// A network that is a Python class is written as its file and its name: `nets.py::Net`. Other paths
// may have `::` too, as folders of NeuPSL do.
bool is_python_class(std::string_view path);
// The file alone.
std::string_view without_class(std::string_view path);

// Classes may also be none.
template <>
struct OptionValue<ClassArgument> : SimpleValue {
  static constexpr OptionKind kKind = OptionKind::kArguments;
  static std::string takes(const NumberRange&) { return "an argument number, or `none`"; }
  static std::string read(std::string_view text, const NumberRange& range, ClassArgument& value);
  static std::string write(const ClassArgument& value);
};

}  // namespace sorites
