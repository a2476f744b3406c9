// Ground rules as text, in PSL's format.
#include "hinge/ground/write_ground_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <ostream>

#include "base/psl_number.h"
#include "hinge/ground/narrow.h"
#include "join/join_tasks.h"
#include "sorites/ground.h"

namespace sorites {
namespace {

class GroundRuleText {
 public:
  GroundRuleText(const Program& program, const Database& database)
      : program_(program), database_(database) {
    for (const Rule& rule : program.rules) largest_ = std::max(largest_, rule.weight.value_or(0.0));
  }

  std::string line(const Rule& rule, const std::string& text) const {
    const double scale = largest_ > 0 ? largest_ : 1.0;
    return fmt::format("{}\t{}\t{}\n",
                       rule.weight ? psl_number(*rule.weight / scale) : ".",
                       rule.squared ? "true" : "false",
                       text);
  }

  // ( ~( Body('a') ) | Head('b') )
  std::string clause(const std::vector<RuleAtom>& atoms) const {
    std::string text;
    for (const RuleAtom& ground : atoms) {
      if (!text.empty()) text += " | ";
      text += ground.coefficient > 0 ? fmt::format("~( {} )", atom(ground)) : atom(ground);
    }
    return fmt::format("( {} )", text);
  }

  // 2.0 * X('a') + -1.0 * X('b') <= 0.0
  std::string sum(const std::vector<RuleAtom>& atoms,
                  double constant,
                  const std::vector<TermForm>& forms) const {
    std::string text;
    for (const RuleAtom& ground : atoms) {
      if (!text.empty()) text += " + ";
      text += fmt::format("{} * {}", psl_number(ground.coefficient), atom(ground));
    }
    const bool equal = forms.size() == 2 || forms[0].kind == TermKind::kEqual;
    const char* op = equal ? "=" : forms[0].sign > 0 ? "<=" : ">=";
    return fmt::format("{} {} {}", text, op, psl_number(-constant));
  }

 private:
  std::string atom(const RuleAtom& ground) const {
    const Predicate& predicate = program_.predicates[ground.predicate];
    std::string text;
    for (char c : predicate.name) {
      text += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
    for (std::size_t i = 0; i < ground.arguments.size(); ++i) {
      text += i == 0 ? "('" : "', '";
      const Dictionary& dictionary = database_.dictionary(predicate.domain(i));
      if (ground.arguments[i] == kNoCode) continue;
      for (const char c : dictionary.text(ground.arguments[i])) {
        if (c == '\'' || c == '\\') text += '\\';
        text += c;
      }
    }
    return text + "')";
  }

  const Program& program_;
  const Database& database_;
  double largest_ = 0.0;
};

// Whether a binding becomes a term: the emitter is asked to write it, and thrown away what it
// wrote.
bool is_written(Emitter& emitter, const JoinBatch& batch, std::uint32_t binding) {
  TaskResult scratch;
  emitter.begin(scratch);
  emitter.add(batch.only(binding));
  return scratch.counts.terms > 0;
}

// The lines of those bindings of a batch that become terms.
void write_batch(const Rule& rule,
                 const RuleQuery& query,
                 const GroundRuleText& text,
                 const JoinBatch& batch,
                 Emitter& emitter,
                 std::ostream& out) {
  const bool logical = std::holds_alternative<LogicalRule>(rule.body);
  for (const std::uint32_t binding : batch.selected()) {
    if (!is_written(emitter, batch, binding)) continue;
    const std::vector<RuleAtom> atoms = emitter.atoms(batch, binding);
    out << text.line(rule,
                     logical ? text.clause(atoms)
                             : text.sum(atoms, emitter.constant(batch, binding), query.forms));
  }
}

}  // namespace

void write_ground_rules(const Program& program,
                        const Database& database,
                        const GroundOptions& options,
                        std::ostream& out) {
  Model numbering;
  const EmitContext context{
      program, database, lay_out(program, database, numbering), options.on_missing_target};
  const GroundRuleText text(program, database);
  ColumnStatistics statistics(database);
  Coverage coverage(statistics);
  TrieStore tries(database);
  ThreadPool pool(1);
  out << "Weight\tSquared?\tRule\n";
  for (const Rule& rule : program.rules) {
    const NarrowContext narrow{context, statistics, coverage, options.plan};
    for (const RuleQuery& query : narrowed_queries(rule, narrow)) {
      const JoinPlan plan = make_plan(query.query, statistics, tries);
      Join join(plan, database);
      const auto emitter = make_emitter(context, rule, query, plan);
      const auto write = [&](const JoinBatch& batch) {
        write_batch(rule, query, text, batch, *emitter, out);
      };
      const JoinTasks tasks(plan, database, pool);
      for (const JoinTask& task : tasks.all()) {
        if (!join.run(task, write, options.stop)) throw Interrupted();
      }
    }
  }
}

}  // namespace sorites
