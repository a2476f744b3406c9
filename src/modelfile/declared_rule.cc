#include "modelfile/declared_rule.h"

#include <algorithm>
#include <utility>

namespace sorites {
namespace {

// The byte of the file at which the span begins, as far as characters are bytes.
std::uint32_t offset_of(const Span& span, const std::string& text) {
  std::size_t line_begin = 0;
  for (std::uint32_t line = 1; line < span.line; ++line) {
    line_begin = std::min(text.find('\n', line_begin), text.size() - 1) + 1;
  }
  return static_cast<std::uint32_t>(
      std::min(line_begin + (span.column > 0 ? span.column - 1 : 0), text.size()));
}

}  // namespace

RuleText declared_rule(std::string text,
                       const PredicateDeclaration& predicate,
                       const ModelFile& model) {
  RuleText rule;
  rule.text = std::move(text);
  rule.file_offset.assign(rule.text.size() + 1,
                          offset_of(predicate.declared_at, model.texts.front().text));
  return rule;
}

}  // namespace sorites
