#include "modelfile/markov_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "config/json_reader.h"
#include "config/yaml_reader.h"
#include "lang/mln/cursor.h"
#include "modelfile/predicate_reader.h"
#include "modelfile/section_reader.h"

namespace sorites {
namespace {

class MarkovReader {
 public:
  MarkovReader(const ConfigReport& report, const FileReader& files, MarkovDraft& draft)
      : report_(report), files_(files), draft_(draft) {}

  void read(const ConfigNode& root) {
    const auto phase = [this](Section which) {
      return [this, which](const ConfigNode& node) { section(node, which); };
    };
    report_.for_members(root,
                        "a model file of Markov logic",
                        {{"semantics", [](const ConfigNode&) {}},
                         {"types", [&](const ConfigNode& node) { types(node); }},
                         {"predicates", [&](const ConfigNode& node) { predicates(node); }},
                         {"rules", [&](const ConfigNode& node) { rules(node, Section::kAll); }},
                         {"unaries", [&](const ConfigNode& node) { unaries(node, Section::kAll); }},
                         {"options",
                          [&](const ConfigNode& node) {
                            part(Section::kAll).options = read_options(node, report_);
                          }},
                         {"learn", phase(Section::kLearn)},
                         {"validation", phase(Section::kValidation)},
                         {"infer", phase(Section::kInfer)}});
  }

 private:
  ModelFile& model() { return draft_.file.model; }
  ModelSection& part(Section which) { return model().sections[static_cast<std::size_t>(which)]; }

  void rules(const ConfigNode& node, Section which) {
    read_rules(node, report_, files_, model(), part(which));
  }

  // A list of lines, or the path of a file of them.
  void unaries(const ConfigNode& node, Section which) {
    constexpr std::string_view kTakes =
        "a list of texts such as \"smokes(Ann) 1.25\", or the path of a file of such lines";
    std::vector<RuleText>& texts = draft_.unaries[static_cast<std::size_t>(which)];
    if (node.kind == ConfigKind::kText) return unaries_file(node, texts);
    if (node.kind != ConfigKind::kList) {
      report_.wrong_kind(node, "`unaries`", kTakes);
      return;
    }
    for (const ConfigNode& element : node.children) {
      if (element.kind == ConfigKind::kText) {
        texts.push_back({0, element.text, offsets_of(element)});
      } else {
        report_.wrong_kind(element, "`unaries`", kTakes);
      }
    }
  }

  void unaries_file(const ConfigNode& node, std::vector<RuleText>& texts) {
    ModelText text{relative_to(model().path, node.text), {}};
    const std::string why = files_(text.path, text.text);
    if (why.empty()) {
      texts.push_back({model().texts.size(), {}, {}});
      model().texts.push_back(std::move(text));
      return;
    }
    Diagnostic& added = report_.error(
        DiagnosticCode::kUnreadableFile,
        node.range,
        fmt::format("cannot read the file of unary potentials `{}`: {}", text.path, why));
    if (node.text.find('(') == std::string::npos) return;
    added.notes.push_back(
        {"a text alone is the path of a file; lines stand in a list: [\"smokes(Ann) 1.25\"]", {}});
  }

  void section(const ConfigNode& node, Section which) {
    report_.for_members(node,
                        fmt::format("`{}`", node.key),
                        {{"rules", [&](const ConfigNode& member) { rules(member, which); }},
                         {"unaries", [&](const ConfigNode& member) { unaries(member, which); }},
                         {"options", [&](const ConfigNode& member) {
                            part(which).options = read_options(member, report_);
                          }}});
  }

  // A list of texts or numbers, each once.
  std::optional<std::vector<MarkovName>> names(const ConfigNode& node, std::string_view takes) {
    if (node.kind != ConfigKind::kList) {
      report_.wrong_kind(node, fmt::format("`{}`", node.key), takes);
      return std::nullopt;
    }
    std::vector<MarkovName> result;
    for (const ConfigNode& element : node.children) {
      if (!element.is_scalar() || element.kind == ConfigKind::kNull) {
        report_.wrong_kind(element, fmt::format("`{}`", node.key), takes);
        return std::nullopt;
      }
      result.push_back({element.text, report_.locate(element.range)});
    }
    return result;
  }

  void types(const ConfigNode& node) {
    if (node.kind != ConfigKind::kObject) {
      report_.wrong_kind(node, "`types`", "an object whose keys are types");
      return;
    }
    for (const ConfigNode& member : node.children) {
      auto constants = names(member, "a list of constants");
      if (constants && check_type({member.key, {}}, member.key_range)) {
        draft_.types.push_back(
            {{member.key, report_.locate(member.key_range)}, std::move(*constants)});
      }
    }
  }

  bool check_type(const MarkovName& name, TextRange at) {
    const auto is_word = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    if (!name.text.empty() && std::all_of(name.text.begin(), name.text.end(), is_word) &&
        (name.text[0] < '0' || name.text[0] > '9')) {
      return true;
    }
    report_.error(DiagnosticCode::kUnknownType, at, fmt::format("`{}` is no type", name.text))
        .notes.push_back({"a type is a name of your own, such as `person`", {}});
    return false;
  }

  // What Markov logic adds to a predicate is taken out of the tree; the rest is as in any model.
  void predicates(const ConfigNode& node) {
    if (node.kind != ConfigKind::kObject) {
      report_.wrong_kind(node, "`predicates`", "an object whose keys are predicates");
      return;
    }
    for (const ConfigNode& member : node.children) {
      const std::size_t errors = report_.diagnostics().num_errors();
      predicate(member);
      if (report_.diagnostics().num_errors() > errors) {
        draft_.file.broken_predicates.push_back(member.key.substr(0, member.key.find('/')));
      }
    }
  }

  void predicate(const ConfigNode& node) {
    const auto key = read_predicate_key(node.key, node.key_range, report_);
    if (!key) return;
    if (markov::is_keyword(key->name)) {
      report_.error(DiagnosticCode::kBadPredicateName,
                    node.key_range,
                    fmt::format("`{}` has a meaning of its own in formulas", key->name));
      return;
    }
    if (node.kind != ConfigKind::kObject) {
      report_.wrong_kind(node, fmt::format("the predicate `{}`", key->name), "an object");
      return;
    }
    MarkovPredicateDraft draft;
    draft.name = {key->name, report_.locate(node.key_range)};
    if (!own_keys(node, draft)) return;
    if (key->arity && *key->arity != draft.types.size()) {
      report_.error(DiagnosticCode::kArityMismatch,
                    node.key_range,
                    fmt::format("`{}` has {} arguments by its name, but `types` has {}",
                                key->name,
                                *key->arity,
                                draft.types.size()));
      return;
    }
    ConfigNode rest;
    rest.kind = ConfigKind::kObject;
    rest.children.push_back(without_own_keys(node));
    rest.children[0].key =
        fmt::format("{}/{}", key->name, draft.types.size() + (draft.classes.empty() ? 0 : 1));
    const std::size_t before = model().predicates.size();
    std::vector<std::string> broken;
    read_predicates(rest, report_, model(), broken);
    if (model().predicates.size() > before) draft_.predicates.push_back(std::move(draft));
  }

  static ConfigNode without_own_keys(const ConfigNode& node) {
    ConfigNode rest = node;
    const auto is_own = [](const ConfigNode& member) {
      return member.key == "types" || member.key == "classes" || member.key == "world";
    };
    rest.children.erase(std::remove_if(rest.children.begin(), rest.children.end(), is_own),
                        rest.children.end());
    return rest;
  }

  bool own_keys(const ConfigNode& node, MarkovPredicateDraft& draft) {
    const ConfigNode* types = node.find("types");
    if (types == nullptr) {
      report_
          .error(DiagnosticCode::kArityMismatch,
                 node.key_range,
                 fmt::format("nothing says which types `{}` has", draft.name.text))
          .notes.push_back({"give `types`, such as [\"person\", \"person\"]", {}});
      return false;
    }
    auto type_names = names(*types, "a list of types");
    if (!type_names) return false;
    draft.types = std::move(*type_names);
    for (std::size_t k = 0; k < draft.types.size(); ++k) {
      if (!check_type(draft.types[k], types->children[k].range)) return false;
    }
    return world(node.find("world"), draft) && classes(node.find("classes"), draft);
  }

  bool world(const ConfigNode* node, MarkovPredicateDraft& draft) {
    if (node == nullptr || node->kind == ConfigKind::kNull) return true;
    const auto text = report_.text(*node, "`world`", "`open` or `closed`");
    if (!text) return false;
    draft.closed = *text == "closed";
    if (draft.closed || *text == "open") return true;
    suggest_name(report_.error(DiagnosticCode::kUnknownKey,
                               node->range,
                               fmt::format("a world is open or closed, not `{}`", *text)),
                 *text,
                 {"open", "closed"});
    return false;
  }

  bool classes(const ConfigNode* node, MarkovPredicateDraft& draft) {
    if (node == nullptr || node->kind == ConfigKind::kNull) return true;
    auto names_of_classes = names(*node, "a list of classes");
    if (!names_of_classes) return false;
    draft.classes = std::move(*names_of_classes);
    std::string message;
    if (draft.closed)
      message = "a predicate with classes cannot be closed: every atom has some class";
    if (draft.classes.size() < 2) message = "a predicate with classes has at least two";
    for (std::size_t i = 0; i < draft.classes.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (draft.classes[i].text != draft.classes[j].text) continue;
        message = fmt::format("class `{}` stands twice", draft.classes[i].text);
      }
    }
    if (message.empty()) return true;
    report_.error(DiagnosticCode::kUnknownClass, node->range, std::move(message));
    return false;
  }

  const ConfigReport& report_;
  const FileReader& files_;
  MarkovDraft& draft_;
};

}  // namespace

bool is_markov_semantics(const ConfigNode& node) {
  return node.kind == ConfigKind::kText && node.text == kMarkovSemantics;
}

void report_unknown_semantics(const ConfigNode& node, const ConfigReport& report) {
  suggest_name(report.error(DiagnosticCode::kUnknownModelFormat,
                            node.range,
                            "`semantics` is `psl` or `markov-logic`"),
               node.text,
               {kPslSemantics, kMarkovSemantics});
}

MarkovDraft parse_markov_model(std::string path,
                               std::string text,
                               ConfigFormat format,
                               const FileReader& files,
                               Diagnostics& diagnostics) {
  MarkovDraft draft;
  ModelFile& model = draft.file.model;
  model.path = path;
  model.texts.push_back({std::move(path), std::move(text)});
  const ModelText& file = model.texts.front();
  const Source source(file.path, file.text);
  const auto root = format == ConfigFormat::kJson ? read_json(source, diagnostics)
                                                  : read_yaml(source, diagnostics);
  if (!root) return draft;
  const ConfigReport report(source, diagnostics);
  if (root->kind != ConfigKind::kObject) {
    report.wrong_kind(*root, "a model file", "an object with `predicates` and `rules`");
    return draft;
  }
  MarkovReader(report, files, draft).read(*root);
  return draft;
}

}  // namespace sorites
