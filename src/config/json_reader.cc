#include "config/json_reader.h"

#include <fmt/format.h>

#include <cctype>
#include <unordered_map>
#include <utility>

#include "base/mistake_limits.h"
#include "base/utf8.h"
#include "config/canonical_number.h"
#include "config/json_string.h"

namespace sorites {
namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("_$./-+").find(c) != std::string_view::npos ||
         static_cast<unsigned char>(c) >= 0x80;
}

class JsonReader {
 public:
  JsonReader(const Source& source, Diagnostics& diagnostics, const std::stop_token& stop)
      : source_(source),
        text_(source.text()),
        diagnostics_(diagnostics),
        stop_(stop),
        errors_before_(diagnostics.num_errors()) {}

  std::optional<ConfigNode> read() {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    skip_blanks();
    if (at_ == text_.size()) {
      fail({0, 0}, "the file is empty").notes.push_back({"a model begins with {", {}});
      return std::nullopt;
    }
    ConfigNode root;
    if (!value(root)) return std::nullopt;
    skip_blanks();
    if (failed_) return std::nullopt;
    if (at_ < text_.size()) {
      const TextRange at = next_token();
      fail(at, fmt::format("{} stands after the end of the model", quoted(at)));
      return std::nullopt;
    }
    return root;
  }

 private:
  Diagnostic& fail(TextRange at, std::string message) {
    failed_ = true;
    return diagnostics_.error(DiagnosticCode::kJsonSyntax, source_, at, std::move(message));
  }

  bool too_many_mistakes() {
    failed_ = failed_ || diagnostics_.num_errors() - errors_before_ > kMostMistakesOfModel;
    return failed_;
  }

  std::uint32_t size() const { return static_cast<std::uint32_t>(text_.size()); }
  bool at_char(char c) const { return at_ < text_.size() && text_[at_] == c; }

  bool at_comment() const {
    const std::string_view rest = text_.substr(at_);
    return rest.starts_with('#') || rest.starts_with("//") || rest.starts_with("/*");
  }

  // The word or the character at `at_`, for messages.
  TextRange next_token() const {
    std::uint32_t end = at_;
    while (end < size() && is_word(text_[end]) && end - at_ < 40) ++end;
    while (end > at_ && end < size() && (static_cast<unsigned char>(text_[end]) & 0xC0U) == 0x80U) {
      --end;  // the limit fell into a character
    }
    return {at_, std::max(end - at_, at_ < size() ? 1U : 0U)};
  }

  std::string quoted(TextRange at) const {
    if (at.length == 0) return "the end of the file";
    return fmt::format("`{}`", text_.substr(at.begin, at.length));
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      const std::string_view rest = text_.substr(at_);
      if (std::isspace(static_cast<unsigned char>(rest[0])) != 0) {
        ++at_;
      } else if (rest[0] == '#' || rest.starts_with("//")) {
        at_ += static_cast<std::uint32_t>(std::min(rest.find('\n'), rest.size()));
      } else if (rest.starts_with("/*")) {
        const std::size_t end = rest.find("*/", 2);
        if (end == std::string_view::npos) {
          fail({at_, 2}, "the comment is never closed").notes.push_back({"close it with */", {}});
          at_ = size();
          return;
        }
        at_ += static_cast<std::uint32_t>(end + 2);
      } else {
        return;
      }
    }
  }

  bool value(ConfigNode& node) {
    if (at_char('{') || at_char('[')) return container(node);
    if (at_char('"') || at_char('\'')) return string(node);
    const TextRange at = next_token();
    if (at.length > 0 && is_word(text_[at_])) return word(node);
    if (!failed_) fail(at, fmt::format("expected a value, found {}", quoted(at)));
    return false;
  }

  bool string(ConfigNode& node) {
    auto string = read_json_string(source_, at_, diagnostics_);
    if (!string) {
      failed_ = true;
      return false;
    }
    node.kind = ConfigKind::kText;
    node.text = std::move(string->text);
    node.range = string->range;
    node.text_begin = at_ + 1;
    node.file_offset = std::move(string->file_offset);
    at_ = string->range.end();
    return true;
  }

  // true, false, null, a number, or a text that lacks its quotes.
  bool word(ConfigNode& node) {
    const std::uint32_t begin = at_;
    while (at_ < size() && is_word(text_[at_]) && !at_comment()) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    node.range = {begin, at_ - begin};
    node.text_begin = begin;
    if (word == "null") return true;
    if (word == "true" || word == "false") {
      node.kind = ConfigKind::kBool;
      node.text = word;
      return true;
    }
    const bool number = is_digit(word[0]) || (word.size() > 1 && is_digit(word[1]));
    if (auto canonical = canonical_number(word)) {
      node.kind = ConfigKind::kNumber;
      node.text = std::move(*canonical);
      return true;
    }
    if (number) {
      node.kind = ConfigKind::kNumber;
      node.text = "0";
      diagnostics_.error(DiagnosticCode::kJsonSyntax, source_, node.range, "malformed number")
          .notes.push_back({"a number is 12, -0.5 or 1e-3; anything else needs quotes", {}});
    } else {
      bare_text(node, word);
    }
    return true;
  }

  void bare_text(ConfigNode& node, std::string_view word) {
    Diagnostic& added =
        diagnostics_.error(DiagnosticCode::kJsonSyntax, source_, node.range, "a text needs quotes");
    suggest_name(added, word, {"true", "false", "null"});
    const bool yes = word == "True" || word == "TRUE", no = word == "False" || word == "FALSE";
    node.kind = yes || no ? ConfigKind::kBool : ConfigKind::kText;
    node.text = yes ? "true" : no ? "false" : word;
  }

  bool container(ConfigNode& node) {
    const bool object = text_[at_] == '{';
    const std::uint32_t begin = at_++;
    node.kind = object ? ConfigKind::kObject : ConfigKind::kList;
    if (++depth_ > kMaxConfigDepth) {
      failed_ = true;
      diagnostics_.error(DiagnosticCode::kNestingTooDeep,
                         source_,
                         {begin, 1},
                         fmt::format("lists and objects nest deeper than {}", kMaxConfigDepth));
      return false;
    }
    if (!members(node, begin)) return false;
    --depth_;
    node.range = {begin, at_ - begin};
    return true;
  }

  // Up to and with the closing bracket.
  bool members(ConfigNode& node, std::uint32_t begin) {
    const char close = node.kind == ConfigKind::kObject ? '}' : ']';
    std::unordered_map<std::string, TextRange> keys;
    for (;;) {
      skip_blanks();
      if (failed_ || too_many_mistakes()) return false;
      if (stop_.stop_requested()) throw Interrupted();
      if (at_char(close)) break;
      ConfigNode child;
      if (at_ == size() || at_char('}') || at_char(']')) return unclosed(begin, close);
      if (node.kind == ConfigKind::kObject && !key(child)) return false;
      if (!value(child)) return false;
      if (is_new_key(node, child, keys)) node.children.push_back(std::move(child));
      if (!separator(close)) return false;
    }
    ++at_;
    return true;
  }

  bool unclosed(std::uint32_t begin, char close) {
    const TextRange at = next_token();
    fail(at, fmt::format("expected `{}`, found {}", close, quoted(at)))
        .notes.push_back(
            {fmt::format("it closes this `{}`", text_[begin]), source_.locate({begin, 1})});
    return false;
  }

  bool key(ConfigNode& child) {
    ConfigNode name;
    const TextRange at = next_token();
    const bool is_key = at_char('"') || at_char('\'') || (at.length > 0 && is_word(text_[at_]));
    if (!is_key) {
      fail(at, fmt::format("expected a key, found {}", quoted(at)))
          .notes.push_back({"a key is a quoted text, followed by `:`", {}});
      return false;
    }
    if (at_char('"') || at_char('\'') ? !string(name) : !word(name)) return false;
    child.key = std::move(name.text);
    child.key_range = name.range;
    skip_blanks();
    if (failed_) return false;
    if (!at_char(':')) {
      const TextRange found = next_token();
      fail(found, fmt::format("expected `:` after the key, found {}", quoted(found)));
      return false;
    }
    ++at_;
    skip_blanks();
    return !failed_;
  }

  bool is_new_key(const ConfigNode& parent,
                  const ConfigNode& child,
                  std::unordered_map<std::string, TextRange>& keys) {
    if (parent.kind != ConfigKind::kObject) return true;
    const auto [first, is_new] = keys.emplace(child.key, child.key_range);
    if (is_new) return true;
    diagnostics_
        .error(DiagnosticCode::kDuplicateKey,
               source_,
               child.key_range,
               fmt::format("the key `{}` stands twice", child.key))
        .notes.push_back({"it stands first here", source_.locate(first->second)});
    return false;
  }

  // A comma, or nothing before the closing bracket. A missing comma is reported and assumed.
  bool separator(char close) {
    const std::uint32_t after_value = at_;
    skip_blanks();
    if (failed_) return false;
    if (at_char(',')) {
      ++at_;
      return true;
    }
    const bool value_follows =
        at_ < size() && (is_word(text_[at_]) ||
                         std::string_view("\"'{[").find(text_[at_]) != std::string_view::npos);
    if (at_char(close) || at_ == size() || at_char('}') || at_char(']')) return true;
    if (value_follows) {
      diagnostics_.error(DiagnosticCode::kJsonSyntax,
                         source_,
                         {after_value, 0},
                         fmt::format("expected `,` or `{}` here", close));
      return true;
    }
    const TextRange at = next_token();
    fail(at, fmt::format("expected `,` or `{}`, found {}", close, quoted(at)));
    return false;
  }

  const Source& source_;
  std::string_view text_;
  Diagnostics& diagnostics_;
  const std::stop_token& stop_;
  std::size_t errors_before_;
  std::uint32_t at_ = 0;
  std::size_t depth_ = 0;
  bool failed_ = false;
};

}  // namespace

std::optional<ConfigNode> read_json(const Source& source,
                                    Diagnostics& diagnostics,
                                    const std::stop_token& stop) {
  const std::size_t bad = find_invalid_utf8(source.text());
  if (bad != source.text().size()) {
    diagnostics
        .error(DiagnosticCode::kInvalidUtf8,
               source,
               {static_cast<std::uint32_t>(bad), 1},
               "this byte is not UTF-8 text")
        .notes.push_back({"save the file in the encoding UTF-8", {}});
    return std::nullopt;
  }
  return JsonReader(source, diagnostics, stop).read();
}

}  // namespace sorites
