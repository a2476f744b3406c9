// Entity-data maps: the first byte is the number of arguments, the rest the file.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/check.h"
#include "base/utf8.h"
#include "perception/read_features.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sorites;  // NOLINT(google-build-using-namespace): a program, not a header
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data + 1), size - 1);
  Diagnostics sink;
  const FeatureColumns columns =
      data[0] < 128 ? FeatureColumns{} : FeatureColumns{.skipped = {0}, .label = -1};
  const auto read = parse_entity_features(text, "file", data[0] % 4U, columns, sink);
  SORITES_CHECK(read.has_value() != sink.has_errors(), "there is an array or an error");
  for (const Diagnostic& d : sink.all()) {
    SORITES_CHECK(find_invalid_utf8(render(d)) == render(d).size(), "diagnostics are text");
  }
  if (read) {
    const FeatureArray& array = read->array;
    SORITES_CHECK(array.num_rows() * array.row_size() == array.values.size(), "rows are whole");
  }
  return 0;
}
