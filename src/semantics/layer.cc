#include "semantics/layer.h"

#include <algorithm>
#include <stdexcept>

namespace sorites {

std::size_t count_of(const std::vector<AtomRange>& ranges) {
  std::size_t count = 0;
  for (const AtomRange& range : ranges) count += range.count;
  return count;
}

void require_fit(bool fits, const char* what) {
  if (!fits) throw std::invalid_argument(what);
}

void check_sizes(const LayerBatch& batch, const LayerAnswer& answer, const LayerShape& shape) {
  const std::size_t samples = batch.ids.size(), states = samples * shape.num_states;
  require_fit(batch.outputs.size() == samples * shape.num_outputs,
              "layer: one number per output is needed");
  require_fit(batch.weights.size() == shape.weights.size(),
              "layer: one number per weight is needed");
  require_fit(answer.states.size() == states, "layer: states have another size");
  require_fit(answer.failed.size() == samples && answer.values.size() == samples,
              "layer: one value and status per sample is needed");
  require_fit(batch.labels.empty() || batch.labels.size() == states,
              "layer: one label per state is needed");
  require_fit(batch.loss == LayerLoss::kNone || !batch.labels.empty(), "layer: labels are needed");
  require_fit(batch.in_states.empty() || batch.in_states.size() == states,
              "layer: one slope per state is needed");
  std::vector<std::uint64_t> ids(batch.ids.begin(), batch.ids.end());
  std::sort(ids.begin(), ids.end());
  require_fit(std::adjacent_find(ids.begin(), ids.end()) == ids.end(), "layer: an id stands twice");
}

}  // namespace sorites
