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

// A call that looks at the data, and that sorites_stop() ends.
template <class Call>
int run(sorites_session* handle, const Call& call) {
  return guarded([&] {
    Session& session = session_of(handle);
    handle->stop = {};
    session.set_stop(handle->stop.get_token());
    apply_pending(handle);
    call(session);
  });
}

}  // namespace sorites
