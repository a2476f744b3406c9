// All options that there are: the tables of all folders.
#pragma once

#include "options/option_catalog.h"

namespace sorites {

const OptionCatalog& option_catalog();

}  // namespace sorites
