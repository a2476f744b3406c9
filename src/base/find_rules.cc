#include "base/find_rules.h"

#include <fmt/format.h>

#include <string>

#include "base/constant.h"
#include "base/diagnostics.h"

namespace sorites {

std::vector<std::uint32_t> find_rules(std::span<const Span> places,
                                      std::string_view text,
                                      std::string_view what) {
  const std::size_t colon = text.rfind(':');
  const bool is_place = colon != std::string_view::npos;
  const auto number = parse_integer(is_place ? text.substr(colon + 1) : text);
  std::vector<std::uint32_t> found;
  if (number && !is_place) {
    if (*number >= 1 && static_cast<std::size_t>(*number) <= places.size()) {
      found.push_back(static_cast<std::uint32_t>(*number - 1));
    }
  } else if (number) {
    const std::string_view file = text.substr(0, colon);
    for (std::uint32_t r = 0; r < places.size(); ++r) {
      const Span& place = places[r];
      const bool same_file = place.file == file || place.file.ends_with(fmt::format("/{}", file));
      if (same_file && place.line == *number) found.push_back(r);
    }
  }
  if (!found.empty()) return found;
  Diagnostics sink;
  sink.error(DiagnosticCode::kUnknownRule,
             Span{},
             number && is_place ? fmt::format("no {} stands at `{}`", what, text)
                                : fmt::format("there is no {} `{}`: they are numbered from 1 to {}",
                                              what,
                                              text,
                                              places.size()))
      .notes.push_back({fmt::format("`--rule` takes the number of a {} or its place, as in "
                                    "model.json:18",
                                    what),
                        {}});
  throw InputError(sink.take_sorted());
}

}  // namespace sorites
