#include "report/check_json.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "hinge/model/rule_numbers.h"
#include "modelfile/predicate_reader.h"

namespace sorites {
namespace {

constexpr Partition kPartitions[] = {Partition::kObserved, Partition::kTarget, Partition::kTruth};

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

Json to_json(const Rule& rule, const Program& program) {
  return {{"rule", rule_number(rule.id)},
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
  for (const Rule& rule : phase.program.rules) rules.push_back(to_json(rule, phase.program));
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

}  // namespace

bool is_logical(const Rule& rule) { return std::holds_alternative<LogicalRule>(rule.body); }

std::size_t num_rows(const PhaseSummary& phase) {
  std::size_t count = 0;
  for (const auto& rows : phase.rows) count += rows[0] + rows[1] + rows[2];
  return count;
}

std::size_t most_memory_bytes(const CheckResult& report) {
  std::size_t most = 0;
  for (const PhaseSummary& phase : report.phases) most = std::max(most, phase.memory_bytes);
  return most;
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
          {"memory_bytes", most_memory_bytes(report)},
          {"seconds", to_json(report.seconds)}};
}

}  // namespace sorites
