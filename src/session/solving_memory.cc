#include "session/solving_memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/bytes_text.h"
#include "base/diagnostics.h"
#include "base/memory_limit.h"

namespace sorites {

void check_solving_fits(const Reasoner& reasoner, double bytes_per_term) {
  if (bytes_per_term == 0.0) return;
  const ModelSize size = reasoner.size();
  const auto limit = static_cast<double>(memory_limit_bytes());
  const double needed = static_cast<double>(memory_in_use_bytes()) + bytes_per_term * size.terms;
  if (needed <= limit) return;
  const auto largest = std::max_element(size.rule_terms.begin(), size.rule_terms.end());
  Diagnostics sink;
  const std::string what = fmt::format(
      "solving needs about {}, and there are {}", bytes_text(needed), bytes_text(limit));
  if (largest == size.rule_terms.end()) {
    sink.error(DiagnosticCode::kModelTooLarge, Span{}, what);
  } else {
    const GroundRule& rule =
        reasoner.rules()[static_cast<std::size_t>(largest - size.rule_terms.begin())];
    sink.error(DiagnosticCode::kModelTooLarge, rule.source, what).notes = {
        {fmt::format("{:.0f} of {:.0f} ground rules are of {}", *largest, size.terms, rule.text),
         {}},
        {"--memory-limit 8GB, or none, goes on", {}}};
  }
  throw InputError(sink.take_sorted());
}

}  // namespace sorites
