#include "config/config_report.h"

#include <fmt/format.h>

#include <algorithm>

namespace sorites {

Diagnostic& ConfigReport::error(DiagnosticCode code, TextRange at, std::string message) const {
  return diagnostics_.error(code, source_, at, std::move(message));
}

Diagnostic& ConfigReport::warning(DiagnosticCode code, TextRange at, std::string message) const {
  return diagnostics_.warning(code, source_, at, std::move(message));
}

Diagnostic& ConfigReport::wrong_kind(const ConfigNode& node,
                                     std::string_view what,
                                     std::string_view takes) const {
  return error(DiagnosticCode::kWrongKind,
               node.range,
               fmt::format("{} takes {}, not {}", what, takes, name_of(node.kind)));
}

bool ConfigReport::for_members(const ConfigNode& node,
                               std::string_view what,
                               std::initializer_list<std::pair<std::string_view, Handler>> handlers,
                               const Handler& others) const {
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
      if (others && nearest_name(member.key, known).empty()) {
        others(member);
        continue;
      }
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

bool ConfigReport::is_new_key(const ConfigNode& member,
                              std::string key,
                              std::map<std::string, const ConfigNode*>& seen) const {
  const auto [first, is_new] = seen.emplace(std::move(key), &member);
  if (is_new) return true;
  error(DiagnosticCode::kDuplicateKey,
        member.key_range,
        fmt::format("the key `{}` stands twice", member.key))
      .notes.push_back({fmt::format("it stands first here, as `{}`", first->second->key),
                        locate(first->second->key_range)});
  return false;
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
