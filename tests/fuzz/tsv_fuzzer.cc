// Data files: the loader and the plain one of reference_loader.h must take the same texts, and read
// the same from them. The first byte chooses the format and the types, the rest is the file.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/check.h"
#include "data/sources/load.h"
#include "data/sources/reference_loader.h"

namespace {

using namespace sorites;  // NOLINT(google-build-using-namespace): a program, not a header

std::vector<ArgumentType> types_of(unsigned choice) {
  constexpr ArgumentType kTypes[] = {
      ArgumentType::kUniqueStringId, ArgumentType::kUniqueIntId, ArgumentType::kDouble};
  std::vector<ArgumentType> types{kTypes[choice % 3]};
  if (choice / 3 % 2 != 0) types.push_back(kTypes[choice / 6 % 3]);
  return types;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const bool commas = (data[0] & 128U) != 0;
  Predicate predicate;
  predicate.name = "P";
  predicate.types = types_of(data[0] & 127U);
  const std::string text(reinterpret_cast<const char*>(data + 1), size - 1);
  const LoadLimits limits{.chunk_bytes = 1 + (data[0] & 31U), .max_line_bytes = 100};

  Database database({predicate});
  Diagnostics sink;
  const DataFile file{0, Partition::kObserved, commas ? "f.csv" : "f.tsv", {}};
  load_text(database, file, text, {.threads = 1}, sink, limits);
  for (const Diagnostic& d : sink.all()) {
    SORITES_CHECK(find_invalid_utf8(render(d)) == render(d).size(), "diagnostics are text");
  }

  const auto expected = reference_load(text, commas, predicate.types, limits.max_line_bytes);
  SORITES_CHECK(expected.has_value() == !sink.has_errors(), "both take it or both do not");
  if (!expected) return 0;
  const Table& table = database.relation(0).table(Partition::kObserved);
  SORITES_CHECK(table.num_rows == expected->size(), "as many rows");
  for (std::uint32_t row = 0; row < table.num_rows; ++row) {
    const ReferenceRow& wanted = (*expected)[row];
    const RowId id{Partition::kObserved, row};
    SORITES_CHECK(database.arguments(0, id) == wanted.arguments, "the same arguments");
    SORITES_CHECK(table.value(row) == wanted.value, "the same value");
    SORITES_CHECK(database.origin(0, id).line == wanted.line, "the same line");
  }
  return 0;
}
