// Any bytes as rules: they compile or are reported, and what compiles prints as text that compiles
// to the same program.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/diagnostics.h"
#include "lang/psl/compile.h"
#include "sorites/program.h"

namespace {

using sorites::ArgumentType;
using sorites::Program;

Program predicates() {
  Program program;
  const auto text = ArgumentType::kUniqueStringId;
  program.predicates = {{"P", {text}, true, false},
                        {"Q", {text, text}, true, false},
                        {"R", {text, text}, false, false},
                        {"N", {text, ArgumentType::kInteger}, false, false},
                        {"D", {ArgumentType::kDouble}, true, false}};
  return program;
}

// The place of every diagnostic must be in the text.
void check_places(const sorites::Diagnostics& sink, std::string_view text) {
  for (const sorites::Diagnostic& diagnostic : sink.all()) {
    SORITES_CHECK(diagnostic.span.line <= text.size() + 1, "places lie in the text");
    SORITES_CHECK(!sorites::render(diagnostic).empty(), "diagnostics render");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Program program = predicates();
  sorites::Diagnostics sink;
  sorites::compile_rules({"fuzz", text}, program, sink);
  check_places(sink, text);
  if (sink.has_errors() || program.rules.empty()) return 0;

  const std::string printed = to_text(program);
  Program again = predicates();
  sorites::Diagnostics second_sink;
  sorites::compile_rules({"printed", printed}, again, second_sink);
  SORITES_CHECK(second_sink.all().empty(), "printed rules compile without a word");
  SORITES_CHECK(again == program, "printed rules are the same rules");
  SORITES_CHECK(to_text(again) == printed, "printing twice prints the same");
  return 0;
}
