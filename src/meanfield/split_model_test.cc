#include "meanfield/split_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <optional>

#include "base/diagnostics.h"
#include "meanfield/lower.h"
#include "meanfield/mean_field_energy.h"
#include "meanfield/random_mean_field.h"
#include "meanfield/random_programs.h"
#include "sorites/learn.h"

namespace sorites {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Tokens in a row, in sentences of the given lengths; all of them are targets with a class of two.
MeanFieldModel chains(const std::vector<std::size_t>& lengths) {
  MeanFieldModel model;
  MeanFieldDomain tokens;
  std::vector<KnownAtom> next;
  std::vector<std::uint32_t> begins;
  for (const std::size_t length : lengths) {
    for (std::size_t i = 0; i < length; ++i) {
      if (i == 0) begins.push_back(tokens.size());
      tokens.codes.push_back(static_cast<Code>(10 + tokens.codes.size()));
    }
  }
  for (std::size_t s = 0; s < lengths.size(); ++s) {
    for (std::size_t i = begins[s]; i + 1 < begins[s] + lengths[s]; ++i) {
      next.push_back({i * tokens.size() + i + 1, 1});
    }
  }
  model.domains = {tokens};
  model.predicates = {{.name = "Next", .arguments = {0, 0}, .closed = true},
                      {.name = "Tag", .arguments = {0}, .class_names = {"a", "b"}}};
  model.facts = {next, {}};
  model.unaries.resize(2);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    for (std::uint32_t value = 0; value < 2; ++value) {
      model.task.targets.push_back({1, i, value});
      model.task.outputs.push_back({1, i, value});
      model.task.labels.push_back(i % 3 == value ? 1.0 : 0.0);
    }
  }
  // Next(x, y) & Tag(x, a) -> Tag(y, a)
  add_formula(
      model,
      {.variables = {0, 0},
       .weights = {0.7},
       .clauses = {
           {{0, {{false, 0}, {false, 1}}, {0}}, {1, {{false, 0}}, {1}}, {1, {{false, 1}}, {0}}}}});
  return model;
}

// All unknown atoms, with a label of their own each.
void make_all_targets(MeanFieldModel& model) {
  model.task = {};
  for (std::uint32_t p = 0; p < model.predicates.size(); ++p) {
    if (model.predicates[p].closed) continue;
    const std::uint32_t classes = model.predicates[p].num_classes();
    for (std::uint64_t atom = 0; atom < num_atoms(model, p); ++atom) {
      for (std::uint32_t value = classes == 0 ? 1 : 0; value < std::max(classes, 2U); ++value) {
        model.task.targets.push_back({p, atom, value});
        model.task.outputs.push_back({p, atom, value});
      }
    }
  }
  model.task.labels.assign(model.task.targets.size(), kLatent);
}

struct Inferred {
  std::vector<double> state, in_weights, in_outputs;
};

// Five plain steps, and the way back from slopes that differ from target to target.
Inferred infer(const MeanFieldModel& model,
               const std::vector<double>& outputs,
               const std::vector<double>& slopes) {
  const auto energy = make_mean_field_energy(model, {.hard_weight = 2.0, .threads = 1});
  const Parameters parameters{.weights = model.weights, .outputs = outputs};
  const EnergyValue full = energy->full(parameters);
  const ParameterGradient back = energy->through_minimiser(parameters, full, {slopes});
  return {full.state, back.in_weights, back.in_outputs};
}

std::vector<double> picked(const std::vector<double>& values,
                           const std::vector<std::uint32_t>& which) {
  std::vector<double> result;
  for (const std::uint32_t i : which) result.push_back(values[i]);
  return result;
}

// States and slopes of the parts are those of the whole. None if it cannot be cut.
std::optional<std::size_t> compare_with_whole(const MeanFieldModel& model,
                                              std::size_t per_part,
                                              std::uint64_t seed) {
  const auto parts = split_by_constants(model, per_part);
  if (parts.empty()) return std::nullopt;
  RandomMeanField random(seed);
  std::vector<double> outputs, slopes;
  for (std::size_t i = 0; i < model.task.outputs.size(); ++i) {
    outputs.push_back(0.1 + 0.008 * static_cast<double>(random.upto(100)));
  }
  for (std::size_t i = 0; i < model.task.targets.size(); ++i) {
    slopes.push_back(0.02 * static_cast<double>(random.upto(100)) - 1.0);
  }
  const Inferred whole = infer(model, outputs, slopes);
  std::vector<double> in_weights(model.weights.size(), 0.0);
  std::size_t num_targets = 0;
  for (const MeanFieldPart& part : parts) {
    const Inferred own =
        infer(part.model, picked(outputs, part.outputs), picked(slopes, part.targets));
    num_targets += part.targets.size();
    for (std::size_t i = 0; i < own.state.size(); ++i) {
      EXPECT_NEAR(own.state[i], whole.state[part.targets[i]], 1e-12);
    }
    for (std::size_t i = 0; i < own.in_outputs.size(); ++i) {
      EXPECT_NEAR(own.in_outputs[i], whole.in_outputs[part.outputs[i]], 1e-10);
    }
    for (std::size_t w = 0; w < in_weights.size(); ++w) in_weights[w] += own.in_weights[w];
  }
  EXPECT_EQ(num_targets, model.task.targets.size());
  for (std::size_t w = 0; w < in_weights.size(); ++w) {
    EXPECT_NEAR(in_weights[w], whole.in_weights[w], 1e-10);
  }
  return parts.size();
}

TEST(SplitModel, CutsSentencesApart) {
  const MeanFieldModel model = chains({3, 1, 4, 2, 5});
  const auto parts = split_by_constants(model, 2);
  ASSERT_THAT(parts, SizeIs(3));
  // Neighbours are in different parts: sentences 0 and 3, 1 and 4, 2.
  EXPECT_THAT(parts[0].targets, ElementsAre(0, 1, 2, 3, 4, 5, 16, 17, 18, 19));
  EXPECT_THAT(parts[2].targets, SizeIs(8));
  EXPECT_THAT(parts[0].model.domains[0].codes, ElementsAre(10, 11, 12, 18, 19));
  EXPECT_THAT(parts[0].model.facts[0], SizeIs(3));
  EXPECT_EQ(compare_with_whole(model, 1, 1), 5);
  EXPECT_EQ(compare_with_whole(model, 2, 2), 3);
  EXPECT_EQ(compare_with_whole(model, 9, 3), 1);
}

TEST(SplitModel, PartsOfListedPairsAreThoseThatTargetsConnect) {
  MeanFieldModel model = chains({1, 1, 1, 1});
  model.predicates[1] = {.name = "Together", .arguments = {0, 0}, .listed = true};
  model.task = {};
  for (const std::size_t atom : {0U * 4 + 2, 2U * 4 + 0, 1U * 4 + 3}) {
    model.task.targets.push_back({1, atom, 1});
    model.task.outputs.push_back({1, atom, 1});
    model.task.labels.push_back(kLatent);
  }
  model.formulas.clear();
  model.rules.clear();
  model.weights.clear();
  add_formula(model,
              {.variables = {0, 0, 0},
               .weights = {0.7},
               .clauses = {{{1, {{false, 0}, {false, 1}}, {0}},
                            {1, {{false, 1}, {false, 2}}, {0}},
                            {1, {{false, 0}, {false, 2}}, {1}}}}});
  const auto parts = split_by_constants(model, 1);
  ASSERT_THAT(parts, SizeIs(2));
  EXPECT_THAT(parts[0].targets, ElementsAre(0, 1));
  EXPECT_THAT(parts[1].targets, ElementsAre(2));
  EXPECT_EQ(compare_with_whole(model, 1, 4), 2);
}

TEST(SplitModel, LeavesWholeWhatFormulasConnect) {
  const MeanFieldTerm x{false, 0}, y{false, 1};
  const auto with = [](MeanFieldFormula formula) {
    MeanFieldModel model = chains({2, 2});
    add_formula(model, std::move(formula));
    return split_by_constants(model, 1);
  };
  EXPECT_THAT(with({.variables = {0}, .weights = {1.0}, .clauses = {{{1, {x}, {0}}}}}), SizeIs(2));
  // Any two tokens.
  EXPECT_THAT(
      with({.variables = {0, 0}, .weights = {1.0}, .clauses = {{{1, {x}, {0}}, {1, {y}, {0}}}}}),
      IsEmpty());
  // All that are not next to one another.
  EXPECT_THAT(with({.variables = {0, 0},
                    .weights = {1.0},
                    .clauses = {{{0, {x, y}, {1}}, {1, {x}, {0}}, {1, {y}, {0}}}}}),
              IsEmpty());
  // One token, and a weight per token.
  EXPECT_THAT(with({.variables = {}, .weights = {1.0}, .clauses = {{{1, {{true, 0}}, {0}}}}}),
              IsEmpty());
  EXPECT_THAT(with({.variables = {0},
                    .weighted = {0},
                    .weights = {1.0, 2.0, 3.0, 4.0},
                    .clauses = {{{1, {x}, {0}}}}}),
              IsEmpty());
  // Counts once per token of the whole.
  EXPECT_THAT(with({.variables = {0, 0},
                    .weights = {1.0},
                    .clauses = {{{1, {x}, {0}}}, {{1, {x}, {1}}, {1, {y}, {0}}}}}),
              IsEmpty());
  EXPECT_THAT(split_by_constants(chains({4}), 1), IsEmpty());
}

TEST(SplitModel, RandomModelsAreInferredAsInTheWhole) {
  std::size_t cut = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    SCOPED_TRACE(seed);
    MeanFieldModel model = RandomMeanField(seed).model();
    make_all_targets(model);
    cut += compare_with_whole(model, 1 + seed % 2, seed).has_value() ? 1 : 0;
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GE(cut, 50U);
}

TEST(SplitModel, RandomProgramsAreInferredAsInTheWhole) {
  std::size_t cut = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    SCOPED_TRACE(seed);
    const auto [program, database] = RandomPrograms(seed).make();
    Diagnostics sink;
    auto model = lower_to_mean_field(program, database, sink);
    if (!model || model->task.targets.empty()) continue;
    model->task.outputs = model->task.targets;
    cut += compare_with_whole(*model, 1, seed).has_value() ? 1 : 0;
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GE(cut, 50U);
}

// Ten thousand parts: with all constants in each, they would take a gigabyte for a moment.
TEST(SplitModel, TakesLittleMemory) {
  const MeanFieldModel model = chains(std::vector<std::size_t>(10'000, 2));
  const auto peak_megabytes = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
  };
  const auto before = peak_megabytes();
  EXPECT_THAT(split_by_constants(model, 1), SizeIs(10'000));
  EXPECT_LT(peak_megabytes() - before, 300);
}

}  // namespace
}  // namespace sorites
