#include "hinge/model/snapshot.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/saved_struct.h"

namespace sorites {

template <>
inline constexpr auto kFields<Span> = std::tuple{Field{"file", &Span::file},
                                                 Field{"line", &Span::line},
                                                 Field{"column", &Span::column},
                                                 Field{"length", &Span::length}};
template <>
inline constexpr auto kFields<GroundRule> = std::tuple{Field{"weight", &GroundRule::weight},
                                                       Field{"hard", &GroundRule::hard},
                                                       Field{"text", &GroundRule::text},
                                                       Field{"source", &GroundRule::source},
                                                       Field{"id", &GroundRule::id}};
template <>
inline constexpr auto kFields<TermBlock> =
    std::tuple{Field{"rule", &TermBlock::rule},
               Field{"kind", &TermBlock::kind},
               Field{"coefficients", &TermBlock::coefficients},
               Field{"output_coefficients", &TermBlock::output_coefficients},
               Field{"num_terms", &TermBlock::num_terms},
               Field{"atoms", &TermBlock::atoms},
               Field{"outputs", &TermBlock::outputs},
               Field{"offsets", &TermBlock::offsets},
               Field{"offset", &TermBlock::offset}};
template <>
inline constexpr auto kFields<Model> = std::tuple{Field{"num_atoms", &Model::num_atoms},
                                                  Field{"num_outputs", &Model::num_outputs},
                                                  Field{"atom_ranges", &Model::atom_ranges},
                                                  Field{"output_ranges", &Model::output_ranges},
                                                  Field{"rules", &Model::rules},
                                                  Field{"blocks", &Model::blocks}};

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
  // Hard rules that observations break have no atoms. Nothing else says how many of them there are.
  constexpr std::size_t kMostBroken = std::numeric_limits<std::uint32_t>::max();
  require(width + outputs > 0 || block.num_terms <= kMostBroken, "a block has too many terms");
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

// Ranges one after the other, from 0 to `count`: values are looked up by them.
template <class Ranges>
void check_ranges(const Ranges& ranges, std::size_t count) {
  std::size_t next = 0;
  for (const AtomRange& range : ranges) {
    require(range.first == next && range.count <= count - next, "a range of atoms is wrong");
    next += range.count;
  }
  require(next == count, "atoms belong to no predicate");
}

void check_model(const Model& model) {
  check_ranges(model.atom_ranges, model.num_atoms);
  check_ranges(model.output_ranges, model.num_outputs);
  for (const GroundRule& rule : model.rules) {
    require(std::isfinite(rule.weight) && rule.weight >= 0, "a weight is not a number");
  }
  for (const TermBlock& block : model.blocks) check_block(block, model);
}

}  // namespace

void save_snapshot(const Model& model, std::uint64_t fingerprint, const std::string& path) {
  save_struct(model, kSnapshotFormat, fingerprint, path);
}

std::variant<Model, std::string> read_snapshot(std::span<const char> file,
                                               std::uint64_t fingerprint) {
  return read_struct<Model>(file, kSnapshotFormat, fingerprint, check_model);
}

Model load_snapshot(const std::string& path, std::uint64_t fingerprint) {
  return load_struct<Model>(path, kSnapshotFormat, fingerprint, check_model);
}

}  // namespace sorites
