// The C API over Session: rows in and out.
#include <fmt/format.h>

#include <limits>
#include <stdexcept>
#include <utility>

#include "base/utf8.h"
#include "capi/guarded.h"

namespace sorites {
namespace {

Partition partition_of(int partition) {
  if (partition < ::sorites_observed || partition > ::sorites_truth) {
    throw std::invalid_argument("there is no such partition");
  }
  return static_cast<Partition>(partition);
}

constexpr int kAllPhases = -1;

std::optional<Phase> phase_of(int phase) {
  if (phase == kAllPhases) return std::nullopt;
  for (const Phase known : kPhases) {
    if (phase == static_cast<int>(known)) return known;
  }
  throw std::invalid_argument("there is no such phase");
}

std::vector<std::string_view> texts_of(const sorites_column& column) {
  require(column.ends, "where texts end");
  std::vector<std::string_view> texts;
  texts.reserve(column.num_texts);
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < column.num_texts; ++i) {
    const std::uint64_t end = column.ends[i];
    if (end < begin) throw std::invalid_argument("texts end before they begin");
    if (end > begin) require(column.bytes, "the bytes of texts");
    texts.emplace_back(column.bytes + begin, end - begin);
    const std::string_view text = texts.back();
    if (find_invalid_utf8(text) != text.size() || text.find('\0') != std::string_view::npos) {
      throw std::invalid_argument(fmt::format("text {} is not UTF-8", i));
    }
    begin = end;
  }
  return texts;
}

RowColumn column_of(const sorites_column& column, std::size_t num_rows) {
  RowColumn result;
  if (column.numbers != nullptr) {
    result.numbers = {column.numbers, num_rows};
  } else if (num_rows > 0) {
    require(column.codes, "the codes of a column");
    result.codes = {column.codes, num_rows};
    result.texts = texts_of(column);
  }
  return result;
}

RowTable table_of(sorites_session* handle, const sorites_rows* rows) {
  require(rows, "the rows");
  require(rows->predicate, "the predicate");
  const std::size_t arity = session_of(handle).arity(rows->predicate);
  if (arity == 0) {
    throw std::invalid_argument(fmt::format("there is no predicate `{}`", rows->predicate));
  }
  RowTable table;
  if (rows->path != nullptr) {
    table.name = rows->path;
    return table;
  }
  require(rows->columns, "the columns");
  table.num_rows = rows->num_rows;
  for (std::size_t k = 0; k < arity; ++k) {
    table.columns.push_back(column_of(rows->columns[k], rows->num_rows));
  }
  if (rows->values != nullptr) table.values = {rows->values, rows->num_rows};
  return table;
}

std::string constant_of(const RowColumn& column, std::size_t row) {
  if (!column.numbers.empty()) return fmt::format("{}", column.numbers[row]);
  const std::uint32_t code = column.codes[row];
  if (code >= column.texts.size()) {
    throw std::invalid_argument(fmt::format("an argument is missing in row {}", row));
  }
  return std::string(column.texts[code]);
}

std::vector<AtomChange> changes_of(const char* predicate, const RowTable& table, bool remove) {
  std::vector<AtomChange> changes(table.num_rows);
  for (std::size_t row = 0; row < table.num_rows; ++row) {
    changes[row].predicate = predicate;
    for (const RowColumn& column : table.columns) {
      changes[row].arguments.push_back(constant_of(column, row));
    }
    if (!remove) changes[row].value = table.values.empty() ? 1.0 : table.values[row];
  }
  return changes;
}

// The texts of a domain one after the other: those of texts lie so already.
void give_texts(sorites_session* handle, const Dictionary& dictionary, sorites_column& column) {
  const bool has_texts = dictionary.type() == ConstantType::kText;
  std::string& bytes = handle->bytes.emplace_back();
  std::vector<std::uint64_t>& ends = handle->ends.emplace_back();
  std::uint64_t end = 0;
  for (Code code = 0; code < dictionary.size(); ++code) {
    if (!has_texts) bytes += dictionary.text(code);
    end = has_texts ? end + dictionary.bytes_of(code).size() : bytes.size();
    ends.push_back(end);
  }
  column.num_texts = dictionary.size();
  column.bytes = has_texts && dictionary.size() > 0 ? dictionary.bytes_of(0).data() : bytes.c_str();
  column.ends = ends.data();
}

sorites_column column_out(sorites_session* handle,
                          const Dictionary& dictionary,
                          const std::vector<Code>& codes) {
  sorites_column column = {};
  if (dictionary.type() == ConstantType::kInteger) {
    std::vector<std::int64_t>& numbers = handle->numbers.emplace_back();
    for (const Code code : codes) numbers.push_back(dictionary.integer(code));
    column.numbers = numbers.data();
    return column;
  }
  column.codes = codes.data();
  give_texts(handle, dictionary, column);
  return column;
}

// Of the last result; NULL: there is none.
const double* inferred_values(const sorites_session& handle, PredicateId predicate) {
  if (!handle.result) return nullptr;
  for (const AtomRange& range : handle.result->ranges) {
    if (range.predicate == predicate) return handle.result->values.data() + range.first;
  }
  return nullptr;
}

}  // namespace
}  // namespace sorites

using namespace sorites;  // NOLINT(google-build-using-namespace): the functions of C are outside

int64_t sorites_arity(sorites_session* session, const char* predicate) {
  std::int64_t arity = 0;
  const int status = guarded([&] {
    require(predicate, "the predicate");
    arity = static_cast<std::int64_t>(session_of(session).arity(predicate));
    if (arity == 0) {
      throw std::invalid_argument(fmt::format("there is no predicate `{}`", predicate));
    }
  });
  return status == sorites_done ? arity : status;
}

int sorites_attach(sorites_session* session, const sorites_rows* rows) {
  return guarded([&] {
    RowTable table = table_of(session, rows);
    session_of(session).attach(
        rows->predicate, partition_of(rows->partition), phase_of(rows->phase), std::move(table));
    session->result.reset();
  });
}

int sorites_change(sorites_session* session, const sorites_rows* rows, int remove) {
  return guarded([&] {
    const RowTable table = table_of(session, rows);
    const Partition partition = partition_of(rows->partition);
    if (partition == Partition::kTruth || rows->phase != kAllPhases || rows->path) {
      throw std::invalid_argument("changes are columns of observed rows or targets, in all phases");
    }
    const auto changes = changes_of(rows->predicate, table, remove != 0);
    SessionUpdate& pending = session->pending;
    auto& list = partition == Partition::kTarget ? pending.targets : pending.observations;
    list.insert(list.end(), changes.begin(), changes.end());
  });
}

int sorites_set_weight(sorites_session* session, uint32_t rule, double weight) {
  return guarded([&] {
    session_of(session);
    session->pending.weights.push_back({rule - 1, weight});  // there is no 0, and none after it
  });
}

int sorites_update(sorites_session* session) {
  return run(session, [](Session&) {});
}

int sorites_get(sorites_session* session, sorites_rows* rows) {
  return look(session, [&](Session& open) {
    require(rows, "the rows");
    const PredicateId id = predicate_of(open, rows->predicate);
    const Partition partition = partition_of(rows->partition);
    const Table& table = open.database().relation(id).table(partition);
    const Predicate& predicate = open.program().predicates[id];
    session->columns.clear();
    session->numbers.clear();
    session->ends.clear();
    session->bytes.clear();
    for (std::size_t k = 0; k < predicate.arity(); ++k) {
      const Dictionary& dictionary = open.database().dictionary(predicate.domain(k));
      session->columns.push_back(column_out(session, dictionary, table.columns[k]));
    }
    rows->num_rows = table.num_rows;
    rows->columns = session->columns.data();
    rows->values = table.values.empty() ? nullptr : table.values.data();
    if (partition == Partition::kTarget && session->result) {
      rows->values = inferred_values(*session, id);
    }
  });
}
