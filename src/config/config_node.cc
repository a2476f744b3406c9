#include "config/config_node.h"

#include <algorithm>
#include <numeric>

namespace sorites {

std::string_view name_of(ConfigKind kind) {
  switch (kind) {
    case ConfigKind::kNull:
      return "null";
    case ConfigKind::kBool:
      return "a boolean";
    case ConfigKind::kNumber:
      return "a number";
    case ConfigKind::kText:
      return "a text";
    case ConfigKind::kList:
      return "a list";
    case ConfigKind::kObject:
      return "an object";
  }
  return {};  // not reached: the switch is complete
}

const ConfigNode* ConfigNode::find(std::string_view member_key) const {
  if (kind != ConfigKind::kObject) return nullptr;
  const auto found = std::find_if(children.begin(), children.end(), [&](const ConfigNode& child) {
    return child.key == member_key;
  });
  return found == children.end() ? nullptr : &*found;
}

bool same_content(const ConfigNode& a, const ConfigNode& b) {
  return a.kind == b.kind && a.text == b.text && a.key == b.key &&
         std::equal(a.children.begin(),
                    a.children.end(),
                    b.children.begin(),
                    b.children.end(),
                    same_content);
}

std::vector<std::uint32_t> offsets_of(const ConfigNode& node) {
  if (!node.file_offset.empty()) return node.file_offset;
  std::vector<std::uint32_t> offsets(node.text.size() + 1);
  std::iota(offsets.begin(), offsets.end(), node.text_begin);
  return offsets;
}

}  // namespace sorites
