// The content of a model file as a tree: JSON and YAML are both read into it, so that everything
// behind the readers knows one form only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"

namespace sorites {

enum class ConfigKind : std::uint8_t { kNull, kBool, kNumber, kText, kList, kObject };

// For messages: "null", "a boolean", "a number", "a text", "a list", "an object".
std::string_view name_of(ConfigKind kind);

struct ConfigNode {
  ConfigKind kind = ConfigKind::kNull;
  // kText: the decoded text. kNumber: as written, but without `+` and leading zeros. kBool: "true"
  // or "false".
  std::string text;
  TextRange range;  // in the file, quotes and brackets included
  // kText: where the text begins in the file if it stands there byte for byte; else `file_offset`
  // has the place of each byte and of the end, as Source wants it.
  std::uint32_t text_begin = 0;
  std::vector<std::uint32_t> file_offset;
  std::vector<ConfigNode> children;  // elements of a list, members of an object
  std::string key;                   // of a member of an object
  TextRange key_range;

  bool is_scalar() const { return kind != ConfigKind::kList && kind != ConfigKind::kObject; }
  // The member of an object with this key, or null.
  const ConfigNode* find(std::string_view member_key) const;
};

// Equal in content: where things stand in their files does not count.
bool same_content(const ConfigNode& a, const ConfigNode& b);

// The place of each byte of a kText node's text and of its end.
std::vector<std::uint32_t> offsets_of(const ConfigNode& node);

// How deep lists and objects may nest. Model files need six levels.
inline constexpr std::size_t kMaxConfigDepth = 100;

}  // namespace sorites
