#include "data/mistakes.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>

#include "base/constant.h"
#include "base/utf8.h"

namespace sorites {
namespace {

// Bytes that are no UTF-8 and NULs become question marks, so that what is shown is text.
std::string as_text(std::string_view bytes) {
  std::string text(bytes);
  std::replace(text.begin(), text.end(), '\0', '?');
  for (std::size_t i = find_invalid_utf8(text); i < text.size();
       i += find_invalid_utf8(std::string_view(text).substr(i))) {
    text[i] = '?';
  }
  return text;
}

// The first `most` bytes, less if that would cut a character.
std::string_view cut(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U) --most;
  return text.substr(0, most);
}

std::string_view article(ConstantType type) { return type == ConstantType::kInteger ? "an" : "a"; }

}  // namespace

void MistakeList::append(MistakeList&& other) {
  total += other.total;
  std::move(other.first.begin(), other.first.end(), std::back_inserter(first));
  std::stable_sort(first.begin(), first.end(), [](const Mistake& a, const Mistake& b) {
    return std::tie(a.span.line, a.span.column) < std::tie(b.span.line, b.span.column);
  });
  if (first.size() > kMostMistakesPerFile + 1)
    first.erase(first.begin() + kMostMistakesPerFile + 1, first.end());
}

void report_mistakes(MistakeList mistakes, Diagnostics& sink) {
  std::stable_sort(
      mistakes.first.begin(), mistakes.first.end(), [](const Mistake& a, const Mistake& b) {
        return std::tie(a.span.line, a.span.column) < std::tie(b.span.line, b.span.column);
      });
  const std::size_t shown = std::min(mistakes.first.size(), kMostMistakesPerFile);
  for (std::size_t i = 0; i < shown; ++i) {
    Mistake& mistake = mistakes.first[i];
    Diagnostic& d = sink.error(mistake.code, mistake.span, std::move(mistake.message));
    d.excerpt = std::move(mistake.excerpt);
    d.notes = std::move(mistake.notes);
  }
  if (mistakes.total == shown) return;
  Span rest = mistakes.first[shown].span;
  rest.column = rest.length = 0;
  sink.error(DiagnosticCode::kMoreMistakes,
             std::move(rest),
             fmt::format("{} in this file, from this line on",
                         counted(mistakes.total - shown, "more mistake")));
}

Mistake mistake_at(DiagnosticCode code,
                   const Span& record_start,
                   std::string_view record,
                   std::size_t offset,
                   std::size_t length,
                   std::string message) {
  constexpr std::size_t kLongestExcerpt = 4000;  // bytes of a line that is shown
  const std::string_view before = record.substr(0, offset);
  const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  std::string_view line = record.substr(line_begin);
  line = line.substr(0, line.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  length = std::min(length, line_begin + line.size() - std::min(offset, line_begin + line.size()));

  Mistake mistake{code, record_start, {}, std::move(message), {}};
  mistake.span.line += static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n'));
  mistake.span.column =
      static_cast<std::uint32_t>(1 + num_characters(as_text(before.substr(line_begin))));
  mistake.span.length =
      static_cast<std::uint32_t>(num_characters(as_text(record.substr(offset, length))));
  if (offset - line_begin < kLongestExcerpt) {
    mistake.excerpt = as_text(cut(line, kLongestExcerpt));
  }
  return mistake;
}

std::string shortened(std::string_view text) {
  constexpr std::size_t kLongest = 60;  // bytes: leaves room for the sentence around it
  std::string result = as_text(cut(text, kLongest));
  for (char& c : result) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
  }
  if (text.size() > kLongest) result += "...";
  return result;
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string type_mismatch_message(const Predicate& predicate,
                                  std::size_t argument,
                                  std::string_view text) {
  const ConstantType type = constant_type(predicate.types[argument]);
  return fmt::format("argument {} of {} is {} {}, not `{}`",
                     argument + 1,
                     predicate.name,
                     article(type),
                     type == ConstantType::kReal ? "real number" : name_of(type),
                     shortened(text));
}

std::string type_mismatch_hint(ArgumentType type, std::string_view text) {
  const ConstantType constant = constant_type(type);
  std::string_view trimmed = text;
  while (trimmed.starts_with(' ')) trimmed.remove_prefix(1);
  while (trimmed.ends_with(' ')) trimmed.remove_suffix(1);
  if (trimmed != text && canonical_constant(constant, trimmed)) {
    return "delete the blanks around the number: in CSV they belong to it";
  }
  if (constant == ConstantType::kInteger && parse_real(text)) {
    if (text.find_first_of(".eE") == std::string_view::npos) {
      return "integers go up to 9223372036854775807; declare the type UniqueStringID for longer "
             "ones";
    }
    return "declare the type Double for numbers with a fraction";
  }
  return "declare the type UniqueStringID or String for texts";
}

std::string column_count_message(const ColumnCount& count) {
  const std::size_t arity = count.predicate.arity();
  std::string message = fmt::format("the row has {} instead of {}: {} has {}",
                                    counted(count.found, "column"),
                                    arity + (count.first_has_value ? 1 : 0),
                                    count.predicate.name,
                                    counted(arity, "argument"));
  if (count.first_has_value) {
    message += ", and the first row of this file has a truth value";
  } else if (count.found == arity + 1) {
    message += ", and the first row of this file has no truth value";
  }
  return message;
}

std::string column_count_hint(const ColumnCount& count, std::string_view record, bool tabs) {
  const auto holds = [&](char c) { return record.find(c) != std::string_view::npos; };
  const std::size_t arity = count.predicate.arity();
  if (count.found < arity && tabs) {
    if (holds(',')) return "one tab separates columns; if commas do, let the name end in .csv";
    if (holds(' ')) return "one tab separates columns, blanks do not";
  }
  if (count.found < arity && !tabs) {
    if (holds('\t')) return "commas separate the columns of .csv; if tabs do, name it .tsv";
    if (holds(';')) return "commas separate the columns of .csv, semicolons do not";
  }
  if (count.found == arity || count.found == arity + 1) {
    return "either all rows of a file have a truth value or none has";
  }
  return fmt::format("a row is {}, with or without a truth value after",
                     counted(arity, "argument"));
}

std::string too_many_rows_message(std::size_t limit) {
  return fmt::format("the predicate has more than {} rows", limit);
}

}  // namespace sorites
