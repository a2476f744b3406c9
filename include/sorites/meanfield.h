// Mean-field inference in Markov logic (LogicMP: Xu et al. 2024): marginals of all atoms without
// grounding a formula.
//
// Every iteration sets all marginals Q to softmax(unary - dE/dQ), where E is the expected number of
// violated groundings, weighted, if atoms were independent (equations 2 to 5).
//
//   MeanField layer(program, database);
//   const auto result = layer.infer(layer.unaries());
//   use(layer.of_targets(result.marginals));  // per target row of the database
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "sorites/database.h"
#include "sorites/program.h"

namespace sorites {

struct MeanFieldModel;  // a program and its data, compiled (internal)

struct MeanFieldPlanOptions {   // which ideas a plan uses: all, but for comparisons
  bool complements = true;      // 1 - Q is expanded where that reuses a product
  bool order = true;            // the cheapest order of products; else from left to right
  bool sparse_evidence = true;  // closed predicates as lists of what is true
  bool share = true;            // equal products are computed once
  std::size_t max_bytes = std::size_t{8} << 30;  // a plan that needs more is refused
};

enum class WeightScale : std::uint8_t {
  kNone,  // as Markov logic defines it
  // Divided by the largest message (at marginals of 1/2, per unit of weight) that the formula sends
  // to any predicate, or by that to the predicate where it is smallest; never by less than 1.
  kLargestMessage,
  kSmallestMessage,
  // The message to an atom is the mean over the formula's groundings that can push it. No free
  // energy falls then.
  kMeanMessage,
};
std::string_view name_of(WeightScale scale);  // "none", "largest-message", ...

// How atoms, all at once, follow their messages.
enum class MeanFieldUpdates : std::uint8_t {
  kPlain,       // all the way, but for damping: the paper's steps, which may swing
  kDescending,  // as far as the free energy falls; not with kMeanMessage or centre_messages
};
std::string_view name_of(MeanFieldUpdates updates);  // "plain", "descending"

struct MeanFieldOptions {
  MeanFieldUpdates updates = MeanFieldUpdates::kPlain;
  std::size_t iterations = 5;  // at most
  double tolerance = 0.0;      // stops when no marginal changes by more than this
  double damping = 0.0;        // share of the old log-odds that stays (at least), in [0, 1)
  double hard_weight = 20.0;   // what a hard formula weighs
  WeightScale weight_scale = WeightScale::kNone;
  bool centre_messages = false;    // without their mean per predicate: formulas only rank atoms
  bool track_free_energy = false;  // after every iteration: about doubles the work
  unsigned threads = 0;            // 0: one per core
  MeanFieldPlanOptions plan;
  std::stop_token stop;  // infer() then gives what it has; everything else throws Interrupted
  std::function<void(std::size_t iteration, double change)> on_iteration;
};

struct MeanFieldFormulaPlan {  // what a formula costs
  double groundings = 0.0;
  double operations = 0.0;         // multiply-adds per iteration that no formula before it needs
  std::vector<std::string> steps;  // to the expected number of its violations
};

struct MeanFieldPlan {
  std::vector<MeanFieldFormulaPlan> formulas;
  std::vector<std::string> steps;  // of the messages, which all formulas share
  double groundings = 0.0;
  double operations = 0.0;  // per iteration
  std::size_t bytes = 0;    // of all tensors
  std::size_t atoms = 0;
  std::size_t unknown_atoms = 0;
};

// One number per atom of each predicate (its log-odds or probability of being true), or, with
// classes, one per atom and class; atoms row by row. Closed predicates have none.
template <class Real>
using AtomValues = std::vector<std::vector<Real>>;

// An atom, by its number among those of its predicate (row by row), and its value.
struct KnownAtom {
  std::size_t atom = 0;
  std::uint32_t value = 0;

  auto operator<=>(const KnownAtom&) const = default;  // NOLINT: clang-tidy 14 misreads it
};

template <class Real>
struct MeanFieldResult {
  AtomValues<Real> marginals;       // known atoms have their value
  AtomValues<Real> log_odds;        // of unknown atoms: what the marginals are the softmax of
  std::vector<double> free_energy;  // after each iteration, if asked for: E - unary'Q - entropy
  std::vector<std::vector<double>> violations;  // at the marginals; empty: updates do not descend
  std::size_t iterations = 0;
  double change = 0.0;  // largest of a marginal in the last one; descending: in a full step
  bool stopped = false;
  double seconds = 0.0;
};

template <class Real>
struct MeanFieldGradient {
  AtomValues<Real> in_unaries;
  // Per formula, as its weights; empty if it is hard or they were not asked for.
  std::vector<std::vector<double>> in_weights;
};

template <class Real>
class BasicMeanField {
 public:
  // Keeps what it needs of the model. Throws InputError if the program is none for mean field, or a
  // plan would not fit `max_bytes`, with the formula that asks for most; std::invalid_argument if
  // the database has other predicates or domains.
  BasicMeanField(const Program& program, const Database& database, MeanFieldOptions options = {});
  explicit BasicMeanField(const MeanFieldModel& model, MeanFieldOptions options = {});
  ~BasicMeanField();
  BasicMeanField(BasicMeanField&&) noexcept;
  BasicMeanField& operator=(BasicMeanField&&) noexcept;

  const MeanFieldPlan& plan() const;
  // The unary potentials of the data, and all zero, in the shape that infer() takes.
  AtomValues<Real> unaries() const;
  AtomValues<Real> no_unaries() const;

  // The marginals of the target rows of the database, predicate by predicate.
  std::vector<double> of_targets(const AtomValues<Real>& marginals) const;

  void set_options(const MeanFieldOptions& options);  // plan and scales stay
  void set_weights(std::size_t formula, std::span<const double> weights);
  std::span<const double> weights(std::size_t formula) const;

  // What is known of an open predicate from now on, instead of its facts.
  void set_known(std::size_t predicate, std::vector<KnownAtom> known);

  // Runs the iterations. With `keep` it keeps what backward() needs.
  MeanFieldResult<Real> infer(const AtomValues<Real>& unaries, bool keep = false);

  // Through all iterations of the last infer(.., keep): from slopes of a loss in its marginals, or
  // log-odds, to those in unary potentials and, at up to as much again, in weights.
  MeanFieldGradient<Real> backward(const AtomValues<Real>& slopes,
                                   bool in_log_odds = false,
                                   bool in_weights = true);

  // The slope of the free energy in the weights of each formula (one number for a hard one): the
  // expected number of violated groundings at given marginals, per unit of weight.
  std::vector<std::vector<double>> violations(const AtomValues<Real>& marginals);

  double free_energy(const AtomValues<Real>& unaries, const AtomValues<Real>& marginals);
  double free_energy(const AtomValues<Real>& unaries,
                     const AtomValues<Real>& marginals,
                     std::vector<std::vector<double>> violations);  // saves nearly all of the work

  // The messages at given marginals: what all formulas together add to the log-odds.
  AtomValues<Real> messages(const AtomValues<Real>& marginals);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

using MeanField = BasicMeanField<float>;
using ExactMeanField = BasicMeanField<double>;

}  // namespace sorites
