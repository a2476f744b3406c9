// How the checker reports: into one sink, about one source, counting what it says about a rule.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostics.h"

namespace sorites::lang {

class Reporter {
 public:
  Reporter(const Source& source, Diagnostics& sink) : source_(source), sink_(sink) {}

  Diagnostic& error(DiagnosticCode code, TextRange at, std::string message) {
    ++num_errors_;
    return sink_.error(code, source_, at, std::move(message));
  }
  Diagnostic& error(DiagnosticCode code, TextRange at, std::string message, std::string hint) {
    Diagnostic& added = error(code, at, std::move(message));
    if (!hint.empty()) added.notes.push_back({std::move(hint), {}});
    return added;
  }
  Diagnostic& warning(DiagnosticCode code, TextRange at, std::string message) {
    return sink_.warning(code, source_, at, std::move(message));
  }
  std::size_t num_errors() const { return num_errors_; }

  std::string_view slice(TextRange range) const {
    return source_.text().substr(range.begin, range.length);
  }
  Span locate(TextRange range) const { return source_.locate(range); }

 private:
  const Source& source_;
  Diagnostics& sink_;
  std::size_t num_errors_ = 0;
};

}  // namespace sorites::lang
