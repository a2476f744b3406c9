#include "modelfile/section_reader.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "modelfile/predicate_reader.h"
#include "options/option_value.h"

namespace sorites {
namespace {

void read_rule_file(const ConfigNode& node,
                    const ConfigReport& report,
                    const FileReader& files,
                    ModelFile& model,
                    ModelSection& section) {
  ModelText text{relative_to(model.path, node.text), {}};
  const std::string why = files(text.path, text.text);
  if (why.empty()) {
    section.rules.push_back({model.texts.size(), {}, {}});
    model.texts.push_back(std::move(text));
    return;
  }
  Diagnostic& added =
      report.error(DiagnosticCode::kUnreadableFile,
                   node.range,
                   fmt::format("cannot read the rule file `{}`: {}", text.path, why));
  if (node.text.find_first_of("(>=\n") != std::string::npos) {  // not what paths look like
    added.notes.push_back(
        {"a text alone is the path of a rule file; a rule stands in a list: [\"1: A(X) -> B(X)\"]",
         {}});
  }
}

}  // namespace

std::vector<OptionSetting> read_options(const ConfigNode& node, const ConfigReport& report) {
  std::vector<OptionSetting> settings;
  if (node.kind != ConfigKind::kObject) {
    report.wrong_kind(node, "`options`", "an object");
    return settings;
  }
  std::map<std::string, const ConfigNode*> seen;
  for (const ConfigNode& member : node.children) {
    if (member.kind == ConfigKind::kNull) continue;
    if (!report.is_new_key(member, lower_case(member.key), seen)) continue;
    if (!member.is_scalar()) {
      report.wrong_kind(member, fmt::format("the option `{}`", member.key), "a single value");
      continue;
    }
    settings.push_back(
        {member.key, member.text, report.locate(member.key_range), report.locate(member.range)});
  }
  return settings;
}

void read_rules(const ConfigNode& node,
                const ConfigReport& report,
                const FileReader& files,
                ModelFile& model,
                ModelSection& section) {
  if (node.kind == ConfigKind::kText) return read_rule_file(node, report, files, model, section);
  if (node.kind != ConfigKind::kList) {
    report.wrong_kind(node, "`rules`", "a list of rules, or the path of a rule file");
    return;
  }
  for (const ConfigNode& element : node.children) {
    report.throw_if_stopped();
    if (element.kind != ConfigKind::kText) {
      Diagnostic& added = report.wrong_kind(element, "`rules`", "a list of texts");
      if (element.kind == ConfigKind::kObject) {
        added.notes.push_back(
            {"YAML reads `1: A(X)` as a key and a value: put the rule in quotes", {}});
      }
      continue;
    }
    section.rules.push_back({0, element.text, offsets_of(element)});
  }
}

}  // namespace sorites
