// How fast mean-field inference in Markov logic is, in single precision with two threads:
//
//   meanfield_benchmark [DIR with data/logicmp, default ../shared]
//
// Against torch einsum calls (einsum_yardstick.h) and the machine's matrix product, on Cora, and as
// entities and formulas grow, with each idea of the plan left out in turn. Times are medians; what
// is compared runs in turns. Ends with 1 if an answer is wrong; bars that are missed are said to
// be.
#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <thread>

#include "lang/mln/read_mln.h"
#include "meanfield/lower.h"
#include "sorites/torch.h"
#include "torch/benchmark_models.h"
#include "torch/einsum_yardstick.h"
#include "torch/looped_groundings.h"
#include "torch/torch_headers.h"

namespace sorites {
namespace {

constexpr unsigned kThreads = 2;
constexpr int kIterations = 5;
// Groundings up to which all are looped over, and iterations are repeated: else it takes seconds.
constexpr double kMostLooped = 4e7, kMostRepeated = 2e8;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Of processor time too, all threads together: it tells a slow program from a busy machine.
double processor_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

struct Seconds {
  double median = 0.0, of_processor = 0.0;
};

// Threads of OpenBLAS look for work for 2^28 ticks after a product, some 110 ms, and take as much
// of a core from whatever runs next.
constexpr std::chrono::milliseconds kUntilBlasSleeps{160};

// Of each, run in turns, after a rest.
std::vector<Seconds> alternate(const std::vector<std::function<void()>>& contenders,
                               int rounds,
                               std::chrono::milliseconds rest = std::chrono::milliseconds(1)) {
  std::vector<std::vector<double>> seconds(contenders.size()), of_processor(contenders.size());
  std::this_thread::sleep_for(kUntilBlasSleeps);
  for (int round = -1; round < rounds; ++round) {  // the first to warm up
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      std::this_thread::sleep_for(rest);
      contenders[i]();  // its threads and memory wake up
      const auto start = std::chrono::steady_clock::now();
      const double processor_start = processor_seconds();
      contenders[i]();
      if (round < 0) continue;
      seconds[i].push_back(seconds_since(start));
      of_processor[i].push_back(processor_seconds() - processor_start);
    }
  }
  std::vector<Seconds> result;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    result.push_back({median(seconds[i]), median(of_processor[i])});
  }
  return result;
}

std::string with_commas(double count) {
  std::string digits = fmt::format("{:.0f}", count);
  for (std::size_t end = digits.size(); end > 3;) digits.insert(end -= 3, ",");
  return digits;
}

void print_claim(const std::string& what, double measured, const std::string& bar, bool met) {
  fmt::print("- {}: {:.2f} (bar: {}): {}\n", what, measured, bar, met ? "met" : "MISSED");
}

AtomValues<float> random_unaries(const MeanField& layer) {
  AtomValues<float> unaries = layer.no_unaries();
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  for (auto& of_predicate : unaries) {
    for (float& value : of_predicate) value = normal(random);
  }
  return unaries;
}

// Transitivity against einsum.

constexpr std::int64_t kEntities = 512;

double largest_difference(const torch::Tensor& a, const torch::Tensor& b) {
  return (a.detach().to(torch::kFloat64) - b.detach().to(torch::kFloat64))
      .abs()
      .max()
      .item<double>();
}

// Log-odds and slopes against the yardstick in double precision, corrected where it counts
// groundings that it should not.
bool check_transitivity(const torch::Tensor& logits, LogicLayer& layer) {
  const auto with_gradient = [](const torch::Tensor& x) {
    return x.detach().clone().requires_grad_(true);
  };
  const torch::Tensor exact_in = with_gradient(logits.to(torch::kFloat64));
  const torch::Tensor exact = einsum_transitivity(exact_in, kIterations, kWeight, true);
  const torch::Tensor in = with_gradient(logits.select(-1, 1) - logits.select(-1, 0));
  const torch::Tensor ours = layer->forward({in})[0];
  const torch::Tensor slopes = torch::randn({1, kEntities, kEntities});
  (exact.select(-1, 1) * slopes).sum().backward();
  (ours * slopes).sum().backward();
  const torch::Tensor exact_odds = exact.select(-1, 1) - exact.select(-1, 0);
  const double odds = largest_difference(ours, exact_odds);
  const double gradient = largest_difference(in.grad(), exact_in.grad().select(-1, 1));
  const torch::NoGradGuard no_gradient;
  const torch::Tensor uncorrected = einsum_transitivity(logits, kIterations, kWeight);
  const double coinciding =
      largest_difference(torch::sigmoid(exact_odds),
                         torch::sigmoid(uncorrected.select(-1, 1) - uncorrected.select(-1, 0)));
  const bool agrees = odds < 1e-3 && gradient < 1e-3;
  fmt::print(
      "\nAgainst the yardstick in double precision, where groundings with fewer atoms than "
      "literals are counted right:\n"
      "log-odds differ by {:.1e} (of up to {:.1f}), gradients by {:.1e} (of up to {:.1f}): {}.\n"
      "As the paper writes it, marginals are off by up to {:.2f}, on the diagonal.\n",
      odds,
      exact_odds.abs().max().item<double>(),
      gradient,
      in.grad().abs().max().item<double>(),
      agrees ? "they agree" : "WRONG",
      coinciding);
  return agrees;
}

// In the order of the contenders of compare_with_einsum().
void print_comparison(const std::vector<Seconds>& seconds) {
  const auto row = [](const char* name, const Seconds& forward, const Seconds& both) {
    fmt::print("| {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} |\n",
               name,
               forward.median * 1e3,
               forward.of_processor * 1e3,
               both.median * 1e3,
               both.of_processor * 1e3);
  };
  fmt::print(
      "| ms | forward | processor | with gradient | processor |\n| --- | ---: | ---: | ---: | ---: "
      "|\n");
  row("torch einsum, the paper's Algorithm 2", seconds[0], seconds[4]);
  row("MeanField", seconds[1], seconds[5]);
  row("LogicLayer: torch tensors in and out", seconds[2], seconds[6]);
  fmt::print("| MeanField, gradient in the weight as well | | | {:.1f} | {:.1f} |\n",
             seconds[7].median * 1e3,
             seconds[7].of_processor * 1e3);
  fmt::print("| {} matrix products of {}^3, by torch | {:.1f} | {:.1f} | | |\n\n",
             2 * kIterations,
             kEntities,
             seconds[3].median * 1e3,
             seconds[3].of_processor * 1e3);
  const double forward = seconds[0].median / seconds[1].median;
  const double both = seconds[4].median / seconds[5].median;
  const double products = seconds[1].median / seconds[3].median;
  print_claim("times as fast as einsum", forward, "at least 10", forward >= 10);
  print_claim("times as fast as einsum, with gradient", both, "at least 5", both >= 5);
  print_claim("times what the matrix products take", products, "at most 2", products <= 2);
}

bool compare_with_einsum() {
  const auto n = static_cast<std::size_t>(kEntities);
  const MeanFieldOptions options{.iterations = kIterations, .threads = kThreads};
  MeanField mean_field(transitivity(n), options);
  LogicLayer layer(transitivity(n), options);
  layer->weights.set_requires_grad(false);  // as those of the yardstick
  fmt::print("## Transitivity: {} entities, {} atoms, {} groundings, {} iterations\n\n",
             kEntities,
             with_commas(static_cast<double>(n * n)),
             with_commas(static_cast<double>(n * n * n)),
             kIterations);
  const torch::Tensor logits = torch::randn({1, kEntities, kEntities, 2});
  const torch::Tensor scores = (logits.select(-1, 1) - logits.select(-1, 0)).contiguous();
  AtomValues<float> unaries = mean_field.no_unaries();
  std::copy_n(scores.data_ptr<float>(), n * n, unaries[0].begin());
  const AtomValues<float> ones{std::vector<float>(n * n, 1.0F)};
  const torch::Tensor matrix = torch::rand({kEntities, kEntities}),
                      product = torch::empty_like(matrix);
  const auto seconds = alternate({[&] {
                                    const torch::NoGradGuard no_gradient;
                                    einsum_transitivity(logits, kIterations, kWeight);
                                  },
                                  [&] { mean_field.infer(unaries); },
                                  [&] {
                                    const torch::NoGradGuard no_gradient;
                                    layer->forward({scores});
                                  },
                                  [&] {
                                    const torch::NoGradGuard no_gradient;
                                    torch::Tensor out = product;
                                    for (int i = 0; i < 2 * kIterations; ++i)
                                      at::mm_out(out, matrix, matrix);
                                  },
                                  [&] {
                                    const torch::Tensor in = logits.clone().requires_grad_(true);
                                    einsum_transitivity(in, kIterations, kWeight).sum().backward();
                                  },
                                  [&] {
                                    mean_field.infer(unaries, true);
                                    mean_field.backward(ones, true, false);
                                  },
                                  [&] {
                                    const torch::Tensor in = scores.clone().requires_grad_(true);
                                    layer->forward({in})[0].sum().backward();
                                  },
                                  [&] {
                                    mean_field.infer(unaries, true);
                                    mean_field.backward(ones, true, true);
                                  }},
                                 9,
                                 kUntilBlasSleeps);
  print_comparison(seconds);
  return check_transitivity(logits, layer);
}

void measure_cora(const std::string& folder) {
  fmt::print("\n## One iteration of all formulas of Cora S1\n\n");
  if (!std::filesystem::is_directory(folder)) {
    fmt::print("No {}: left out.\n", folder);
    return;
  }
  Diagnostics sink;
  const markov::LoadedProgram read = markov::read_mln(folder, "", sink);
  if (sink.num_errors() > 0) throw InputError(sink.take_sorted());
  const MeanFieldModel model = mean_field_model(read.program, read.database);
  const auto start = std::chrono::steady_clock::now();
  MeanField layer(model, {.iterations = 1, .threads = kThreads});
  const double planning = seconds_since(start);
  const AtomValues<float> unaries = random_unaries(layer);
  const double seconds = alternate({[&] { layer.infer(unaries); }}, 15)[0].median;
  const MeanFieldPlan& plan = layer.plan();
  fmt::print(
      "{} formulas, {} unknown atoms, {} groundings; {:.1f} million multiply-adds, planned in "
      "{:.0f} ms\n\n",
      model.formulas.size(),
      with_commas(static_cast<double>(plan.unknown_atoms)),
      with_commas(plan.groundings),
      plan.operations / 1e6,
      planning * 1e3);
  print_claim("ms per iteration", seconds * 1e3, "at most 200", seconds <= 0.2);
}

// What each idea is worth.

struct Variant {
  const char* name;
  MeanFieldPlanOptions plan;
};

// Milliseconds per iteration of each plan, and of loops over groundings where these are few; NaN
// for what does not fit.
std::vector<double> time_variants(const MeanFieldModel& model, std::span<const Variant> variants) {
  const std::size_t entities = model.domains[0].size();
  const auto num_variables = static_cast<double>(model.formulas[0].variables.size());
  const bool large = std::pow(static_cast<double>(entities), num_variables) > kMostRepeated;
  const std::size_t iterations = large ? 1 : kIterations;
  std::vector<double> result(variants.size() + 1, std::nan(""));
  std::vector<MeanField> layers;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    try {
      layers.emplace_back(
          model,
          MeanFieldOptions{
              .iterations = iterations, .threads = kThreads, .plan = variants[i].plan});
      places.push_back(i);
    } catch (const InputError&) {  // too large
    }
  }
  const AtomValues<float> unaries = random_unaries(layers.front());
  std::vector<std::function<void()>> contenders;
  contenders.reserve(layers.size());
  for (MeanField& layer : layers) contenders.emplace_back([&] { layer.infer(unaries); });
  const auto seconds = alternate(contenders, large ? 3 : 5);
  for (std::size_t i = 0; i < places.size(); ++i) {
    result[places[i]] = seconds[i].median * 1e3 / static_cast<double>(iterations);
  }
  if (layers.front().plan().groundings > kMostLooped) return result;
  const AtomValues<float> truth(model.predicates.size(),
                                std::vector<float>(entities * entities, 0.3F));
  const auto start = std::chrono::steady_clock::now();
  LoopedGroundings(model).messages(truth);
  result.back() = seconds_since(start) * 1e3;
  return result;
}

std::string cell(double ms) {
  if (std::isnan(ms)) return "";
  return fmt::format("{:.{}f}", ms, ms < 0.1 ? 3 : ms < 10 ? 2 : 0);
}

void print_growth(const char* rule,
                  MeanFieldModel (*make)(std::size_t),
                  const std::vector<std::size_t>& sizes,
                  const Variant& without) {
  fmt::print("\n### {}\n\n", rule);
  fmt::print("| entities | groundings | all | without {} | loops over groundings |\n",
             without.name);
  fmt::print("| ---: | ---: | ---: | ---: | ---: |\n");
  const std::vector<Variant> variants{{"", {}}, without};
  for (const std::size_t size : sizes) {
    const auto ms = time_variants(make(size), variants);
    const double variables = make == path ? 4.0 : 3.0;
    fmt::print("| {} | {} | {} | {} | {} |\n",
               size,
               with_commas(std::pow(static_cast<double>(size), variables)),
               cell(ms[0]),
               cell(ms[1]),
               cell(ms[2]));
  }
}

void measure_growth() {
  fmt::print("\n## Milliseconds per iteration as entities grow, and what each idea is worth\n");
  MeanFieldPlanOptions no_complements, no_order, no_lists;
  no_complements.complements = false;
  no_order.order = false;
  no_lists.sparse_evidence = false;
  print_growth("C(a,b) and C(b,c) imply C(a,c)",
               transitivity,
               {64, 128, 256, 512, 1024, 2048},
               {"complement reuse", no_complements});
  print_growth("P(a,b) and Q(c,d) and R(b,c) imply S(a,d)",
               path,
               {64, 128, 256, 512, 1024},
               {"contraction order", no_order});
  print_growth("F(a,b) and C(b,c) imply C(a,c), F known and 1 % true",
               friendship,
               {64, 128, 256, 512, 1024, 2048},
               {"sparse evidence", no_lists});
}

void measure_formulas() {
  constexpr std::size_t kSize = 128;
  fmt::print(
      "\n## Milliseconds per iteration as formulas grow: Ri(a,b) and Ri+1(b,c) imply Ri+2(a,c), {} "
      "entities\n\n",
      kSize);
  fmt::print("| formulas | groundings | all | per formula | loops over groundings |\n");
  fmt::print("| ---: | ---: | ---: | ---: | ---: |\n");
  for (const std::uint32_t formulas : {1, 4, 16, 64}) {
    const std::vector<Variant> variants{{"", {}}};
    const auto ms = time_variants(ring(kSize, formulas), variants);
    fmt::print("| {} | {} | {} | {} | {} |\n",
               formulas,
               with_commas(static_cast<double>(formulas * kSize * kSize * kSize)),
               cell(ms[0]),
               cell(ms[0] / formulas),
               cell(ms[1]));
  }
}

int run(const std::string& shared) {
  at::set_num_threads(static_cast<int>(kThreads));
  torch::manual_seed(1);
  fmt::print("# Mean-field inference, single precision, {} threads\n\n", kThreads);
  const bool right = compare_with_einsum();
  measure_cora(shared + "/data/logicmp/cora/S1");
  measure_growth();
  measure_formulas();
  return right ? 0 : 1;
}

}  // namespace
}  // namespace sorites

int main(int argc, char** argv) {
  // Threads of OpenMP that spin while they wait make torch several times slower if anything else
  // runs. The policy is read before main().
  if (std::getenv("OMP_WAIT_POLICY") == nullptr) {
    ::setenv("OMP_WAIT_POLICY", "passive", 1);
    ::execv("/proc/self/exe", argv);
  }
  try {
    return sorites::run(argc > 1 ? argv[1] : "../shared");
  } catch (const std::exception& error) {
    fmt::print(stderr, "meanfield_benchmark: {}\n", error.what());
    return 2;
  }
}
