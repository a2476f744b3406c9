// Any bytes as Markov logic, its parts separated by lines of `%%`: declarations, formulas, facts,
// queries. They compile or are reported, and what compiles is written as text that compiles to the
// same program.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "lang/mln/test_programs.h"

namespace {

using namespace sorites::markov;

std::string take_part(std::string_view& text) {
  constexpr std::string_view kSeparator = "\n%%\n";
  const std::size_t end = text.find(kSeparator);
  const std::string part(text.substr(0, end));
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + kSeparator.size());
  return part;
}

bool has_errors(const ReadProgram& read) {
  for (const sorites::Diagnostic& diagnostic : read.diagnostics) {
    if (diagnostic.severity == sorites::Severity::kError) return true;
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  ProgramTexts texts;
  texts.declarations = take_part(text);
  texts.formulas = take_part(text);
  texts.facts = take_part(text);
  texts.queries = take_part(text);
  const ReadProgram read = read_texts(texts);
  for (const sorites::Diagnostic& diagnostic : read.diagnostics) {
    SORITES_CHECK(diagnostic.span.line <= size + 1, "places lie in the text");
    SORITES_CHECK(!sorites::render(diagnostic).empty(), "diagnostics render");
  }
  if (has_errors(read)) return 0;
  const ReadProgram again = read_texts({declarations_text(read.program(), &read.database()),
                                        read.rules(),
                                        facts_text(read.database()),
                                        queries_text(read.database(), QueryStyle::kWithTruth)});
  SORITES_CHECK(!has_errors(again), "written programs compile");
  SORITES_CHECK(again.program().rules == read.program().rules, "written rules are the same rules");
  SORITES_CHECK(again.program().predicates == read.program().predicates, "and so are predicates");
  SORITES_CHECK(again.rules() == read.rules(), "writing twice writes the same");
  return 0;
}
