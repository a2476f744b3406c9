// For tests: programs and databases from texts.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lang/mln/data_printer.h"
#include "lang/mln/program_printer.h"
#include "lang/mln/read_mln.h"

namespace sorites::markov {

struct ProgramTexts {
  std::string declarations, formulas, facts, queries;
  std::string unaries = {};
};

struct ReadProgram {
  LoadedProgram loaded;
  std::vector<Diagnostic> diagnostics;

  const Program& program() const { return loaded.program; }
  const Database& database() const { return loaded.database; }
  std::string rules() const { return rules_text(loaded.program, &loaded.database); }
  std::string rendered() const {
    std::string text;
    for (const Diagnostic& diagnostic : diagnostics) text += render(diagnostic);
    return text;
  }
  // The codes of all diagnostics, separated by blanks.
  std::string codes() const {
    std::string text;
    for (const Diagnostic& diagnostic : diagnostics) {
      text += (text.empty() ? "" : " ") + diagnostic.code;
    }
    return text;
  }
};

inline ReadProgram read_texts(const ProgramTexts& texts) {
  const Source declarations("predicates", texts.declarations), formulas("rules", texts.formulas);
  const Source facts("facts", texts.facts), queries("queries", texts.queries);
  const Source unaries("unaries", texts.unaries);
  Diagnostics sink;
  LoadedProgram loaded = compile_mln({.declarations = {&declarations},
                                      .statements = {},
                                      .formulas = {&formulas},
                                      .facts = {&facts},
                                      .queries = {&queries},
                                      .unaries = {&unaries}},
                                     {},
                                     sink);
  return {std::move(loaded), sink.take_sorted()};
}

// One .mln text, and the files that it may include.
inline ReadProgram read_statements(const std::string& text,
                                   const std::map<std::string, std::string>& files = {}) {
  const Source statements("folder/model.mln", text);
  Diagnostics sink;
  MlnSources sources;
  sources.statements = {&statements};
  LoadedProgram loaded = compile_mln(
      sources,
      [&](const std::string& path, std::string& found) -> std::string {
        const auto file = files.find(path);
        if (file == files.end()) return "there is no such file";
        found = file->second;
        return {};
      },
      sink);
  return {std::move(loaded), sink.take_sorted()};
}

}  // namespace sorites::markov
