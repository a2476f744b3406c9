// Model files: whatever the bytes, reading ends with a model or with diagnostics whose places are
// inside the file. The first byte chooses the form; the file system is never touched.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/check.h"
#include "session/model_loader.h"
#include "sorites/program.h"

namespace sorites {
namespace {

std::string no_file(const std::string& path, std::string& text) {
  if (path.size() % 2 == 1) return "there are no files";
  text = "1: A(X) -> B(X)";
  return {};
}

ModelDraft parse(std::uint8_t form, std::string text, Diagnostics& diagnostics) {
  switch (form % 3) {
    case 0:
      return parse_model("m.json", std::move(text), ConfigFormat::kJson, no_file, diagnostics);
    case 1:
      return parse_model("m.yaml", std::move(text), ConfigFormat::kYaml, no_file, diagnostics);
    default:
      return parse_rules_and_data({"m.rules", "1: A(X) -> B(X)\nKnows(A, B) = Knows(B, A) ."},
                                  {"m.data", std::move(text)},
                                  diagnostics);
  }
}

void run(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return;
  Diagnostics diagnostics;
  const ModelDraft draft =
      parse(data[0], std::string(reinterpret_cast<const char*>(data) + 1, size - 1), diagnostics);
  for (const Phase phase : kPhases) {
    const Program program =
        compile_model(draft, phase, options_of(draft.model, phase), diagnostics);
    Program again{program.predicates, {}};
    const std::string text = to_text(program);
    if (!program.rules.empty()) add_rules(again, text);
    SORITES_CHECK(again.rules.size() == program.rules.size(), "printed rules parse");
  }
  phases_of(draft.model);
  for (const Diagnostic& diagnostic : finish_diagnostics(draft.model, diagnostics)) {
    SORITES_CHECK(!diagnostic.message.empty(), "a diagnostic says something");
    SORITES_CHECK(!render(diagnostic).empty(), "a diagnostic can be shown");
  }
}

}  // namespace
}  // namespace sorites

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sorites::run(data, size);
  return 0;
}
