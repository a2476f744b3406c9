#include "session/updated_data.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "base/constant.h"
#include "modelfile/predicate_reader.h"

namespace sorites {
namespace {

// Truth is no matter of updates.
bool can_change(const DataSource& source) { return source.partition != Partition::kTruth; }

bool has_targets(const PredicateDeclaration& predicate) {
  return std::any_of(predicate.data.begin(), predicate.data.end(), [](const DataSource& source) {
    return source.partition == Partition::kTarget;
  });
}

void add_rows(const Database& database,
              PredicateId p,
              Section section,
              std::vector<DataSource>& sources) {
  for (const Partition partition : {Partition::kObserved, Partition::kTarget}) {
    const Table& table = database.relation(p).table(partition);
    for (std::uint32_t row = 0; row < table.num_rows; ++row) {
      DataSource& source = sources.emplace_back();
      source.partition = partition;
      source.section = section;
      source.row = database.arguments(p, {partition, row});
      if (!table.values.empty()) source.row.push_back(to_text(table.values[row]));
    }
  }
}

class UpdatedData {
 public:
  explicit UpdatedData(Session::State& state) : state_(state), file_(state.file) {}

  ModelFile run() && {
    for (const auto& [atom, change] : state_.updated.atoms) {
      const auto p = find_declaration(file_, change.atom.predicate);
      if (p && changed_.insert(*p).second) write_rows(static_cast<PredicateId>(*p));
    }
    return std::move(file_);
  }

 private:
  void write_rows(PredicateId p) {
    PredicateDeclaration& predicate = file_.predicates[p];
    const bool is_common =
        std::all_of(predicate.data.begin(), predicate.data.end(), [](const DataSource& source) {
          return !can_change(source) || source.section == Section::kAll;
        });
    const bool had_targets = has_targets(predicate);
    std::erase_if(predicate.data, can_change);
    if (is_common) {
      add_rows(state_.loaded().given_data(), p, Section::kAll, predicate.data);
    } else {
      for (const Phase phase : phases()) {
        add_rows(data_of(phase), p, section_of(phase), predicate.data);
      }
    }
    // Targets made it open, which it stays without them.
    if (had_targets && !has_targets(predicate)) predicate.force_open = true;
  }

  // Common rows are data of phases for which the model has nothing else; there is no validation
  // where it had none.
  std::vector<Phase> phases() const {
    std::vector<Phase> result = {Phase::kLearn, Phase::kInfer};
    const std::vector<Phase> have = phases_of(state_.file, state_.options.settings);
    if (std::find(have.begin(), have.end(), Phase::kValidation) != have.end()) {
      result.push_back(Phase::kValidation);
    }
    return result;
  }

  const Database& data_of(Phase phase) {
    LoadedPhase& present = state_.loaded();
    if (present.phase == phase) return present.given_data();
    std::unique_ptr<LoadedPhase>& other = others_[phase];
    if (!other) other = state_.load(phase);
    return other->given_data();
  }

  Session::State& state_;
  ModelFile file_;
  std::set<std::size_t> changed_;
  std::map<Phase, std::unique_ptr<LoadedPhase>> others_;
};

}  // namespace

ModelFile with_updated_data(Session::State& state) { return UpdatedData(state).run(); }

}  // namespace sorites
