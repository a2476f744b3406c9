#include "perception/network_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "modelfile/network_options.h"
#include "modelfile/predicate_reader.h"
#include "perception/token_rows.h"

namespace sorites {
namespace {

// What is set for one network in one phase. Names and values are checked when the model file is
// read; those made in C++ may hold anything.
Settings settings_of_network(const PredicateDeclaration& predicate, Phase phase) {
  Settings settings;
  for (const auto& [name, value] : network_options(predicate, phase)) {
    const Span place = option_place(predicate, phase, name);
    settings.set({name, value, place, place});
  }
  return settings;
}

class NetworkReader {
 public:
  NetworkReader(const ModelFile& model,
                const PredicateDeclaration& predicate,
                Phase phase,
                Diagnostics& sink)
      : model_(model),
        predicate_(predicate),
        phase_(phase),
        sink_(sink),
        given_(settings_of_network(predicate, phase)),
        options_(read_network_options(given_, sink)) {}

  NetworkData data() {
    NetworkData data;
    features(data);
    data.entities = path(options_.entities);
    data.input_shape = options_.input_shape;
    data.columns = {options_.skip_columns, options_.label_column};
    classes(data);
    entity_arguments(data);
    graph(data);
    return data;
  }

  NetworkSettings settings() {
    NetworkSettings result{options_.network, data()};
    NetworkOptions& network = result.network;
    network.name = predicate_.name;
    network.num_classes = result.data.num_classes();
    network.load = path(network.load);
    kind(network);
    if (network.kernel_size % 2 == 0) {
      wrong("kernel-size", fmt::format("`kernel-size` is odd, not {}", network.kernel_size));
    }
    output(network);
    if (is_given("load")) network.pretraining.epochs = 0;  // they are learned already
    check_features(result);
    return result;
  }

 private:
  bool is_given(std::string_view name) const { return given_.find(name) != nullptr; }

  // Seen from the folder of the model file.
  std::string path(const std::string& written) const {
    return written.empty() ? written : relative_to(model_.path, written);
  }

  Diagnostic& wrong(std::string_view option, std::string message) {
    return sink_.error(DiagnosticCode::kBadNetwork,
                       option_place(predicate_, phase_, option),
                       fmt::format("`{}`: {}", predicate_.name, std::move(message)));
  }

  void hint(Diagnostic& diagnostic, std::string what) {
    diagnostic.notes.push_back({std::move(what), {}});
  }

  // ---- Entities and classes ----

  void features(NetworkData& data) const {
    data.features = path(options_.features);
    const std::string raw = path(options_.raw_features);
    if (raw.empty() && !is_module_name(data.features)) return;
    data.feature_module = std::exchange(data.features, raw);
  }

  static bool is_module_name(std::string_view path) {
    return path.ends_with(".pt") || path.ends_with(".pth") || path.ends_with(".ts");
  }

  void classes(NetworkData& data) {
    if (!options_.class_argument.number) return;
    const auto numbers = argument_numbers({&*options_.class_argument.number, 1}, predicate_.arity);
    data.class_argument = numbers ? numbers->front() : predicate_.arity - 1;
    const std::size_t size = options_.class_size.value_or(0);
    if (!options_.classes.empty() || !predicate_.classes.empty()) {
      data.classes = options_.classes.empty() ? predicate_.classes : options_.classes;
      check_classes(data.classes, size);
      return;
    }
    for (std::size_t c = 0; c < size; ++c) data.classes.push_back(std::to_string(c));
    if (size > 0) return;
    hint(wrong("class-argument", "nothing says how many classes it has"),
         "give `\"class-size\": 10`, or the constants: `\"classes\": [\"cat\", \"dog\"]`; "
         "`\"class-argument\": \"none\"` if no argument is a class");
  }

  void check_classes(std::vector<std::string> classes, std::size_t size) {
    if (size > 0 && size != classes.size()) {
      hint(wrong("class-size",
                 fmt::format("`class-size` is {}, but `classes` lists {}", size, classes.size())),
           "leave `class-size` out");
    }
    std::sort(classes.begin(), classes.end());
    const auto twice = std::adjacent_find(classes.begin(), classes.end());
    if (twice != classes.end()) {
      wrong("classes", fmt::format("the class `{}` stands twice", *twice));
    }
  }

  void entity_arguments(NetworkData& data) {
    const char* option =
        is_given("entity-arguments") ? "entity-arguments" : "entity-argument-indexes";
    std::optional<std::vector<std::size_t>> given;
    if (options_.entity_arguments) {
      given = argument_numbers(*options_.entity_arguments, predicate_.arity);
    }
    if (given) data.entity_arguments = *given;
    for (std::size_t k = 0; !given && k < predicate_.arity; ++k) {
      if (k != data.class_argument) data.entity_arguments.push_back(k);
    }
    if (data.entity_arguments.empty()) {
      hint(wrong(option, "no argument is left to name the entity"),
           fmt::format("a deep predicate has at least two arguments: `{}(Entity, Class)`",
                       predicate_.name));
    }
    const auto& arguments = data.entity_arguments;
    if (data.class_argument &&
        std::find(arguments.begin(), arguments.end(), *data.class_argument) != arguments.end()) {
      wrong(option,
            fmt::format("argument {} cannot be both entity and class", *data.class_argument));
    }
    if (arguments.size() + (data.class_argument ? 1 : 0) < predicate_.arity) {
      hint(wrong(option, "some argument is neither entity nor class"),
           "every argument but the class belongs to the entity");
    }
  }

  void graph(NetworkData& data) {
    data.hops = options_.hops;
    data.graph = options_.graph;
    if (data.graph.empty()) return;
    const auto found = find_declaration(model_, data.graph);
    if (!found) {
      std::vector<std::string_view> names;
      for (const auto& one : model_.predicates) names.push_back(one.name);
      suggest_name(
          wrong("graph", fmt::format("there is no predicate `{}`", data.graph)), data.graph, names);
    } else if (model_.predicates[*found].arity != 2) {
      wrong("graph",
            fmt::format("`{}` has {} argument{}; edges have two",
                        data.graph,
                        model_.predicates[*found].arity,
                        model_.predicates[*found].arity == 1 ? "" : "s"));
    }
  }

  // ---- The network ----

  void kind(NetworkOptions& network) {
    const std::string module = std::exchange(network.module, {});
    if (!module.empty() && !is_given("network")) network.kind = NetworkKind::kTorchScript;
    if (network.kind == NetworkKind::kTorchScript) network.module = path(module);
    if (network.kind == NetworkKind::kRegistered) network.module = module;
    if (is_python_class(module)) {
      hint(sink_.error(DiagnosticCode::kPythonNetwork,
                       option_place(predicate_, phase_, "model-path"),
                       fmt::format("the network of `{}` is a Python class, which cannot run here",
                                   predicate_.name)),
           "export it once with torch.jit.script(model).save(\"model.pt\") and give the saved file "
           "as `model-path`; or describe the network: `\"network\": \"mlp\"`");
    } else if (network.module.empty() && (network.kind == NetworkKind::kTorchScript ||
                                          network.kind == NetworkKind::kRegistered)) {
      hint(wrong("network", fmt::format("a `{}` network needs `module`", name_of(network.kind))),
           network.kind == NetworkKind::kTorchScript
               ? "give the file that torch.jit saved: `\"module\": \"model.pt\"`"
               : "give the name under which C++ code registered it");
    }
    if (network.kind == NetworkKind::kSiamese) network.num_parts = 2;
    constexpr double kDropoutOfText = 0.5;  // Ma and Hovy 2016
    if (network.kind == NetworkKind::kBilstm && !is_given("dropout")) {
      network.dropout = kDropoutOfText;
    }
  }

  void output(NetworkOptions& network) {
    if (network.num_classes != 1) return;
    if (!is_given("output")) network.output = OutputKind::kSigmoid;
    if (network.output == OutputKind::kSigmoid) return;
    hint(wrong("output", "the softmax of a single class is always 1"),
         "take `\"output\": \"sigmoid\"`");
  }

  void check_features(const NetworkSettings& settings) {
    const NetworkKind kind = settings.network.kind;
    const NetworkData& data = settings.data;
    check_module(data, kind);
    if (data.features.empty() && data.feature_module.empty() && !is_given("raw-features") &&
        kind != NetworkKind::kEmbedding) {
      hint(sink_.error(DiagnosticCode::kNoNetwork,
                       predicate_.declared_at,
                       fmt::format("`{}`: nothing says what its network sees", predicate_.name)),
           "give `\"features\": \"images.npy\"` among its `options`, or "
           "`\"network\": \"embedding\"` to learn a vector per entity");
    }
    if (!data.columns.is_plain() && (data.features.empty() || !data.entities.empty())) {
      const char* option = is_given("label-column") ? "label-column" : "skip-columns";
      hint(wrong(option, fmt::format("`{}` is for entity-data maps, and there is none", option)),
           "an entity-data map has lines of entity arguments and numbers, and is given as "
           "`features`");
    }
    if (kind == NetworkKind::kSgc && settings.data.graph.empty()) {
      hint(wrong("network", "an `sgc` averages features over a graph, and none is given"),
           "name the predicate of its edges: `\"graph\": \"Link\"`");
    }
    if (kind != NetworkKind::kSgc && !settings.data.graph.empty()) {
      hint(wrong("graph", fmt::format("a `{}` network has no graph", name_of(kind))),
           "take `\"network\": \"sgc\"`");
    }
    if ((kind == NetworkKind::kBilstm) != has_token_rows(data.features)) {
      hint(wrong("features",
                 kind == NetworkKind::kBilstm
                     ? "a `bilstm` reads sentences, and its features are no column file"
                     : fmt::format("a `{}` network reads no column file", name_of(kind))),
           "`\"network\": \"bilstm\"` and `\"features\": \"train.conll\"` go together");
    }
    if (settings.data.entity_arguments.size() % settings.network.num_parts != 0) {
      hint(wrong("entity-arguments", "a `siamese` network compares two parts of the same kind"),
           "its entity has an even number of arguments: the first half is one part, the second "
           "the other");
    }
  }

  void check_module(const NetworkData& data, NetworkKind kind) {
    if (data.feature_module.empty()) {
      if (!is_given("raw-features")) return;
      hint(wrong("raw-features", "nothing says what to make of its `raw-features`"),
           "name the TorchScript file that does: `\"features\": \"encoder.pt\"`; what networks see "
           "as it is stands under `features`");
    } else if (kind == NetworkKind::kEmbedding) {
      hint(wrong("features",
                 "an `embedding` has no features, so that a TorchScript file has no use"),
           "leave `features` out, or take `\"network\": \"mlp\"`");
    } else if (!data.graph.empty() && data.sees_numbers()) {
      hint(wrong("features",
                 "an `sgc` needs the features of every node, and a TorchScript file alone does not "
                 "tell which nodes there are"),
           "give it what to make them of: `\"raw-features\": \"nodes.npy\"`");
    }
  }

  const ModelFile& model_;
  const PredicateDeclaration& predicate_;
  Phase phase_;
  Diagnostics& sink_;
  Settings given_;
  DeepOptions options_;
};

}  // namespace

NetworkData network_data(const ModelFile& model,
                         const PredicateDeclaration& predicate,
                         Phase phase,
                         Diagnostics& sink) {
  return NetworkReader(model, predicate, phase, sink).data();
}

NetworkSettings network_settings(const ModelFile& model,
                                 const PredicateDeclaration& predicate,
                                 Phase phase,
                                 Diagnostics& sink) {
  return NetworkReader(model, predicate, phase, sink).settings();
}

Span option_place(const PredicateDeclaration& predicate, Phase phase, std::string_view name) {
  std::vector<std::string> prefixes = {"inference::", ""};
  if (phase == Phase::kLearn) prefixes = {"learning::", ""};
  if (phase == Phase::kValidation) prefixes = {"validation::", "learning::", ""};
  for (std::string prefix : prefixes) {
    const auto found = predicate.options_at.find(prefix.append(name));
    if (found != predicate.options_at.end()) return found->second;
  }
  return predicate.declared_at;
}

}  // namespace sorites
