// The predicates that the tests of this folder use.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sorites/program.h"

namespace sorites::lang {

inline Program test_program() {
  const auto text = ArgumentType::kUniqueStringId;
  Program program;
  program.predicates = {{"P", {text}, true, false},
                        {"Q", {text, text}, true, false},
                        {"R", {text, text}, false, false},
                        {"N", {text, ArgumentType::kInteger}, false, false},
                        {"D", {ArgumentType::kDouble}, true, false}};
  return program;
}

// Compiles rules that must be right.
inline Program compiled(std::string_view text) {
  Program program = test_program();
  add_rules(program, text);
  return program;
}

// The codes of what is wrong with the text, in its order; warnings too.
inline std::vector<std::string> codes(std::string_view text) {
  Program program = test_program();
  std::vector<Diagnostic> all;
  try {
    all = add_rules(program, text);
  } catch (const InputError& error) {
    all = error.diagnostics();
  }
  std::vector<std::string> result;
  for (const Diagnostic& diagnostic : all) result.push_back(diagnostic.code);
  return result;
}

}  // namespace sorites::lang
