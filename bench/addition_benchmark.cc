// What warm starts and shared factorisations are worth in learning of MNIST-Add2.
//
//   addition_benchmark [ADDITIONS [EPOCHS]]
//
// Every epoch solves the component of every addition once, for the energy loss: value, state and
// slopes in the outputs of the network. All ways to do so take turns on the same outputs, solve to
// the same gap, and must agree. One line per way: milliseconds of inference per epoch, how many
// times cheaper the last one is, largest certified gap, largest difference of energies.
//
// Then a tenth of these epochs of learning by the bilevel algorithm, which solves components five
// times as large, two or three times each: whole epochs, but for the network.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <ctime>
#include <memory>

#include "addition_learning.h"
#include "additions.h"
#include "hinge/energy/hinge_energy.h"
#include "sorites/solve.h"

namespace sorites {
namespace {

HingeEnergyOptions options(bool warm_start) {
  HingeEnergyOptions options;
  options.solve.threads = 1;
  options.warm_start = warm_start;
  return options;
}

// All of its targets are latent.
std::unique_ptr<Energy> energy_of(const Model& model, bool warm_start) {
  return make_hinge_energy(
      model, std::vector<double>(model.num_atoms, kLatent), options(warm_start));
}

struct Addition {
  Model model;
  AdditionReader reader;
  std::unique_ptr<Energy> anew, kept;
};

struct Way {
  const char* name;
  double seconds = 0.0, gap = 0.0, difference = 0.0;

  double solve(Energy& energy, const Parameters& parameters) {
    const double value = energy.latent(parameters).value;
    gap = std::max(gap, std::abs(energy.statistics().relative_gap));
    return value;
  }
};

template <class Solve>
double timed(Way& way, const Solve& solve) {
  const std::clock_t begin = std::clock();
  const double value = solve();
  way.seconds += static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  return value;
}

std::vector<Addition> draw_additions(int count) {
  std::mt19937_64 random(7);
  std::vector<Addition> additions;
  for (int a = 0; a < count; ++a) {
    const std::array<int, kPlaces> digits = draw_digits(random);
    additions.push_back(
        {AdditionModel(sum_of(digits)).take(), AdditionReader(digits, random()), {}, {}});
  }
  for (Addition& addition : additions) {  // which stay where they are from now on
    addition.anew = energy_of(addition.model, false);
    addition.kept = energy_of(addition.model, true);
  }
  return additions;
}

int run(int count, int epochs) {
  std::vector<Addition> additions = draw_additions(count);
  Way anew{"every solve anew: presolve, ADMM from nothing"};
  Way same{"every solve anew: presolve, pattern, active sets from nothing"};
  Way warm{"warm starts and shared patterns (default)"};
  for (int epoch = 0; epoch < epochs; ++epoch) {
    for (Addition& addition : additions) {
      Parameters parameters = parameters_of(addition.model);
      parameters.outputs = addition.reader.read(epoch / std::max(1.0, epochs - 1.0));
      const double first = timed(anew, [&] { return anew.solve(*addition.anew, parameters); });
      const double second =
          timed(same, [&] { return same.solve(*energy_of(addition.model, true), parameters); });
      const double last = timed(warm, [&] { return warm.solve(*addition.kept, parameters); });
      same.difference = std::max(same.difference, std::abs(second - first));
      warm.difference = std::max(warm.difference, std::abs(last - first));
    }
  }
  fmt::print("{} additions, {} epochs\n\n", count, epochs);
  fmt::print("| inference | ms per epoch | times | largest gap | largest difference |\n");
  fmt::print("| --- | ---: | ---: | ---: | ---: |\n");
  for (const Way& way : {anew, same, warm}) {
    fmt::print("| {} | {:.2f} | {:.1f} x | {:.0e} | {:.0e} |\n",
               way.name,
               1e3 * way.seconds / epochs,
               way.seconds / warm.seconds,
               way.gap,
               way.difference);
  }
  return warm.difference < 1e-3 ? 0 : 1;
}

int run_bilevel(int count, int epochs) {
  constexpr double kTolerance = 1e-2;  // of losses: V and M are found as exactly as steps need
  const LearningCost anew = learn_sums(count, epochs, false);
  const LearningCost warm = learn_sums(count, epochs, true);
  double difference = 0.0;
  for (std::size_t e = 0; e < anew.epoch_loss.size(); ++e) {
    difference = std::max(difference, std::abs(warm.epoch_loss[e] / anew.epoch_loss[e] - 1.0));
  }
  fmt::print("\n{} additions, {} epochs of the bilevel algorithm\n\n", count, epochs);
  fmt::print("| bilevel learning | ms per epoch | times | largest gap | difference of losses |\n");
  fmt::print("| --- | ---: | ---: | ---: | ---: |\n");
  const auto line = [&](const char* name, const LearningCost& cost, double other) {
    fmt::print("| {} | {:.1f} | {:.1f} x | {:.0e} | {:.0e} |\n",
               name,
               1e3 * cost.seconds / epochs,
               cost.seconds / warm.seconds,
               cost.gap,
               other);
  };
  line("every solve anew", anew, 0.0);
  line("warm starts and shared patterns (default)", warm, difference);
  return difference < kTolerance ? 0 : 1;
}

}  // namespace
}  // namespace sorites

int main(int argc, char** argv) {
  const auto number = [&](int at, int otherwise) {
    return argc > at ? std::max(1, std::atoi(argv[at])) : otherwise;
  };
  const int additions = number(1, 150), epochs = number(2, 50);
  const int inference = sorites::run(additions, epochs);
  return inference + sorites::run_bilevel(additions, std::max(1, epochs / 10));
}
