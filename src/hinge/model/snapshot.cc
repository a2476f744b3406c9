#include "sorites/snapshot.h"

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "hinge/model/snapshot_reader.h"

namespace sorites {
namespace {

void write_rule(const GroundRule& rule, FrameWriter& out) {
  out.number(rule.weight);
  out.number<std::uint8_t>(rule.hard ? 1 : 0);
  out.array(rule.text);
  out.array(rule.source.file);
  out.number(rule.source.line);
  out.number(rule.source.column);
  out.number(rule.source.length);
}

void write_block(const TermBlock& block, FrameWriter& out) {
  out.number(block.rule);
  out.number(static_cast<std::uint8_t>(block.kind));
  out.number<std::uint64_t>(block.num_terms);
  out.number(block.offset);
  out.array(block.coefficients);
  out.array(block.output_coefficients);
  out.array(block.atoms);
  out.array(block.outputs);
  out.array(block.offsets);
}

}  // namespace

void save_snapshot(const Model& model, std::uint64_t fingerprint, const std::string& path) {
  FrameWriter out(path);
  out.number<std::uint64_t>(model.num_atoms);
  out.number<std::uint64_t>(model.num_outputs);
  out.array(model.atom_ranges);
  out.array(model.output_ranges);
  out.number<std::uint64_t>(model.rules.size());
  for (const GroundRule& rule : model.rules) write_rule(rule, out);
  out.number<std::uint64_t>(model.blocks.size());
  for (const TermBlock& block : model.blocks) write_block(block, out);
  out.finish(kSnapshotFormat, fingerprint);
}

Model load_snapshot(const std::string& path, std::uint64_t fingerprint) {
  const FileMapping file(path);
  auto result = read_snapshot(file.bytes(), fingerprint);
  if (const auto* problem = std::get_if<std::string>(&result)) {
    Diagnostics sink;
    sink.error(DiagnosticCode::kBadSnapshot,
               Span{path},
               fmt::format("the snapshot cannot be used: {}", *problem));
    throw InputError(sink.take_sorted());
  }
  return std::get<Model>(std::move(result));
}

}  // namespace sorites
