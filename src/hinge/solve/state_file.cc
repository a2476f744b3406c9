#include "hinge/solve/state_file.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/saved_struct.h"

namespace sorites {

template <>
inline constexpr auto kFields<SolveState> =
    std::tuple{Field{"truth", &SolveState::truth}, Field{"multipliers", &SolveState::multipliers}};

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

// Sizes and ranges, for a model of so many atoms and terms.
auto checks_for(std::size_t num_atoms, std::size_t num_terms) {
  return [num_atoms, num_terms](const SolveState& state) {
    const auto is_truth = [](double value) { return value >= 0.0 && value <= 1.0; };
    const auto is_finite = [](double value) { return std::isfinite(value); };
    if (state.truth.size() != num_atoms || state.multipliers.size() != num_terms) {
      throw DamagedFrame("it has the wrong number of values");
    }
    if (!std::all_of(state.truth.begin(), state.truth.end(), is_truth) ||
        !std::all_of(state.multipliers.begin(), state.multipliers.end(), is_finite)) {
      throw DamagedFrame("a value is out of range");
    }
  };
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

std::variant<SolveState, std::string> read_state(std::span<const char> file,
                                                 std::uint64_t fingerprint,
                                                 std::size_t num_atoms,
                                                 std::size_t num_terms) {
  return read_struct<SolveState>(file, kStateFormat, fingerprint, checks_for(num_atoms, num_terms));
}

void save_state(const Solution& solution, const Model& model, const std::string& path) {
  if (solution.truth.empty() && model.num_atoms > 0) {
    throw std::logic_error("there is no state of inference to keep: nothing was inferred yet");
  }
  SolveState state{solution.truth, solution.multipliers};
  if (state.multipliers.empty()) state.multipliers.assign(model.num_terms(), 0.0);
  try {  // nothing is written that could not be read
    checks_for(model.num_atoms, model.num_terms())(state);
  } catch (const DamagedFrame& wrong) {
    throw std::logic_error(std::string("the state of inference cannot be kept: ") + wrong.what());
  }
  save_struct(state, kStateFormat, structure_fingerprint(model), path);
}

Solution load_state(const std::string& path, const Model& model) {
  auto state = load_struct<SolveState>(path,
                                       kStateFormat,
                                       structure_fingerprint(model),
                                       checks_for(model.num_atoms, model.num_terms()));
  Solution solution;
  solution.truth = std::move(state.truth);
  solution.multipliers = std::move(state.multipliers);
  return solution;
}

}  // namespace sorites
