#include "modelfile/learned_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "config/canonical_number.h"
#include "config/json_text.h"
#include "data/sources/column_file.h"
#include "lang/mln/program_printer.h"
#include "modelfile/compile_model.h"
#include "modelfile/exactly_one.h"
#include "modelfile/finish_diagnostics.h"
#include "modelfile/network_options.h"
#include "modelfile/network_priors.h"
#include "modelfile/options.h"
#include "modelfile/predicate_reader.h"

namespace sorites {
namespace {

namespace fs = std::filesystem;

std::string_view name_of(Section section) {
  switch (section) {
    case Section::kAll:
      return "all";
    case Section::kLearn:
      return "learn";
    case Section::kValidation:
      return "validation";
    case Section::kInfer:
      return "infer";
  }
  return {};  // not reached: the switch is complete
}

std::vector<std::string> quoted_texts(const std::vector<std::string>& texts) {
  std::vector<std::string> result;
  result.reserve(texts.size());
  for (const std::string& text : texts) result.push_back(json_quoted(text));
  return result;
}

// What a model file says before its predicates, if it is not the default.
JsonMembers language_members(const ModelFile& model) {
  JsonMembers members;
  if (model.language != Language::kPsl) {
    members.emplace_back("language", json_quoted(name_of(model.language)));
  }
  if (model.semantics != kDefaultSemantics) {
    members.emplace_back("semantics", json_quoted(model.semantics));
  }
  JsonMembers domains;
  for (const Domain& domain : model.domains) {
    domains.emplace_back(domain.name,
                         domain.closed ? json_list(quoted_texts(domain.constants)) : "null");
  }
  if (!domains.empty()) members.emplace_back("domains", json_object(domains, 2));
  return members;
}

// Writes a model so that it means the same in another folder.
class ModelWriter {
 public:
  ModelWriter(const ModelFile& model,
              std::span<const LearnedNetwork> networks,
              std::span<const double> common_weights,
              const std::string& path)
      : model_(model),
        networks_(networks),
        common_weights_(common_weights),
        folder_(fs::absolute(path).parent_path()) {}

  std::string predicates() const {
    JsonMembers members;
    for (const PredicateDeclaration& predicate : model_.predicates) {
      if (is_prior(predicate)) continue;
      const std::size_t num_arguments = predicate.arity - (predicate.classes.empty() ? 0 : 1);
      members.emplace_back(fmt::format("{}/{}", predicate.name, num_arguments),
                           json_object(declaration(predicate), 4));
    }
    return json_object(members, 2);
  }

  // Lines, or the path of a file of them. None: there are no unary potentials.
  std::optional<std::string> unaries(Section section) const {
    const std::vector<RuleText>& texts = model_.section(section).unaries;
    if (texts.empty()) return std::nullopt;
    if (texts[0].file_offset.empty()) {
      return json_quoted(rebased(model_.texts[texts[0].model_text].path));
    }
    std::vector<std::string> lines;
    lines.reserve(texts.size());
    for (const RuleText& text : texts) lines.push_back(json_quoted(text.text));
    return json_list(lines, 2);
  }

 private:
  // A path that a file of the folder would give. Symbolic links are followed, as opening it will.
  // Absolute paths stay, unless it is the model's own that makes them so.
  std::string rebased(const std::string& path) const {
    // There is no file of the name with a view, so that it could not be found from another folder.
    const std::string file(without_view(path));
    return rebased_file(file) + path.substr(file.size());
  }

  std::string rebased_file(const std::string& path) const {
    const std::string from = fs::path(model_.path).parent_path().string();
    if (fs::path(path).is_absolute() && (from.empty() || !path.starts_with(from))) return path;
    std::error_code error;
    const fs::path relative = fs::relative(path, folder_, error);
    return error || relative.empty() ? fs::absolute(path).string() : relative.string();
  }

  JsonMembers declaration(const PredicateDeclaration& predicate) const {
    JsonMembers members;
    if (!predicate.types.empty()) {
      std::vector<std::string> types;
      for (std::size_t k = 0; k < predicate.types.size(); ++k) {
        const bool named = k < predicate.domains.size() && !predicate.domains[k].empty();
        types.push_back(json_quoted(named ? std::string_view(predicate.domains[k])
                                          : name_of(predicate.types[k])));
      }
      members.emplace_back("types", json_list(types));
    }
    if (!predicate.classes.empty()) {
      members.emplace_back("classes", json_list(quoted_texts(predicate.classes)));
    }
    if (!predicate.exactly_one.empty()) {
      members.emplace_back("exactly-one",
                           fmt::format("[{}]", fmt::join(predicate.exactly_one, ", ")));
    }
    if (predicate.world != World::kDefault) {
      members.emplace_back("world",
                           json_quoted(predicate.world == World::kOpen ? "open" : "closed"));
    }
    const bool prior = has_prior(predicate);
    if (predicate.force_open && !prior) members.emplace_back("force-open", "true");
    if (predicate.neural || prior) members.emplace_back("type", json_quoted("DeepPredicate"));
    for (const Partition partition : partitions_of(predicate)) {
      members.emplace_back(std::string(name_of(partition)), data(predicate, partition));
    }
    if (!predicate.evaluations.empty()) {
      members.emplace_back("evaluations", evaluations(predicate.evaluations));
    }
    const JsonMembers options = prior ? with_prior(predicate) : predicate_options(predicate);
    if (!options.empty()) members.emplace_back("options", json_object(options, 6));
    return members;
  }

  // A predicate that has a network for its prior stands in the file as it was before.
  bool is_prior(const PredicateDeclaration& network) const {
    return std::any_of(
        model_.predicates.begin(), model_.predicates.end(), [&](const PredicateDeclaration& one) {
          return !one.neural && has_prior(one) && prior_name(one) == network.name;
        });
  }

  JsonMembers with_prior(const PredicateDeclaration& predicate) const {
    JsonMembers members;
    for (const auto& [name, value] : predicate.options) {
      if (name != "prior-weight") members.emplace_back(name, json_quoted(value));
    }
    const auto network = find_declaration(model_, prior_name(predicate));
    if (!network) return members;
    members.emplace_back("prior-weight", prior_weight(predicate));
    for (const auto& option : predicate_options(model_.predicates[*network])) {
      if (!predicate.options.contains(option.first)) members.push_back(option);
    }
    return members;
  }

  // The rules of priors are the last ones, in the order of their predicates.
  std::string prior_weight(const PredicateDeclaration& predicate) const {
    std::size_t number = common_weights_.size() - num_priors(model_);
    for (const PredicateDeclaration& one : model_.predicates) {
      if (&one == &predicate) break;
      if (has_prior(one)) ++number;
    }
    return json_number(common_weights_[number]);
  }

  // In the order of the model: rows are numbered by it.
  static std::vector<Partition> partitions_of(const PredicateDeclaration& predicate) {
    std::vector<Partition> partitions;
    for (const DataSource& source : predicate.data) {
      if (std::find(partitions.begin(), partitions.end(), source.partition) == partitions.end()) {
        partitions.push_back(source.partition);
      }
    }
    return partitions;
  }

  std::string data(const PredicateDeclaration& predicate, Partition partition) const {
    std::vector<std::pair<Section, std::vector<std::string>>> sections;
    for (const DataSource& source : predicate.data) {
      if (source.partition != partition) continue;
      auto section = std::find_if(sections.begin(), sections.end(), [&](const auto& one) {
        return one.first == source.section;
      });
      if (section == sections.end()) section = sections.insert(section, {source.section, {}});
      section->second.push_back(source.path.empty() ? row(source, predicate.arity)
                                                    : json_quoted(rebased(source.path)));
    }
    JsonMembers members;
    for (const auto& [section, elements] : sections) {
      members.emplace_back(std::string(name_of(section)),
                           json_list(elements, elements.size() > 1 ? 8 : -1));
    }
    const bool of_all = members.size() == 1 && sections.front().first == Section::kAll;
    if (of_all)
      return json_list(sections.front().second, sections.front().second.size() > 1 ? 6 : -1);
    return json_object(members, 6);
  }

  static std::string row(const DataSource& source, std::size_t arity) {
    std::vector<std::string> values;
    for (const std::string& value : source.row) {
      const bool is_number = values.size() == arity && canonical_number(value) == value;
      values.push_back(is_number ? value : json_quoted(value));
    }
    return json_list(values);
  }

  static std::string evaluations(const std::vector<Evaluation>& evaluations) {
    std::vector<std::string> elements;
    for (const Evaluation& evaluation : evaluations) {
      JsonMembers members = {{"evaluator", json_quoted(evaluation.evaluator)}};
      if (evaluation.primary) members.emplace_back("primary", "true");
      JsonMembers options;
      for (const OptionSetting& option : evaluation.options) {
        options.emplace_back(option.name, json_quoted(option.value));
      }
      if (!options.empty()) members.emplace_back("options", json_object(options));
      elements.push_back(json_object(members));
    }
    return json_list(elements, 6);
  }

  // Some options of networks are paths, seen from the folder of the model. What was learned takes
  // the place of what the model said, in all phases.
  JsonMembers predicate_options(const PredicateDeclaration& predicate) const {
    std::map<std::string, std::string> learned;
    for (const LearnedNetwork& network : networks_) {
      if (network.predicate != predicate.name) continue;
      learned["load"] = network.load;
      if (!network.entities.empty()) learned["entities"] = network.entities;
    }
    JsonMembers members;
    for (const auto& [name, value] : predicate.options) {
      const std::string_view plain = without_phase(name);
      if (learned.contains(std::string(plain))) continue;
      members.emplace_back(name,
                           json_quoted(is_path(predicate, plain) ? rebased_option(value) : value));
    }
    for (const auto& [name, value] : learned) members.emplace_back(name, json_quoted(value));
    return members;
  }

  static bool is_path(const PredicateDeclaration& predicate, std::string_view name) {
    if (!predicate.neural) return false;
    const OptionInfo* option = network_option_catalog().find(name);
    const auto kind = predicate.options.find("network");
    const bool registered = kind != predicate.options.end() && kind->second == "registered";
    return option != nullptr && option->kind == OptionKind::kPath &&
           !(registered && option->name == "module");
  }

  std::string rebased_option(const std::string& value) const {
    const std::size_t end = without_class(value).size();
    const fs::path from = fs::path(model_.path).parent_path();
    return rebased((from / value.substr(0, end)).string()) + value.substr(end);
  }

  const ModelFile& model_;
  std::span<const LearnedNetwork> networks_;
  std::span<const double> common_weights_;  // of the rules of all phases
  fs::path folder_;
};

Rule with_weight(Rule rule, double weight) {
  if (rule.weight) rule.weight = weight;
  return rule;
}

// A list of weights for constants that only the data of another phase has; `*p(x)` makes several
// rules of one text, which has no such list to keep.
bool has_list_as_written(const Rule& rule) {
  return !rule.weighted.empty() && rule.constant_weights.empty() && rule.text.starts_with('[') &&
         rule.text.find('*') == std::string::npos;
}

// The rules of a section as texts, with the weights of the learning phase.
std::vector<std::string> rule_texts(const SectionRules& rules,
                                    Section section,
                                    std::span<const double> weights) {
  const Program program{rules.predicates, {}, rules.domains};
  const std::size_t first = section == Section::kLearn ? rules.of(Section::kAll).size() : 0;
  const bool learned = section == Section::kAll || section == Section::kLearn;
  std::vector<std::string> texts;
  for (std::size_t r = 0; r < rules.of(section).size(); ++r) {
    const Rule& rule = rules.of(section)[r];
    const Rule weighted = learned ? with_weight(rule, weights[first + r]) : rule;
    if (rules.language == Language::kMln && has_list_as_written(rule)) {
      texts.push_back(rule.text);
      continue;
    }
    texts.push_back(rules.language == Language::kMln ? markov::rule_text(weighted, program)
                                                     : to_text(weighted, program));
  }
  return texts;
}

std::string options_text(const std::vector<OptionSetting>& options, int indent) {
  std::map<std::string, std::string> last;
  for (const OptionSetting& option : options) last[option.name] = option.value;
  JsonMembers members;
  for (const auto& [name, value] : last) members.emplace_back(name, json_quoted(value));
  return json_object(members, indent);
}

std::string rules_text(const std::vector<std::string>& texts, int indent) {
  std::vector<std::string> elements;
  elements.reserve(texts.size());
  for (const std::string& text : texts) elements.push_back(json_quoted(text));
  return json_list(elements, indent);
}

}  // namespace

SectionRules compile_sections(const ModelFile& model) {
  Diagnostics diagnostics;
  SectionRules result;
  const auto compile = [&](const ModelDraft& draft, Phase phase) {
    return compile_model(draft, phase, settings_of(model, phase), diagnostics);
  };
  ModelDraft common{model, {}, true};
  for (const Phase phase : kPhases) {
    common.model.sections[static_cast<std::size_t>(section_of(phase))].rules.clear();
  }
  if (!model.section(Section::kAll).rules.empty()) {
    result.rules[0] = compile(common, Phase::kLearn).rules;
  }
  for (const Phase phase : kPhases) {
    const auto section = static_cast<std::size_t>(section_of(phase));
    if (model.sections[section].rules.empty()) continue;
    const auto all = compile({model, {}, true}, phase).rules;
    if (all.size() < result.rules[0].size()) break;  // because of mistakes, which are thrown below
    result.rules[section].assign(all.begin() + static_cast<std::ptrdiff_t>(result.rules[0].size()),
                                 all.end());
  }
  common.model.sections[0].rules.clear();
  if (diagnostics.has_errors()) throw InputError(finish_diagnostics(model, diagnostics));
  Program declared = compile(common, Phase::kLearn);
  result.predicates = std::move(declared.predicates);
  result.domains = std::move(declared.domains);
  result.language = model.language;
  return result;
}

std::string learned_rules_text(const SectionRules& rules, std::span<const double> weights) {
  std::string text;
  for (const Section section : {Section::kAll, Section::kLearn}) {
    for (const std::string& rule : rule_texts(rules, section, weights)) text += rule + "\n";
  }
  return text;
}

std::string learned_model_text(const ModelFile& model,
                               const SectionRules& rules,
                               std::span<const double> weights,
                               std::span<const LearnedNetwork> networks,
                               const std::string& path) {
  const auto common_weights = weights.first(rules.of(Section::kAll).size());
  std::vector<std::string> common = rule_texts(rules, Section::kAll, weights);
  // What declarations stand for is in these.
  common.resize(common.size() - num_priors(model) - num_exactly_one_rules(model));
  const ModelWriter writer(model, networks, common_weights, path);
  JsonMembers members = language_members(model);
  members.emplace_back("predicates", writer.predicates());
  members.emplace_back("rules", rules_text(common, 2));
  if (const auto unaries = writer.unaries(Section::kAll)) members.emplace_back("unaries", *unaries);
  std::vector<OptionSetting> options = model.section(Section::kAll).options;
  // Whoever runs it infers; `sorites learn` goes on learning all the same.
  std::erase_if(options,
                [](const OptionSetting& one) { return same_but_case(one.name, "runtime.learn"); });
  options.push_back({"runtime.learn", "false", {}, {}});
  members.emplace_back("options", options_text(options, 2));
  for (const Phase phase : kPhases) {
    const Section section = section_of(phase);
    JsonMembers parts;
    if (!rules.of(section).empty()) {
      parts.emplace_back("rules", rules_text(rule_texts(rules, section, weights), 4));
    }
    if (const auto unaries = writer.unaries(section)) parts.emplace_back("unaries", *unaries);
    if (!model.section(section).options.empty()) {
      parts.emplace_back("options", options_text(model.section(section).options, 4));
    }
    if (!parts.empty()) members.emplace_back(std::string(name_of(section)), json_object(parts, 2));
  }
  return json_object(members, 0) + "\n";
}

}  // namespace sorites
