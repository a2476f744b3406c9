#include "session/option_catalog.h"

#include "eval/evaluation_settings.h"
#include "hinge/energy/hinge_energy_option_table.h"
#include "hinge/solve/solve_option_table.h"
#include "learn/learn_option_table.h"
#include "learn/psl_learn_option_table.h"
#include "meanfield/mean_field_option_table.h"
#include "modelfile/options.h"
#include "options/ignored_options.h"
#include "semantics/inference_settings.h"
#include "session/learn_settings.h"

namespace sorites {
namespace {

OptionCatalog make_catalog() {
  OptionCatalog catalog;
  catalog.add(kModelOptions);
  catalog.add(kSolveOptions);
  catalog.add(kInferenceOptions);
  catalog.add(kLearnOptions);
  catalog.add(kBilevelOptions);
  catalog.add(kPolicyOptions);
  catalog.add(kSearchOptions);
  catalog.add(kHingeEnergyOptions);
  catalog.add(kLearnSettingsOptions);
  catalog.add(kPslLearnOptions);
  catalog.add(kMeanFieldModelOptions);
  catalog.add(kMeanFieldOptions, mean_field_defaults());
  catalog.add(kHardPropagationOptions, HardPropagationOptions{});
  catalog.add(kFactLearnOptions);
  catalog.add(kMarkovMethodOptions);
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
