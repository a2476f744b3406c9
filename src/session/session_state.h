// What a session holds: a model file or a program, its data, the reasoner and networks on them.
// Each is made when it is needed, and kept.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "perception/model_networks.h"
#include "semantics/layer.h"
#include "semantics/reasoner.h"
#include "sorites/session.h"

namespace sorites {

// Passes warnings on, each once, whichever phase or call finds it.
class Teller {
 public:
  explicit Teller(const RunEvents& events) : events_(events) {}

  void tell(std::span<const Diagnostic> diagnostics);

 private:
  const RunEvents& events_;
  // Codes, places and messages: there may be as many as rules.
  std::set<std::tuple<std::string, std::string, std::uint32_t, std::uint32_t, std::string>> told_;
};

class RowChanges;

// The data of one phase, and what is made of it.
struct LoadedPhase {
  Phase phase = Phase::kInfer;
  LoadedModel loaded;
  std::unique_ptr<Reasoner> reasoner;  // null until it is asked for
  std::unique_ptr<Layer> layer;  // of this data, options and reasoner; null: none was asked for
  // The data as it was before the reasoner added unknown atoms of open worlds, and the classes that
  // are not those observed; none: it adds nothing.
  std::optional<Database> given = {};

  bool gets_atoms() const;  // whether a reasoner may add some
  Database& given_data() { return given ? *given : loaded.database; }
  // Back to the data as it was given, without a reasoner.
  void restore();
};

// What updates changed: of each atom and rule the last change.
struct UpdateMemory {
  struct Change {
    AtomChange atom;
    bool is_target = false;
    // Whether an update gave it its place before the last one removed it: where other data still
    // has it elsewhere, that is where it was moved from.
    bool was_placed = false;
  };
  std::map<std::pair<std::string, std::vector<std::string>>, Change> atoms;
  std::map<RuleId, double> weights;

  void add(const SessionUpdate& update);
  // Changes data that was read after the updates. Atoms to be removed that it does not have are no
  // mistake. Throws std::invalid_argument.
  void repeat(LoadedModel& loaded) const;

 private:
  void add_to(RowChanges& rows) const;
};

struct Session::State {
  State(ModelFile file, SessionOptions options);

  ModelFile file;  // without predicates: the program came from elsewhere
  SessionOptions options;
  Teller teller;
  std::string semantics;
  StageSeconds seconds;          // of the call that runs
  double opening_seconds = 0.0;  // that reading the model file took, until a time limit counts them
  std::vector<Diagnostic> opening_warnings;  // of the model file itself

  std::unique_ptr<LoadedPhase> current;  // of options.phase; null until it is asked for
  ModelNetworks networks;
  std::optional<std::vector<double>> outputs;  // of the networks; none until they ran
  std::optional<Answer> answer;                // the last one
  std::string snapshot, warm_start;            // the files that it began with, if any
  std::optional<Program> learned;              // rules with learned weights
  UpdateMemory updated;                        // for phases that are read later

  // Reads the rules and data of a phase, which may be to learn. Throws InputError, Interrupted.
  std::unique_ptr<LoadedPhase> load(Phase phase, bool learns = false);
  // Grounds or compiles it, from the data as given.
  void make_reasoner(LoadedPhase& phase, const std::string& from_snapshot = {});

  // As a phase that is loaded now has them.
  Settings options_of(Phase phase) const;
  // Those of the current phase, whether it is loaded or not.
  Settings present_options() const;
  LoadedPhase& loaded();                                      // the current phase
  Reasoner& reasoner(const std::string& from_snapshot = {});  // of the current phase
  const std::vector<double>& network_outputs();

  void forget_data();  // to be read anew
  // Forgets what networks say, if they look at a graph that has changed.
  void forget_outputs_of(std::span<const RowChange> changes);
  void change_options();  // of the current phase, which is loaded: those of the file and the flags
};

// The predicates that the model calls integer.
std::vector<PredicateId> integer_predicates(const ModelFile& file, const Program& program);

}  // namespace sorites
