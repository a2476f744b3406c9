#include "atom_output.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/shown_number.h"
#include "output.h"
#include "sorites/explain.h"

namespace sorites {

void print_atoms(const Database& database,
                 std::span<const AtomRange> ranges,
                 std::span<const double> truth,
                 std::span<const double> errors,
                 std::size_t most) {
  constexpr std::size_t kFlush = 1U << 16U;  // what a pipe holds
  fmt::memory_buffer text;
  const auto flush = [&] {
    print_text({text.data(), text.size()});
    text.clear();
  };
  for (const AtomRange& range : ranges) {
    const auto shown = static_cast<std::uint32_t>(std::min<std::size_t>(range.count, most));
    for (std::uint32_t i = 0; i < shown; ++i) {
      fmt::format_to(std::back_inserter(text),
                     "{} = {:.4f}",
                     atom_text(database, range.predicate, {Partition::kTarget, i}),
                     Shown{truth[range.first + i]});
      if (!errors.empty()) {
        fmt::format_to(std::back_inserter(text), " +- {:.4f}", Shown{errors[range.first + i]});
      }
      text.push_back('\n');
      if (text.size() > kFlush) flush();
    }
    if (shown < range.count) {
      fmt::format_to(std::back_inserter(text),
                     "... and {} more of {}\n",
                     grouped(range.count - shown),
                     database.predicates()[range.predicate].name);
    }
  }
  flush();
}

}  // namespace sorites
