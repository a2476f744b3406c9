#include "capi/open_options.h"

#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "report/json.h"

namespace sorites {
namespace {

Json object_from(const char* text) {
  if (text == nullptr || *text == '\0') return Json::object();
  Json document = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (document.is_discarded() || !document.is_object()) {
    throw std::invalid_argument("the options are no JSON object");
  }
  return document;
}

std::string text_of(const std::string& name, const Json& value) {
  if (!value.is_string()) throw std::invalid_argument(fmt::format("`{}` takes a text", name));
  return value.get<std::string>();
}

// Options take texts; numbers and truth values may stand as they are.
std::string value_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

Phase phase_named(const std::string& name) {
  for (const Phase phase : kPhases) {
    if (name == name_of(phase)) return phase;
  }
  throw std::invalid_argument(fmt::format("there is no phase `{}`", name));
}

}  // namespace

SessionOptions options_from_json(const char* text) {
  SessionOptions options;
  const Json object = object_from(text);
  for (const auto& [name, value] : object.items()) {
    if (name == "data") {
      options.data_path = text_of(name, value);
    } else if (name == "semantics") {
      options.semantics = text_of(name, value);
    } else if (name == "phase") {
      options.phase = phase_named(text_of(name, value));
    } else if (name == "options" && value.is_object()) {
      for (const auto& [option, setting] : value.items()) {
        options.settings.push_back({option, value_of(setting), {}, {}});
      }
    } else {
      throw std::invalid_argument(fmt::format("there is no `{}`", name));
    }
  }
  return options;
}

LearningFiles files_from_json(const char* text) {
  LearningFiles files;
  const Json object = object_from(text);
  for (const auto& [name, value] : object.items()) {
    std::string* path = name == "output"       ? &files.output
                        : name == "save_state" ? &files.save_state
                        : name == "resume"     ? &files.resume
                        : name == "log"        ? &files.log
                        : name == "plot"       ? &files.plot
                                               : nullptr;
    if (path == nullptr) throw std::invalid_argument(fmt::format("there is no file `{}`", name));
    *path = text_of(name, value);
  }
  return files;
}

}  // namespace sorites
