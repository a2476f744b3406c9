#include "modelfile/model_reader.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "config/config_report.h"
#include "config/json_reader.h"
#include "config/yaml_reader.h"
#include "modelfile/evaluation_reader.h"
#include "modelfile/markov_reader.h"
#include "modelfile/network_priors.h"
#include "modelfile/predicate_reader.h"
#include "modelfile/section_reader.h"

namespace sorites {
namespace {

void check_semantics(const ConfigNode& node, const ConfigReport& report) {
  if (is_markov_semantics(node)) {
    report.error(DiagnosticCode::kUnknownModelFormat,
                 node.range,
                 "this model is Markov logic, which this command does not take");
  } else if (node.text != kPslSemantics) {
    report_unknown_semantics(node, report);
  }
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
    report_.for_members(
        root,
        "a model file",
        {{"semantics", [&](const ConfigNode& node) { check_semantics(node, report_); }},
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

  void section(const ConfigNode& node, Section which) {
    ModelSection& section = part(which);
    report_.for_members(node,
                        fmt::format("`{}`", node.key),
                        {{"rules",
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

ModelDraft parse_model(std::string path,
                       std::string text,
                       ConfigFormat format,
                       const FileReader& files,
                       Diagnostics& diagnostics) {
  ModelDraft draft;
  draft.model.path = path;
  draft.model.texts.push_back({std::move(path), std::move(text)});
  const ModelText& file = draft.model.texts.front();
  const Source source(file.path, file.text);
  const auto root = format == ConfigFormat::kJson ? read_json(source, diagnostics)
                                                  : read_yaml(source, diagnostics);
  if (!root) return draft;
  const ConfigReport report(source, diagnostics);
  if (root->kind != ConfigKind::kObject) {
    report.wrong_kind(*root, "a model file", "an object with `predicates` and `rules`");
    return draft;
  }
  const std::size_t num_errors = diagnostics.num_errors();
  ModelReader(report, files, draft).read(*root);
  const ConfigNode* predicates = root->find("predicates");
  draft.has_predicates = predicates != nullptr ? predicates->kind == ConfigKind::kObject
                                               : diagnostics.num_errors() == num_errors;
  add_network_priors(draft.model, diagnostics);
  settle_primary_evaluation(draft.model, diagnostics);
  return draft;
}

}  // namespace sorites
