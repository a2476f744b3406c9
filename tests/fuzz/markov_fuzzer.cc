// Any bytes as Markov logic, its parts separated by lines of `%%`: declarations, formulas, facts,
// queries. They compile or are reported, and what compiles is written as text that compiles to the
// same model.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "lang/mln/printer.h"
#include "lang/mln/test_texts.h"

namespace {

using sorites::markov::TestResult;
using sorites::markov::TestTexts;

std::string take_part(std::string_view& text) {
  constexpr std::string_view kSeparator = "\n%%\n";
  const std::size_t end = text.find(kSeparator);
  const std::string part(text.substr(0, end));
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + kSeparator.size());
  return part;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  TestTexts texts;
  texts.declarations = take_part(text);
  texts.formulas = take_part(text);
  texts.facts = take_part(text);
  texts.queries = take_part(text);
  const TestResult read = compile_texts(texts);
  for (const sorites::Diagnostic& diagnostic : read.diagnostics) {
    SORITES_CHECK(diagnostic.span.line <= size + 1, "places lie in the text");
    SORITES_CHECK(!sorites::render(diagnostic).empty(), "diagnostics render");
  }
  if (!read.model) {
    SORITES_CHECK(!read.diagnostics.empty(), "what does not compile is reported");
    return 0;
  }
  using namespace sorites::markov;
  const TestResult again = compile_texts({declarations_text(*read.model),
                                          formulas_text(*read.model),
                                          facts_text(*read.model),
                                          queries_text(*read.model, QueryStyle::kWithTruth)});
  SORITES_CHECK(again.model.has_value(), "written models compile");
  SORITES_CHECK(same_model(*read.model, *again.model), "written models are the same models");
  SORITES_CHECK(formulas_text(*again.model) == formulas_text(*read.model),
                "writing twice writes the same");
  return 0;
}
