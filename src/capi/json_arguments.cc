#include "capi/json_arguments.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace sorites {

JsonArguments::JsonArguments(const char* text) : left_(Json::object()) {
  if (text == nullptr || *text == '\0') return;
  left_ = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (left_.is_discarded() || !left_.is_object()) {
    throw std::invalid_argument("the arguments are no JSON object");
  }
}

// Null if it is not given.
Json JsonArguments::take(const std::string& name,
                         bool (Json::*is_right)() const,
                         const char* what) {
  const auto found = left_.find(name);
  if (found == left_.end()) return nullptr;
  Json value = std::move(*found);
  left_.erase(name);
  if (value.is_null()) return nullptr;
  if (!(value.*is_right)()) throw std::invalid_argument(fmt::format("`{}` takes {}", name, what));
  return value;
}

std::string JsonArguments::text(const std::string& name) {
  const Json value = take(name, &Json::is_string, "a text");
  return value.is_null() ? std::string() : value.get<std::string>();
}

std::vector<std::string> JsonArguments::texts(const std::string& name) {
  std::vector<std::string> texts;
  const Json list = take(name, &Json::is_array, "a list of texts");
  for (const Json& one : list) {
    if (!one.is_string()) throw std::invalid_argument(fmt::format("`{}` takes texts", name));
    texts.push_back(one.get<std::string>());
  }
  return texts;
}

std::optional<double> JsonArguments::number(const std::string& name) {
  const Json value = take(name, &Json::is_number, "a number");
  return value.is_null() ? std::nullopt : std::optional(value.get<double>());
}

double JsonArguments::number(const std::string& name, double otherwise) {
  return number(name).value_or(otherwise);
}

bool JsonArguments::flag(const std::string& name, bool otherwise) {
  const Json value = take(name, &Json::is_boolean, "true or false");
  return value.is_null() ? otherwise : value.get<bool>();
}

Json JsonArguments::object(const std::string& name) {
  Json value = take(name, &Json::is_object, "an object");
  return value.is_null() ? Json::object() : value;
}

Json JsonArguments::list(const std::string& name) {
  Json value = take(name, &Json::is_array, "a list");
  return value.is_null() ? Json::array() : value;
}

void JsonArguments::finish() const {
  if (left_.empty()) return;
  throw std::invalid_argument(fmt::format("there is no `{}`", left_.begin().key()));
}

std::vector<OptionSetting> settings_from(const Json& options) {
  std::vector<OptionSetting> settings;
  for (const auto& [name, value] : options.items()) {
    settings.push_back({name, value.is_string() ? value.get<std::string>() : value.dump(), {}, {}});
  }
  return settings;
}

Phase phase_named(const std::string& name) {
  for (const Phase phase : kPhases) {
    if (name == name_of(phase)) return phase;
  }
  throw std::invalid_argument(fmt::format("there is no phase `{}`", name));
}

SessionOptions options_from_json(const char* text) {
  JsonArguments arguments(text);
  SessionOptions options;
  options.data_path = arguments.text("data");
  options.semantics = arguments.text("semantics");
  const std::string phase = arguments.text("phase");
  if (!phase.empty()) options.phase = phase_named(phase);
  options.settings = settings_from(arguments.object("options"));
  const Json texts = arguments.object("texts");
  for (const auto& [name, value] : texts.items()) {
    if (!value.is_string()) throw std::invalid_argument("`texts` takes texts by name");
    options.texts[name] = value.get<std::string>();
  }
  arguments.finish();
  return options;
}

}  // namespace sorites
