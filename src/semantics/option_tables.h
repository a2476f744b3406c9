// The options that semantics read: the tables of this folder and of those below.
#pragma once

#include "options/option_catalog.h"

namespace sorites {

void add_semantics_options(OptionCatalog& catalog);

}  // namespace sorites
