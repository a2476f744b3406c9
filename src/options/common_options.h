// Options that several structs have a field for.
#pragma once

#include "base/most_threads.h"
#include "options/option.h"

namespace sorites {

// What the methods of Markov logic that draw samples, or are exact, do without.
inline constexpr UsedWith kWithIterations{"inference.method", "mean-field"};

template <class Struct>
constexpr Option<Struct> threads_option(OptionField<Struct> field) {
  return {"parallel.numthreads",
          "",
          field,
          between(0, kMostThreads),
          "threads; 0 is one per core; --threads is the same"};
}

template <class Struct>
constexpr Option<Struct> seed_option(OptionField<Struct> field) {
  return {"random.seed", "", field, at_least(0), "seed of everything random; --seed is the same"};
}

template <class Struct>
constexpr Option<Struct> learn_time_limit_option(OptionField<Struct> field) {
  return {"learn.time_limit",
          "",
          field,
          above(0).or_infinite(),
          "stop learning after so many seconds; --time-limit is the same"};
}

template <class Struct>
constexpr Option<Struct> inference_time_limit_option(OptionField<Struct> field) {
  return {"inference.time_limit",
          "",
          field,
          at_least(0).or_infinite(),
          "stop after so many seconds, loading and grounding included; --time-limit is the same"};
}

}  // namespace sorites
