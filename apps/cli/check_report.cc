#include "check_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <sstream>
#include <utility>

#include "base/shown_text.h"
#include "modelfile/predicate_reader.h"
#include "report/json.h"

namespace sorites {
namespace {

constexpr Partition kPartitions[] = {Partition::kObserved, Partition::kTarget, Partition::kTruth};

struct CheckStyle {
  std::string_view title, good, dim, off;
};
constexpr CheckStyle kCheckPlain{};
// Bold, green, dim, and none of them: SGR codes of ECMA-48.
constexpr CheckStyle kCheckColor{"\x1b[1m", "\x1b[1;32m", "\x1b[2m", "\x1b[0m"};

// Knows/2, or friend(person, person) where arguments have domains with names.
std::string signature(const Predicate& predicate, const Program& program) {
  const auto is_named = [](DomainId domain) { return domain >= builtin_domains().size(); };
  if (std::none_of(predicate.domains.begin(), predicate.domains.end(), is_named)) {
    return shown_text(fmt::format("{}/{}", predicate.name, predicate.arity()));
  }
  std::vector<std::string> domains;
  for (const DomainId domain : predicate.domains) domains.push_back(program.domains[domain].name);
  return shown_text(fmt::format("{}({})", predicate.name, fmt::join(domains, ", ")));
}

// "4 person, 12 paper", of domains with names.
std::string domain_counts(const PhaseSummary& phase) {
  std::vector<std::string> counts;
  for (std::size_t d = builtin_domains().size(); d < phase.program.domains.size(); ++d) {
    counts.push_back(
        fmt::format("{} {}", grouped(phase.constants[d]), phase.program.domains[d].name));
  }
  return shown_text(fmt::format("{}", fmt::join(counts, ", ")));
}

std::string_view role(const Predicate& predicate) {
  return predicate.neural ? "neural" : predicate.open ? "open" : "closed";
}

std::string row_count(std::size_t count) { return count == 0 ? "-" : grouped(count); }

bool is_logical(const Rule& rule) { return std::holds_alternative<LogicalRule>(rule.body); }

template <class Condition>
std::size_t count_rules(const Program& program, Condition condition) {
  return static_cast<std::size_t>(
      std::count_if(program.rules.begin(), program.rules.end(), condition));
}

std::string rule_counts(const Program& program) {
  const std::size_t all = program.rules.size();
  const std::size_t hard = count_rules(program, [](const Rule& rule) { return !rule.weight; });
  const std::size_t logical = count_rules(program, is_logical);
  return fmt::format("{} rule{}: {} weighted, {} hard; {} logical, {} arithmetic",
                     all,
                     all == 1 ? "" : "s",
                     all - hard,
                     hard,
                     logical,
                     all - logical);
}

std::size_t num_rows(const PhaseSummary& phase) {
  std::size_t count = 0;
  for (const auto& rows : phase.rows) count += rows[0] + rows[1] + rows[2];
  return count;
}

std::string predicate_table(const PhaseSummary& phase, const CheckStyle& style) {
  std::size_t name_width = std::string_view("predicate").size(), width = 8;
  for (std::size_t p = 0; p < phase.rows.size(); ++p) {
    name_width = std::max(name_width, signature(phase.program.predicates[p], phase.program).size());
    for (const std::size_t count : phase.rows[p]) width = std::max(width, row_count(count).size());
  }
  std::string text = fmt::format("  {}{:{}}  {:6}  {:>{}}  {:>{}}  {:>{}}{}\n",
                                 style.dim,
                                 "predicate",
                                 name_width,
                                 "",
                                 "observed",
                                 width,
                                 "targets",
                                 width,
                                 "truth",
                                 width,
                                 style.off);
  for (std::size_t p = 0; p < phase.rows.size(); ++p) {
    const Predicate& predicate = phase.program.predicates[p];
    text += fmt::format("  {:{}}  {:6}  {:>{}}  {:>{}}  {:>{}}\n",
                        signature(predicate, phase.program),
                        name_width,
                        role(predicate),
                        row_count(phase.rows[p][0]),
                        width,
                        row_count(phase.rows[p][1]),
                        width,
                        row_count(phase.rows[p][2]),
                        width);
  }
  return text;
}

Json to_json(const Predicate& predicate, const std::array<std::size_t, 3>& rows) {
  Json types = Json::array(), counts = Json::object();
  for (const ArgumentType type : predicate.types) types.push_back(name_of(type));
  for (std::size_t i = 0; i < std::size(kPartitions); ++i) {
    counts[std::string(sorites::name_of(kPartitions[i]))] = rows[i];
  }
  return {{"name", predicate.name},
          {"arity", predicate.arity()},
          {"types", std::move(types)},
          {"open", predicate.open},
          {"neural", predicate.neural},
          {"rows", std::move(counts)}};
}

Json to_json(std::size_t r, const Program& program) {
  const Rule& rule = program.rules[r];
  return {{"rule", r + 1},
          {"text", to_text(rule, program)},
          {"file", rule.source.file},
          {"line", rule.source.line},
          {"weight", rule.weight ? Json(*rule.weight) : Json()},
          {"squared", rule.squared},
          {"kind", is_logical(rule) ? "logical" : "arithmetic"}};
}

Json to_json(const PhaseSummary& phase) {
  Json predicates = Json::array(), rules = Json::array();
  for (std::size_t p = 0; p < phase.rows.size(); ++p) {
    predicates.push_back(to_json(phase.program.predicates[p], phase.rows[p]));
  }
  for (std::size_t r = 0; r < phase.program.rules.size(); ++r) {
    rules.push_back(to_json(r, phase.program));
  }
  Json domains = Json::object();
  for (std::size_t d = 0; d < phase.program.domains.size(); ++d) {
    domains[phase.program.domains[d].name] = phase.constants[d];
  }
  return {{"phase", sorites::name_of(phase.phase)},
          {"predicates", std::move(predicates)},
          {"domains", std::move(domains)},
          {"rules", std::move(rules)},
          {"rows", num_rows(phase)},
          {"memory_bytes", phase.memory_bytes}};
}

std::size_t most_memory(const CheckResult& report) {
  std::size_t most = 0;
  for (const PhaseSummary& phase : report.phases) most = std::max(most, phase.memory_bytes);
  return most;
}

}  // namespace

std::string summary_text(const CheckResult& report, bool color) {
  const CheckStyle& style = color ? kCheckColor : kCheckPlain;
  std::string text = fmt::format(
      "{}{}{}: {}no mistakes{}{}\n",
      style.title,
      shown_text(report.model),
      style.off,
      style.good,
      style.off,
      report.diagnostics.empty() ? "" : fmt::format(", {}", count_text(report.diagnostics)));
  std::size_t rows = 0;
  for (const PhaseSummary& phase : report.phases) {
    text += fmt::format("\n{}{}{}\n", style.title, sorites::name_of(phase.phase), style.off);
    text += predicate_table(phase, style);
    // Validation has the rules of learning; its own are mostly none.
    if (phase.phase != Phase::kValidation || !phase.program.rules.empty()) {
      text += fmt::format("  {}\n", rule_counts(phase.program));
    }
    if (const std::string domains = domain_counts(phase); !domains.empty()) {
      text += fmt::format("  constants: {}\n", domains);
    }
    rows += num_rows(phase);
  }
  text += fmt::format("\n{} rows, {} of memory, {:.2f} s\n",
                      grouped(rows),
                      bytes_text(most_memory(report)),
                      report.seconds.total);
  return text;
}

std::string rules_text(const CheckResult& report) {
  std::string text;
  std::set<std::string> printed;  // rules that several phases have stand once
  for (const PhaseSummary& phase : report.phases) {
    std::istringstream lines(phase.text);
    std::set<std::string> of_phase;
    for (std::string line; std::getline(lines, line);) {
      of_phase.insert(line);
      if (!printed.contains(line)) text += line + "\n";
    }
    printed.merge(of_phase);
  }
  return text;
}

Json to_json(const CheckResult& report) {
  Json phases = Json::array();
  for (const PhaseSummary& phase : report.phases) phases.push_back(to_json(phase));
  return {{"command", "check"},
          {"version", SORITES_VERSION},
          {"model", report.model},
          {"semantics", report.semantics},
          {"ok", report.ok()},
          {"phases", std::move(phases)},
          {"diagnostics", to_json(std::span<const Diagnostic>(report.diagnostics))},
          {"memory_bytes", most_memory(report)},
          {"seconds", to_json(report.seconds)}};
}

}  // namespace sorites
