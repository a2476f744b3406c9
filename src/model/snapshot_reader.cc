#include "model/snapshot_reader.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <vector>

namespace sorites {
namespace {

struct Damaged : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Takes values off the front. Every length is checked against what is left before anything is
// allocated.
class Cursor {
 public:
  explicit Cursor(std::span<const char> bytes) : bytes_(bytes) {}

  template <class T>
  T number() {
    T value{};
    std::memcpy(&value, take(sizeof value), sizeof value);
    return value;
  }

  template <class Array>
  void array(Array& out) {
    using T = std::decay_t<decltype(out[0])>;
    const auto count = number<std::uint64_t>();
    if (count > bytes_.size() / sizeof(T)) throw Damaged("an array is longer than the file");
    out = Array();
    if (count == 0) return;
    grow(out, count);
    std::memcpy(out.data(), take(count * sizeof(T)), count * sizeof(T));
  }

  std::string text() {
    std::vector<char> characters;
    array(characters);
    return {characters.begin(), characters.end()};
  }

  bool done() const { return bytes_.empty(); }

 private:
  template <class T>
  static void grow(std::vector<T>& out, std::size_t count) {
    out.resize(count);
  }
  template <class T>
  static void grow(GrowingArray<T>& out, std::size_t count) {
    out.extend(count);
  }

  const char* take(std::size_t count) {
    if (count > bytes_.size()) throw Damaged("it ends too early");
    const char* begin = bytes_.data();
    bytes_ = bytes_.subspan(count);
    return begin;
  }

  std::span<const char> bytes_;
};

void require(bool condition, const char* what) {
  if (!condition) throw Damaged(what);
}

bool all_finite(const auto& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

void check_block(const TermBlock& block, const Model& model) {
  require(block.rule < model.rules.size(), "a block belongs to no rule");
  require(block.kind <= TermKind::kEqual, "a block is of no kind");
  const std::size_t width = block.width(), outputs = block.output_coefficients.size();
  // Divide rather than multiply, so that nothing overflows.
  require(width == 0
              ? block.atoms.empty()
              : block.atoms.size() % width == 0 && block.atoms.size() / width == block.num_terms,
          "a block has the wrong number of atoms");
  require(outputs == 0 ? block.outputs.empty()
                       : block.outputs.size() % outputs == 0 &&
                             block.outputs.size() / outputs == block.num_terms,
          "a block has the wrong number of outputs");
  require(width + outputs > 0, "a block has no atoms");
  require(block.offsets.empty() || block.offsets.size() == block.num_terms,
          "a block has the wrong number of offsets");
  const auto below = [](std::size_t limit) {
    return [limit](std::uint32_t id) { return id < limit; };
  };
  require(std::all_of(block.atoms.begin(), block.atoms.end(), below(model.num_atoms)),
          "a term names an atom that is not there");
  require(std::all_of(block.outputs.begin(), block.outputs.end(), below(model.num_outputs)),
          "a term names an output that is not there");
  require(all_finite(block.coefficients) && all_finite(block.output_coefficients) &&
              all_finite(block.offsets) && std::isfinite(block.offset),
          "a number is not finite");
}

TermBlock read_block(Cursor& in, const Model& model) {
  TermBlock block;
  block.rule = in.number<std::uint32_t>();
  block.kind = static_cast<TermKind>(in.number<std::uint8_t>());
  block.num_terms = in.number<std::uint64_t>();
  block.offset = in.number<double>();
  in.array(block.coefficients);
  in.array(block.output_coefficients);
  in.array(block.atoms);
  in.array(block.outputs);
  in.array(block.offsets);
  check_block(block, model);
  return block;
}

GroundRule read_rule(Cursor& in) {
  GroundRule rule;
  rule.weight = in.number<double>();
  require(std::isfinite(rule.weight) && rule.weight >= 0, "a weight is not a number");
  rule.hard = in.number<std::uint8_t>() != 0;
  rule.text = in.text();
  rule.source.file = in.text();
  rule.source.line = in.number<std::uint32_t>();
  rule.source.column = in.number<std::uint32_t>();
  rule.source.length = in.number<std::uint32_t>();
  return rule;
}

Model read_body(Cursor in) {
  Model model;
  model.num_atoms = in.number<std::uint64_t>();
  model.num_outputs = in.number<std::uint64_t>();
  in.array(model.atom_ranges);
  in.array(model.output_ranges);
  const auto num_rules = in.number<std::uint64_t>();
  for (std::uint64_t i = 0; i < num_rules; ++i) model.rules.push_back(read_rule(in));
  const auto num_blocks = in.number<std::uint64_t>();
  for (std::uint64_t i = 0; i < num_blocks; ++i) model.blocks.push_back(read_block(in, model));
  require(in.done(), "it goes on after its end");
  return model;
}

// What is wrong with the head of the file, if anything is.
std::optional<std::string> check_header(const SnapshotHeader& header,
                                        std::span<const char> body,
                                        std::uint64_t fingerprint) {
  if (header.byte_order != kSnapshotByteOrder)
    return "it was made on a machine of another byte order";
  if (header.version != kSnapshotVersion) {
    return fmt::format(
        "it has version {}, this program reads version {}; make it again with `sorites ground`",
        header.version,
        kSnapshotVersion);
  }
  if (body.size() < header.body_bytes) {
    return fmt::format("it is cut off: {} of {} bytes are there", body.size(), header.body_bytes);
  }
  if (body.size() > header.body_bytes) return "it goes on after its end";
  if (checksum(0, body) != header.body_checksum) return "it is damaged: its checksum is wrong";
  if (header.fingerprint != fingerprint) {
    return "it was made from other rules or data; make it again with `sorites ground`";
  }
  return std::nullopt;
}

}  // namespace

std::uint32_t checksum(std::uint32_t start, std::span<const char> bytes) {
  constexpr std::size_t kMost = 1U << 30U;  // zlib takes 32-bit lengths
  auto sum = static_cast<uLong>(start);
  for (std::size_t i = 0; i < bytes.size(); i += kMost) {
    const std::size_t count = std::min(kMost, bytes.size() - i);
    sum = ::crc32(sum, reinterpret_cast<const Bytef*>(bytes.data() + i), static_cast<uInt>(count));
  }
  return static_cast<std::uint32_t>(sum);
}

std::variant<Model, std::string> read_snapshot(std::span<const char> file,
                                               std::uint64_t fingerprint) {
  SnapshotHeader header{};
  const std::size_t magic = std::min(file.size(), sizeof header.magic);
  if (magic == 0 || std::memcmp(file.data(), kSnapshotMagic, magic) != 0) {
    return "it is no snapshot of a ground model";
  }
  if (file.size() < sizeof header) return "it is cut off";
  std::memcpy(&header, file.data(), sizeof header);
  if (checksum(0, file.first(offsetof(SnapshotHeader, header_checksum))) !=
      header.header_checksum) {
    return "it is damaged: its checksum is wrong";
  }
  const std::span<const char> body = file.subspan(sizeof header);
  if (auto problem = check_header(header, body, fingerprint)) return *problem;
  try {
    return read_body(Cursor(body));
  } catch (const Damaged& error) {
    return fmt::format("it is damaged: {}", error.what());
  }
}

}  // namespace sorites
