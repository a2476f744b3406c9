#include "check_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "base/shown_text.h"
#include "report/check_json.h"

namespace sorites {
namespace {

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
                      bytes_text(most_memory_bytes(report)),
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

}  // namespace sorites
