// Text of a model file with "semantics": "markov-logic" -> what it declares. Nothing here touches
// the file system but the rule files it names.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "config/config_report.h"
#include "modelfile/model_reader.h"

namespace sorites {

inline constexpr std::string_view kPslSemantics = "psl";
inline constexpr std::string_view kMarkovSemantics = "markov-logic";

// Of the value of the key `semantics`.
bool is_markov_semantics(const ConfigNode& node);
void report_unknown_semantics(const ConfigNode& node, const ConfigReport& report);

// A name or constant of the file, and where it stands.
struct MarkovName {
  std::string text;
  Span place;
};

struct MarkovPredicateDraft {
  MarkovName name;
  std::vector<MarkovName> types;
  std::vector<MarkovName> classes;  // empty, or at least two
  bool closed = false;
};

struct MarkovTypeDraft {
  MarkovName name;
  std::vector<MarkovName> constants;
};

// Rules and data stand in `file` as in any model file. A predicate with classes has one argument
// more there, its class.
struct MarkovDraft {
  ModelDraft file;
  std::vector<MarkovPredicateDraft> predicates;  // as file.model.predicates
  std::vector<MarkovTypeDraft> types;            // those with a list of constants
  // Unary potentials per section: texts as rules are, each a line `smokes(Ann) 1.25` or a file.
  std::array<std::vector<RuleText>, 4> unaries;
};

MarkovDraft parse_markov_model(std::string path,
                               std::string text,
                               ConfigFormat format,
                               const FileReader& files,
                               Diagnostics& diagnostics);

}  // namespace sorites
