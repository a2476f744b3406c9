// Rules that declarations of predicates stand for.
#pragma once

#include <string>

#include "modelfile/model_file.h"

namespace sorites {

// The rule `text`, all of which stands where the predicate is declared.
RuleText declared_rule(std::string text,
                       const PredicateDeclaration& predicate,
                       const ModelFile& model);

}  // namespace sorites
