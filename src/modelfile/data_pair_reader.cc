// The older pair: rules in a file of their own, and a YAML file such as
//
//   predicates:
//     Knows/2: open
//     Lived/2: [closed, types: [UniqueIntID, UniqueStringID]]
//   observations:
//     Lived: lived.txt
//   targets:
//     Knows: [knows.txt, more.txt]
//   truth: ...
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "config/config_report.h"
#include "config/yaml_reader.h"
#include "modelfile/model_reader.h"
#include "modelfile/predicate_reader.h"

namespace sorites {
namespace {

class PairReader {
 public:
  PairReader(const std::string& data_path, const ConfigReport& report, ModelDraft& draft)
      : data_path_(data_path), report_(report), draft_(draft) {}

  // False if it is not known which predicates are meant to be there.
  bool read(const ConfigNode& root) {
    // Whatever the order in the file, declarations come before their uses.
    const ConfigNode* declarations = root.find("predicates");
    if (declarations != nullptr) predicates(*declarations);
    const auto data = [this](Partition partition) {
      return [this, partition](const ConfigNode& node) { files_by_predicate(node, partition); };
    };
    report_.for_members(root,
                        "a data file",
                        {{"predicates", [](const ConfigNode&) {}},
                         {"observations", data(Partition::kObserved)},
                         {"targets", data(Partition::kTarget)},
                         {"truth", data(Partition::kTruth)}},
                        foreign());
    warn_of_foreign();
    return declarations != nullptr && declarations->kind == ConfigKind::kObject;
  }

 private:
  // Other programs that read such files have keys of their own.
  ConfigReport::Handler foreign() {
    return [this](const ConfigNode& node) { foreign_.push_back(&node); };
  }

  static const std::string& word_of(const ConfigNode& node) {
    return node.key.empty() ? node.text : node.key;
  }

  void warn_of_foreign() const {
    if (foreign_.empty()) return;
    std::vector<std::string> words;
    for (const ConfigNode* node : foreign_) {
      if (std::find(words.begin(), words.end(), word_of(*node)) == words.end()) {
        words.push_back(word_of(*node));
      }
    }
    const ConfigNode& first = *foreign_.front();
    report_
        .warning(DiagnosticCode::kIgnoredOptions,
                 first.key.empty() ? first.range : first.key_range,
                 fmt::format("accepted, but without effect: `{}`", fmt::join(words, "`, `")))
        .notes.push_back({"a data file has predicates, observations, targets and truth; a "
                          "predicate is open or closed and may have types",
                          {}});
  }

  void predicates(const ConfigNode& node) {
    if (node.kind == ConfigKind::kNull) return;
    if (node.kind != ConfigKind::kObject) {
      report_.wrong_kind(node, "`predicates`", "an object whose keys are like `Knows/2`");
      return;
    }
    for (const ConfigNode& member : node.children) predicate(member);
  }

  void predicate(const ConfigNode& node) {
    const auto key = read_predicate_key(node.key, node.key_range, report_);
    PredicateDeclaration declaration;
    declared_closed_ = false;
    bool ok = property(node, declaration) && key.has_value();
    if (ok) {
      declaration.name = key->name;
      declaration.declared_at = report_.locate(node.key_range);
      ok = settle_arity(node, *key, declaration);
    }
    if (ok) {
      if (declared_closed_) closed_.push_back(declaration.name);
      add_predicate(std::move(declaration), node.key_range, report_, draft_.model);
    } else {
      draft_.broken_predicates.push_back(node.key.substr(0, node.key.find('/')));
    }
  }

  bool settle_arity(const ConfigNode& node,
                    const PredicateKey& key,
                    PredicateDeclaration& declaration) {
    const std::size_t num_types = declaration.types.size();
    declaration.arity = key.arity.value_or(num_types);
    if (declaration.arity > 0 && (num_types == 0 || num_types == declaration.arity)) return true;
    report_.error(DiagnosticCode::kArityMismatch,
                  node.key_range,
                  declaration.arity == 0
                      ? fmt::format("nothing says how many arguments `{}` has", key.name)
                      : fmt::format("`{}` has {} arguments by its name, but `types` has {}",
                                    key.name,
                                    declaration.arity,
                                    num_types));
    return false;
  }

  // open, closed, block, or a list or object of them and of `types`.
  bool property(const ConfigNode& node, PredicateDeclaration& declaration) {
    switch (node.kind) {
      case ConfigKind::kNull:
        return true;
      case ConfigKind::kText:
        return word(node, declaration);
      case ConfigKind::kList: {
        bool ok = true;
        for (const ConfigNode& element : node.children) ok = property(element, declaration) && ok;
        return ok;
      }
      case ConfigKind::kObject:
        return object(node, declaration);
      case ConfigKind::kBool:
      case ConfigKind::kNumber:
        break;
    }
    report_.wrong_kind(node, "a predicate", "`open` or `closed`");
    return false;
  }

  bool word(const ConfigNode& node, PredicateDeclaration& declaration) {
    if (node.text == "open") {
      declaration.force_open = true;
    } else if (node.text == "closed") {
      declared_closed_ = true;
    } else if (node.text != "block") {  // blocks are found, not declared
      const std::vector<std::string_view> known = {"open", "closed", "block"};
      if (nearest_name(node.text, known).empty()) {
        foreign_.push_back(&node);
        return true;
      }
      suggest_name(report_.error(DiagnosticCode::kUnknownKey,
                                 node.range,
                                 fmt::format("a predicate is open or closed, not `{}`", node.text)),
                   node.text,
                   known);
      return false;
    }
    return true;
  }

  bool object(const ConfigNode& node, PredicateDeclaration& declaration) {
    bool ok = true;
    const auto is_set = [&](const ConfigNode& member) {
      return report_.boolean(member, fmt::format("`{}`", member.key)).value_or(false);
    };
    report_.for_members(node,
                        "a predicate",
                        {{"open", [&](const ConfigNode& m) { declaration.force_open = is_set(m); }},
                         {"closed", [&](const ConfigNode& m) { declared_closed_ = is_set(m); }},
                         {"block", [&](const ConfigNode& m) { is_set(m); }},
                         {"types",
                          [&](const ConfigNode& member) {
                            auto types = read_types(member, report_, draft_.model);
                            ok = types.has_value() && ok;
                            if (types) declaration.types = std::move(types->types);
                          }},
                         {"function",
                          [&](const ConfigNode& member) {
                            report_external_function(member, report_);
                            ok = false;
                          }},
                         {"implementation",
                          [&](const ConfigNode& member) {
                            report_external_function(member, report_);
                            ok = false;
                          }}},
                        foreign());
    return ok;
  }

  void files_by_predicate(const ConfigNode& node, Partition partition) {
    if (node.kind != ConfigKind::kObject) {
      report_.wrong_kind(node, fmt::format("`{}`", node.key), "an object like `Knows: knows.txt`");
      return;
    }
    for (const ConfigNode& member : node.children) {
      const std::string_view name = std::string_view(member.key).substr(0, member.key.find('/'));
      if (const auto index = find_declaration(draft_.model, name)) {
        if (partition == Partition::kTarget) check_not_closed(member, name);
        files(member, partition, draft_.model.predicates[*index]);
      } else if (!contains(draft_.broken_predicates, name)) {
        unknown_predicate(member, name);
      }
    }
  }

  static bool contains(const std::vector<std::string>& names, std::string_view name) {
    return std::any_of(
        names.begin(), names.end(), [&](const std::string& one) { return same_name(one, name); });
  }

  void check_not_closed(const ConfigNode& member, std::string_view name) {
    if (!contains(closed_, name)) return;
    report_
        .error(DiagnosticCode::kClosedWithTargets,
               member.key_range,
               fmt::format("`{}` is declared closed, so it can have no targets", name))
        .notes.push_back({"declare it open if its atoms are to be inferred", {}});
  }

  void unknown_predicate(const ConfigNode& member, std::string_view name) {
    std::vector<std::string_view> known;
    for (const auto& predicate : draft_.model.predicates) known.push_back(predicate.name);
    suggest_name(report_.error(DiagnosticCode::kUnknownPredicate,
                               member.key_range,
                               fmt::format("`{}` is not declared under `predicates`", name)),
                 name,
                 known);
  }

  void files(const ConfigNode& node, Partition partition, PredicateDeclaration& declaration) {
    if (node.kind == ConfigKind::kNull) return;
    if (node.kind == ConfigKind::kText) {
      declaration.data.push_back({partition,
                                  Section::kAll,
                                  relative_to(data_path_, node.text),
                                  {},
                                  report_.locate(node.range)});
    } else if (node.kind == ConfigKind::kList) {
      for (const ConfigNode& element : node.children) {
        if (element.kind == ConfigKind::kText) {
          files(element, partition, declaration);
        } else {
          report_.wrong_kind(element, fmt::format("`{}`", node.key), "paths of files");
        }
      }
    } else {
      report_.wrong_kind(node, fmt::format("`{}`", node.key), "a path, or a list of paths");
    }
  }

  const std::string& data_path_;
  const ConfigReport& report_;
  ModelDraft& draft_;
  bool declared_closed_ = false;            // the predicate being read
  std::vector<std::string> closed_;         // all that are declared so
  std::vector<const ConfigNode*> foreign_;  // keys and words that mean nothing here
};

}  // namespace

ModelDraft parse_rules_and_data(ModelText rules,
                                ModelText data,
                                Diagnostics& diagnostics,
                                const std::stop_token& stop) {
  ModelDraft draft;
  draft.model.path = rules.path;
  draft.model.texts.push_back(std::move(rules));
  draft.model.texts.push_back(std::move(data));
  draft.model.sections[0].rules.push_back({0, {}, {}});
  const ModelText& file = draft.model.texts.back();
  const Source source(file.path, file.text);
  const auto root = read_yaml(source, diagnostics, stop);
  if (!root) return draft;
  const ConfigReport report(source, diagnostics, stop);
  draft.has_predicates = PairReader(file.path, report, draft).read(*root);
  return draft;
}

}  // namespace sorites
