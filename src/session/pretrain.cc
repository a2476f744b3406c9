#include "session/pretrain.h"

#include <fmt/format.h>

#include <algorithm>

namespace sorites {

void pretrain(const ModelNetworks& networks, const RunEvents& events) {
  const bool wanted = std::any_of(networks.options.begin(),
                                  networks.options.end(),
                                  [](const auto& one) { return one.pretraining.epochs > 0; });
  if (!wanted) return;
  networks.networks->pretrain(
      networks.inputs,
      [&](std::size_t network, std::uint64_t epoch, double loss) {
        if (!events.progress) return;
        const NetworkOptions& options = networks.options[network];
        events.progress({"pretraining",
                         -1.0,
                         fmt::format("{}, epoch {} of {}, loss {:.4g}",
                                     options.name,
                                     epoch,
                                     options.pretraining.epochs,
                                     loss)});
      },
      events.stop);
  if (events.stop.stop_requested()) throw Interrupted();
}

}  // namespace sorites
