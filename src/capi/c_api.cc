// The C API over Session: calls for sessions and questions. rows.cc has those for data.
#include "sorites/c_api.h"

#include <fmt/format.h>

#include <exception>
#include <memory>
#include <stdexcept>
#include <utility>

#include "capi/guarded.h"
#include "capi/json_arguments.h"
#include "capi/questions.h"

namespace sorites {
namespace {

thread_local std::string last_error;
thread_local std::string last_diagnostics = "[]";

SessionOptions with_events(SessionOptions options, sorites_session* handle) {
  options.events.diagnostic = [handle](const Diagnostic& one) { handle->warnings.push_back(one); };
  options.events.progress = [handle](const Progress& progress) {
    if (handle->progress == nullptr) return;
    handle->progress(handle->progress_user,
                     std::string(progress.stage).c_str(),
                     progress.share,
                     progress.state.c_str());
  };
  return options;
}

template <class Open>
sorites_session* opened(const char* options, const Open& open) {
  auto handle = std::make_unique<sorites_session>();
  const int status = guarded([&] {
    handle->session = open(with_events(options_from_json(options), handle.get()), *handle);
  });
  return status == sorites_done ? handle.release() : nullptr;
}

}  // namespace

void forget_error() {
  last_error.clear();
  last_diagnostics = "[]";
}

int remember_error() noexcept {
  try {
    throw;
  } catch (const InputError& error) {
    last_error = error.what();
    last_diagnostics = to_json(std::span<const Diagnostic>(error.diagnostics()))
                           .dump(-1, ' ', false, Json::error_handler_t::replace);
    return sorites_wrong_input;
  } catch (const Interrupted& error) {
    last_error = error.what();
    return sorites_interrupted;
  } catch (const std::exception& error) {
    last_error = error.what();
  } catch (...) {
    last_error = "an unknown exception";
  }
  return sorites_failed;
}

void require(const void* pointer, const char* what) {
  if (pointer == nullptr) throw std::invalid_argument(fmt::format("{} is NULL", what));
}

Session& session_of(sorites_session* handle) {
  require(handle, "the session");
  if (!handle->session) throw std::invalid_argument("the session is not open");
  return *handle->session;
}

PredicateId predicate_of(Session& session, const char* name) {
  require(name, "the predicate");
  const auto found = session.program().find_predicate(name);
  if (!found) throw std::invalid_argument(fmt::format("there is no predicate `{}`", name));
  return *found;
}

void apply_pending(sorites_session* handle) {
  SessionUpdate update = std::exchange(handle->pending, {});
  if (update.observations.empty() && update.targets.empty() && update.weights.empty()) return;
  session_of(handle).update(update);
  handle->result.reset();
}

}  // namespace sorites

using namespace sorites;  // NOLINT(google-build-using-namespace): the functions of C are outside

const char* sorites_version(void) { return SORITES_VERSION; }
const char* sorites_last_error(void) { return last_error.c_str(); }
const char* sorites_last_diagnostics(void) { return last_diagnostics.c_str(); }

sorites_session* sorites_open(const char* path, const char* options) {
  return opened(options, [&](SessionOptions session_options, sorites_session& handle) {
    require(path, "the path");
    handle.path = path;
    return Session::open(path, std::move(session_options));
  });
}

sorites_session* sorites_open_text(const char* text, const char* options) {
  return opened(options, [&](SessionOptions session_options, sorites_session& handle) {
    require(text, "the text");
    handle.path = "<text>";
    return Session::from_text(text, std::move(session_options));
  });
}

void sorites_close(sorites_session* session) { delete session; }

void sorites_on_progress(sorites_session* session, sorites_progress call, void* user) {
  if (session == nullptr) return;
  session->progress = call;
  session->progress_user = user;
}

void sorites_stop(sorites_session* session) {
  if (session != nullptr) session->stop.request();
}

int sorites_set_options(sorites_session* session, const char* options) {
  return guarded([&] {
    JsonArguments arguments(options);
    session_of(session).set_flags(settings_from(arguments.all()));
  });
}

int sorites_infer(sorites_session* session) {
  return run(session, [&](Session& open) { session->result = open.infer(); });
}

const char* sorites_ask(sorites_session* session, const char* question, const char* arguments) {
  const int status =
      look(session, [&](Session&) { session->text = answer(*session, question, arguments); });
  return status == sorites_done ? session->text.c_str() : nullptr;
}

int sorites_differentiate(sorites_session* session, const sorites_samples* samples) {
  return run(session, [&](Session& open) {
    require(samples, "the samples");
    if (samples->loss < ::sorites_no_loss || samples->loss > ::sorites_perceptron) {
      throw std::invalid_argument("there is no such loss");
    }
    const auto in = [](const auto* numbers, std::size_t size) {
      return std::span(numbers, numbers == nullptr ? 0 : size);
    };
    const auto out = [](auto* numbers, std::size_t size) {
      return std::span(numbers, numbers == nullptr ? 0 : size);
    };
    const std::size_t outputs = samples->num_samples * session->layer.num_outputs,
                      states = samples->num_samples * session->layer.num_states,
                      weights = session->layer.weights.size();
    open.run_layer({static_cast<LayerLoss>(samples->loss),
                    in(samples->ids, samples->num_samples),
                    in(samples->outputs, outputs),
                    in(samples->weights, weights),
                    in(samples->labels, states),
                    in(samples->in_states, states)},
                   {out(samples->states, states),
                    out(samples->values, samples->num_samples),
                    out(samples->failed, samples->num_samples),
                    out(samples->in_outputs, outputs),
                    out(samples->in_weights, weights)});
  });
}
