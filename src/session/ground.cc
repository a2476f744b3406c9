// What a model would cost, and what grounding makes of it.
#include <algorithm>
#include <optional>
#include <utility>

#include "base/memory_limit.h"
#include "semantics/semantics.h"
#include "session/session_state.h"
#include "session/solving_memory.h"
#include "session/stopwatch.h"

namespace sorites {

EstimateResult Session::estimate(double time_limit_seconds) {
  State& state = *state_;
  state.seconds = {};
  EstimateResult result;
  result.semantics = state.semantics;
  {
    const Stopwatch total(state.seconds.total);
    LoadedPhase& phase = state.loaded();
    LoadedModel& loaded = phase.loaded;
    result.bytes = static_cast<double>(memory_in_use_bytes());  // the program and its data
    const Stopwatch watch(state.seconds.ground);
    std::optional<Database> copy;  // the session's data stays as it is
    if (phase.gets_atoms()) copy = phase.given_data();
    Database& data = copy ? *copy : loaded.database;
    result.forecast = sorites::estimate(state.semantics,
                                        {loaded.program, data, loaded.options, {}, {}},
                                        time_limit_seconds,
                                        state.options.events);
    result.rules = result.forecast.sources;
  }
  for (const RuleForecast& rule : result.forecast.rules) {
    result.terms += rule.terms;
    result.bytes += rule.bytes;
  }
  // Indexes are gone when solving begins.
  const double solving = traits_of(state.semantics).bytes_per_term * result.terms;
  result.bytes += std::max(static_cast<double>(result.forecast.index_memory_bytes), solving);
  result.seconds = state.seconds;
  return result;
}

GroundResult Session::ground(const std::string& from_snapshot) {
  State& state = *state_;
  state.seconds = {};
  GroundResult result;
  {
    const Stopwatch total(state.seconds.total);
    Reasoner& reasoner = state.reasoner(from_snapshot);
    const Stopwatch watch(state.seconds.ground);
    result.rules = reasoner.rules();
    Reasoner::Grounding grounding = reasoner.ground(state.options.events);
    result.report = std::move(grounding.report);
    result.size = std::move(grounding.size);
  }
  result.seconds = state.seconds;
  return result;
}

}  // namespace sorites
