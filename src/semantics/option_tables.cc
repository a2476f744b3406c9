#include "semantics/option_tables.h"

#include "hinge/energy/hinge_energy_option_table.h"
#include "hinge/solve/solve_option_table.h"
#include "learn/learn_option_table.h"
#include "learn/psl_learn_option_table.h"
#include "meanfield/mean_field_option_table.h"
#include "semantics/batch_option_table.h"
#include "semantics/inference_settings.h"
#include "semantics/mean_field_settings.h"

namespace sorites {

void add_semantics_options(OptionCatalog& catalog) {
  catalog.add(kSolveOptions);
  catalog.add(kInferenceOptions);
  catalog.add(kLearnOptions);
  catalog.add(kBilevelOptions);
  catalog.add(kPolicyOptions);
  catalog.add(kSearchOptions);
  catalog.add(kHingeEnergyOptions);
  catalog.add(kBatchOptions);
  catalog.add(kPslLearnOptions);
  catalog.add(kMeanFieldModelOptions);
  catalog.add(kMeanFieldOptions, mean_field_defaults());
  catalog.add(kHardPropagationOptions, HardPropagationOptions{});
  catalog.add(kFactLearnOptions);
  catalog.add(kMarkovMethodOptions);
}

}  // namespace sorites
