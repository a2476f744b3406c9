#include "hinge/ground/mistakes.h"

#include <fmt/format.h>

#include <string>

#include "base/diagnostics.h"
#include "hinge/ground/emitter.h"

namespace sorites {
namespace {

// "1 ground rule needs", "3 ground rules need"
std::string counted(std::uint64_t count, const char* verb) {
  return fmt::format(
      "{} ground rule{} {}{}", count, count == 1 ? "" : "s", verb, count == 1 ? "s" : "");
}

void report_missing(const Rule& rule, const GroundCounts& counts, Diagnostics& sink) {
  const bool all = counts.missing_examples.size() < kMostMissingExamples;
  sink.error(DiagnosticCode::kMissingTarget,
             rule.source,
             fmt::format("{} an atom that is neither observed nor a target: {}{}",
                         counted(counts.missing, "need"),
                         fmt::join(counts.missing_examples, ", "),
                         all ? "" : ", ..."))
      .notes = {
      {"add these atoms to the targets or observations, or choose "
       "`--on-missing-target=skip` or `zero`",
       {}}};
}

}  // namespace

void require_no_mistakes(const Program& program,
                         std::span<const GroundCounts> counts,
                         OnMissingTarget on_missing_target) {
  Diagnostics sink;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    const Rule& rule = program.rules[r];
    if (counts[r].divided_by_zero > 0) {
      sink.error(DiagnosticCode::kDivisionByZero,
                 rule.source,
                 fmt::format("{} by a cardinality that is 0",
                             counted(counts[r].divided_by_zero, "divide")))
          .notes = {{"write `@Max[|V|, 1]` instead of `|V|`", {}}};
    }
    if (counts[r].missing > 0 && on_missing_target == OnMissingTarget::kError) {
      report_missing(rule, counts[r], sink);
    }
  }
  if (sink.has_errors()) throw InputError(sink.take_sorted());
}

}  // namespace sorites
