// Learning: load, ground, networks, learn, and compare on the data of inference.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/diagnostics.h"
#include "data/insert.h"
#include "hinge/problem/deadline.h"
#include "modelfile/options.h"
#include "session/collapse.h"
#include "session/input_files.h"
#include "session/learn_settings.h"
#include "session/learning_files.h"
#include "session/learning_progress.h"
#include "session/learning_run.h"
#include "session/model_evaluation.h"
#include "session/option_catalog.h"
#include "session/pretrain.h"
#include "session/program_weights.h"
#include "session/session_state.h"
#include "session/stopwatch.h"
#include "session/time_limit.h"
#include "session/updated_data.h"
#include "session/write_model.h"

namespace sorites {
namespace {

std::vector<OptionSetting>& options_of_all_phases(ModelFile& file) {
  return file.sections[static_cast<std::size_t>(Section::kAll)].options;
}

// What learning loads and writes by: options of the session, changed on its way. Until it is known
// that something was learned they are taken back: a call that fails changes nothing.
class ChangedOptions {
 public:
  explicit ChangedOptions(Session::State& state)
      : state_(state),
        settings_(state.options.settings),
        in_file_(options_of_all_phases(state.file)) {}
  ~ChangedOptions() {
    if (stay_) return;
    state_.options.settings = std::move(settings_);
    options_of_all_phases(state_.file) = std::move(in_file_);
  }
  ChangedOptions(const ChangedOptions&) = delete;
  ChangedOptions& operator=(const ChangedOptions&) = delete;

  void stay() { stay_ = true; }

 private:
  Session::State& state_;
  std::vector<OptionSetting> settings_, in_file_;
  bool stay_ = false;
};

// One call of Session::learn().
class Learner {
 public:
  Learner(Session::State& state, LearningFiles files)
      : state_(state),
        files_(std::move(files)),
        events_(state.options.events),
        changed_options_(state) {}

  LearnReport run(bool evaluate) {
    LearningFiles to_write = files_;
    const bool writes_folder = state_.file.is_text_of_markov_logic();
    if (writes_folder) to_write.output.clear();  // which may be there
    make_folder_of(to_write.output);
    check_files(to_write);
    settings_ = learn_settings(state_.file, state_.options.settings, state_.options.flags);
    state_.teller.tell(
        idle_options(settings_.learn.algorithm, state_.options.settings, state_.options.flags));
    if (files_.output.empty()) files_.output = settings_.output;
    check_kind_of_output(state_.file, files_.output);
    infer_as_learned();
    refuse_to_replace_inputs(state_, all_outputs(state_.file, files_));
    LearningFiles beside_state = files_;
    beside_state.save_state.clear();  // the state that it goes on from may be the next one, too
    refuse_to_replace_inputs(
        state_.file, all_outputs(state_.file, beside_state), {&files_.resume, 1});
    make_folder_of(files_.output);
    spent_before_ = std::exchange(state_.opening_seconds, 0.0);
    limit_seconds_ = settings_.learn.time_limit_seconds;
    prepare(evaluate);
    learn_in_time();
    const bool stopped = events_.stop.stop_requested();
    if (evaluation_ && !stopped) evaluate_in_time();
    describe();
    if (report_.stop) hand_over();  // none: it failed
    return std::move(report_);
  }

 private:
  // What is learned from regularised inference is evaluated, and written, with it.
  void infer_as_learned() {
    const double eps = settings_.energy.solve.regularization;
    if (eps == settings_.inference_regularization) return;
    state_.options.settings.push_back({"inference.regularization", fmt::format("{}", eps), {}, {}});
  }

  // Of the limit, with what it took to open the model.
  double spent_seconds() const {
    const std::chrono::duration<double> since = Deadline::Clock::now() - begin_;
    return spent_before_ + since.count();
  }

  // What comes before learning.
  void prepare(bool evaluate) {
    const TimeLimit limit(state_.options.events, limit_seconds_, spent_seconds());
    try {
      load_training();
      if (evaluate) load_evaluation();
      load_networks();
      if (evaluation_) {
        const Stopwatch watch(evaluation_seconds_);
        report_.untrained = evaluated(old_weights_);
      }
      if (files_.resume.empty() && !goes_on()) {  // a state knows what came of it
        const Stopwatch watch(report_.pretrain_seconds);
        pretrain(networks_, events_);
      }
    } catch (const Interrupted&) {
      if (limit.is_up()) limit.fail();
      throw;
    }
    if (limit.is_up()) limit.fail();
  }

  // An epoch that takes longer than there is time is given up: the one before it counts. What
  // evaluation took before is left to the one that follows.
  void learn_in_time() {
    const double spent = spent_seconds() + evaluation_seconds_;
    settings_.learn.time_limit_seconds = std::max(0.0, limit_seconds_ - spent);
    const TimeLimit limit(state_.options.events, limit_seconds_, spent);
    try {
      learn();
    } catch (const Interrupted&) {  // before the first epoch
      if (limit.is_up()) limit.fail();
      throw;
    }
    if (limit.is_up() && report_.stop == LearnStop::kInterrupted) report_.stop = LearnStop::kTime;
  }

  void evaluate_in_time() {
    const TimeLimit limit(state_.options.events, limit_seconds_, spent_seconds());
    try {
      if (is_learned_from_facts_) infer_as_encoded();
      report_.trained = evaluated(report_.weights);
      if (limit.is_up() && report_.trained->status == SolveStatus::kInterrupted) {
        report_.trained->status = SolveStatus::kTimeLimit;
      }
    } catch (const Interrupted&) {  // what was learned is not lost by that
      if (!limit.is_up()) throw;
    }
  }

  bool has_phase(Phase phase) const {
    const std::vector<Phase> phases = phases_of(state_.file, state_.options.settings);
    return std::find(phases.begin(), phases.end(), phase) != phases.end();
  }

  // In a session without a model file, all phases look at the data there are.
  std::unique_ptr<LoadedPhase> load(Phase phase) {
    if (!state_.file.path.empty() || !state_.current) return state_.load(phase, true);
    const LoadedModel& have = state_.current->loaded;
    const Database& data = state_.current->given_data();
    return std::make_unique<LoadedPhase>(
        LoadedPhase{phase,
                    LoadedModel{have.program, data, have.evaluations, state_.options_of(phase), {}},
                    nullptr});
  }

  void load_training() {
    auto training = load(Phase::kLearn);
    if (!settings_.from_facts) {
      require_labels(state_.file);
      state_.teller.tell(check_learning_data(state_.file, training->loaded, settings_.learn.loss));
    }
    state_.make_reasoner(*training);
    std::vector<Diagnostic> warnings;
    learnable_ = weights_to_learn(
        state_.file, training->loaded.program, *training->reasoner, settings_, warnings);
    old_weights_ = training->reasoner->weights();
    if (has_phase(Phase::kValidation)) load_validation(*training, warnings);
    training_ = learning_set(std::move(training));
    // What is asked of a text of Markov logic is not what it is learned from.
    if (settings_.from_facts) training_->labels.assign(training_->labels.size(), kLatent);
    warn_of_broken_rules(state_.file, *training_, warnings);
    state_.teller.tell(warnings);
  }

  void load_validation(const LoadedPhase& training, std::vector<Diagnostic>& warnings) {
    auto validation = load(Phase::kValidation);
    validation->loaded.program =
        validation_program(state_.file, training.loaded, validation->loaded, warnings);
    state_.make_reasoner(*validation);
    validation_ = learning_set(std::move(validation));
  }

  // Nothing, if there is nothing to infer.
  void load_evaluation() {
    auto loaded = load(Phase::kInfer);
    state_.make_reasoner(*loaded);
    if (loaded->reasoner->targets().empty() && loaded->reasoner->outputs().empty()) return;
    evaluation_ = learning_set(std::move(loaded));
  }

  // After all data is there: networks see the training set first.
  void load_networks() {
    if (!has_networks(state_.file)) return;
    const Stopwatch watch(state_.seconds.load);
    std::vector<Diagnostic> warnings;
    networks_ = make_model_networks(
        state_.file, training_->loaded(), Phase::kLearn, settings_.learn.seed, false, warnings);
    state_.teller.tell(warnings);
    if (goes_on()) go_on_from(state_.file, state_.networks, networks_);
    report_.networks = summarise(networks_, networks_.inputs);
    if (validation_) {
      validation_inputs_ =
          read_inputs(state_.file, validation_->loaded(), Phase::kValidation, networks_);
    }
    if (!evaluation_) return;
    evaluation_source_ =
        bind_networks(state_.file,
                      networks_,
                      read_inputs(state_.file, evaluation_->loaded(), Phase::kInfer, networks_));
  }

  // Whether the networks of the session are those of an earlier call.
  bool goes_on() const { return state_.learned && state_.networks; }

  // What is learned from instead of labels.
  void load_facts() {
    facts_ = training_->reasoner().fact_samples(settings_.learn.seed, events_);
    if (facts_) take_options(facts_->options);
  }

  // Inference with what was learned needs these, unless others are set.
  void take_options(const std::map<std::string, std::string>& options) {
    std::vector<OptionSetting>& in_file = options_of_all_phases(state_.file);
    const std::vector<OptionSetting> set = std::exchange(in_file, {});
    for (const auto& [name, value] : options) {
      in_file.push_back({name, value, {}, {}});
      if (evaluation_) evaluation_->loaded().options.set_below({name, value, {}, {}});
    }
    state_.file = with_overrides(std::move(state_.file), set, option_catalog());
  }

  void learn() {
    const Stopwatch watch(state_.seconds.learn);
    if (settings_.from_facts) load_facts();
    if (facts_ && facts_->training.energies.empty()) return keep_weights();
    LearningTask task{state_.file,
                      *training_,
                      validation_ ? &*validation_ : nullptr,
                      learnable_,
                      settings_,
                      files_,
                      [this](auto weights, auto networks) { write_model(weights, networks); },
                      networks_ ? &networks_ : nullptr,
                      std::move(validation_inputs_),
                      facts_ ? &*facts_ : nullptr};
    task.settings.learn.stop = events_.stop;
    std::optional<LearnEpoch> first, before;
    LearningOutcome outcome = run_learning(task, [&](const LearnEpoch& epoch) {
      if (!first) first = epoch;
      if (events_.progress) {
        events_.progress(
            {"learning",
             -1.0,
             progress_text(epoch, before.value_or(epoch), first->epoch, settings_.learn)});
      }
      before = epoch;
    });
    report_.goal = std::move(outcome.goal);
    report_.method = fmt::format("{}, {}, {}",
                                 report_.goal,
                                 name_of(settings_.learn.algorithm),
                                 name_of(settings_.learn.domain));
    report_.by_metric = outcome.by_metric;
    report_.stop = outcome.stop;
    report_.error = std::move(outcome.error);
    report_.history = std::move(outcome.history);
    report_.kept_epoch = outcome.kept_epoch;
    report_.weights = std::move(outcome.weights);
    report_.num_trained = outcome.num_trained;
    warn_of_collapse();
    warn_of_one_batch(outcome.undivided);
    if (outcome.by_metric) warn_of_idle_loss();
    report_.inference_seconds = outcome.inference_seconds;
    report_.network_seconds = outcome.network_seconds;
    is_learned_from_facts_ = facts_.has_value();
  }

  // There are no facts to learn from, but inference is another one than before.
  void keep_weights() {
    report_.stop = LearnStop::kEpochs;
    report_.weights = old_weights_;
    if (evaluation_) state_.make_reasoner(*evaluation_->data);
    if (!files_.output.empty()) write_model(report_.weights, {});
  }

  // The data of inference get the potentials of the encoder, and options that learning has chosen.
  void infer_as_encoded() {
    take_potentials(evaluation_->data->given_data());
    state_.make_reasoner(*evaluation_->data);
  }

  void take_potentials(Database& database) const {
    if (!facts_ || !facts_->potentials) return;
    const AtomPotentials potentials = facts_->potentials();
    for (PredicateId p = 0; p < potentials.size(); ++p) {
      replace_potentials(database, p, potentials[p]);
    }
  }

  void warn_of_collapse() {
    if (is_search(settings_.learn.algorithm)) return;
    if (const auto warning = collapse_of(settings_.learn, report_.history)) {
      state_.teller.tell({&*warning, 1});
    }
  }

  void warn_of_one_batch(const std::string& why) {
    if (why.empty() || !settings_.batches_asked_for) return;
    Diagnostics sink;
    sink.warning(DiagnosticCode::kIgnoredOptions,
                 Span{state_.file.path},
                 fmt::format("`learn.batch_components` has no effect: {}", why))
        .notes.push_back({"every step takes all of the data", {}});
    state_.teller.tell(sink.take_sorted());
  }

  void warn_of_idle_loss() {
    const auto asks = [](const OptionSetting& one) {
      return same_but_case(one.name, "learn.loss") && !one.value.empty();
    };
    const SessionOptions& given = state_.options;
    if (std::none_of(given.settings.begin(), given.settings.end(), asks) &&
        std::none_of(given.flags.begin(), given.flags.end(), asks)) {
      return;
    }
    Diagnostics sink;
    sink.warning(DiagnosticCode::kIgnoredOptions,
                 Span{},
                 fmt::format("`learn.loss` has no effect with the algorithm `{}`",
                             name_of(settings_.learn.algorithm)))
        .notes.push_back({"a search goes by the metric of the evaluation, where there is one", {}});
    state_.teller.tell(sink.take_sorted());
  }

  // The rules that are learned, with these weights.
  Program learned_program(std::span<const double> weights) const {
    Program program = training_->loaded().program;
    training_->reasoner().apply_options(program);
    set_weights(training_->reasoner(), weights, program);
    return program;
  }

  void write_model(std::span<const double> weights, std::span<const LearnedNetwork> networks) {
    if (!written_file_) {  // once: the data stays as it is
      const bool whole = !state_.file.is_text_of_markov_logic() && files_.output.ends_with(".json");
      written_file_ =
          whole ? with_tables_on_disk(with_updated_data(state_), files_.output) : state_.file;
    }
    Database& data = training_->data->given_data();
    take_potentials(data);
    const Program program = learned_program(weights);
    sorites::write_model(
        *written_file_, state_.options.settings, {program, data}, networks, files_.output);
  }

  // Infers and evaluates just as infer() would, with these weights for the rules that are learned.
  EvaluatedWeights evaluated(std::span<const double> weights) {
    const Stopwatch watch(state_.seconds.evaluate);
    if (events_.progress) events_.progress({"evaluating", -1.0, {}});
    Reasoner& reasoner = evaluation_->reasoner();
    Program program = evaluation_->loaded().program;
    copy_weights(learned_program(weights), program);
    reasoner.set_weights(weights_in(reasoner, program));
    std::vector<double> outputs;
    if (evaluation_source_) outputs = evaluation_source_->predict(0);
    const Answer answer = reasoner.infer(outputs, events_);
    EvaluatedWeights result{answer.status, answer.relative_gap, {}};
    if (!answer.is_usable()) return result;
    std::vector<Diagnostic> warnings;
    const TargetValues all = target_values(reasoner, answer.values, outputs);
    result.metrics = evaluate_model(evaluation_->loaded(), all.ranges, all.values, &warnings);
    state_.teller.tell(warnings);
    return result;
  }

  // The session goes on with what was learned.
  void hand_over() {
    state_.learned = learned_program(report_.weights);
    state_.updated.weights.clear();  // learning began with them
    if (facts_ && facts_->potentials) hand_over_encoded();
    if (state_.current) hand_over_to(*state_.current);
    state_.answer.reset();
    state_.outputs.reset();
    if (networks_) state_.networks = std::move(networks_);
    state_.networks.inputs.clear();  // they were those of learning
    changed_options_.stay();
  }

  // What the encoder says of atoms is data of the session from now on.
  void hand_over_encoded() {
    LoadedModel model{training_->loaded().program,
                      training_->data->given_data(),
                      training_->loaded().evaluations,
                      state_.options_of(state_.options.phase),
                      {}};
    take_potentials(model.database);
    state_.current =
        std::make_unique<LoadedPhase>(LoadedPhase{state_.options.phase, std::move(model), nullptr});
  }

  // What was loaded before is as if it were loaded now. Nothing is made here, where that could
  // fail, or be interrupted, when half of the session is another.
  void hand_over_to(LoadedPhase& phase) {
    phase.layer.reset();
    copy_weights(*state_.learned, phase.loaded.program);
    Settings options = state_.options_of(phase.phase);
    if (!says_the_same(options, phase.loaded.options)) {
      phase.loaded.options = std::move(options);
      const bool fits = phase.reasoner && phase.reasoner->set_options(phase.loaded.options);
      if (!fits) phase.restore();
    }
    if (Reasoner* reasoner = phase.reasoner.get()) {
      reasoner->set_weights(weights_in(*reasoner, phase.loaded.program));
    }
  }

  void describe() {
    const Reasoner& reasoner = training_->reasoner();
    report_.semantics = state_.semantics;
    report_.options = settings_.learn;
    report_.loss = to_text(settings_.learn.loss);
    report_.rules = reasoner.rules();
    report_.terms = reasoner.size().rule_terms;
    for (const WeightSlot& slot : reasoner.weight_slots()) {
      report_.rule_of_weight.push_back(slot.rule);
    }
    report_.learned = learnable_;
    report_.old_weights = old_weights_;
    report_.text =
        rules_text(state_.file, {learned_program(report_.weights), training_->loaded().database});
    report_.metric = primary_metric_of(*training_);
    report_.predicates = training_->loaded().program.predicates;
    report_.output = files_.output;
  }

  Session::State& state_;
  LearningFiles files_;
  const RunEvents& events_;
  ChangedOptions changed_options_;
  LearnSettings settings_;
  const Deadline::Clock::time_point begin_ = Deadline::Clock::now();
  double limit_seconds_ = 0.0, spent_before_ = 0.0;
  double evaluation_seconds_ = 0.0;
  bool is_learned_from_facts_ = false;
  std::optional<LearningSet> training_, validation_, evaluation_;
  std::vector<bool> learnable_;            // per weight
  std::optional<ModelFile> written_file_;  // none: nothing was written yet
  std::vector<double> old_weights_;
  ModelNetworks networks_;
  std::optional<FactSamples> facts_;  // none: there are labels
  std::vector<NetworkInputs> validation_inputs_;
  std::unique_ptr<OutputSource> evaluation_source_;  // the networks on the data of inference
  LearnReport report_;
};

}  // namespace

LearnReport Session::learn(const LearningFiles& files, bool evaluate) {
  State& state = *state_;
  state.seconds = {};
  LearnReport report;
  {
    const Stopwatch total(state.seconds.total);
    report = Learner(state, files).run(evaluate);
  }
  report.seconds = state.seconds;
  return report;
}

}  // namespace sorites
