#include "session/write_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/constant.h"
#include "base/shown_text.h"
#include "base/whole_file.h"
#include "hinge/model/rule_numbers.h"
#include "lang/mln/program_printer.h"
#include "modelfile/learned_model.h"
#include "modelfile/options.h"
#include "session/input_files.h"
#include "session/learn_settings.h"
#include "session/learned_networks.h"
#include "session/learning_data.h"
#include "session/learning_files.h"
#include "session/option_catalog.h"
#include "session/updated_data.h"

namespace sorites {
namespace {

// By RFC 4180, which can say any text.
void append_field(std::string& line, std::string_view text) {
  const bool plain = !text.empty() && text.find_first_of(",\"\r\n") == std::string_view::npos;
  if (plain) {
    line += text;
    return;
  }
  line += '"';
  for (const char c : text) {
    if (c == '"') line += c;
    line += c;
  }
  line += '"';
}

void write_table(const RowTable& table, const std::string& path) {
  WholeFile file(path);
  std::string lines;
  for (std::size_t row = 0; row < table.num_rows; ++row) {
    for (std::size_t k = 0; k < table.columns.size(); ++k) {
      const RowColumn& column = table.columns[k];
      if (k > 0) lines += ',';
      if (column.numbers.empty()) {
        append_field(lines, column.texts[column.codes[row]]);
      } else {
        lines += fmt::format("{}", column.numbers[row]);
      }
    }
    if (!table.values.empty()) lines += "," + to_text(table.values[row]);
    lines += '\n';
    constexpr std::size_t kEnough = std::size_t{1} << 20U;  // few calls, little memory
    if (lines.size() > kEnough) file.write(std::exchange(lines, {}));
  }
  file.write(lines);
  file.put_in_place();
}

// Rules that are skipped are not written, and all stand on other lines, so those that
// `learn.fixed_rules` names have other numbers and places. `written`: all rules, in their order.
void renumber_fixed_rules(const ModelFile& file,
                          const Program& written,
                          std::vector<OptionSetting>& options) {
  for (OptionSetting& one : options) {
    if (!same_but_case(one.name, "learn.fixed_rules") || one.value.empty()) continue;
    std::vector<RuleId> fixed;
    try {
      fixed = fixed_rules(file, written, {.fixed_rules = one.value});
    } catch (const InputError&) {
      continue;  // it names none: as much a mistake of the model that is written
    }
    std::vector<std::uint32_t> numbers;
    for (RuleId r = 0; r < written.rules.size(); ++r) {
      const bool is_fixed =
          std::find(fixed.begin(), fixed.end(), written.rules[r].id) != fixed.end();
      if (is_fixed) numbers.push_back(rule_number(r));
    }
    one.value = fmt::format("{}", fmt::join(numbers, ", "));
  }
}

// Those that a text of Markov logic keeps beside it.
std::map<std::string, std::string> options_of_text(const ModelFile& file, const Program& program) {
  std::vector<OptionSetting> kept = file.section(Section::kAll).options;
  renumber_fixed_rules(file, program, kept);
  std::map<std::string, std::string> options;
  for (const OptionSetting& one : kept) options[one.name] = one.value;
  return options;
}

}  // namespace

std::vector<std::string> table_files(const ModelFile& file, const std::string& path) {
  const std::filesystem::path model(path);
  std::vector<std::string> files;
  std::map<std::string, int> taken;
  for (const PredicateDeclaration& predicate : file.predicates) {
    for (const DataSource& source : predicate.data) {
      if (!source.table) continue;
      std::string name =
          fmt::format("{}.{}.{}", model.stem().string(), predicate.name, name_of(source.partition));
      const int before = taken[name]++;
      if (before > 0) name += fmt::format("-{}", before + 1);
      files.push_back(std::filesystem::path(model).replace_filename(name + ".csv").string());
    }
  }
  return files;
}

ModelFile with_tables_on_disk(ModelFile file, const std::string& path) {
  const std::vector<std::string> files = table_files(file, path);
  std::size_t next = 0;
  for (PredicateDeclaration& predicate : file.predicates) {
    for (DataSource& source : predicate.data) {
      if (!source.table) continue;
      source.path = files[next++];
      write_table(*source.table, source.path);
      source.table.reset();
    }
  }
  return file;
}

std::string rules_text(const ModelFile& file, const Learned& learned) {
  return file.language == Language::kMln ? markov::rules_text(learned.program, &learned.database)
                                         : to_text(learned.program);
}

void write_model(const ModelFile& file,
                 std::span<const OptionSetting> settings,
                 const Learned& learned,
                 std::span<const LearnedNetwork> networks,
                 const std::string& path) {
  const Program& program = learned.program;
  if (file.is_text_of_markov_logic()) {
    return markov::write_mln(program, learned.database, options_of_text(file, program), path);
  }
  const bool whole = path.ends_with(".json") && !file.path.empty();
  if (!whole) return write_whole_file(path, text_for_file(path, rules_text(file, learned)));
  ModelFile whole_file = with_overrides(file, with_method_alone(settings), option_catalog());
  SectionRules rules = compile_sections(whole_file);
  std::map<RuleId, const Rule*> by_id;
  for (const Rule& rule : program.rules) by_id.emplace(rule.id, &rule);
  std::vector<double> by_rule;  // of the learning phase
  Program written{.predicates = rules.predicates, .rules = {}, .domains = rules.domains};
  for (std::size_t section = 0; section < rules.rules.size(); ++section) {
    for (Rule& rule : rules.rules[section]) {
      const auto found = by_id.find(rule.id);
      if (found != by_id.end()) rule = *found->second;
      if (section <= static_cast<std::size_t>(Section::kLearn)) {
        by_rule.push_back(rule.weight.value_or(0.0));
      }
      written.rules.push_back(rule);
    }
  }
  for (ModelSection& section : whole_file.sections) {
    renumber_fixed_rules(whole_file, written, section.options);
  }
  write_whole_file(
      path, text_for_file(path, learned_model_text(whole_file, rules, by_rule, networks, path)));
}

namespace {

// The rules of the present phase, and those that learning alone has, with what it has learned.
Program with_rules_of_learning(Program program, const std::optional<Program>& learned) {
  if (!learned) return program;
  std::set<RuleId> present;
  for (const Rule& rule : program.rules) present.insert(rule.id);
  for (const Rule& rule : learned->rules) {
    if (present.insert(rule.id).second) program.rules.push_back(rule);
  }
  return program;
}

}  // namespace

void Session::save_model(const std::string& path) {
  State& state = *state_;
  check_kind_of_output(state.file, path);
  refuse_to_replace_inputs(state, all_outputs(state.file, {.output = path}));
  LoadedPhase& present = state.loaded();
  std::vector<LearnedNetwork> networks;
  if (state.networks) networks = write_networks(state.networks, path);
  const bool whole = !state.file.is_text_of_markov_logic() && path.ends_with(".json");
  const Program program = whole ? with_rules_of_learning(present.loaded.program, state.learned)
                                : present.loaded.program;
  write_model(whole ? with_tables_on_disk(with_updated_data(state), path) : state.file,
              state.options.settings,
              {program, present.given_data()},
              networks,
              path);
}

}  // namespace sorites
