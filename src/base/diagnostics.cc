#include "base/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/mistake_limits.h"
#include "base/utf8.h"

namespace sorites {

TextRange join(TextRange a, TextRange b) {
  const std::uint32_t begin = std::min(a.begin, b.begin);
  return {begin, std::max(a.end(), b.end()) - begin};
}

namespace {

constexpr std::size_t kPlaceBlock = 256;   // bytes: what is counted anew for every column
constexpr std::size_t kLongLine = 10'000;  // bytes: far beyond what people write

}  // namespace

TextPlaces::TextPlaces(std::string_view text) : text_(text), line_begin_{0}, characters_{0} {
  for (std::size_t i = text.find('\n'); i < text.size(); i = text.find('\n', i + 1)) {
    line_begin_.push_back(i + 1);
  }
  for (std::size_t end = kPlaceBlock; end <= text.size(); end += kPlaceBlock) {
    const std::size_t own = num_characters(text.substr(end - kPlaceBlock, kPlaceBlock));
    characters_.push_back(characters_.back() + static_cast<std::uint32_t>(own));
  }
}

std::size_t TextPlaces::line(std::size_t offset) const {
  const auto after = std::upper_bound(line_begin_.begin(), line_begin_.end(), offset);
  return static_cast<std::size_t>(after - line_begin_.begin());
}

std::size_t TextPlaces::column(std::size_t offset) const {
  return 1 + characters_before(offset) - characters_before(line_begin(offset));
}

std::string_view TextPlaces::line_text(std::size_t offset) const {
  const std::size_t number = line(offset);
  const std::size_t begin = line_begin_[number - 1];
  if (number == line_begin_.size()) return text_.substr(begin);
  return text_.substr(begin, line_begin_[number] - 1 - begin);
}

std::size_t TextPlaces::characters_before(std::size_t offset) const {
  const std::size_t block = offset / kPlaceBlock;
  const std::size_t begin = block * kPlaceBlock;
  return characters_[block] + num_characters(text_.substr(begin, offset - begin));
}

Source::Source(std::string file, std::string_view file_text)
    : file_(std::move(file)),
      file_text_(file_text),
      places_(std::make_shared<const TextPlaces>(file_text)) {}

Source::Source(const Source& whole, std::string text, std::vector<std::uint32_t> file_offset)
    : file_(whole.file_),
      file_text_(whole.file_text_),
      text_(std::move(text)),
      file_offset_(std::move(file_offset)),
      places_(whole.places_) {}

TextRange Source::in_file(TextRange range) const {
  if (file_offset_.empty()) return range;
  const std::size_t last = file_offset_.size() - 1;
  const std::uint32_t begin = file_offset_[std::min<std::size_t>(range.begin, last)];
  return {begin, file_offset_[std::min<std::size_t>(range.end(), last)] - begin};
}

Span Source::locate(TextRange range) const {
  range = in_file(range);
  const std::size_t begin = std::min<std::size_t>(range.begin, file_text_.size());
  const std::string_view rest = file_text_.substr(begin, range.length);
  return {file_,
          static_cast<std::uint32_t>(places_->line(begin)),
          static_cast<std::uint32_t>(places_->column(begin)),
          static_cast<std::uint32_t>(num_characters(rest.substr(0, rest.find('\n'))))};
}

std::string Source::excerpt(TextRange range) const {
  const std::size_t begin = std::min<std::size_t>(in_file(range).begin, file_text_.size());
  std::string_view line = places_->line_text(begin);
  if (line.ends_with('\r')) line.remove_suffix(1);
  // Of texts within a file there may be as many as the line has words, each with its diagnostics:
  // finish_diagnostics() gives the first of them their line.
  if (!file_offset_.empty() && line.size() > kLongLine) return {};
  return std::string(line);
}

Diagnostic& Diagnostics::add(Severity severity, DiagnosticCode code, Span at, std::string message) {
  num_errors_ += severity == Severity::kError ? 1 : 0;
  return all_.emplace_back(Diagnostic{
      severity, std::string(info(code).name), std::move(at), {}, std::move(message), {}});
}

void Diagnostics::add(Diagnostic diagnostic) {
  num_errors_ += diagnostic.severity == Severity::kError ? 1 : 0;
  all_.push_back(std::move(diagnostic));
}

Diagnostic& Diagnostics::error(DiagnosticCode code,
                               const Source& source,
                               TextRange at,
                               std::string message) {
  Diagnostic& added = add(Severity::kError, code, source.locate(at), std::move(message));
  if (all_.size() <= kManyExcerpts) added.excerpt = source.excerpt(at);
  return added;
}

Diagnostic& Diagnostics::warning(DiagnosticCode code,
                                 const Source& source,
                                 TextRange at,
                                 std::string message) {
  Diagnostic& added = add(Severity::kWarning, code, source.locate(at), std::move(message));
  if (all_.size() <= kManyExcerpts) added.excerpt = source.excerpt(at);
  return added;
}

Diagnostic& Diagnostics::error(DiagnosticCode code, Span at, std::string message) {
  return add(Severity::kError, code, std::move(at), std::move(message));
}

Diagnostic& Diagnostics::warning(DiagnosticCode code, Span at, std::string message) {
  return add(Severity::kWarning, code, std::move(at), std::move(message));
}

std::vector<Diagnostic> Diagnostics::take_sorted() {
  std::vector<std::string> files;
  for (const Diagnostic& d : all_) {
    if (std::find(files.begin(), files.end(), d.span.file) == files.end()) {
      files.push_back(d.span.file);
    }
  }
  const auto place = [&](const Diagnostic& d) {
    const auto file = std::find(files.begin(), files.end(), d.span.file) - files.begin();
    return std::make_tuple(file, d.span.line, d.span.column);
  };
  std::stable_sort(all_.begin(), all_.end(), [&](const Diagnostic& a, const Diagnostic& b) {
    return place(a) < place(b);
  });
  num_errors_ = 0;
  return std::exchange(all_, {});
}

namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

// Damerau-Levenshtein distance with adjacent transpositions (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last, last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = std::min({last[j] + (a[i] == b[j] ? 0U : 1U), last[j + 1] + 1, row[j] + 1});
      if (i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j]) {
        row[j + 1] = std::min(row[j + 1], before_last[j - 1] + 1);
      }
    }
    before_last = last;
    last = row;
  }
  return last[b.size()];
}

}  // namespace

std::string_view nearest_name(std::string_view name, const std::vector<std::string_view>& known) {
  constexpr std::size_t kLongestName = 100;  // the distance is quadratic
  if (name.size() > kLongestName) return {};
  std::string_view best;
  // A third of the letters, or one: beyond, names of two letters would be near to all others.
  std::size_t best_distance = std::max<std::size_t>(1, name.size() / 3) + 1;
  for (const std::string_view candidate : known) {
    if (candidate.size() > kLongestName) continue;
    const std::size_t distance = edit_distance(lower(name), lower(candidate));
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

void suggest_name(Diagnostic& diagnostic,
                  std::string_view name,
                  const std::vector<std::string_view>& known) {
  const std::string_view near = nearest_name(name, known);
  if (!near.empty()) diagnostic.notes.push_back({fmt::format("did you mean `{}`?", near), {}});
}

}  // namespace sorites
