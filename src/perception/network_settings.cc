#include "perception/network_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "base/constant.h"
#include "modelfile/network_option_table.h"
#include "modelfile/predicate_reader.h"

namespace sorites {
namespace {

// The options of one network in one phase. Values are checked when the model file is read; those
// made in C++ may hold anything, and what cannot be read counts as not given.
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
        options_(network_options(predicate, phase)) {}

  NetworkData data() {
    NetworkData data;
    features(data);
    data.entities = path("entities");
    counts("input-shape", data.input_shape);
    classes(data);
    entity_arguments(data);
    graph(data);
    return data;
  }

  NetworkSettings settings() {
    NetworkSettings result;
    result.data = data();
    NetworkOptions& network = result.network;
    network.name = predicate_.name;
    network.num_classes = result.data.num_classes();
    kind(network);
    layers(network);
    output(network);
    training(network.training);
    pretraining(network.pretraining);
    check_features(result);
    return result;
  }

 private:
  // ---- Values of options ----

  const std::string* find(const std::string& name) const {
    const auto found = options_.find(name);
    return found == options_.end() ? nullptr : &found->second;
  }

  std::string text(const std::string& name) const {
    const std::string* value = find(name);
    return value == nullptr ? std::string() : *value;
  }

  // PSL's name counts if ours is not set. Seen from the folder of the model file.
  std::string path(const std::string& own, const std::string& psl = {}) const {
    const std::string value = find(own) == nullptr ? text(psl) : text(own);
    return value.empty() ? value : relative_to(model_.path, value);
  }

  void real(const std::string& name, double& out) const {
    if (const std::string* value = find(name)) {
      out = parse_real(*value).value_or(std::numeric_limits<double>::infinity());
    }
  }

  template <class Count>
  void count(const std::string& name, Count& out) const {
    const std::string* value = find(name);
    const auto number = value == nullptr ? std::nullopt : parse_integer(*value);
    if (number && *number >= 0) out = static_cast<Count>(*number);
  }

  void counts(const std::string& name, std::vector<std::size_t>& out) const {
    const std::string* value = find(name);
    if (value == nullptr) return;
    out.clear();
    for (const std::string_view part : list_elements(*value)) {
      if (const auto number = parse_integer(part); number && *number > 0) {
        out.push_back(static_cast<std::size_t>(*number));
      }
    }
  }

  template <class Choice>
  void choice(const std::string& name,
              std::optional<Choice> (*named)(std::string_view),
              Choice& out) const {
    if (const std::string* value = find(name)) out = named(*value).value_or(out);
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
    data.features = path("features", "entity-data-map-path");
    const std::string raw = path("raw-features");
    if (raw.empty() && !is_module_name(data.features)) return;
    data.feature_module = std::exchange(data.features, raw);
  }

  static bool is_module_name(std::string_view path) {
    return path.ends_with(".pt") || path.ends_with(".pth") || path.ends_with(".ts");
  }

  void classes(NetworkData& data) {
    const std::string argument = find("class-argument") == nullptr ? "-1" : text("class-argument");
    if (argument == "none") return;
    const auto numbers = argument_numbers(argument, predicate_.arity);
    data.class_argument = numbers ? numbers->front() : predicate_.arity - 1;
    std::size_t size = 0;
    count("class-size", size);
    if (const std::string* constants = find("classes")) {
      for (const std::string_view constant : list_elements(*constants)) {
        data.classes.emplace_back(constant);
      }
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
        find("entity-arguments") == nullptr ? "entity-argument-indexes" : "entity-arguments";
    const auto given = argument_numbers(text(option), predicate_.arity);
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
    count("hops", data.hops);
    data.graph = text("graph");
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
    const std::string module = path("module", "model-path");
    if (!module.empty()) network.kind = NetworkKind::kTorchScript;
    choice("network", network_kind_named, network.kind);
    if (network.kind == NetworkKind::kTorchScript) network.module = module;
    if (network.kind == NetworkKind::kRegistered) network.module = text("module");
    if (module.find(".py::") != std::string::npos) {
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
  }

  void layers(NetworkOptions& network) {
    network.load = path("load");
    counts("hidden", network.hidden);
    counts("channels", network.channels);
    count("kernel-size", network.kernel_size);
    choice("activation", activation_named, network.activation);
    choice("normalization", normalization_named, network.normalization);
    real("dropout", network.dropout);
    count("embedding-size", network.embedding_size);
    if (network.kernel_size % 2 == 0) {
      wrong("kernel-size", fmt::format("`kernel-size` is odd, not {}", network.kernel_size));
    }
  }

  void output(NetworkOptions& network) {
    if (network.num_classes == 1) network.output = OutputKind::kSigmoid;
    choice("output", output_kind_named, network.output);
    if (network.num_classes == 1 && network.output != OutputKind::kSigmoid) {
      hint(wrong("output", "the softmax of a single class is always 1"),
           "take `\"output\": \"sigmoid\"`");
    }
    real("temperature", network.temperature);
    if (find("final-temperature") != nullptr) {
      real("final-temperature", network.final_temperature.emplace());
    }
  }

  void training(NetworkTraining& training) const {
    choice("optimizer", network_optimizer_named, training.optimizer);
    choice("schedule", rate_schedule_named, training.schedule);
    real("learning-rate", training.learning_rate);
    real("weight-decay", training.weight_decay);
    real("momentum", training.momentum);
    count("schedule-period", training.schedule_period);
    real("max-gradient-norm", training.max_gradient_norm);
    real("supervised-loss", training.supervised_loss);
    real("symbolic-loss", training.symbolic_loss);
    real("max-shift", training.max_shift);
    real("max-rotation", training.max_rotation);
    real("max-scaling", training.max_scaling);
    real("max-shear", training.max_shear);
    real("max-warp", training.max_warp);
  }

  void pretraining(NetworkPretraining& pretraining) const {
    if (find("load") == nullptr) count("pretraining-epochs", pretraining.epochs);
    count("pretraining-batch-size", pretraining.batch_size);
    real("pretraining-learning-rate", pretraining.learning_rate);
    real("pretraining-temperature", pretraining.temperature);
    count("pretraining-projection-size", pretraining.projection_size);
    real("pretraining-max-shift", pretraining.max_shift);
    real("pretraining-max-rotation", pretraining.max_rotation);
    real("pretraining-max-scaling", pretraining.max_scaling);
    real("pretraining-max-shear", pretraining.max_shear);
    real("pretraining-max-warp", pretraining.max_warp);
  }

  void check_features(const NetworkSettings& settings) {
    const NetworkKind kind = settings.network.kind;
    const NetworkData& data = settings.data;
    check_module(data, kind);
    if (data.features.empty() && data.feature_module.empty() && find("raw-features") == nullptr &&
        kind != NetworkKind::kEmbedding) {
      hint(sink_.error(DiagnosticCode::kNoNetwork,
                       predicate_.declared_at,
                       fmt::format("`{}`: nothing says what its network sees", predicate_.name)),
           "give `\"features\": \"images.npy\"` among its `options`, or "
           "`\"network\": \"embedding\"` to learn a vector per entity");
    }
    if (kind == NetworkKind::kSgc && settings.data.graph.empty()) {
      hint(wrong("network", "an `sgc` averages features over a graph, and none is given"),
           "name the predicate of its edges: `\"graph\": \"Link\"`");
    }
    if (kind != NetworkKind::kSgc && !settings.data.graph.empty()) {
      hint(wrong("graph", fmt::format("a `{}` network has no graph", name_of(kind))),
           "take `\"network\": \"sgc\"`");
    }
    if (settings.data.entity_arguments.size() % settings.network.num_parts != 0) {
      hint(wrong("entity-arguments", "a `siamese` network compares two parts of the same kind"),
           "its entity has an even number of arguments: the first half is one part, the second "
           "the other");
    }
  }

  void check_module(const NetworkData& data, NetworkKind kind) {
    if (data.feature_module.empty()) {
      if (find("raw-features") == nullptr) return;
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
  std::map<std::string, std::string> options_;
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
