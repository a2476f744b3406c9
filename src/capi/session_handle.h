// What a pointer of the C API stands for.
#pragma once

#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "sorites/c_api.h"
#include "sorites/session.h"

// One thread at a time, but for `stop`.
struct sorites_session {  // NOLINT(readability-identifier-naming): the name of C
  std::optional<sorites::Session> session;
  std::string path;
  std::stop_source stop;  // of the call that runs
  sorites_progress progress = nullptr;
  void* progress_user = nullptr;
  std::vector<sorites::Diagnostic> warnings;
  sorites::SessionUpdate pending;
  std::optional<sorites::InferResult> result;
  // What pointers that were given out point to.
  std::string text;
  std::map<std::string, std::string, std::less<>> texts;
};
