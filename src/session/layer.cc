// Inference as a layer of networks. The semantics makes it; a session keeps it while it fits.
#include <stdexcept>

#include "semantics/semantics.h"
#include "session/session_state.h"

namespace sorites {

LayerShape Session::layer(std::optional<double> smoothing) {
  State& state = *state_;
  LoadedPhase& phase = state.loaded();
  LoadedModel& loaded = phase.loaded;
  const auto reasoner = [&]() -> Reasoner& { return state.reasoner(); };
  auto made =
      make_layer(state.semantics,
                 {{loaded.program, loaded.database, loaded.options, {}, {}}, reasoner, smoothing});
  phase.layer = std::move(made);
  return phase.layer->shape();
}

void Session::run_layer(const LayerBatch& batch, const LayerAnswer& answer) {
  if (!state_->current || !state_->current->layer) {
    throw std::logic_error(
        "there is no layer: ask for the layer first, and again after changes of data or options");
  }
  state_->current->layer->run(batch, answer);
}

}  // namespace sorites
