#include "config/yaml_reader.h"

#include <fmt/format.h>
#include <yaml.h>

#include <map>
#include <memory>
#include <unordered_map>
#include <utility>

#include "base/mistake_limits.h"
#include "base/utf8.h"
#include "config/yaml_scalar.h"

namespace sorites {
namespace {

std::string_view view(const yaml_char_t* text) {
  return text == nullptr ? std::string_view() : reinterpret_cast<const char*>(text);
}

// libyaml counts characters; diagnostics count bytes.
class ByteOffsets {
 public:
  ByteOffsets(std::string_view text, std::uint32_t first) : first_(first) {
    if (num_characters(text) == text.size()) return;  // all ASCII: they are the same
    for (std::uint32_t i = 0; i < text.size(); ++i) {
      if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) offsets_.push_back(i);
    }
    offsets_.push_back(static_cast<std::uint32_t>(text.size()));
  }

  std::uint32_t operator()(const yaml_mark_t& mark) const {
    if (offsets_.empty()) return first_ + static_cast<std::uint32_t>(mark.index);
    return first_ + offsets_[std::min(mark.index, offsets_.size() - 1)];
  }

 private:
  std::uint32_t first_;
  std::vector<std::uint32_t> offsets_;
};

struct EventDeleter {
  void operator()(yaml_event_t* event) const {
    yaml_event_delete(event);
    delete event;  // NOLINT(cppcoreguidelines-owning-memory)
  }
};
using Event = std::unique_ptr<yaml_event_t, EventDeleter>;

class YamlReader {
 public:
  YamlReader(const Source& source, Diagnostics& diagnostics, const std::stop_token& stop)
      : source_(source),
        diagnostics_(diagnostics),
        stop_(stop),
        bom_(source.text().starts_with("\xEF\xBB\xBF") ? 3 : 0),
        text_(source.text().substr(bom_)),
        byte_of_(text_, bom_),
        errors_before_(diagnostics.num_errors()) {
    yaml_parser_initialize(&parser_);
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(
        &parser_, reinterpret_cast<const unsigned char*>(text_.data()), text_.size());
  }
  ~YamlReader() { yaml_parser_delete(&parser_); }
  YamlReader(const YamlReader&) = delete;
  YamlReader& operator=(const YamlReader&) = delete;

  std::optional<ConfigNode> read() {
    Event event = next();  // the start of the stream
    if (event) event = next();
    if (!event) return std::nullopt;
    if (event->type == YAML_STREAM_END_EVENT) {
      fail({0, 0}, "the file is empty")
          .notes.push_back({"a model has `predicates` and `rules`", {}});
      return std::nullopt;
    }
    ConfigNode root;
    event = next();
    if (!event || !node(*event, root)) return std::nullopt;
    event = next();  // the end of the document
    if (event) event = next();
    if (!event) return std::nullopt;
    if (event->type != YAML_STREAM_END_EVENT) {
      fail({byte_of_(event->start_mark), 3}, "a second document begins here")
          .notes.push_back({"a model file holds one document", {}});
      return std::nullopt;
    }
    return root;
  }

 private:
  Diagnostic& fail(TextRange at, std::string message) {
    return diagnostics_.error(DiagnosticCode::kYamlSyntax, source_, at, std::move(message));
  }

  // None after a syntax error, which is reported.
  Event next() {
    if (stop_.stop_requested()) throw Interrupted();
    Event event(new yaml_event_t{});
    if (yaml_parser_parse(&parser_, event.get()) != 0) return event;
    const bool reader = parser_.error == YAML_READER_ERROR;  // it has an offset, not a mark
    const std::uint32_t begin = reader ? bom_ + static_cast<std::uint32_t>(parser_.problem_offset)
                                       : byte_of_(parser_.problem_mark);
    const char* problem = parser_.problem == nullptr ? "malformed YAML" : parser_.problem;
    Diagnostic& added = fail({begin, 1}, problem);
    if (parser_.context != nullptr && !reader) {
      added.notes.push_back({parser_.context, source_.locate({byte_of_(parser_.context_mark), 1})});
    }
    return nullptr;
  }

  TextRange range_of(const yaml_event_t& event) const {
    const std::uint32_t begin = byte_of_(event.start_mark);
    return {begin, std::max(byte_of_(event.end_mark), begin) - begin};
  }

  // Copies cost memory, and a file of a few lines can stand for billions of them.
  bool within_budget(TextRange at) {
    constexpr std::size_t kMostCopiedBytes = std::size_t{16} << 20U;
    if (diagnostics_.num_errors() - errors_before_ > kMostMistakesOfModel) return false;
    if (copied_bytes_ <= kMostCopiedBytes) return true;
    fail(at, "anchors and aliases blow the file up beyond 16 MB");
    return false;
  }

  bool node(const yaml_event_t& event, ConfigNode& result) {
    if (!within_budget(range_of(event))) return false;
    switch (event.type) {
      case YAML_SCALAR_EVENT:
        scalar(event, result);
        return remember(event.data.scalar.anchor, result);
      case YAML_SEQUENCE_START_EVENT:
        return collection(event, YAML_SEQUENCE_END_EVENT, result) &&
               remember(event.data.sequence_start.anchor, result);
      case YAML_MAPPING_START_EVENT:
        return collection(event, YAML_MAPPING_END_EVENT, result) &&
               remember(event.data.mapping_start.anchor, result);
      case YAML_ALIAS_EVENT:
        return alias(event, result);
      default:
        fail(range_of(event), "expected a value");
        return false;
    }
  }

  void scalar(const yaml_event_t& event, ConfigNode& result) {
    const auto& scalar = event.data.scalar;
    const std::string_view text(reinterpret_cast<const char*>(scalar.value), scalar.length);
    result.range = range_of(event);
    if (scalar.style == YAML_PLAIN_SCALAR_STYLE && scalar.plain_implicit != 0) {
      resolve_plain_scalar(text, result);
    } else {
      result.kind = ConfigKind::kText;
      result.text = text;
    }
    if (result.kind != ConfigKind::kText) return;
    const std::string_view file = source_.text();
    for (const std::uint32_t quotes : {0U, 1U}) {
      result.text_begin = result.range.begin + quotes;
      if (file.substr(result.text_begin, text.size()) == text) return;
    }
    result.file_offset = align_scalar(file, result.range.begin, result.range.end(), text);
  }

  bool collection(const yaml_event_t& start, yaml_event_type_t end, ConfigNode& result) {
    const bool mapping = end == YAML_MAPPING_END_EVENT;
    result.kind = mapping ? ConfigKind::kObject : ConfigKind::kList;
    result.range = range_of(start);
    if (++depth_ > kMaxConfigDepth) {
      diagnostics_.error(DiagnosticCode::kNestingTooDeep,
                         source_,
                         {result.range.begin, 1},
                         fmt::format("lists and objects nest deeper than {}", kMaxConfigDepth));
      return false;
    }
    std::unordered_map<std::string, TextRange> keys;
    Event event = next();
    for (; event && event->type != end; event = next()) {
      ConfigNode child;
      if (mapping) {
        if (!key(*event, child)) return false;
        event = next();
        if (!event) return false;
      }
      if (!node(*event, child)) return false;
      if (!mapping || is_new_key(child, keys)) result.children.push_back(std::move(child));
    }
    if (!event) return false;
    --depth_;
    result.range.length = std::max(range_of(*event).begin, result.range.begin) - result.range.begin;
    return true;
  }

  bool key(const yaml_event_t& event, ConfigNode& child) {
    child.key_range = range_of(event);
    if (event.type != YAML_SCALAR_EVENT) {
      fail({child.key_range.begin, 1}, "a key must be a single text");
      return false;
    }
    child.key.assign(reinterpret_cast<const char*>(event.data.scalar.value),
                     event.data.scalar.length);
    return true;
  }

  bool is_new_key(const ConfigNode& child, std::unordered_map<std::string, TextRange>& keys) {
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

  struct Anchor {
    ConfigNode node;
    std::size_t bytes;
  };

  bool remember(const yaml_char_t* anchor, const ConfigNode& node) {
    if (anchor == nullptr) return true;
    const std::size_t bytes = size_of(node);
    copied_bytes_ += bytes;
    if (!within_budget(node.range)) return false;
    ConfigNode copy = node;
    copy.key.clear();
    anchors_.insert_or_assign(std::string(view(anchor)), Anchor{std::move(copy), bytes});
    return true;
  }

  bool alias(const yaml_event_t& event, ConfigNode& result) {
    const std::string name(view(event.data.alias.anchor));
    const auto anchor = anchors_.find(name);
    if (anchor == anchors_.end()) {
      fail(range_of(event), fmt::format("no anchor `&{}` stands before this alias", name));
      return false;
    }
    copied_bytes_ += anchor->second.bytes;
    if (!within_budget(range_of(event))) return false;
    std::string key = std::move(result.key);
    const TextRange key_range = result.key_range;
    result = anchor->second.node;
    result.key = std::move(key);
    result.key_range = key_range;
    return true;
  }

  static std::size_t size_of(const ConfigNode& node) {
    std::size_t bytes = sizeof node + node.text.size() + node.key.size() +
                        node.file_offset.size() * sizeof(std::uint32_t);
    for (const ConfigNode& child : node.children) bytes += size_of(child);
    return bytes;
  }

  const Source& source_;
  Diagnostics& diagnostics_;
  const std::stop_token& stop_;
  std::uint32_t bom_;
  std::string_view text_;
  ByteOffsets byte_of_;
  std::size_t errors_before_;
  yaml_parser_t parser_{};
  std::size_t depth_ = 0, copied_bytes_ = 0;
  std::map<std::string, Anchor> anchors_;
};

}  // namespace

std::optional<ConfigNode> read_yaml(const Source& source,
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
  return YamlReader(source, diagnostics, stop).read();
}

}  // namespace sorites
