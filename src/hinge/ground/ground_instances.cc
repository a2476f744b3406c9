#include "hinge/ground/ground_instances.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "hinge/ground/narrow.h"
#include "hinge/model/term_block.h"
#include "join/join_tasks.h"

namespace sorites {
namespace {

using Key = std::string;  // the numbers of a term, as bytes

// A relaxed equality stands twice in the model, once with all signs turned; the program's ground
// rule has one of them. So for hard rules the first coefficient counts as positive.
Key key_of(const TermBlock& block, std::size_t term, bool either_sign) {
  const double first = !block.coefficients.empty()          ? block.coefficients.front()
                       : !block.output_coefficients.empty() ? block.output_coefficients.front()
                                                            : block.offset_of(term);
  const double sign = either_sign && first < 0 ? -1.0 : 1.0;
  Key key(1, static_cast<char>(block.width()));  // tells atoms from outputs
  const auto add_number = [&](double number) {
    number = sign * number + 0.0;  // -0.0 becomes 0.0
    key.append(reinterpret_cast<const char*>(&number), sizeof number);
  };
  const auto atoms = block.atoms_of(term);
  const auto outputs = block.outputs_of(term);
  key.append(reinterpret_cast<const char*>(atoms.data()), atoms.size_bytes());
  key.append(reinterpret_cast<const char*>(outputs.data()), outputs.size_bytes());
  for (const double coefficient : block.coefficients) add_number(coefficient);
  for (const double coefficient : block.output_coefficients) add_number(coefficient);
  add_number(block.offset_of(term));
  return key;
}

// What is looked for among the terms of one rule: for every key, the places in the result of the
// terms that are the first, second, ... with these numbers.
struct Wanted {
  std::unordered_map<Key, std::map<std::size_t, std::vector<std::size_t>>> keys;
  std::unordered_map<Key, std::size_t> seen;
  std::size_t missing = 0;

  // The places that the next ground rule with this key is wanted for.
  const std::vector<std::size_t>* next(const Key& key) {
    const auto found = keys.find(key);
    if (found == keys.end()) return nullptr;
    const auto place = found->second.find(seen[key]++);
    return place == found->second.end() ? nullptr : &place->second;
  }
};

// Notes the wanted terms of a block, each with how many before it have the same numbers.
void add_wanted(const TermBlock& block,
                bool either_sign,
                const std::map<std::uint32_t, std::vector<std::size_t>>& places,
                Wanted& wanted) {
  std::unordered_map<Key, std::size_t> count;
  for (const auto& [term, unused] : places) count[key_of(block, term, either_sign)] = 0;
  const std::uint32_t last = places.rbegin()->first;
  for (std::uint32_t t = 0; t <= last; ++t) {
    const auto found = count.find(key_of(block, t, either_sign));
    if (found == count.end()) continue;
    const std::size_t number = found->second++;
    if (const auto asked = places.find(t); asked != places.end()) {
      auto& list = wanted.keys[found->first][number];
      list.insert(list.end(), asked->second.begin(), asked->second.end());
      wanted.missing += asked->second.size();
    }
  }
}

class InstanceFinder {
 public:
  InstanceFinder(const Program& program,
                 const Database& database,
                 const GroundOptions& options,
                 std::vector<std::optional<GroundInstance>>& found)
      : options_(options),
        context_{
            program, database, lay_out(program, database, numbering_), options.on_missing_target},
        statistics_(database),
        coverage_(statistics_),
        tries_(database),
        pool_(options.threads),
        found_(found) {}

  void find(const Rule& rule, Wanted& wanted) {
    const NarrowContext narrow{context_, statistics_, coverage_, options_.plan};
    for (const RuleQuery& query : narrowed_queries(rule, narrow)) {
      if (wanted.missing > 0) run(rule, query, wanted);
    }
  }

 private:
  // Whole tasks at first, as grounding does; those that hold a wanted term again, one binding at a
  // time.
  void run(const Rule& rule, const RuleQuery& query, Wanted& wanted) {
    const JoinPlan plan = make_plan(query.query, statistics_, tries_);
    const JoinTasks tasks(plan, context_.database, pool_);
    Join join(plan, context_.database);
    const auto emitter = make_emitter(context_, rule, query, plan);
    const bool either_sign = !rule.weight;
    for (const JoinTask& task : tasks.all()) {
      if (wanted.missing == 0) return;
      TaskResult result;
      emitter->begin(result);
      const auto add = [&](const JoinBatch& batch) { emitter->add(batch); };
      if (!join.run(task, add, options_.stop)) throw Interrupted();
      if (!holds_wanted(result, either_sign, wanted)) continue;
      const auto look = [&](const JoinBatch& batch) {
        for (const std::uint32_t binding : batch.selected()) {
          look_at(batch, binding, query, either_sign, *emitter, wanted);
        }
      };
      if (!join.run(task, look, options_.stop)) throw Interrupted();
    }
  }

  static bool holds_wanted(TaskResult& result, bool either_sign, const Wanted& wanted) {
    for (const TermBlock& block : result.blocks.blocks()) {
      for (std::size_t t = 0; t < block.num_terms; ++t) {
        if (wanted.keys.count(key_of(block, t, either_sign)) != 0) return true;
      }
    }
    return false;
  }

  void look_at(const JoinBatch& batch,
               std::uint32_t binding,
               const RuleQuery& query,
               bool either_sign,
               Emitter& emitter,
               Wanted& wanted) {
    TaskResult result;
    emitter.begin(result);
    emitter.add(batch.only(binding));
    for (const TermBlock& block : result.blocks.blocks()) {
      for (std::size_t t = 0; t < block.num_terms; ++t) {
        const auto* places = wanted.next(key_of(block, t, either_sign));
        if (places == nullptr) continue;
        wanted.missing -= places->size();
        const GroundInstance instance = instance_of(batch, binding, query, emitter);
        for (const std::size_t place : *places) found_[place] = instance;
      }
    }
  }

  static GroundInstance instance_of(const JoinBatch& batch,
                                    std::uint32_t binding,
                                    const RuleQuery& query,
                                    Emitter& emitter) {
    GroundInstance instance;
    instance.is_clause = query.is_clause;
    instance.atoms = emitter.atoms(batch, binding);
    instance.constant = emitter.constant(batch, binding);
    const bool equal = query.forms.size() == 2 || query.forms[0].kind == TermKind::kEqual;
    instance.op = equal                     ? RelationalOperator::kEqual
                  : query.forms[0].sign > 0 ? RelationalOperator::kLessEqual
                                            : RelationalOperator::kGreaterEqual;
    return instance;
  }

  const GroundOptions& options_;
  Model numbering_;
  EmitContext context_;
  ColumnStatistics statistics_;
  Coverage coverage_;
  TrieStore tries_;
  ThreadPool pool_;
  std::vector<std::optional<GroundInstance>>& found_;
};

}  // namespace

std::vector<std::optional<GroundInstance>> ground_instances(const Program& program,
                                                            const Database& database,
                                                            const Model& model,
                                                            std::span<const TermPlace> terms,
                                                            const GroundOptions& options) {
  std::map<std::uint32_t, std::map<std::uint32_t, std::vector<std::size_t>>> by_block;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    by_block[terms[i].block][terms[i].term].push_back(i);
  }
  std::map<std::uint32_t, Wanted> by_rule;
  for (const auto& [block, places] : by_block) {
    const std::uint32_t rule = model.blocks[block].rule;
    if (rule >= program.rules.size()) continue;
    add_wanted(model.blocks[block], !program.rules[rule].weight, places, by_rule[rule]);
  }
  std::vector<std::optional<GroundInstance>> found(terms.size());
  InstanceFinder finder(program, database, options, found);
  for (auto& [rule, wanted] : by_rule) finder.find(program.rules[rule], wanted);
  return found;
}

}  // namespace sorites
