// The door to Sorites: a model, opened once, and everything that can be asked of it.
//
//   Session session = Session::open("model.json");
//   const InferResult result = session.infer();
//   for (const AtomRange& range : result.ranges) use(range.predicate, result.values[range.first]);
//   session.update({.observations = {{"Likes", {"ann", "tea"}, 1.0}}});
//   const InferResult after = session.infer();  // starts from the last answer
//
// The command line and the C API ask this and nothing below. A session keeps what it has loaded,
// ground and solved, so that asking again costs little. One thread at a time may use a session;
// several sessions may run side by side.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sorites/database.h"
#include "sorites/evaluate.h"
#include "sorites/explain.h"
#include "sorites/ground.h"
#include "sorites/layer.h"
#include "sorites/learn.h"
#include "sorites/network.h"
#include "sorites/solve.h"

namespace sorites {

struct SessionOptions {
  std::string data_path;  // of a rule file, or an .mln file
  std::string semantics;  // a name of semantics_names(); empty: as the model says
  std::map<std::string, std::string> texts;  // what stands for files that from_text() would read
  Phase phase = Phase::kInfer;               // whose data infer(), explain(), ... look at
  std::vector<OptionSetting> settings;       // over the model's `options`, as --set
  std::vector<OptionSetting> flags;          // over everything
  RunEvents events;
};

std::vector<std::string_view> semantics_names();  // "hinge", "markov-logic"

struct StageSeconds {  // of a call; 0 for stages that were not needed
  double load = 0.0, ground = 0.0, networks = 0.0, solve = 0.0, learn = 0.0, evaluate = 0.0;
  double total = 0.0;
};

struct PhaseSummary {  // what a model looks like in one phase
  Phase phase = Phase::kInfer;
  Program program;
  std::vector<std::array<std::size_t, kNumPartitions>> rows;  // per predicate, by Partition
  std::vector<std::size_t> constants;                         // per domain
  std::string text;                                           // the model in its own language
  std::size_t memory_bytes = 0;                               // of the data
};

struct CheckResult {
  std::string model;                    // its path
  std::string semantics;                // empty if the model could not be read
  std::vector<PhaseSummary> phases;     // that were asked for and could be loaded
  std::vector<Diagnostic> diagnostics;  // all mistakes of all phases
  StageSeconds seconds;
  bool ok() const;  // no errors
};

struct EstimateResult {  // what to expect, before the work is done
  std::string semantics;
  std::vector<GroundRule> rules;
  Forecast forecast;
  double terms = 0.0;
  double bytes = 0.0;  // of all that will be held, indexes included
  StageSeconds seconds;
};

struct GroundResult {
  std::vector<GroundRule> rules;
  GroundReport report;  // empty if the ground model came from a file
  ModelSize size;
  StageSeconds seconds;
};

// The values of networks stand behind those of inferred atoms.
struct InferResult : Answer {
  std::string semantics;
  std::vector<AtomRange> ranges;  // values[first + i] is that of target row i of the predicate
  std::vector<GroundRule> rules;
  std::vector<RuleStatistics> statistics;  // per rule
  std::vector<EvaluationResult> metrics;   // that the model asks for
  std::vector<NetworkSummary> networks;
  ModelSize size;
  StageSeconds seconds;
};

struct ExplainResult {
  std::string semantics;
  SolveStatus status = SolveStatus::kIterationLimit;
  std::optional<double> relative_gap;
  double weight_scale = 1.0;
  std::vector<GroundRule> rules;
  std::vector<AtomExplanation> atoms;
  std::vector<RuleExplanation> explained_rules;
};

struct LearningFiles {     // where learning writes; empty: nowhere
  std::string output;      // the learned model: *.json (of a model file), *.mln, else rules alone
  std::string save_state;  // to go on from
  std::string resume;      // a state to go on from
  std::string log;         // *.csv, or *.json for JSON lines
  std::string plot;        // *.svg
};

// How good weights and networks are on the data of the inference phase.
struct EvaluatedWeights {
  SolveStatus status = SolveStatus::kIterationLimit;
  std::optional<double> relative_gap;
  std::vector<EvaluationResult> metrics;  // empty if there are no values
};

struct LearnReport {
  std::string semantics;
  std::string goal;        // what learning looked for: "squared_error", "categorical_accuracy", ...
  std::string method;      // and how: "squared_error, gradient, softmax-simplex"
  bool by_metric = false;  // a search for the best metric: the losses are its negative
  std::string loss;        // "squared_error:1,energy:0.1"
  LearnOptions options;    // as used
  std::optional<LearnStop> stop;  // none: learning failed, and `error` says why
  std::string error;
  std::vector<LearnEpoch> history;
  std::uint64_t kept_epoch = 0;  // whose weights and networks were kept
  std::vector<GroundRule> rules;
  std::vector<double> terms;  // per rule
  // Per weight: rules have one, or one per combination of the constants of weighted variables.
  std::vector<std::uint32_t> rule_of_weight;
  std::vector<bool> learned;
  std::vector<double> old_weights, weights;
  std::string text;              // the learned rules
  std::optional<Metric> metric;  // that learning looked at
  std::vector<NetworkSummary> networks;
  std::uint64_t num_trained = 0;  // entities that networks were trained on
  std::optional<EvaluatedWeights> untrained, trained;
  std::vector<Predicate> predicates;
  std::string output;  // where the model was written
  double inference_seconds = 0.0, network_seconds = 0.0, pretrain_seconds = 0.0;
  StageSeconds seconds;
};

struct EvaluateResult {
  std::vector<EvaluationResult> metrics;
  StageSeconds seconds;
};

struct AtomChange {  // an atom with its new value; without one, it is removed
  std::string predicate;
  std::vector<std::string> arguments;
  std::optional<double> value;
};

struct WeightChange {
  RuleId rule = 0;  // Rule::id: its number, that everything else calls it by, less 1
  double weight = 0.0;
};

struct SessionUpdate {
  std::vector<AtomChange> observations;  // added, given another value, removed, or no target now
  std::vector<AtomChange> targets;       // with any value: added; without one: removed
  std::vector<WeightChange> weights;
};

struct InferFiles {           // what infer() starts from and keeps
  std::string from_snapshot;  // a ground model, instead of grounding
  std::string warm_start;     // a state that save_state() wrote
  std::string energies;       // to write: the energy of each connected component
  bool saves_state = false;   // refused at once where the semantics has no states to save
};

struct OutputFiles {               // what a call is to write, for the time before it works
  std::vector<std::string> files;  // empty ones are none
  std::string results;             // folder; empty: none
};

struct ResultFiles {   // what the options of a model say about results
  bool write = true;   // false: nobody wants the values
  std::string folder;  // empty: none is named
};

class Session {
 public:
  struct State;  // what it keeps: known in src/session alone

  // A model file (JSON, YAML), a folder that holds one, a rule file with its data file, an .mln
  // file or a folder of Markov logic. Throws InputError with all its mistakes; data is read when
  // needed.
  static Session open(const std::string& path, SessionOptions options = {});
  // The same from the text of a JSON or YAML model file. Paths are seen from the present folder.
  static Session from_text(std::string text, SessionOptions options = {});
  // Rules and data that are there already. std::invalid_argument: of other predicates or domains.
  Session(Program program, Database database, SessionOptions options = {});
  ~Session();
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;

  std::string_view semantics() const;
  std::vector<Phase> phases() const;  // that the options ask for, or else there is data for
  const Program& program();           // of the phase; these load it
  // The data, and in it the atoms of results: those of open worlds once the semantics was asked.
  const Database& database();

  // Every mistake of a model in the given phases, or in all that it has. Throws Interrupted alone.
  static CheckResult check(const std::string& path,
                           const SessionOptions& options = {},
                           std::span<const Phase> phases = {});
  static CheckResult check_text(std::string text,  // as of from_text()
                                const SessionOptions& options = {},
                                std::span<const Phase> phases = {});
  // Of this model, with rows that were attached: as it is before updates and learning.
  CheckResult check(std::span<const Phase> phases = {});
  // Spends about so many seconds on samples.
  EstimateResult estimate(double time_limit_seconds = 1.0);
  GroundResult ground(const std::string& from_snapshot = {});
  InferResult infer(const InferFiles& files = {});
  // Of the state of the last infer(), which it calls if there is none. Atoms are texts such as
  // "Knows('ann', 'bob')"; rules are "3" or "model.json:18".
  ExplainResult explain(std::span<const std::string> atoms,
                        std::span<const std::string> rules = {},
                        std::size_t limit = 10,
                        const InferFiles& files = {});
  // Values as `infer --output` or PSL wrote them, or at hand, against truth. `evaluators` are added
  // to those of the model.
  EvaluateResult evaluate(const std::string& results_folder,
                          std::span<const std::string> evaluators = {});
  EvaluateResult evaluate(const InferResult& result, std::span<const std::string> evaluators = {});
  // Learns from the data of the learning phase; the session goes on with that, unless it failed.
  LearnReport learn(const LearningFiles& files = {}, bool evaluate = true);
  // Inference as a layer of networks, on present data and options: after changes it is to be asked
  // for again. `smoothing` of implicit differentiation is 0.05 by default.
  LayerShape layer(std::optional<double> smoothing = {});
  void run_layer(const LayerBatch& batch, const LayerAnswer& answer);
  // Of the data of all phases. Throws, and changes nothing: std::invalid_argument if something does
  // not fit; InputError if the semantics does not take the new data (missing targets: once ground).
  void update(const SessionUpdate& changes);
  // Further rows of a predicate of the model file, for one phase or all: without columns, the file
  // of that name. What they look at must outlive the session. Learned weights stay.
  void attach(const std::string& predicate, Partition, std::optional<Phase>, RowTable rows);
  // The options of SessionOptions::flags instead of those there were. The data stays.
  void set_flags(std::vector<OptionSetting> flags);
  std::size_t arity(const std::string& predicate);  // 0: there is no such predicate
  void take_weights(const Program& learned);  // of its rules, by number; those per constant too
  // Throw IoError. What is not ground yet is; a state needs an infer(), else it is a logic_error.
  void save_snapshot(const std::string& path);
  void save_state(const std::string& path);
  void write_ground_rules(const std::string& path);
  void save_model(const std::string& path);  // its present weights and data
  void write_results(const InferResult& result, const std::string& folder);

  ResultFiles result_files();
  // Throws InputError if one is of the model or another output; IoError if it cannot be written.
  void check_outputs(const OutputFiles& outputs) const;
  // Those of SessionOptions; learning adds some, which go with its weights.
  const std::vector<OptionSetting>& settings() const;

  // The next calls end early when this is asked to stop.
  void set_stop(std::stop_token stop);

 private:
  explicit Session(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace sorites
