// What networks learn before the rules come in.
#pragma once

#include "perception/model_networks.h"
#include "sorites/session.h"

namespace sorites {

// Trains those of the networks that ask for it, on their inputs. Throws Interrupted.
void pretrain(const ModelNetworks& networks, const RunEvents& events);

}  // namespace sorites
