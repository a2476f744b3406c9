#include "session/option_catalog.h"

#include "eval/evaluation_settings.h"
#include "modelfile/options.h"
#include "options/ignored_options.h"
#include "semantics/option_tables.h"
#include "session/learn_settings.h"

namespace sorites {
namespace {

OptionCatalog make_catalog() {
  OptionCatalog catalog;
  catalog.add(kModelOptions);
  add_semantics_options(catalog);
  catalog.add(kLearnSettingsOptions);
  catalog.add(kEvaluationOptions);
  catalog.add(ignored_options());
  return catalog;
}

}  // namespace

const OptionCatalog& option_catalog() {
  static const OptionCatalog catalog = make_catalog();
  return catalog;
}

}  // namespace sorites
