// The sink that every stage reports mistakes to, and the source text they are located in.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic_code.h"
#include "sorites/diagnostic.h"

namespace sorites {

// Bytes [begin, begin + length) of a Source's text.
struct TextRange {
  std::uint32_t begin = 0;
  std::uint32_t length = 0;

  std::uint32_t end() const { return begin + length; }
};

// The smallest range that covers both.
TextRange join(TextRange a, TextRange b);

// Lines and columns of a text, found quickly wherever a place is and however long lines are: a
// program may have very many rules, and JSON is often one line.
class TextPlaces {
 public:
  // A view: the text must outlive it.
  explicit TextPlaces(std::string_view text);

  std::size_t line(std::size_t offset) const;    // from 1
  std::size_t column(std::size_t offset) const;  // characters, from 1
  // The line that the offset is on, without its end.
  std::string_view line_text(std::size_t offset) const;

 private:
  std::size_t line_begin(std::size_t offset) const { return line_begin_[line(offset) - 1]; }
  std::size_t characters_before(std::size_t offset) const;

  std::string_view text_;
  std::vector<std::size_t> line_begin_;
  std::vector<std::uint32_t> characters_;  // before each block of bytes
};

// Text to be parsed, and where each of its bytes stands in a file. For a whole file both are the
// same; a rule inside a JSON string is decoded text whose bytes stand somewhere in the JSON file.
// Views only: the file's text must outlive it.
class Source {
 public:
  // The text is the whole file.
  Source(std::string file, std::string_view file_text);
  // The text is a part of the file; byte i of `text` stands at file_offset[i], its end at the last
  // entry (file_offset has text.size() + 1 entries, ascending). Shares the places of the whole.
  Source(const Source& whole, std::string text, std::vector<std::uint32_t> file_offset);

  std::string_view text() const { return file_offset_.empty() ? file_text_ : text_; }
  const std::string& file() const { return file_; }
  Span locate(TextRange range) const;
  // The line of the file on which the range begins, without its end of line.
  std::string excerpt(TextRange range) const;

 private:
  TextRange in_file(TextRange range) const;

  std::string file_;
  std::string_view file_text_;
  std::string text_;
  std::vector<std::uint32_t> file_offset_;
  std::shared_ptr<const TextPlaces> places_;  // of the file: all its parts share them
};

class Diagnostics {
 public:
  // Each returns the new diagnostic, for notes to be added; the reference holds until the next
  // call.
  Diagnostic& error(DiagnosticCode code, const Source& source, TextRange at, std::string message);
  Diagnostic& warning(DiagnosticCode code, const Source& source, TextRange at, std::string message);
  Diagnostic& error(DiagnosticCode code, Span at, std::string message);
  Diagnostic& warning(DiagnosticCode code, Span at, std::string message);

  // One that was found elsewhere.
  void add(Diagnostic diagnostic);

  bool has_errors() const { return num_errors_ > 0; }
  std::size_t num_errors() const { return num_errors_; }
  const std::vector<Diagnostic>& all() const { return all_; }
  // Hands out all diagnostics by file (in order of first appearance), line and column, and empties
  // the sink.
  std::vector<Diagnostic> take_sorted();

 private:
  Diagnostic& add(Severity severity, DiagnosticCode code, Span at, std::string message);

  std::vector<Diagnostic> all_;
  std::size_t num_errors_ = 0;
};

// The known name nearest to `name` (case does not count), or empty if none is near enough to be
// meant.
std::string_view nearest_name(std::string_view name, const std::vector<std::string_view>& known);

// Adds the hint "did you mean `x`?" if a known name is near.
void suggest_name(Diagnostic& diagnostic,
                  std::string_view name,
                  const std::vector<std::string_view>& known);

}  // namespace sorites
