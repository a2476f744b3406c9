// What Sorites says about mistakes in rules, model files and data.
//
// Every stage collects all the mistakes it finds and goes on; the public functions then throw one
// InputError that holds them all, sorted by place.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sorites {

// A stretch of one line of a file. Lines and columns count from 1; columns count characters
// (Unicode code points). `line` is 0 where the whole file is meant.
struct Span {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t length = 0;

  bool operator==(const Span&) const = default;
};

enum class Severity : std::uint8_t { kWarning, kError };

// A second place that belongs to a diagnostic, or, with an empty span, a hint how to mend it.
struct Note {
  std::string message;
  Span span;
};

struct Diagnostic {
  Severity severity = Severity::kError;
  std::string code;  // stable name such as "unknown-predicate"; docs/diagnostics.md lists them all
  Span span;         // where; `span.file` is empty if there is no place
  std::string excerpt;  // the source line `span.line`, empty if it is not at hand
  std::string message;
  std::vector<Note> notes;
};

// One diagnostic as text that ends in a newline: place, message, the line with carets under the
// span, notes. `color` adds terminal escapes.
std::string render(const Diagnostic& diagnostic, bool color = false);

// The input (rules, model file or data) is wrong. what() is the rendered text of all diagnostics.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Diagnostic> diagnostics);
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

// The file system said no. what() names the path and the system's reason.
class IoError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The caller's stop_token ended a call before it had a result.
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

// ---- While a call runs --------------------------------------------------------------------------

struct Progress {
  std::string_view stage;  // "loading", "grounding", "solving", ...
  double share = -1.0;     // of the stage that is done; below 0: nobody knows
  std::string state;       // how things stand; may be empty
};

struct RunEvents {
  std::function<void(const Progress&)> progress;      // now and then, by one thread at a time
  std::function<void(const Diagnostic&)> diagnostic;  // warnings, as they are found, each once
  std::stop_token stop;  // calls end early: with what they have, or by throwing Interrupted
};

}  // namespace sorites
