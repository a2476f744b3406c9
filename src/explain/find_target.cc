#include "explain/find_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "base/constant.h"
#include "base/diagnostics.h"
#include "data/atom_text.h"

namespace sorites {
namespace {

[[noreturn]] void fail_atom(std::string message, std::vector<Note> notes = {}) {
  Diagnostics sink;
  sink.error(DiagnosticCode::kUnknownAtom, Span{}, std::move(message)).notes = std::move(notes);
  throw InputError(sink.take_sorted());
}

// Reads Name(constant, ...). Constants are quoted as in the rule language, or bare up to the next
// comma or bracket.
class AtomReader {
 public:
  explicit AtomReader(std::string_view text) : text_(text) {}

  std::string name;
  std::vector<std::string> constants;

  bool read() {
    skip_space();
    while (at_ < text_.size() && (is_word(text_[at_]) || text_[at_] == '$')) name += text_[at_++];
    if (name.empty() || !take('(')) return false;
    do {
      skip_space();
      if (at_ < text_.size() && (text_[at_] == '\'' || text_[at_] == '"')) {
        if (!read_quoted()) return false;
      } else if (!read_bare()) {
        return false;
      }
    } while (take(','));
    return take(')') && (skip_space(), at_ == text_.size());
  }

 private:
  static bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  }
  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool take(char c) {
    skip_space();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool read_quoted() {
    const char quote = text_[at_++];
    std::string& constant = constants.emplace_back();
    while (at_ < text_.size() && text_[at_] != quote) {
      char c = text_[at_++];
      if (c == '\\' && at_ < text_.size()) {
        const char escaped = text_[at_++];
        c = escaped == 't' ? '\t' : escaped == 'n' ? '\n' : escaped == 'r' ? '\r' : escaped;
      }
      constant += c;
    }
    return take(quote);
  }
  bool read_bare() {
    std::string& constant = constants.emplace_back();
    while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != ')') constant += text_[at_++];
    while (!constant.empty() && std::isspace(static_cast<unsigned char>(constant.back())) != 0) {
      constant.pop_back();
    }
    return !constant.empty();
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// Nothing, if nothing is near.
std::vector<Note> did_you_mean(std::string_view near) {
  std::vector<Note> notes;
  if (!near.empty()) notes.push_back({fmt::format("did you mean `{}`?", near), {}});
  return notes;
}

PredicateId find_predicate(const Database& database, const std::string& name) {
  const auto same = [](std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
      return std::tolower(x) == std::tolower(y);
    });
  };
  std::vector<std::string_view> known;
  for (PredicateId p = 0; p < database.predicates().size(); ++p) {
    if (same(database.predicates()[p].name, name)) return p;
    known.emplace_back(database.predicates()[p].name);
  }
  const std::string_view near = nearest_name(name, known);
  fail_atom(fmt::format("there is no predicate `{}`", name), did_you_mean(near));
}

std::vector<Note> nearest_constant(const Dictionary& dictionary, const std::string& constant) {
  constexpr std::size_t kMost = 100'000;  // more would take longer than a user likes to wait
  if (dictionary.size() > kMost) return {};
  std::vector<std::string> texts;
  for (Code code = 0; code < dictionary.size(); ++code) texts.push_back(dictionary.text(code));
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  const std::string_view near = nearest_name(constant, views);
  return did_you_mean(near);
}

// The codes of the constants; says which of them no atom has.
std::vector<Code> codes_of(const Database& database,
                           const Predicate& predicate,
                           const std::vector<std::string>& constants,
                           const std::string& atom) {
  std::vector<Code> codes;
  for (std::size_t i = 0; i < constants.size(); ++i) {
    const ConstantType type = constant_type(predicate.types[i]);
    const auto canonical = canonical_constant(type, constants[i]);
    if (!canonical) {
      fail_atom(fmt::format("argument {} of `{}` is of type {}: '{}' is not",
                            i + 1,
                            predicate.name,
                            name_of(type),
                            constants[i]));
    }
    const auto code = database.dictionary(predicate.domain(i)).find(*canonical);
    if (!code) {
      fail_atom(fmt::format("`{}` is no target: '{}' stands nowhere in the data", atom, *canonical),
                nearest_constant(database.dictionary(predicate.domain(i)), *canonical));
    }
    codes.push_back(*code);
  }
  return codes;
}

[[noreturn]] void fail_observed(const Database& database,
                                PredicateId predicate,
                                RowId row,
                                const std::string& atom) {
  const Span origin = database.origin(predicate, row);
  std::vector<Note> notes;
  if (!origin.file.empty()) notes.push_back({"observed here", origin});
  fail_atom(fmt::format("`{}` is observed, with value {:.6g}; only targets are inferred",
                        atom,
                        database.relation(predicate).table(Partition::kObserved).value(row.row)),
            std::move(notes));
}

// The targets that differ in their class alone.
std::vector<TargetRow> rows_of_all_classes(const Database& database,
                                           PredicateId id,
                                           const std::vector<std::string>& constants) {
  const Predicate& predicate = database.predicates()[id];
  const std::string atom = atom_text(predicate, constants);
  const std::vector<Code> codes = codes_of(database, predicate, constants, atom);
  const Table& table = database.relation(id).table(Partition::kTarget);
  std::vector<TargetRow> rows;
  for (std::uint32_t row = 0; row < table.num_rows; ++row) {
    bool same = true;
    for (std::size_t k = 0; k < codes.size(); ++k) same = same && table.columns[k][row] == codes[k];
    if (same) rows.push_back({id, row});
  }
  if (rows.empty()) fail_atom(fmt::format("no class of `{}` is a target", atom));
  return rows;
}

// A row of the observations with another class, if the predicate has classes.
std::optional<RowId> find_observed_class(const Database& database,
                                         PredicateId id,
                                         std::vector<Code> codes) {
  const Predicate& predicate = database.predicates()[id];
  if (!predicate.has_classes) return std::nullopt;
  const std::size_t num_classes = database.dictionary(predicate.domain(codes.size() - 1)).size();
  for (codes.back() = 0; codes.back() < num_classes; ++codes.back()) {
    const auto row = database.relation(id).find(codes);
    if (row && row->partition == Partition::kObserved) return row;
  }
  return std::nullopt;
}

// An atom of a predicate all of whose atoms are inferred that are not observed.
TargetRow unknown_atom(const Database& database, PredicateId id, const std::vector<Code>& codes) {
  const auto row = database.relation(id).find(codes);
  const auto observed = row && row->partition == Partition::kObserved
                            ? row
                            : find_observed_class(database, id, codes);
  if (observed) {
    fail_observed(database,
                  id,
                  *observed,
                  atom_text(database.predicates()[id], database.arguments(id, *observed)));
  }
  return row ? TargetRow{id, row->row} : TargetRow{id, kNoTarget, codes};
}

std::vector<TargetRow> unknown_classes(const Database& database,
                                       PredicateId id,
                                       const std::vector<std::string>& constants) {
  const Predicate& predicate = database.predicates()[id];
  std::vector<Code> codes =
      codes_of(database, predicate, constants, atom_text(predicate, constants));
  const std::size_t num_classes = database.dictionary(predicate.domain(codes.size())).size();
  std::vector<TargetRow> rows;
  codes.push_back(0);
  for (; codes.back() < num_classes; ++codes.back()) {
    rows.push_back(unknown_atom(database, id, codes));
  }
  return rows;
}

}  // namespace

std::vector<TargetRow> find_targets(const Database& database,
                                    std::string_view text,
                                    const std::function<bool(PredicateId)>& infers_all) {
  AtomReader reader(text);
  if (!reader.read()) {
    fail_atom(fmt::format("`{}` is no atom", text), {{"write it like Knows('ann', 'bob')", {}}});
  }
  const PredicateId id = find_predicate(database, reader.name);
  const Predicate& predicate = database.predicates()[id];
  const bool all = infers_all && infers_all(id);
  if (predicate.has_classes && reader.constants.size() + 1 == predicate.arity()) {
    return all ? unknown_classes(database, id, reader.constants)
               : rows_of_all_classes(database, id, reader.constants);
  }
  if (reader.constants.size() != predicate.arity()) {
    fail_atom(fmt::format("`{}` has {} argument{}, not {}",
                          predicate.name,
                          predicate.arity(),
                          predicate.arity() == 1 ? "" : "s",
                          reader.constants.size()));
  }
  const std::string atom = atom_text(predicate, reader.constants);
  if (!predicate.open) {
    const auto missing = fmt::format("`{}` is closed: all its atoms are observed", predicate.name);
    const auto codes = codes_of(database, predicate, reader.constants, atom);
    if (const auto row = database.relation(id).find(codes)) {
      fail_observed(database, id, *row, atom);
    }
    fail_atom(fmt::format("`{}` is no target: {}, and this one is not among them", atom, missing));
  }
  const std::vector<Code> codes = codes_of(database, predicate, reader.constants, atom);
  if (all) return {unknown_atom(database, id, codes)};
  const auto row = database.relation(id).find(codes);
  if (!row) fail_atom(fmt::format("`{}` is neither observed nor a target", atom));
  if (row->partition == Partition::kObserved) fail_observed(database, id, *row, atom);
  return {{id, row->row}};
}

}  // namespace sorites
