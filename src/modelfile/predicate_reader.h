// The `predicates` of a model file.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/config_report.h"
#include "modelfile/model_file.h"

namespace sorites {

// Reads every member of the object into model.predicates. Those with a mistake in their name, arity
// or types are left out and their names go to `broken`, so that their uses are not reported too.
void read_predicates(const ConfigNode& node,
                     const ConfigReport& report,
                     ModelFile& model,
                     std::vector<std::string>& broken);

// A list of texts or numbers, as texts. None, with an error, if it is something else.
std::optional<std::vector<std::string>> read_constants(const ConfigNode& node,
                                                       const ConfigReport& report,
                                                       std::string_view takes);

// "UniqueStringID", ...: as model files have it.
std::string_view name_of(ArgumentType type);

// `Name/2` or `Name`.
struct PredicateKey {
  std::string name;
  std::optional<std::size_t> arity;
};

// None, with an error at `at`, if the name or the number is malformed.
std::optional<PredicateKey> read_predicate_key(std::string_view key,
                                               TextRange at,
                                               const ConfigReport& report);

struct ArgumentTypes {
  std::vector<ArgumentType> types;
  std::vector<std::string> domains;  // per type: a domain of the model, or empty
};

// None, with an error, if one is unknown. `node` is a list of names, or one name: those of PSL in
// any case, or of domains of the model. In Markov logic a new name is a new domain.
std::optional<ArgumentTypes> read_types(const ConfigNode& node,
                                        const ConfigReport& report,
                                        ModelFile& model);

// Adds the declaration, unless one of the same name (whatever its case) is there: an error at `at`.
void add_predicate(PredicateDeclaration declaration,
                   TextRange at,
                   const ConfigReport& report,
                   ModelFile& model);

// The index of a declared predicate by name, whatever its case.
std::optional<std::size_t> find_declaration(const ModelFile& model, std::string_view name);
bool same_name(std::string_view a, std::string_view b);

// `path` as seen from the folder of the file `from`.
std::string relative_to(const std::string& from, const std::string& path);

// An error that a predicate computed by Java code cannot be used.
void report_external_function(const ConfigNode& node, const ConfigReport& report);

}  // namespace sorites
