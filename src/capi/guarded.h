// Nothing throws across the border to C: what a call throws is the last error of its thread.
#pragma once

#include "capi/session_handle.h"

namespace sorites {

void forget_error();
// Of the exception that is being handled.
int remember_error() noexcept;

template <class Call>
int guarded(const Call& call) {
  try {
    forget_error();
    call();
    return sorites_done;
  } catch (...) {
    return remember_error();
  }
}

// A call that looks at what is there, and that sorites_stop() ends: changes go on to wait.
template <class Call>
int look(sorites_session* handle, const Call& call) {
  return guarded([&] {
    Session& session = session_of(handle);
    session.set_stop(handle->stop.begin());
    call(session);
  });
}

// A call that works on the data: changes that wait take effect first.
template <class Call>
int run(sorites_session* handle, const Call& call) {
  return look(handle, [&](Session& session) {
    apply_pending(handle);
    call(session);
  });
}

}  // namespace sorites
