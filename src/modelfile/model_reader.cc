#include "modelfile/model_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>

#include "config/config_report.h"
#include "config/json_reader.h"
#include "config/yaml_reader.h"
#include "modelfile/evaluation_reader.h"
#include "modelfile/exactly_one.h"
#include "modelfile/network_priors.h"
#include "modelfile/predicate_reader.h"
#include "modelfile/section_reader.h"

namespace sorites {
namespace {

// The value of a text that must be one of some names, whatever its case. None after a mistake.
template <class T>
std::optional<T> one_of(const ConfigNode& node,
                        const ConfigReport& report,
                        std::initializer_list<std::pair<std::string_view, T>> choices) {
  std::vector<std::string_view> names;
  for (const auto& [name, value] : choices) {
    if (node.kind == ConfigKind::kText && same_name(node.text, name)) return value;
    names.push_back(name);
  }
  suggest_name(report.error(DiagnosticCode::kUnknownModelFormat,
                            node.range,
                            fmt::format("`{}` is `{}`", node.key, fmt::join(names, "` or `"))),
               node.text,
               names);
  return std::nullopt;
}

class ModelReader {
 public:
  ModelReader(const ConfigReport& report, const FileReader& files, ModelDraft& draft)
      : report_(report), files_(files), draft_(draft) {}

  void read(const ConfigNode& root) {
    const auto phase = [this](Section which) {
      return [this, which](const ConfigNode& node) { section(node, which); };
    };
    ModelSection& all = part(Section::kAll);
    // Predicates mean what the language and the domains say, which may stand behind them.
    const auto nothing = [](const ConfigNode&) {};
    if (const ConfigNode* node = given(root, "language")) language(*node);
    if (const ConfigNode* node = given(root, "semantics")) semantics(*node);
    if (const ConfigNode* node = given(root, "domains")) domains(*node);
    if (const ConfigNode* node = given(root, "types")) domains(*node);
    report_.for_members(
        root,
        "a model file",
        {{"language", nothing},
         {"semantics", nothing},
         {"domains", nothing},
         {"types", nothing},  // as model files of Markov logic named them
         {"unaries", [&](const ConfigNode& node) { read_unaries(node, all); }},
         {"predicates",
          [&](const ConfigNode& node) {
            read_predicates(node, report_, draft_.model, draft_.broken_predicates);
          }},
         {"rules",
          [&](const ConfigNode& node) { read_rules(node, report_, files_, draft_.model, all); }},
         {"options", [&](const ConfigNode& node) { all.options = read_options(node, report_); }},
         {"learn", phase(Section::kLearn)},
         {"validation", phase(Section::kValidation)},
         {"infer", phase(Section::kInfer)}});
  }

 private:
  ModelSection& part(Section which) {
    return draft_.model.sections[static_cast<std::size_t>(which)];
  }

  static const ConfigNode* given(const ConfigNode& root, std::string_view key) {
    const ConfigNode* node = root.find(key);
    return node == nullptr || node->kind == ConfigKind::kNull ? nullptr : node;
  }

  void language(const ConfigNode& node) {
    const auto read =
        one_of<Language>(node, report_, {{"psl", Language::kPsl}, {"mln", Language::kMln}});
    if (read) draft_.model.language = *read;
  }

  // Hinge-loss semantics was once named after PSL.
  void semantics(const ConfigNode& node) {
    if (node.kind == ConfigKind::kText && same_name(node.text, "psl")) return;
    const auto name = report_.text(node, "`semantics`", "a name");
    if (!name) return;
    draft_.model.semantics = *name;
    draft_.model.semantics_at = report_.locate(node.range);
  }

  // A list says all constants of a domain; without one there may be any.
  void domains(const ConfigNode& node) {
    if (node.kind != ConfigKind::kObject) {
      report_.wrong_kind(node, fmt::format("`{}`", node.key), "an object whose keys are domains");
      return;
    }
    for (const ConfigNode& member : node.children) {
      Domain domain{member.key};
      if (member.kind != ConfigKind::kNull) {
        auto constants = read_constants(member, report_, "a list of constants");
        if (!constants) continue;
        domain.constants = std::move(*constants);
        domain.closed = true;
      }
      if (!is_domain_name(member.key)) {
        report_
            .error(DiagnosticCode::kUnknownType,
                   member.key_range,
                   fmt::format("`{}` is no name for a domain", member.key))
            .notes.push_back({"a domain has a name of your own, such as `person`", {}});
        continue;
      }
      draft_.model.domains.push_back(std::move(domain));
    }
  }

  static bool is_domain_name(std::string_view name) {
    const auto is_word = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    const bool is_type = same_name(name, "string") || same_name(name, "integer") ||
                         same_name(name, "long") || same_name(name, "double") ||
                         same_name(name, "uniquestringid") || same_name(name, "uniqueintid");
    return !name.empty() && std::all_of(name.begin(), name.end(), is_word) && !is_type &&
           (name[0] < '0' || name[0] > '9');
  }

  // A list of lines, or the path of a file of them.
  void read_unaries(const ConfigNode& node, ModelSection& section) {
    constexpr std::string_view kTakes =
        "a list of texts such as \"smokes(Ann) 1.25\", or the path of a file of such lines";
    if (node.kind == ConfigKind::kText) return unaries_file(node, section);
    if (node.kind != ConfigKind::kList) {
      report_.wrong_kind(node, "`unaries`", kTakes);
      return;
    }
    for (const ConfigNode& element : node.children) {
      if (element.kind == ConfigKind::kText) {
        section.unaries.push_back({0, element.text, offsets_of(element)});
      } else {
        report_.wrong_kind(element, "`unaries`", kTakes);
      }
    }
  }

  void unaries_file(const ConfigNode& node, ModelSection& section) {
    ModelFile& model = draft_.model;
    ModelText text{relative_to(model.path, node.text), {}};
    const std::string why = files_(text.path, text.text);
    if (why.empty()) {
      section.unaries.push_back({model.texts.size(), {}, {}});
      model.texts.push_back(std::move(text));
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
    ModelSection& section = part(which);
    report_.for_members(node,
                        fmt::format("`{}`", node.key),
                        {{"unaries", [&](const ConfigNode& m) { read_unaries(m, section); }},
                         {"rules",
                          [&](const ConfigNode& member) {
                            read_rules(member, report_, files_, draft_.model, section);
                          }},
                         {"options", [&](const ConfigNode& member) {
                            section.options = read_options(member, report_);
                          }}});
  }

  const ConfigReport& report_;
  const FileReader& files_;
  ModelDraft& draft_;
};

}  // namespace

std::string_view name_of(Language language) { return language == Language::kPsl ? "psl" : "mln"; }

ModelDraft parse_model(std::string path,
                       std::string text,
                       ConfigFormat format,
                       const FileReader& files,
                       Diagnostics& diagnostics,
                       const std::stop_token& stop) {
  ModelDraft draft;
  draft.model.path = path;
  draft.model.texts.push_back({std::move(path), std::move(text)});
  const ModelText& file = draft.model.texts.front();
  const Source source(file.path, file.text);
  const auto root = format == ConfigFormat::kJson ? read_json(source, diagnostics, stop)
                                                  : read_yaml(source, diagnostics, stop);
  if (!root) return draft;
  const ConfigReport report(source, diagnostics, stop);
  if (root->kind != ConfigKind::kObject) {
    report.wrong_kind(*root, "a model file", "an object with `predicates` and `rules`");
    return draft;
  }
  const std::size_t num_errors = diagnostics.num_errors();
  ModelReader(report, files, draft).read(*root);
  const ConfigNode* predicates = root->find("predicates");
  draft.has_predicates = predicates != nullptr ? predicates->kind == ConfigKind::kObject
                                               : diagnostics.num_errors() == num_errors;
  add_exactly_one_rules(draft.model, diagnostics);
  if (draft.model.language == Language::kPsl) add_network_priors(draft.model, diagnostics);
  settle_primary_evaluation(draft.model, diagnostics);
  return draft;
}

}  // namespace sorites
