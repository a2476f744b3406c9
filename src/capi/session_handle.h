// What a pointer of the C API stands for.
#pragma once

#include <deque>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "sorites/c_api.h"
#include "sorites/session.h"

namespace sorites {

// What sorites_stop() asks of the call that runs, from any thread.
class StopOfCall {
 public:
  // Of a call that begins: what was asked of those before it is over.
  std::stop_token begin() {
    const std::lock_guard lock(mutex_);
    source_ = {};
    return source_.get_token();
  }
  void request() {
    std::stop_source of_call = present();  // what waits for the stop runs here, without the lock
    of_call.request_stop();
  }

 private:
  std::stop_source present() {
    const std::lock_guard lock(mutex_);
    return source_;
  }

  std::mutex mutex_;
  std::stop_source source_;
};

}  // namespace sorites

// One thread at a time, but for `stop`.
struct sorites_session {  // NOLINT(readability-identifier-naming): the name of C
  std::optional<sorites::Session> session;
  std::string path;
  sorites::StopOfCall stop;
  sorites_progress progress = nullptr;
  void* progress_user = nullptr;
  std::vector<sorites::Diagnostic> warnings;
  sorites::SessionUpdate pending;
  std::optional<sorites::InferResult> result;
  sorites::LayerShape layer;  // of the last "layer" that was asked for
  // What pointers that were given out point to.
  std::string text;
  std::vector<sorites_column> columns;
  std::deque<std::vector<std::int64_t>> numbers;
  std::deque<std::vector<std::uint64_t>> ends;
  std::deque<std::string> bytes;
};

namespace sorites {

// Throw std::invalid_argument if there is none.
void require(const void* pointer, const char* what);
Session& session_of(sorites_session* handle);
PredicateId predicate_of(Session& session, const char* name);

// What was collected takes effect.
void apply_pending(sorites_session* handle);

}  // namespace sorites
