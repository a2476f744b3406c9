// A program and its data under one semantics, ready to be asked. Sessions, learning and reports
// know a semantics by this alone; a new one is one more of these, and a line in semantics.cc.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "explain/find_target.h"
#include "hinge/energy/given_state.h"
#include "hinge/energy/hinge_energy.h"
#include "learn/learning.h"
#include "options/settings.h"
#include "sorites/explain.h"
#include "sorites/ground.h"
#include "sorites/learn.h"
#include "sorites/solve.h"

namespace sorites {

// What a reasoner is made from. Program and database must outlive it. The database may get further
// atoms: a reasoner that is made anew gets the one that was given again.
struct ReasonerInput {
  const Program& program;
  Database& database;
  const Settings& options;           // of the phase, all of them
  std::vector<PredicateId> integer;  // predicates whose atoms are 0 or 1, nothing between
  std::string from_snapshot;         // a ground model on disk; empty: none
};

// A data set in samples that have nothing to do with each other, with an energy each.
struct Samples {
  // Per sample: which targets and outputs of the whole it has. Empty: one sample, all of them.
  std::vector<std::vector<std::uint32_t>> targets, outputs;
  std::vector<std::unique_ptr<Energy>> energies;
  double loss_scale = 1.0;  // of losses: semantics may take means over labels instead of sums
  // Of regularisers: where losses are scaled to a mean per sample, as many as there are samples.
  double regularizer_scale = 1.0;
  std::string undivided;       // why there is one sample, though several were asked for
  std::shared_ptr<void> kept;  // what energies look at
};

struct SampleOptions {
  std::uint64_t components_per_sample = 0;  // 0: one sample
  HingeEnergyOptions energy;
  // May give samples further outputs, which no rule mentions.
  std::function<void(std::vector<std::vector<std::uint32_t>>& outputs)> share_outputs;
};

// What a weight is of: a rule, or one combination of the constants of its weighted variables.
struct WeightSlot {
  std::uint32_t rule = 0;              // index in Reasoner::rules()
  std::vector<std::string> constants;  // one per weighted variable
};

// Per predicate: rows of codes with their unary potentials, log-odds.
using AtomPotentials = std::vector<std::vector<std::pair<std::vector<Code>, double>>>;

// Samples where there are no labels: facts, some of which are hidden and inferred from the others.
struct FactSamples {
  Samples training, validation;  // one energy, or none where there are no facts
  // Learns the outputs of both; null where there is nothing of that kind.
  std::unique_ptr<OutputSource> encoder;
  std::function<AtomPotentials()> potentials;  // that the encoder stands for; empty: no encoder
  std::map<std::string, std::string> options;  // that inference with the learned weights needs
};

class Reasoner {
 public:
  virtual ~Reasoner() = default;

  // Where the state of inference, and network outputs, have the target rows of each predicate.
  virtual std::span<const AtomRange> targets() const = 0;
  virtual std::span<const AtomRange> outputs() const = 0;

  // Changes a program as options of the semantics do when it is opened (worlds that they close), so
  // that what is written runs without them.
  virtual void apply_options(Program& program) const { (void)program; }

  // Options as of ReasonerInput instead of those it was made with. False: it must be made anew.
  virtual bool set_options(const Settings& options) {
    (void)options;
    return false;
  }

  // The ground model as far as it can be seen: what became of each rule, and its size.
  struct Grounding {
    GroundReport report;  // empty if that is not known
    ModelSize size;
  };
  virtual Grounding ground(const RunEvents& events) = 0;

  // As reports show them, with their weights as written.
  virtual const std::vector<GroundRule>& rules() const = 0;
  virtual ModelSize size() const = 0;

  // Weights one after the other, as written; 0 for hard rules.
  virtual std::vector<double> weights() const = 0;
  virtual std::vector<WeightSlot> weight_slots() const = 0;
  virtual void set_weights(std::vector<double> weights) = 0;
  // The numbers that inference works with, given weights as written.
  virtual Parameters parameters(std::span<const double> weights) const = 0;

  // From the last answer, if there is one and the semantics can start from it.
  virtual Answer infer(std::span<const double> network_outputs, const RunEvents& events) = 0;

  // Whether all atoms of a predicate that are not observed are inferred and can be explained, also
  // those that are no targets.
  virtual bool infers_all_of(PredicateId predicate) const {
    (void)predicate;
    return false;
  }

  // Of the last answer.
  virtual std::vector<RuleStatistics> statistics() const = 0;
  virtual AtomExplanation explain_atom(TargetRow atom,
                                       std::size_t limit,
                                       const RunEvents& events) const = 0;
  virtual RuleExplanation explain_rule(std::uint32_t rule,
                                       std::size_t limit,
                                       const RunEvents& events) const = 0;

  // The energies of the connected components of the model at given values of the targets, with the
  // weights as written and the network outputs of the last answer. NaN where a value is NaN.
  virtual std::vector<ComponentEnergy> energies(std::span<const double> values) const = 0;

  // For learning: `labels` per target, kLatent where there is none.
  virtual Samples samples(const std::vector<double>& labels,
                          const SampleOptions& options) const = 0;
  // Where there are no labels, a semantics may learn from its facts. None: it does not. Throws
  // InputError if there are none.
  virtual std::optional<FactSamples> fact_samples(std::uint64_t seed, const RunEvents& events) {
    (void)seed, (void)events;
    return std::nullopt;
  }
  // Per rule: how many of its hard ground rules the labels break.
  virtual std::vector<std::size_t> broken_by(std::span<const double> labels) const = 0;
  // Changes with the structure of the model, not with its weights.
  virtual std::uint64_t fingerprint() const = 0;

  // Observed atoms have changed in the database by these; the next answer is of the new data, from
  // the last answer. False: it cannot do that, and must be made anew.
  virtual bool update(std::span<const RowChange> changes, const RunEvents& events) = 0;
  // Values to start from, one per target, and what the next answer would start from; empty if
  // there is nothing.
  virtual void start_from(std::vector<double> values) = 0;
  virtual std::span<const double> last_values() const = 0;

  // Throws InputError if the method that is asked for cannot work on the model.
  virtual void require_fitting_method(const RunEvents& events) { (void)events; }

  // Files. What a semantics does not have is refused by an InputError.
  virtual void require_states() const {}    // throws where there are none
  virtual void require_energies() const {}  // the same of energies()
  virtual void load_state(const std::string& path) = 0;
  virtual void save_state(const std::string& path) const = 0;
  virtual void save_snapshot(const std::string& path) const = 0;
  virtual void write_ground_rules(std::ostream& out, const RunEvents& events) = 0;
};

}  // namespace sorites
