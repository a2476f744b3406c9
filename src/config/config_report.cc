#include "config/config_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"

namespace sorites {

ConfigReport::ConfigReport(const Source& source, Diagnostics& diagnostics)
    : source_(source), diagnostics_(diagnostics), line_begins_{0} {
  const std::string_view text = source.text();
  for (std::size_t i = text.find('\n'); i != std::string_view::npos; i = text.find('\n', i + 1)) {
    line_begins_.push_back(static_cast<std::uint32_t>(i + 1));
  }
}

Span ConfigReport::locate(TextRange range) const {
  const auto line = std::upper_bound(line_begins_.begin(), line_begins_.end(), range.begin) -
                    line_begins_.begin();
  const std::uint32_t begin = line_begins_[static_cast<std::size_t>(line - 1)];
  const std::string_view text = source_.text();
  const std::string_view rest = text.substr(std::min<std::size_t>(range.begin, text.size()));
  const std::size_t length = std::min<std::size_t>({range.length, rest.find('\n'), rest.size()});
  return {source_.file(),
          static_cast<std::uint32_t>(line),
          static_cast<std::uint32_t>(1 + num_characters(text.substr(begin, range.begin - begin))),
          static_cast<std::uint32_t>(num_characters(rest.substr(0, length)))};
}

void ConfigReport::add_excerpt(Diagnostic& diagnostic, TextRange at) const {
  const auto line = static_cast<std::size_t>(diagnostic.span.line - 1);
  const std::uint32_t begin = line_begins_[line];
  // Only the line itself: excerpt() looks for its ends in the text it is given.
  const std::string_view text = source_.text().substr(begin);
  diagnostic.excerpt = Source({}, text.substr(0, text.find('\n'))).excerpt({at.begin - begin, 0});
}

Diagnostic& ConfigReport::error(DiagnosticCode code, TextRange at, std::string message) const {
  Diagnostic& added = diagnostics_.error(code, locate(at), std::move(message));
  add_excerpt(added, at);
  return added;
}

Diagnostic& ConfigReport::warning(DiagnosticCode code, TextRange at, std::string message) const {
  Diagnostic& added = diagnostics_.warning(code, locate(at), std::move(message));
  add_excerpt(added, at);
  return added;
}

Diagnostic& ConfigReport::wrong_kind(const ConfigNode& node,
                                     std::string_view what,
                                     std::string_view takes) const {
  return error(DiagnosticCode::kWrongKind,
               node.range,
               fmt::format("{} takes {}, not {}", what, takes, name_of(node.kind)));
}

bool ConfigReport::for_members(
    const ConfigNode& node,
    std::string_view what,
    std::initializer_list<std::pair<std::string_view, Handler>> handlers) const {
  if (node.kind != ConfigKind::kObject) {
    wrong_kind(node, what, "an object");
    return false;
  }
  for (const ConfigNode& member : node.children) {
    const auto* handler = std::find_if(handlers.begin(), handlers.end(), [&](const auto& known) {
      return known.first == member.key;
    });
    if (handler == handlers.end()) {
      std::vector<std::string_view> known;
      for (const auto& [key, call] : handlers) known.push_back(key);
      Diagnostic& added = error(DiagnosticCode::kUnknownKey,
                                member.key_range,
                                fmt::format("{} has no key `{}`", what, member.key));
      suggest_name(added, member.key, known);
      if (added.notes.empty()) {
        added.notes.push_back({fmt::format("it may have: {}", fmt::join(known, ", ")), {}});
      }
    } else if (member.kind != ConfigKind::kNull) {
      handler->second(member);
    }
  }
  return true;
}

std::optional<bool> ConfigReport::boolean(const ConfigNode& node, std::string_view what) const {
  std::string text = node.is_scalar() ? node.text : std::string();  // PSL takes any case
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  if (text == "true" || text == "false") return text == "true";
  wrong_kind(node, what, "true or false");
  return std::nullopt;
}

std::optional<std::string> ConfigReport::text(const ConfigNode& node,
                                              std::string_view what,
                                              std::string_view takes) const {
  if (node.kind == ConfigKind::kText) return node.text;
  wrong_kind(node, what, takes);
  return std::nullopt;
}

}  // namespace sorites
