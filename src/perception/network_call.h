// Calls into networks, which nothing can stop: whoever has to end the program asks whether one is
// under way.
#pragma once

#include <memory>

#include "learn/learning.h"

namespace sorites {

// While it lives, a call is under way.
class NetworkCall {
 public:
  NetworkCall();
  ~NetworkCall();
  NetworkCall(const NetworkCall&) = delete;
  NetworkCall& operator=(const NetworkCall&) = delete;
};

// How long the one that is under way has lasted; 0 if there is none. From any thread.
double seconds_in_network_call();

// The same source, whose calls are seen.
std::unique_ptr<OutputSource> with_calls_seen(std::unique_ptr<OutputSource> source);

}  // namespace sorites
