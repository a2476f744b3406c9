// Files of NPY arrays: whatever the bytes are, there is an array whose size fits, or an error that
// is text.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/check.h"
#include "base/utf8.h"
#include "perception/read_features.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sorites;  // NOLINT(google-build-using-namespace): a program, not a header
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  Diagnostics sink;
  const auto array = parse_npy(bytes, "file", sink);
  SORITES_CHECK(array.has_value() != sink.has_errors(), "there is an array or an error");
  for (const Diagnostic& d : sink.all()) {
    SORITES_CHECK(find_invalid_utf8(render(d)) == render(d).size(), "diagnostics are text");
  }
  if (array) {
    SORITES_CHECK(array->num_rows() * array->row_size() == array->values.size(), "rows are whole");
    SORITES_CHECK(array->values.size() <= size, "no number without a byte");
  }
  return 0;
}
