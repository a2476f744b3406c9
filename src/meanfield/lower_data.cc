#include "meanfield/lower_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "base/between_looks.h"
#include "learn/energy.h"
#include "meanfield/lower_rules.h"

namespace sorites::meanfield {
namespace {

// Numbers of atoms times classes fit 64 bits by far.
constexpr double kMostAtoms = 1099511627776.0;  // 2^40
constexpr std::uint64_t kMostPotentials = std::uint64_t{1} << 32U;

class PredicateLowering {
 public:
  PredicateLowering(const DataToLower& data,
                    PredicateId predicate,
                    MeanFieldModel& model,
                    Diagnostics& sink)
      : data_(data),
        id_(predicate),
        predicate_(data.program.predicates[predicate]),
        relation_(data.database.relation(predicate)),
        model_(model),
        sink_(sink) {}

  void lower() {
    MeanFieldPredicate& to = model_.predicates.emplace_back();
    model_.facts.emplace_back();
    model_.unaries.emplace_back();
    to.name = predicate_.name;
    to.arguments = data_.domains.of_argument[id_];
    to.closed = !predicate_.open && !predicate_.neural;
    to.listed = !to.closed && !predicate_.open_world && !data_.has_classes[id_];
    if (data_.has_classes[id_]) lower_classes(to);
    if (has_too_many_atoms(to)) return;
    lower_facts();
    if (!to.closed) lower_targets();
    if (data_.database.potentials(id_).num_rows > 0) lower_potentials();
  }

 private:
  // The constants of a domain with a name, or those that occur in the column.
  void lower_classes(MeanFieldPredicate& to) {
    const std::size_t last = predicate_.arity() - 1;
    const DomainId domain = predicate_.domain(last);
    const bool named = domain >= builtin_domains().size();
    to.arguments.pop_back();
    if (named || predicate_.open_world) {
      to.classes = all_codes(data_.database, domain);
    } else {
      for (const Partition partition : {Partition::kObserved, Partition::kTarget}) {
        const std::vector<Code>& column = relation_.table(partition).columns[last];
        to.classes.insert(to.classes.end(), column.begin(), column.end());
      }
      const std::vector<Code>& column = data_.database.potentials(id_).columns[last];
      to.classes.insert(to.classes.end(), column.begin(), column.end());
      std::sort(to.classes.begin(), to.classes.end());
      to.classes.erase(std::unique(to.classes.begin(), to.classes.end()), to.classes.end());
    }
    const Dictionary& dictionary = data_.database.dictionary(domain);
    for (const Code code : to.classes) to.class_names.push_back(dictionary.text(code));
    if (to.classes.size() < 2) report_too_few(to.class_names);
  }

  void report_too_few(const std::vector<std::string>& classes) {
    const Span& rule = data_.class_rules[id_];
    const bool has_targets = relation_.table(Partition::kTarget).num_rows > 0;
    if (rule.file.empty()) {
      sink_
          .error(DiagnosticCode::kUnknownClass,
                 has_targets ? data_.database.origin(id_, {Partition::kTarget, 0}) : Span{},
                 fmt::format("`{}` has classes, but there are not two of them", predicate_.name))
          .notes.push_back({"list them in the domain of its last argument", {}});
      return;
    }
    sink_
        .error(DiagnosticCode::kUnknownClass,
               rule,
               fmt::format("exactly one atom of `{}` is to be true, but its last argument has {}, "
                           "so there is no choice",
                           predicate_.name,
                           classes.empty() ? "no values"
                                           : fmt::format("one value alone, `{}`", classes[0])))
        .notes.push_back(
            {"list targets with two values or more, or observe the atoms instead", {}});
  }

  bool has_too_many_atoms(const MeanFieldPredicate& to) {
    double atoms = 1.0;
    std::string sizes;
    for (const std::uint32_t domain : to.arguments) {
      atoms *= model_.domains[domain].size();
      if (!sizes.empty()) sizes += " * ";
      sizes += fmt::format("{}", model_.domains[domain].size());
    }
    if (atoms <= kMostAtoms) return false;
    sink_.error(DiagnosticCode::kTooManyAtoms,
                Span{},
                fmt::format("`{}` would have {} atoms, more than 2^40", predicate_.name, sizes));
    return true;
  }

  void look_at_the_clock(std::uint32_t row) const {
    if (row % kBetweenLooks == 0 && data_.stop.stop_requested()) throw Interrupted();
  }

  bool with_classes() const { return data_.has_classes[id_]; }

  // The atom of a row, without its class.
  std::uint64_t atom_of(const Table& table, std::size_t row) const {
    const std::vector<std::uint32_t>& arguments = model_.predicates[id_].arguments;
    std::uint64_t number = 0;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      const MeanFieldDomain& domain = model_.domains[arguments[k]];
      number = number * domain.size() + *domain.find(table.columns[k][row]);
    }
    return number;
  }

  std::optional<std::uint32_t> class_of(const Table& table, std::size_t row) const {
    const std::vector<Code>& classes = model_.predicates[id_].classes;
    const Code code = table.columns.back()[row];
    const auto at = std::lower_bound(classes.begin(), classes.end(), code);
    if (at == classes.end() || *at != code) return std::nullopt;
    return static_cast<std::uint32_t>(at - classes.begin());
  }

  std::string row_text(RowId row) const {
    return fmt::format(
        "{}({})", predicate_.name, fmt::join(data_.database.arguments(id_, row), ", "));
  }

  // Facts are true or false, and of an atom with classes one class is given.
  bool is_fit(std::uint32_t row, double value) {
    const bool is_class = with_classes();
    if (value == 1.0 || (value == 0.0 && !is_class)) return true;
    const RowId id{Partition::kObserved, row};
    const std::string message =
        value == 0.0
            ? fmt::format("`{}` is observed to be 0: which class it is not says too little",
                          row_text(id))
            : fmt::format("`{}` is observed to be {}: in Markov logic atoms are true or false",
                          row_text(id),
                          value);
    sink_.error(DiagnosticCode::kUnfitSemantics, data_.database.origin(id_, id), message)
        .notes.push_back({value == 0.0 ? "observe the class that it has"
                                       : "give 0 or 1, or choose hinge-loss semantics",
                          {}});
    return false;
  }

  void lower_facts() {
    const Table& table = relation_.table(Partition::kObserved);
    std::vector<KnownAtom>& facts = model_.facts[id_];
    facts.reserve(table.num_rows);
    for (std::uint32_t row = 0; row < table.num_rows; ++row) {
      look_at_the_clock(row);
      const double value = table.value(row);
      if (!is_fit(row, value)) return;
      facts.push_back({atom_of(table, row),
                       with_classes() ? *class_of(table, row)
                       : value == 1.0 ? 1U
                                      : 0U});
    }
    std::sort(facts.begin(), facts.end());
    const auto twice =
        std::adjacent_find(facts.begin(), facts.end(), [](const KnownAtom& a, const KnownAtom& b) {
          return a.atom == b.atom;
        });
    if (twice != facts.end()) report_two_classes(twice->atom);
  }

  void report_two_classes(std::uint64_t atom) {
    const Table& table = relation_.table(Partition::kObserved);
    std::vector<RowId> rows;
    for (std::uint32_t row = 0; row < table.num_rows; ++row) {
      if (atom_of(table, row) == atom) rows.push_back({Partition::kObserved, row});
    }
    Diagnostic& error =
        sink_.error(DiagnosticCode::kContradictingFacts,
                    data_.database.origin(id_, rows[1]),
                    fmt::format("`{}` and `{}` are observed, but an atom has one class",
                                row_text(rows[0]),
                                row_text(rows[1])));
    const Span before = data_.database.origin(id_, rows[0]);
    if (!before.file.empty()) error.notes.push_back({"before", before});
  }

  void lower_targets() {
    const Table& table = relation_.table(Partition::kTarget);
    std::set<std::uint64_t> known_classes;  // atoms with a true class
    const Table& truth = relation_.table(Partition::kTruth);
    if (with_classes()) find_known_classes(truth, known_classes);
    std::vector<Code> codes(predicate_.arity());
    for (std::uint32_t row = 0; row < table.num_rows; ++row) {
      look_at_the_clock(row);
      for (std::size_t k = 0; k < codes.size(); ++k) codes[k] = table.columns[k][row];
      const MeanFieldAtom atom{
          id_, atom_of(table, row), with_classes() ? *class_of(table, row) : 1};
      double label = known_classes.contains(atom.atom) ? 0.0 : kLatent;
      if (const auto at = relation_.find_truth(codes)) label = truth.value(*at);
      model_.task.targets.push_back(atom);
      model_.task.labels.push_back(label);
      if (predicate_.neural) model_.task.outputs.push_back(atom);
    }
  }

  // If one class of an atom is true, the others are not, whether the data says so or not.
  void find_known_classes(const Table& truth, std::set<std::uint64_t>& known) const {
    const std::vector<std::uint32_t>& arguments = model_.predicates[id_].arguments;
    for (std::uint32_t row = 0; row < truth.num_rows; ++row) {
      bool exists = truth.value(row) == 1.0;
      for (std::size_t k = 0; k < arguments.size(); ++k) {
        exists = exists && model_.domains[arguments[k]].find(truth.columns[k][row]).has_value();
      }
      if (exists) known.insert(atom_of(truth, row));
    }
  }

  // They stand one beside the other, so all atoms of the predicate need room.
  void lower_potentials() {
    const Table& table = data_.database.potentials(id_);
    const std::size_t num_classes = std::max<std::size_t>(model_.predicates[id_].num_classes(), 1);
    const std::uint64_t count = num_atoms(model_, id_) * num_classes;
    if (model_.predicates[id_].closed || count > kMostPotentials) {
      sink_.error(
          model_.predicates[id_].closed ? DiagnosticCode::kBadValue : DiagnosticCode::kTooManyAtoms,
          data_.database.potential_origin(id_, 0),
          model_.predicates[id_].closed
              ? fmt::format("`{}` is closed: all its atoms are known", predicate_.name)
              : fmt::format(
                    "`{}` has {} atoms, too many for unary potentials", predicate_.name, count));
      return;
    }
    std::vector<float>& numbers = model_.unaries[id_];
    numbers.assign(count, 0.0F);
    for (std::size_t row = 0; row < table.num_rows; ++row) {
      if (std::abs(table.value(row)) > kLargestLogOdds) {
        sink_.error(DiagnosticCode::kUnfitSemantics,
                    data_.database.potential_origin(id_, static_cast<std::uint32_t>(row)),
                    fmt::format("log-odds of {} are more than probabilities can be computed with: "
                                "at most {} in size",
                                table.value(row),
                                kLargestLogOdds));
        return;
      }
      const std::size_t value = with_classes() ? *class_of(table, row) : 0;
      numbers[atom_of(table, row) * num_classes + value] = static_cast<float>(table.value(row));
    }
  }

  const DataToLower& data_;
  PredicateId id_;
  const Predicate& predicate_;
  const Relation& relation_;
  MeanFieldModel& model_;
  Diagnostics& sink_;
};

}  // namespace

void lower_data(const DataToLower& data, MeanFieldModel& model, Diagnostics& sink) {
  for (PredicateId p = 0; p < data.program.predicates.size(); ++p) {
    PredicateLowering(data, p, model, sink).lower();
  }
}

}  // namespace sorites::meanfield
