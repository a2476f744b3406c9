#include "modelfile/network_options.h"

#include "base/name_table.h"
#include "modelfile/network_option_tables.h"

namespace sorites {
namespace {

constexpr std::array<std::string_view, 2> kLayerNames = {"none", "logicmp"};
constexpr std::array<std::string_view, 2> kParadigmNames = {"variable", "parameter"};

constexpr NetworkOptionTopic kTopics[] = {
    {"Entities, classes and features", kNetworkDataOptions},
    {"The network", kNetworkOptions},
    {"Training", kNetworkTrainingOptions},
    {"Contrastive pre-training of images", kNetworkPretrainingOptions},
    {"What an output stands for", kNetworkModelOptions},
};

}  // namespace

std::string_view name_of(NetworkLayer layer) { return name_in(kLayerNames, layer); }
std::string_view name_of(OutputParadigm paradigm) { return name_in(kParadigmNames, paradigm); }

std::string OptionValue<ClassArgument>::read(std::string_view text,
                                             const NumberRange& range,
                                             ClassArgument& value) {
  if (same_but_case(text, "none")) {
    value.number.reset();
    return {};
  }
  return OptionValue<std::optional<int>>::read(text, range, value.number).empty()
             ? std::string()
             : takes_not(takes(range), text);
}

std::string OptionValue<ClassArgument>::write(const ClassArgument& value) {
  return value.number ? std::to_string(*value.number) : "none";
}

std::span<const NetworkOptionTopic> network_option_topics() { return kTopics; }

const OptionCatalog& network_option_catalog() {
  static const OptionCatalog catalog = [] {
    OptionCatalog all;
    for (const NetworkOptionTopic& topic : kTopics) {
      for (const Option<DeepOptions>& option : topic.table) {
        all.add(describe_option(option, DeepOptions{}));
      }
    }
    return all;
  }();
  return catalog;
}

DeepOptions read_network_options(const Settings& settings, Diagnostics& sink) {
  DeepOptions options;
  for (const NetworkOptionTopic& topic : kTopics) {
    read_options(topic.table, settings, options, sink);
  }
  return options;
}

std::optional<std::vector<std::size_t>> argument_numbers(std::span<const int> numbers,
                                                         std::size_t arity) {
  const auto limit = static_cast<int>(arity);
  std::vector<std::size_t> result;
  for (const int number : numbers) {
    if (number < -limit || number >= limit) return std::nullopt;
    result.push_back(static_cast<std::size_t>(number < 0 ? number + limit : number));
  }
  return result;
}

namespace {

constexpr std::string_view kPythonClass = ".py::";

}  // namespace

bool is_python_class(std::string_view path) {
  return path.find(kPythonClass) != std::string_view::npos;
}

std::string_view without_class(std::string_view path) {
  const std::size_t end = path.find(kPythonClass);
  return end == std::string_view::npos ? path : path.substr(0, end + kPythonClass.find(':'));
}

std::string_view without_phase(std::string_view name) {
  for (const std::string_view prefix : {"learning::", "validation::", "inference::"}) {
    if (name.starts_with(prefix)) return name.substr(prefix.size());
  }
  return name;
}

}  // namespace sorites
