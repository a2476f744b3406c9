// Atoms that ask for the same thing: equal in all arguments that are not the category.
#pragma once

#include <span>
#include <vector>

#include "sorites/database.h"

namespace sorites {

// Indexes of `rows`, those of one identifier next to each other and ascending.
struct IdentifierGroups {
  std::vector<std::uint32_t> members;
  std::vector<std::size_t> begin;  // per group, and one more at the end

  std::size_t size() const { return begin.size() - 1; }
  std::span<const std::uint32_t> group(std::size_t g) const {
    return std::span(members).subspan(begin[g], begin[g + 1] - begin[g]);
  }
};

IdentifierGroups group_by_identifier(const Relation& relation,
                                     std::span<const RowId> rows,
                                     const std::vector<bool>& is_category);

}  // namespace sorites
