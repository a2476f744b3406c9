#include "modelfile/predicate_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/constant.h"
#include "lang/mln/cursor.h"
#include "modelfile/evaluation_reader.h"
#include "modelfile/predicate_options.h"

namespace sorites {
namespace {

struct DataKey {
  std::string_view key;
  Section section;
};
constexpr DataKey kDataKeys[] = {{"all", Section::kAll},
                                 {"learn", Section::kLearn},
                                 {"validation", Section::kValidation},
                                 {"infer", Section::kInfer}};

class PredicateReader {
 public:
  PredicateReader(const ConfigReport& report, ModelFile& model) : report_(report), model_(model) {}

  // None if the declaration cannot be used.
  std::optional<PredicateDeclaration> read(const ConfigNode& node) {
    const auto key = read_predicate_key(node.key, node.key_range, report_);
    what_ = fmt::format("the predicate `{}`", key ? key->name : node.key);
    declaration_.declared_at = report_.locate(node.key_range);
    if (node.kind != ConfigKind::kNull) members(node);
    if (!key) return std::nullopt;
    declaration_.name = key->name;
    if (model_.language == Language::kMln) check_name(node);
    settle_arity(node, key->arity);
    if (!declaration_.classes.empty()) ++declaration_.arity;
    check_world(node);
    if (exactly_one_ != nullptr && !broken_) exactly_one(*exactly_one_);
    if (options_ != nullptr && !broken_) read_predicate_options(*options_, report_, declaration_);
    return broken_ ? std::nullopt : std::optional(std::move(declaration_));
  }

 private:
  void members(const ConfigNode& node) {
    const auto nothing = [](const ConfigNode&) {};
    const bool is_object = report_.for_members(
        node,
        what_,
        {{"arity", [&](const ConfigNode& member) { arity_ = &member; }},
         {"types", [&](const ConfigNode& member) { types(member); }},
         {"classes", [&](const ConfigNode& member) { classes(member); }},
         {"exactly-one", [&](const ConfigNode& member) { exactly_one_ = &member; }},
         {"world", [&](const ConfigNode& member) { world(member); }},
         {"observations", [&](const ConfigNode& m) { data(m, Partition::kObserved); }},
         {"targets", [&](const ConfigNode& m) { data(m, Partition::kTarget); }},
         {"truth", [&](const ConfigNode& m) { data(m, Partition::kTruth); }},
         {"force-open",
          [&](const ConfigNode& member) {
            declaration_.force_open = report_.boolean(member, "`force-open`").value_or(false);
          }},
         {"evaluations",
          [&](const ConfigNode& member) {
            read_evaluations(member, report_, declaration_.evaluations);
          }},
         {"type", [&](const ConfigNode& member) { predicate_class(member); }},
         {"options", [&](const ConfigNode& member) { options_ = &member; }},
         {"function",
          [&](const ConfigNode& member) {
            report_external_function(member, report_);
            broken_ = true;
          }},
         {"name", nothing}});
    broken_ = broken_ || !is_object;
  }

  void types(const ConfigNode& node) {
    auto types = read_types(node, report_, model_);
    if (types) {
      declaration_.types = std::move(types->types);
      declaration_.domains = std::move(types->domains);
      types_ = &node;
    } else {
      broken_ = true;
    }
  }

  void check_name(const ConfigNode& node) {
    if (!markov::is_keyword(declaration_.name)) return;
    report_.error(DiagnosticCode::kBadPredicateName,
                  node.key_range,
                  fmt::format("`{}` has a meaning of its own in formulas", declaration_.name));
    broken_ = true;
  }

  void classes(const ConfigNode& node) {
    auto names = read_constants(node, report_, "a list of classes");
    broken_ = broken_ || !names;
    if (!names) return;
    declaration_.classes = std::move(*names);
    std::string message;
    if (declaration_.classes.size() < 2) message = "a predicate with classes has at least two";
    for (std::size_t i = 0; i < declaration_.classes.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (declaration_.classes[i] != declaration_.classes[j]) continue;
        message = fmt::format("class `{}` stands twice", declaration_.classes[i]);
      }
    }
    if (message.empty()) return;
    report_.error(DiagnosticCode::kUnknownClass, node.range, std::move(message));
    broken_ = true;
  }

  // Arguments by their numbers from 0; negative ones count from the end.
  void exactly_one(const ConfigNode& node) {
    if (node.kind != ConfigKind::kList || node.children.empty()) {
      report_.wrong_kind(node, "`exactly-one`", "a list of argument numbers, as in [1]");
      return;
    }
    const auto arity = static_cast<std::int64_t>(declaration_.arity);
    for (const ConfigNode& element : node.children) {
      const auto number =
          element.kind == ConfigKind::kNumber ? parse_integer(element.text) : std::nullopt;
      const std::int64_t argument = number && *number < 0 ? *number + arity : number.value_or(-1);
      auto& arguments = declaration_.exactly_one;
      const auto k = static_cast<std::size_t>(argument);
      if (argument < 0 || argument >= arity) {
        report_.error(DiagnosticCode::kArityMismatch,
                      element.range,
                      fmt::format("`exactly-one` names argument `{}`, but `{}` has arguments 0 to "
                                  "{}, or -1 to -{} from the end",
                                  element.text,
                                  declaration_.name,
                                  arity - 1,
                                  arity));
      } else if (std::find(arguments.begin(), arguments.end(), k) == arguments.end()) {
        arguments.push_back(k);
      }
    }
  }

  void world(const ConfigNode& node) {
    const auto text = report_.text(node, "`world`", "`open` or `closed`");
    if (!text) return;
    world_ = &node;
    if (same_name(*text, "open")) {
      declaration_.world = World::kOpen;
    } else if (same_name(*text, "closed")) {
      declaration_.world = World::kClosed;
    } else {
      suggest_name(report_.error(DiagnosticCode::kUnknownKey,
                                 node.range,
                                 fmt::format("a world is open or closed, not `{}`", *text)),
                   *text,
                   {"open", "closed"});
      broken_ = true;
    }
  }

  void check_world(const ConfigNode& node) {
    if (declaration_.world != World::kClosed) return;
    if (!declaration_.classes.empty()) {
      report_.error(DiagnosticCode::kUnknownClass,
                    node.find("classes")->range,
                    "a predicate with classes cannot be closed: every atom has some class");
      broken_ = true;
    }
    const bool has_targets = std::any_of(
        declaration_.data.begin(), declaration_.data.end(), [](const DataSource& source) {
          return source.partition == Partition::kTarget;
        });
    if (!has_targets && !declaration_.force_open && !declaration_.neural) return;
    report_
        .error(DiagnosticCode::kClosedWithTargets,
               world_->range,
               fmt::format("`{}` is declared closed, so none of its atoms can be unknown",
                           declaration_.name))
        .notes.push_back({"leave out `world`, or its targets", {}});
  }

  // The arity comes from the name, from `types` or from `arity`; all that are given must agree.
  void settle_arity(const ConfigNode& node, std::optional<std::size_t> arity) {
    std::string_view source = "its name";
    if (types_ != nullptr) {
      if (arity && *arity != declaration_.types.size()) {
        return mismatch(types_->range, *arity, source, "`types` has", declaration_.types.size());
      }
      arity = declaration_.types.size();
      source = "`types`";
    }
    if (arity_ != nullptr) {
      const auto given =
          arity_->kind == ConfigKind::kNumber ? parse_integer(arity_->text) : std::nullopt;
      if (!given || *given < 1 || *given > 255) {
        report_.error(
            DiagnosticCode::kArityMismatch,
            arity_->range,
            fmt::format("`arity` of `{}` must be an integer from 1 to 255", declaration_.name));
        broken_ = true;
        return;
      }
      if (arity && *arity != static_cast<std::size_t>(*given)) {
        return mismatch(
            arity_->range, *arity, source, "`arity` is", static_cast<std::size_t>(*given));
      }
      arity = static_cast<std::size_t>(*given);
    }
    if (broken_) return;
    if (!arity || *arity == 0) {
      broken_ = true;
      report_
          .error(DiagnosticCode::kArityMismatch,
                 node.key_range,
                 fmt::format("nothing says how many arguments `{}` has", declaration_.name))
          .notes.push_back({fmt::format("write `{}/2` for two arguments", declaration_.name), {}});
      return;
    }
    declaration_.arity = *arity;
  }

  void mismatch(TextRange at,
                std::size_t arity,
                std::string_view source,
                std::string_view but,
                std::size_t other) {
    broken_ = true;
    report_.error(DiagnosticCode::kArityMismatch,
                  at,
                  fmt::format("`{}` has {} argument{} by {}, but {} {}",
                              declaration_.name,
                              arity,
                              arity == 1 ? "" : "s",
                              source,
                              but,
                              other));
  }

  void predicate_class(const ConfigNode& node) {
    const auto name = report_.text(node, "`type`", "`StandardPredicate` or `DeepPredicate`");
    if (!name) return;
    const std::string_view last = std::string_view(*name).substr(name->rfind('.') + 1);
    if (last == "DeepPredicate") {
      declaration_.neural = true;
    } else if (last != "StandardPredicate") {
      suggest_name(report_.error(DiagnosticCode::kUnknownType,
                                 node.range,
                                 fmt::format("there is no predicate type `{}`", *name)),
                   *name,
                   {"StandardPredicate", "DeepPredicate"});
    }
  }

  // A list, or an object of lists by phase.
  void data(const ConfigNode& node, Partition partition) {
    if (node.kind != ConfigKind::kObject)
      return data_list(node, node.key, partition, Section::kAll);
    const auto list = [&](std::size_t i) {
      return [this, i, partition](const ConfigNode& member) {
        data_list(member, member.key, partition, kDataKeys[i].section);
      };
    };
    report_.for_members(node,
                        fmt::format("`{}`", node.key),
                        {{kDataKeys[0].key, list(0)},
                         {kDataKeys[1].key, list(1)},
                         {kDataKeys[2].key, list(2)},
                         {kDataKeys[3].key, list(3)}});
  }

  void data_list(const ConfigNode& node,
                 std::string_view key,
                 Partition partition,
                 Section section) {
    if (node.kind != ConfigKind::kList) {
      Diagnostic& added =
          report_.wrong_kind(node, fmt::format("`{}`", key), "a list of files or rows");
      if (node.kind == ConfigKind::kText) {
        added.notes.push_back({fmt::format("put it into a list: [\"{}\"]", node.text), {}});
      }
      return;
    }
    for (const ConfigNode& element : node.children) {
      report_.throw_if_stopped();
      DataSource source{partition, section, {}, {}, report_.locate(element.range)};
      if (element.kind == ConfigKind::kText) {
        source.path = relative_to(model_.path, element.text);
      } else if (!row(element, key, source.row)) {
        continue;
      }
      declaration_.data.push_back(std::move(source));
    }
  }

  bool row(const ConfigNode& node, std::string_view key, std::vector<std::string>& values) {
    if (node.kind != ConfigKind::kList) {
      report_.wrong_kind(
          node, fmt::format("an element of `{}`", key), "a file name or a row (a list of values)");
      return false;
    }
    for (const ConfigNode& value : node.children) {
      if (!value.is_scalar() || value.kind == ConfigKind::kNull) {
        report_.wrong_kind(value, fmt::format("a row of `{}`", key), "texts and numbers");
        return false;
      }
      values.push_back(value.text);
    }
    return true;
  }

  const ConfigReport& report_;
  ModelFile& model_;
  PredicateDeclaration declaration_;
  std::string what_;
  const ConfigNode* arity_ = nullptr;
  const ConfigNode* world_ = nullptr;
  const ConfigNode* types_ = nullptr;
  const ConfigNode* options_ = nullptr;
  const ConfigNode* exactly_one_ = nullptr;
  bool broken_ = false;
};

}  // namespace

void read_predicates(const ConfigNode& node,
                     const ConfigReport& report,
                     ModelFile& model,
                     std::vector<std::string>& broken) {
  if (node.kind != ConfigKind::kObject) {
    report.wrong_kind(node, "`predicates`", "an object whose keys are like `Knows/2`");
    return;
  }
  for (const ConfigNode& member : node.children) {
    auto declaration = PredicateReader(report, model).read(member);
    if (declaration) {
      add_predicate(std::move(*declaration), member.key_range, report, model);
    } else {
      broken.push_back(member.key.substr(0, member.key.find('/')));
    }
  }
}

}  // namespace sorites
