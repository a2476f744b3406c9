// Predicates by name, whatever its case.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sorites/program.h"

namespace sorites::lang {

class PredicateIndex {
 public:
  // `predicates` must outlive the index.
  explicit PredicateIndex(const std::vector<Predicate>& predicates);

  std::optional<PredicateId> find(std::string_view name) const;
  const std::vector<std::string_view>& names() const { return names_; }
  const Predicate& operator[](PredicateId id) const { return predicates_[id]; }

 private:
  const std::vector<Predicate>& predicates_;
  std::vector<std::string_view> names_;
  std::unordered_map<std::string, PredicateId> by_lower_case_;
};

}  // namespace sorites::lang
