#include "session/markov_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/constant.h"
#include "base/diagnostics.h"

namespace sorites {
namespace {

std::string_view text_of(const std::map<std::string, std::string>& options, const char* name) {
  const auto found = options.find(name);
  return found == options.end() ? std::string_view() : std::string_view(found->second);
}

std::vector<std::string_view> words_of(std::string_view text) {
  constexpr std::string_view kBetween = " ,\t\n";
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t begin = text.find_first_not_of(kBetween);
    if (begin == std::string_view::npos) return words;
    const std::size_t end = std::min(text.find_first_of(kBetween, begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    text.remove_prefix(end);
  }
}

bool is_meant(std::string_view word, std::string_view name) {
  if (!word.ends_with('*')) return word == name;
  word.remove_suffix(1);
  return name.starts_with(word);
}

void report_unknown(const MarkovModel& model, std::string_view word, Diagnostics& sink) {
  std::vector<std::string_view> names;
  for (const MarkovPredicate& predicate : model.predicates) names.push_back(predicate.name);
  suggest_name(sink.error(DiagnosticCode::kBadOptionValue,
                          Span{},
                          fmt::format("`markov.closed`: there is no predicate `{}`", word)),
               word,
               names);
}

void close_world(MarkovModel& model, std::uint32_t p, Diagnostics& sink) {
  MarkovPredicate& predicate = model.predicates[p];
  if (predicate.closed) return;
  const bool has_unaries = p < model.unaries.size() && !model.unaries[p].empty();
  if (!predicate.classes.empty() || has_unaries) {
    sink.error(DiagnosticCode::kBadOptionValue,
               Span{},
               fmt::format("`markov.closed`: `{}` has {}",
                           predicate.name,
                           has_unaries ? "unary potentials, so its atoms are not known"
                                       : "classes, and every atom has some class"));
    return;
  }
  predicate.closed = true;
  if (model.queries[p].size() == 0) return;
  sink.warning(
      DiagnosticCode::kObservedAndTarget,
      Span{},
      fmt::format("`markov.closed`: {} queries of `{}` are known already; they are no queries",
                  model.queries[p].size(),
                  predicate.name));
  model.queries[p] = {};
}

void close_worlds(MarkovModel& model, std::string_view text, Diagnostics& sink) {
  for (const std::string_view word : words_of(text)) {
    bool found = false;
    for (std::uint32_t p = 0; p < model.predicates.size(); ++p) {
      if (!is_meant(word, model.predicates[p].name)) continue;
      found = true;
      close_world(model, p, sink);
    }
    if (!found) report_unknown(model, word, sink);
  }
}

// None if the option is not set.
std::optional<double> number_of(const std::map<std::string, std::string>& options,
                                const char* name,
                                Diagnostics& sink) {
  const std::string_view written = text_of(options, name);
  if (written.empty()) return std::nullopt;
  const std::optional<double> number = parse_real(written);
  if (!number) {  // "inf"
    sink.error(DiagnosticCode::kBadOptionValue,
               Span{},
               fmt::format("`{}` takes a finite number, not `{}`", name, written));
  }
  return number;
}

}  // namespace

void apply_markov_options(MarkovModel& model,
                          const std::map<std::string, std::string>& options,
                          std::vector<Diagnostic>& warnings) {
  Diagnostics sink;
  close_worlds(model, text_of(options, "markov.closed"), sink);
  const std::optional<double> plus_weight = number_of(options, "markov.plus_weight", sink);
  const double factor = number_of(options, "markov.weight_factor", sink).value_or(1.0);
  for (MarkovFormula& formula : model.formulas) {
    if (plus_weight && !formula.weighted.empty() && !formula.hard) {
      formula.weights.assign(formula.weights.size(), *plus_weight);
    }
    for (double& weight : formula.weights) weight *= factor;
  }
  const bool failed = sink.has_errors();
  std::vector<Diagnostic> said = sink.take_sorted();
  if (failed) throw InputError(std::move(said));
  warnings.insert(warnings.end(), said.begin(), said.end());
}

}  // namespace sorites
