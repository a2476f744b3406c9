// The JSON objects that calls of the C API take.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/json.h"

namespace sorites {

// Members are taken by name; whatever is left at the end is a mistake. All calls throw
// std::invalid_argument that says what is wrong.
class JsonArguments {
 public:
  explicit JsonArguments(const char* text);  // NULL: an empty object

  std::string text(const std::string& name);  // empty: it is not given
  std::vector<std::string> texts(const std::string& name);
  std::optional<double> number(const std::string& name);
  double number(const std::string& name, double otherwise);
  bool flag(const std::string& name, bool otherwise);
  Json object(const std::string& name);      // empty: it is not given
  Json list(const std::string& name);        // the same
  const Json& all() const { return left_; }  // that is left
  void finish() const;

 private:
  Json take(const std::string& name, bool (Json::*is_right)() const, const char* what);

  Json left_;
};

// Options by name: texts; numbers and truth values may stand as they are.
std::vector<OptionSetting> settings_from(const Json& options);

Phase phase_named(const std::string& name);

SessionOptions options_from_json(const char* text);

}  // namespace sorites
