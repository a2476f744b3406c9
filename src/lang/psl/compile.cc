#include "lang/psl/compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/constant.h"
#include "base/utf8.h"
#include "lang/psl/check_rule.h"
#include "lang/psl/lexer.h"
#include "lang/psl/parser.h"
#include "lang/psl/predicate_index.h"
#include "lang/psl/reporter.h"

namespace sorites {
namespace {

// With U+FFFD for what is not UTF-8, so that terminals and JSON readers can show it.
std::string with_replacements(std::string_view text) {
  std::string result;
  for (;;) {
    const std::size_t invalid = find_invalid_utf8(text);
    result += text.substr(0, invalid);
    if (invalid == text.size()) return result;
    result += "\uFFFD";
    text.remove_prefix(invalid + 1);
  }
}

bool check_text(const Source& source, Diagnostics& sink) {
  constexpr std::size_t kMaxBytes = std::size_t{1} << 30;  // places are 32-bit
  if (source.text().size() > kMaxBytes) {
    sink.error(DiagnosticCode::kSyntax, Span{source.file(), 0, 0, 0}, "more than 1 GiB of rules");
    return false;
  }
  const std::size_t invalid = find_invalid_utf8(source.text());
  if (invalid == source.text().size()) return true;
  Diagnostic& added = sink.error(DiagnosticCode::kInvalidUtf8,
                                 source,
                                 {static_cast<std::uint32_t>(invalid), 1},
                                 "this is not UTF-8 text");
  added.excerpt = with_replacements(added.excerpt);
  added.notes.push_back({"save the file as UTF-8", {}});
  return false;
}

bool is_same_but_for_weight(const Rule& a, const Rule& b) {
  return a.weight.has_value() == b.weight.has_value() && a.squared == b.squared &&
         a.body == b.body && a.variables == b.variables;
}

// Finds rules that the program has already. Rules of one source are many, so they are found by
// their text without the weight; those from before are compared one by one, unless their texts are
// known.
class Duplicates {
 public:
  Duplicates(const Program& program, RulesByText* compiled_before)
      : program_(program),
        num_before_(compiled_before == nullptr ? program.rules.size() : 0),
        by_text_(compiled_before == nullptr ? own_ : *compiled_before) {}

  // The earlier rule, or null after having taken note of this one, which goes to the end.
  const Rule* find_or_add(const Rule& rule) {
    const auto begin = program_.rules.begin();
    const auto end = begin + static_cast<std::ptrdiff_t>(num_before_);
    const auto before = std::find_if(
        begin, end, [&](const Rule& other) { return is_same_but_for_weight(rule, other); });
    if (before != end) return &*before;
    Rule weightless = rule;
    if (weightless.weight) weightless.weight = 1.0;
    const auto [found, added] =
        by_text_.emplace(to_text(weightless, program_), program_.rules.size());
    return added ? nullptr : &program_.rules[found->second];
  }

 private:
  const Program& program_;
  std::size_t num_before_;
  RulesByText own_;
  RulesByText& by_text_;
};

void report_duplicate(const Rule& first,
                      const Rule& second,
                      TextRange at,
                      lang::Reporter& reporter) {
  Diagnostic& added = reporter.warning(
      DiagnosticCode::kDuplicateRule, at, "the rule is the same as an earlier one; it is skipped");
  if (!first.source.file.empty()) {
    added.notes.push_back({"it stands here first", first.source});
  }
  if (first.weight != second.weight) {
    added.notes.push_back({fmt::format("the weights differ; the first one counts, which is {}",
                                       to_text(*first.weight)),
                           {}});
  }
}

// Whether there are as many rules as there should be.
void check_count(const std::vector<lang::RuleSyntax>& rules,
                 const Source& source,
                 Diagnostics& sink,
                 const CompileOptions& options) {
  if (rules.empty()) {
    Diagnostic& added =
        options.exactly_one
            ? sink.error(DiagnosticCode::kNoRules, source, {}, "expected a rule in this string")
            : sink.warning(DiagnosticCode::kNoRules,
                           Span{source.file(), 0, 0, 0},
                           "there is no rule at all");
    added.notes.push_back({"a rule looks like `1: Knows(A, B) -> Knows(B, A)`", {}});
  } else if (options.exactly_one && rules.size() > 1) {
    Diagnostic& added = sink.error(DiagnosticCode::kSeveralRules,
                                   source,
                                   rules[1].range,
                                   "a second rule in one string of the rule list");
    added.notes.push_back({"give each rule a string of its own", {}});
  }
}

}  // namespace

std::size_t count_rules(const Source& source) {
  Diagnostics scratch;
  if (!check_text(source, scratch)) return 0;
  return lang::parse_rules(lang::tokenize(source, scratch), source, scratch).size();
}

std::size_t compile_rules(const Source& source,
                          Program& program,
                          Diagnostics& sink,
                          const CompileOptions& options) {
  if (!check_text(source, sink)) return 0;
  const std::size_t errors_before = sink.num_errors();
  const auto tokens = lang::tokenize(source, sink);
  const auto rules = lang::parse_rules(tokens, source, sink);
  if (sink.num_errors() == errors_before) check_count(rules, source, sink, options);

  lang::Reporter reporter(source, sink);
  const lang::PredicateIndex predicates(program.predicates);
  Duplicates duplicates(program, options.compiled_before);
  RuleId id = options.first_id;
  for (const lang::RuleSyntax& syntax : rules) {
    const RuleId own_id = id++;
    auto rule = lang::check_rule(syntax, program, predicates, reporter);
    if (!rule) continue;
    if (const Rule* first = duplicates.find_or_add(*rule)) {
      report_duplicate(*first, *rule, syntax.range, reporter);
    } else {
      rule->id = own_id;
      program.rules.push_back(std::move(*rule));
    }
  }
  return rules.size();
}

std::vector<Diagnostic> add_rules(Program& program, std::string_view text, std::string_view file) {
  const Source source(std::string(file), text);
  Diagnostics sink;
  const std::size_t num_before = program.rules.size();
  compile_rules(source, program, sink, {.first_id = static_cast<RuleId>(num_before)});
  const bool failed = sink.has_errors();
  auto diagnostics = sink.take_sorted();
  if (failed) {
    program.rules.erase(program.rules.begin() + static_cast<std::ptrdiff_t>(num_before),
                        program.rules.end());
    throw InputError(std::move(diagnostics));
  }
  return diagnostics;
}

}  // namespace sorites
