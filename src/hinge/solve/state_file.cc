#include "hinge/solve/state_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/diagnostics.h"
#include "sorites/solve_state.h"

namespace sorites {
namespace {

// Sums up plain values.
class Sum {
 public:
  template <class Array>
  void add(const Array& values) {
    number(values.size());
    sum_ = checksum(
        sum_,
        {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values.data()[0])});
  }
  void number(std::uint64_t value) {
    sum_ = checksum(sum_, {reinterpret_cast<const char*>(&value), sizeof value});
  }
  std::uint32_t value() const { return sum_; }

 private:
  std::uint32_t sum_ = 0;
};

Solution read_body(FrameCursor in, std::size_t num_atoms, std::size_t num_terms) {
  Solution solution;
  in.array(solution.truth);
  in.array(solution.multipliers);
  const auto is_truth = [](double value) { return value >= 0.0 && value <= 1.0; };
  const auto is_finite = [](double value) { return std::isfinite(value); };
  if (!in.done()) throw DamagedFrame("it goes on after its end");
  if (solution.truth.size() != num_atoms || solution.multipliers.size() != num_terms) {
    throw DamagedFrame("it has the wrong number of values");
  }
  if (!std::all_of(solution.truth.begin(), solution.truth.end(), is_truth) ||
      !std::all_of(solution.multipliers.begin(), solution.multipliers.end(), is_finite)) {
    throw DamagedFrame("a value is out of range");
  }
  return solution;
}

}  // namespace

std::uint64_t structure_fingerprint(const Model& model) {
  Sum shape, atoms;
  shape.number(model.num_atoms);
  shape.number(model.num_outputs);
  for (const AtomRange& range : model.atom_ranges) {
    shape.number(range.predicate);
    shape.number(range.first);
    shape.number(range.count);
  }
  shape.number(model.rules.size());
  for (const TermBlock& block : model.blocks) {
    shape.number(block.rule);
    shape.number(static_cast<std::uint64_t>(block.kind));
    shape.number(block.num_terms);
    shape.add(block.coefficients);
    shape.add(block.output_coefficients);
    atoms.add(block.atoms);
    atoms.add(block.outputs);
  }
  return std::uint64_t{shape.value()} << 32U | atoms.value();
}

std::variant<Solution, std::string> read_state(std::span<const char> file,
                                               std::uint64_t fingerprint,
                                               std::size_t num_atoms,
                                               std::size_t num_terms) {
  const auto body = body_of(file, kStateFormat, fingerprint);
  if (const auto* problem = std::get_if<std::string>(&body)) return *problem;
  try {
    return read_body(FrameCursor(std::get<std::span<const char>>(body)), num_atoms, num_terms);
  } catch (const DamagedFrame& error) {
    return fmt::format("it is damaged: {}", error.what());
  }
}

void save_state(const Solution& solution, const Model& model, const std::string& path) {
  FrameWriter out(path);
  out.array(solution.truth);
  if (solution.multipliers.empty()) {
    out.array(std::vector<double>(model.num_terms(), 0.0));
  } else {
    out.array(solution.multipliers);
  }
  out.finish(kStateFormat, structure_fingerprint(model));
}

Solution load_state(const std::string& path, const Model& model) {
  const FileMapping file(path);
  auto result =
      read_state(file.bytes(), structure_fingerprint(model), model.num_atoms, model.num_terms());
  if (const auto* problem = std::get_if<std::string>(&result)) {
    Diagnostics sink;
    sink.error(DiagnosticCode::kBadState,
               Span{path},
               fmt::format("the state cannot be used: {}", *problem));
    throw InputError(sink.take_sorted());
  }
  return std::get<Solution>(std::move(result));
}

}  // namespace sorites
