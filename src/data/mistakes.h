// What the loader says about mistakes, and how many of them it says.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "base/mistake_limits.h"
#include "sorites/database.h"

namespace sorites {

struct Mistake {
  DiagnosticCode code;
  Span span;
  std::string excerpt;
  std::string message;
  std::vector<Note> notes;
};

// The first mistakes by place, one more than are shown, and the number of all.
struct MistakeList {
  std::vector<Mistake> first;
  std::uint64_t total = 0;

  // Counts one more, which must come after those that are there; true if it is to be added.
  bool count() { return ++total <= kMostMistakesPerFile + 1; }
  void append(MistakeList&& other);
};

// Sends the mistakes of one file to the sink, the first ones by line and then one diagnostic that
// counts the others.
void report_mistakes(MistakeList mistakes, Diagnostics& sink);

// A mistake in `record`, which begins at the start of line `line` of `file`: at `length` bytes from
// `offset` on.
Mistake mistake_at(DiagnosticCode code,
                   const Span& record_start,
                   std::string_view record,
                   std::size_t offset,
                   std::size_t length,
                   std::string message);

// For messages: short and harmless, whatever is in it.
std::string shortened(std::string_view text);
std::string counted(std::uint64_t count, std::string_view noun);  // "1 row", "2 rows"

std::string type_mismatch_message(const Predicate& predicate,
                                  std::size_t argument,
                                  std::string_view text);
std::string type_mismatch_hint(ArgumentType type, std::string_view text);
// A row with a number of columns that does not fit the predicate and the first row of its file.
struct ColumnCount {
  const Predicate& predicate;
  std::size_t found;
  bool first_has_value;
};
std::string column_count_message(const ColumnCount& count);
std::string column_count_hint(const ColumnCount& count, std::string_view record, bool tabs);

std::string too_many_rows_message(std::size_t limit);

}  // namespace sorites
