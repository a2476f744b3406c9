#include "hinge/model/snapshot_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sorites {
namespace {

void require(bool condition, const char* what) {
  if (!condition) throw DamagedFrame(what);
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

TermBlock read_block(FrameCursor& in, const Model& model) {
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

GroundRule read_rule(FrameCursor& in) {
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

Model read_body(FrameCursor in) {
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

}  // namespace

std::variant<Model, std::string> read_snapshot(std::span<const char> file,
                                               std::uint64_t fingerprint) {
  const auto body = body_of(file, kSnapshotFormat, fingerprint);
  if (const auto* problem = std::get_if<std::string>(&body)) return *problem;
  try {
    return read_body(FrameCursor(std::get<std::span<const char>>(body)));
  } catch (const DamagedFrame& error) {
    return fmt::format("it is damaged: {}", error.what());
  }
}

}  // namespace sorites
