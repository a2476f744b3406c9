// For tests: the values of an answer by the texts of their atoms.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "sorites/session.h"

namespace sorites {

inline std::map<std::string, double> values_of(Session& session, const InferResult& result) {
  std::map<std::string, double> values;
  for (const AtomRange& range : result.ranges) {
    for (std::uint32_t i = 0; i < range.count; ++i) {
      values[atom_text(session.database(), range.predicate, {Partition::kTarget, i})] =
          result.values[range.first + i];
    }
  }
  return values;
}

}  // namespace sorites
