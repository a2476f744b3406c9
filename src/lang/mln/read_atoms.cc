#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>

#include "base/mistake_limits.h"
#include "base/utf8.h"
#include "lang/mln/atoms.h"
#include "lang/mln/lexer.h"

namespace sorites::markov {
namespace {

bool is_space_in_row(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// An argument of an atom; a view of the file, or of `unquoted`.
struct Argument {
  TextRange range;
  std::string unquoted;
  bool is_quoted = false;
};

class AtomReader {
 public:
  AtomReader(const Source& source,
             AtomRole role,
             Vocabulary& vocabulary,
             AtomData& data,
             Diagnostics& sink)
      : source_(source),
        text_(source.text()),
        role_(role),
        vocabulary_(vocabulary),
        data_(data),
        sink_(sink),
        number_(static_cast<std::uint32_t>(data.sources.size())) {
    data.sources.push_back(&source);
    data.facts.resize(vocabulary.predicates().size());
    data.queries.resize(vocabulary.predicates().size());
    data.unaries.resize(vocabulary.predicates().size());
  }

  void run() {
    if (text_.starts_with("\uFEFF")) pos_ = 3;
    std::size_t num_bad = 0;
    Span first_hidden;
    while (pos_ < text_.size()) {
      line_end_ = std::min(text_.find('\n', pos_), text_.size());
      Diagnostics mistakes;
      const bool bad = !line(mistakes);
      num_bad += bad ? 1 : 0;
      if (bad && num_bad <= kMostMistakesPerFile) {
        for (const Diagnostic& mistake : mistakes.all()) sink_.add(mistake);
      } else if (bad && num_bad == kMostMistakesPerFile + 1) {
        first_hidden = mistakes.all()[0].span;
      }
      pos_ = line_end_ + 1;
    }
    if (num_bad <= kMostMistakesPerFile) return;
    sink_.error(
        DiagnosticCode::kMoreMistakes,
        first_hidden,
        fmt::format("{} more lines of this file have mistakes", num_bad - kMostMistakesPerFile));
  }

 private:
  void skip_blanks() {
    while (pos_ < line_end_ && is_space_in_row(text_[pos_])) ++pos_;
  }
  bool at(char c) const { return pos_ < line_end_ && text_[pos_] == c; }
  bool take(char c) {
    skip_blanks();
    if (!at(c)) return false;
    ++pos_;
    return true;
  }
  bool at_end() {
    skip_blanks();
    return pos_ >= line_end_ || text_[pos_] == '#' || text_.substr(pos_).starts_with("//");
  }
  static TextRange range(std::size_t begin, std::size_t end) {
    return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin)};
  }
  std::string_view slice(TextRange at) const { return text_.substr(at.begin, at.length); }
  std::string_view view(const Argument& argument) const {
    return argument.is_quoted ? std::string_view(argument.unquoted) : slice(argument.range);
  }

  Diagnostic& error(Diagnostics& mistakes, DiagnosticCode code, TextRange at, std::string message) {
    return mistakes.error(code, source_, at, std::move(message));
  }
  bool expected(Diagnostics& mistakes, std::string_view what, std::string_view hint = {}) {
    const bool end = pos_ >= line_end_;
    const std::size_t length = end ? 0 : 1;
    Diagnostic& added = error(mistakes,
                              DiagnosticCode::kSyntax,
                              range(pos_, pos_ + length),
                              end ? fmt::format("expected {} before the end of the line", what)
                                  : fmt::format("expected {} here", what));
    if (!hint.empty()) added.notes.push_back({std::string(hint), {}});
    return false;
  }

  // False after a mistake.
  bool line(Diagnostics& mistakes) {
    if (at_end()) return true;
    const std::size_t begin = pos_;
    const bool question = take('?');
    bool negated = false;
    while (take('!') || take('~')) negated = !negated;
    TextRange name;
    if (!word(mistakes, name) || !arguments(mistakes)) return false;
    const std::size_t end = pos_;
    bool has_class = false;
    Argument value;
    if (take('=')) {
      has_class = true;
      if (!argument(mistakes, value)) return false;
    }
    if (role_ == AtomRole::kUnary && !number(mistakes)) return false;
    if (!at_end()) return expected(mistakes, "the end of the line", "one atom per line");
    return atom(mistakes,
                {name,
                 range(begin, std::max(end, static_cast<std::size_t>(value.range.end()))),
                 question,
                 negated,
                 has_class,
                 value});
  }

  bool word(Diagnostics& mistakes, TextRange& result) {
    skip_blanks();
    const std::size_t begin = pos_;
    const auto is_word = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             c == '_' || c == '$';
    };
    while (pos_ < line_end_ && is_word(text_[pos_])) ++pos_;
    result = range(begin, pos_);
    return pos_ > begin ||
           expected(mistakes, "a predicate", "an atom is written `friend(Anna, Bob)`");
  }

  bool arguments(Diagnostics& mistakes) {
    arguments_.clear();
    if (!take('(')) return expected(mistakes, "`(`", "an atom is written `friend(Anna, Bob)`");
    if (take(')')) return true;
    do {
      if (!argument(mistakes, arguments_.emplace_back())) return false;
    } while (take(','));
    return take(')') || expected(mistakes, "`,` or `)`", "quote constants with blanks in them");
  }

  bool argument(Diagnostics& mistakes, Argument& result) {
    skip_blanks();
    const std::size_t begin = pos_;
    if (at('"') || at('\'')) {
      result.is_quoted = true;
      const std::size_t end = read_string(source_, pos_, result.unquoted, mistakes);
      if (end == 0) return false;
      pos_ = end;
    } else {
      constexpr std::string_view kEnds = ",()=\"";
      while (pos_ < line_end_ && !is_space_in_row(text_[pos_]) &&
             kEnds.find(text_[pos_]) == std::string_view::npos) {
        ++pos_;
      }
    }
    result.range = range(begin, pos_);
    return (pos_ > begin || expected(mistakes, "a constant")) && !mistakes.has_errors();
  }

  // A unary potential.
  bool number(Diagnostics& mistakes) {
    skip_blanks();
    const std::size_t begin = pos_;
    while (pos_ < line_end_ && !is_space_in_row(text_[pos_])) ++pos_;
    std::string_view written = text_.substr(begin, pos_ - begin);
    if (written.empty()) {
      return expected(
          mistakes, "a number", "a unary potential is written `friend(Anna, Bob) 1.25`");
    }
    if (written.starts_with('+')) written.remove_prefix(1);
    double value = 0.0;
    const auto read = std::from_chars(written.data(), written.data() + written.size(), value);
    number_read_ = value;
    const bool is_number = read.ptr == written.data() + written.size();
    if (is_number && read.ec == std::errc() && std::isfinite(static_cast<float>(value)))
      return true;
    error(mistakes,
          is_number ? DiagnosticCode::kBadValue : DiagnosticCode::kSyntax,
          range(begin, pos_),
          is_number ? "a unary potential is finite, and not larger than single precision holds"
                    : fmt::format("`{}` is no number", text_.substr(begin, pos_ - begin)));
    return false;
  }

  struct Line {
    TextRange name, range;
    bool question, negated, has_class;
    const Argument& value;
  };

  bool atom(Diagnostics& mistakes, const Line& line) {
    const auto number = vocabulary_.find(slice(line.name));
    if (!number) {
      vocabulary_.report_unknown(source_, line.name, slice(line.name), mistakes);
      return false;
    }
    const PredicateEntry& predicate = vocabulary_.predicates()[*number];
    const bool class_last = predicate.functional && !line.has_class &&
                            arguments_.size() == predicate.arguments.size() + 1;
    if (!class_last && arguments_.size() != predicate.arguments.size()) {
      report_arity(mistakes, line, predicate);
      return false;
    }
    const Argument* value = class_last       ? &arguments_.back()
                            : line.has_class ? &line.value
                                             : nullptr;
    if (!check_value(mistakes, line, predicate, value)) return false;
    return store(mistakes, line, *number, value);
  }

  void report_arity(Diagnostics& mistakes, const Line& line, const PredicateEntry& predicate) {
    error(mistakes,
          DiagnosticCode::kWrongArity,
          line.range,
          fmt::format("`{}` has {} argument{}, not {}",
                      predicate.name,
                      predicate.arguments.size(),
                      predicate.arguments.size() == 1 ? "" : "s",
                      arguments_.size()))
        .notes.push_back({"declared here", predicate.place});
  }

  bool check_value(Diagnostics& mistakes,
                   const Line& line,
                   const PredicateEntry& predicate,
                   const Argument* value) {
    const bool has_classes = predicate.classes != nullptr;
    std::string message, hint;
    if (role_ == AtomRole::kUnary && (line.question || line.negated)) {
      message = "a unary potential stands behind an atom without `!` or `?`";
      hint = "what speaks against an atom is a negative number";
    } else if (line.question && line.negated) {
      message = "`?` asks for an atom, so it is not negated";
      hint = "if its truth is known, write `?p(A) = false`";
    } else if (value != nullptr && !has_classes && !line.question) {
      message = fmt::format("`{}` has no classes: its atoms are true or false", predicate.name);
    } else if (value != nullptr && !has_classes && view(*value) != "true" &&
               view(*value) != "false") {
      message = fmt::format("an atom of `{}` is true or false", predicate.name);
    } else if (has_classes && line.negated) {
      message = "a class that the atom does not have";
      hint = "say which class it has";
    } else if (has_classes && value == nullptr && role_ != AtomRole::kQuery && !line.question) {
      message = fmt::format("`{}` has classes, and none is given", predicate.name);
      hint = fmt::format("write `{}(...) = {}{}`",
                         predicate.name,
                         first_class(predicate),
                         role_ == AtomRole::kUnary ? " 1.25" : "");
    } else {
      return true;
    }
    Diagnostic& added =
        error(mistakes, DiagnosticCode::kUnknownClass, line.range, std::move(message));
    if (!hint.empty()) added.notes.push_back({std::move(hint), {}});
    return false;
  }

  static std::string first_class(const PredicateEntry& predicate) {
    const Constants& classes = predicate.classes->constants;
    return classes.size() == 0 ? "C" : classes[0];
  }

  bool store(Diagnostics& mistakes,
             const Line& line,
             std::uint32_t predicate_number,
             const Argument* value) {
    const PredicateEntry& predicate = vocabulary_.predicates()[predicate_number];
    const bool is_query = line.question || role_ == AtomRole::kQuery;
    const bool is_unary = role_ == AtomRole::kUnary;
    AtomRows& rows = (is_unary   ? data_.unaries
                      : is_query ? data_.queries
                                 : data_.facts)[predicate_number];
    constants_.clear();
    for (std::size_t k = 0; k < predicate.arguments.size(); ++k) {
      const auto constant = number_of(mistakes, arguments_[k], *predicate.arguments[k]);
      if (!constant) return false;
      constants_.push_back(*constant);
    }
    std::uint32_t truth = line.negated ? 0 : 1;
    if (value == nullptr && (line.question || predicate.classes != nullptr)) {
      truth = kUnknownValue;
    } else if (value != nullptr && predicate.classes == nullptr) {
      truth = view(*value) == "true" ? 1 : 0;
    } else if (value != nullptr) {
      const auto number = number_of(mistakes, *value, *predicate.classes);
      if (!number) return false;
      truth = *number;
    }
    rows.constants.insert(rows.constants.end(), constants_.begin(), constants_.end());
    rows.values.push_back(truth);
    rows.places.push_back({number_, line.range});
    if (is_unary) rows.numbers.push_back(number_read_);
    return true;
  }

  std::optional<std::uint32_t> number_of(Diagnostics& mistakes,
                                         const Argument& argument,
                                         Domain& domain) {
    const std::string_view name = view(argument);
    const auto known = domain.constants.find(name);
    if (known) return known;
    if (!domain.constants.can_be(name)) {
      report_bad_constant(source_, argument.range, name, domain, mistakes);
      return std::nullopt;
    }
    if (!domain.declared) return domain.constants.add(name);
    report_not_listed(source_, argument.range, name, domain, mistakes);
    return std::nullopt;
  }

  const Source& source_;
  std::string_view text_;
  AtomRole role_;
  Vocabulary& vocabulary_;
  AtomData& data_;
  Diagnostics& sink_;
  std::uint32_t number_;  // of the source
  std::size_t pos_ = 0, line_end_ = 0;
  std::vector<Argument> arguments_;
  std::vector<std::uint32_t> constants_;
  double number_read_ = 0.0;  // of the line
};

}  // namespace

void read_atoms(const Source& source,
                AtomRole role,
                Vocabulary& vocabulary,
                AtomData& data,
                Diagnostics& sink) {
  AtomReader(source, role, vocabulary, data, sink).run();
}

}  // namespace sorites::markov
