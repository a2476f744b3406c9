// The inference inside learning of MNIST-Add2 without images: components as those of
// examples/mnist-addition/add2.json, and outputs like those of a network that learns to read.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <random>
#include <vector>

#include "hinge/model/term_block.h"
#include "sorites/model.h"

namespace sorites {

constexpr AtomId kDigits = 10, kPlaces = 4;  // a1, a0, b1, b0: tens and ones of two numbers
constexpr AtomId kOnes = 10, kTens = 20;     // that a sum can have

inline std::array<int, kPlaces> draw_digits(std::mt19937_64& random) {
  std::array<int, kPlaces> digits{};
  for (int& digit : digits) digit = static_cast<int>(random() % kDigits);
  return digits;
}
inline int sum_of(const std::array<int, kPlaces>& digits) {
  return 10 * (digits[0] + digits[2]) + digits[1] + digits[3];
}

// Builds the component of one addition: of what agrees with its sum if that is known, else of all
// pairs of digits, with the ones and the tens of the sum as atoms.
class AdditionModel {
 public:
  explicit AdditionModel(std::optional<int> total) {
    total ? add_pairs(*total) : add_all_pairs();
    model_.num_outputs = kPlaces * kDigits;
    model_.num_atoms = model_.num_outputs + pairs_[0].size() + pairs_[1].size();
    if (!total) model_.num_atoms += kOnes + kTens;
    add_prior();
    for (AtomId place = 0; place < kPlaces; ++place) {
      std::vector<AtomId> digits;
      for (AtomId x = 0; x < kDigits; ++x) digits.push_back(place * kDigits + x);
      add_equality(digits, {}, -1.0);
    }
    for (std::size_t tens : {0U, 1U}) {
      total ? add_equality(atoms_of(tens, [](const Pair&) { return true; }), {}, -1.0)
            : add_sums(tens);
      for (int x = 0; x < static_cast<int>(kDigits); ++x) {
        const auto digit = static_cast<AtomId>(x) + (tens == 1 ? 0 : kDigits);
        add_equality(atoms_of(tens, [&](const Pair& pair) { return pair.x == x; }), {digit}, 0.0);
        add_equality(atoms_of(tens, [&](const Pair& pair) { return pair.y == x; }),
                     {digit + 2 * kDigits},
                     0.0);
      }
    }
    for (const int carry : {0, 1}) {
      const auto has_carry = [&](const Pair& pair) { return pair.carry == carry; };
      add_equality(atoms_of(0, has_carry), atoms_of(1, has_carry), 0.0);
    }
  }

  Model take() { return std::move(model_); }

 private:
  struct Pair {
    int x, y, carry;
  };

  // Every pair of ones gives one carry, every pair of tens can get both.
  void add_all_pairs() {
    for (int x = 0; x < 10; ++x) {
      for (int y = 0; y < 10; ++y) {
        pairs_[0].push_back({x, y, (x + y) / 10});
        for (const int carry : {0, 1}) pairs_[1].push_back({x, y, carry});
      }
    }
  }

  // The pairs that give a digit of the sum, and these digits, which are the last atoms.
  void add_sums(std::size_t tens) {
    const int count = static_cast<int>(tens == 1 ? kTens : kOnes);
    const std::size_t first = model_.num_atoms - kTens - (tens == 1 ? 0 : kOnes);
    std::vector<AtomId> sums;
    for (int z = 0; z < count; ++z) {
      sums.push_back(static_cast<AtomId>(first) + static_cast<AtomId>(z));
      const auto gives = [&](const Pair& pair) {
        return (tens == 1 ? pair.x + pair.y + pair.carry : (pair.x + pair.y) % 10) == z;
      };
      add_equality(atoms_of(tens, gives), {sums.back()}, 0.0);
    }
    add_equality(sums, {}, -1.0);
  }

  // Pairs of ones with the carry that they give, of tens with the carry that they take.
  void add_pairs(int total) {
    for (const int carry : {0, 1}) {
      std::array<std::vector<Pair>, 2> pairs;
      const std::array<int, 2> sums{total % 10 + 10 * carry, total / 10 - carry};
      for (std::size_t k = 0; k < 2; ++k) {
        for (int x = 0; x < 10; ++x) {
          if (sums[k] - x >= 0 && sums[k] - x < 10) pairs[k].push_back({x, sums[k] - x, carry});
        }
      }
      if (pairs[0].empty() || pairs[1].empty()) continue;
      for (std::size_t k = 0; k < 2; ++k) {
        pairs_[k].insert(pairs_[k].end(), pairs[k].begin(), pairs[k].end());
      }
    }
  }

  template <class Which>
  std::vector<AtomId> atoms_of(std::size_t tens, const Which& which) const {
    std::vector<AtomId> atoms;
    const std::size_t first = kPlaces * kDigits + (tens == 1 ? pairs_[0].size() : 0);
    for (std::size_t k = 0; k < pairs_[tens].size(); ++k) {
      if (which(pairs_[tens][k])) atoms.push_back(static_cast<AtomId>(first + k));
    }
    return atoms;
  }

  // Digit(A, P, X) = what the network says ^2
  void add_prior() {
    model_.rules.push_back({1.0, false, "", {}});
    for (const double sign : {1.0, -1.0}) {
      TermBlock& block = model_.blocks.emplace_back();
      block.kind = TermKind::kSquaredHinge;
      block.coefficients = {sign};
      block.output_coefficients = {-sign};
      for (AtomId digit = 0; digit < kPlaces * kDigits; ++digit) {
        add_term(block, std::vector{digit}, std::vector{std::uint32_t{digit}}, 0.0);
      }
    }
  }

  // The sum of some atoms is that of others and a constant.
  void add_equality(std::vector<AtomId> atoms, const std::vector<AtomId>& others, double offset) {
    if (atoms.empty()) return;
    TermBlock& block = model_.blocks.emplace_back();
    block.rule = static_cast<std::uint32_t>(model_.rules.size());
    block.kind = TermKind::kEqual;
    block.coefficients.assign(atoms.size(), 1.0);
    block.coefficients.resize(atoms.size() + others.size(), -1.0);
    atoms.insert(atoms.end(), others.begin(), others.end());
    add_term(block, atoms, {}, offset);
    model_.rules.push_back({0.0, true, "", {}});
  }

  Model model_;
  std::array<std::vector<Pair>, 2> pairs_;  // ones, tens
};

// Roots of the probabilities that a network gives to the digits of one addition: surer from epoch
// to epoch, with doubts of its own about every image, and others about every augmentation of it.
class AdditionReader {
 public:
  AdditionReader(std::array<int, kPlaces> digits, std::uint64_t seed)
      : digits_(digits), random_(seed), doubts_(kPlaces * kDigits) {
    for (double& doubt : doubts_) doubt = normal_(random_);
  }

  // `progress` goes from 0 to 1.
  std::vector<double> read(double progress) {
    std::vector<double> outputs;
    for (std::size_t place = 0; place < kPlaces; ++place) {
      std::array<double, kDigits> odds{};
      double total = 0.0;
      for (std::size_t x = 0; x < kDigits; ++x) {
        const double is_it = static_cast<int>(x) == digits_[place] ? 8.0 * progress : 0.0;
        const double doubt = (0.3 + progress) * doubts_[place * kDigits + x];
        odds[x] = std::exp(is_it + doubt + (0.2 + 0.6 * progress) * normal_(random_));
        total += odds[x];
      }
      for (const double odd : odds) outputs.push_back(std::sqrt(odd / total + 1e-6));
    }
    return outputs;
  }

 private:
  std::array<int, kPlaces> digits_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::vector<double> doubts_;
};

}  // namespace sorites
