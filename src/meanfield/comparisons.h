// Comparisons of constants as closed predicates that are made when they are first asked for.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

#include "meanfield/model.h"

namespace sorites::meanfield {

class Comparisons {
 public:
  Comparisons(const Database& database, MeanFieldModel& model)
      : database_(database), model_(model) {}

  // The predicate of pairs of constants of a domain of the model that are equal, or of which the
  // first is less.
  std::uint32_t pairs(ComparisonOperator op, std::uint32_t domain);
  // The predicate of constants that are less than a given one, or greater, which need be in no
  // data.
  std::uint32_t bound(std::uint32_t domain, const std::string& constant, bool less);

 private:
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::string>;  // kind, domain, constant
  std::uint32_t add(MeanFieldPredicate predicate, std::vector<KnownAtom> facts);

  const Database& database_;
  MeanFieldModel& model_;
  std::map<Key, std::uint32_t> made_;
};

// Whether it holds of two constants of a domain.
bool holds(ComparisonOperator op,
           ConstantType type,
           const std::string& left,
           const std::string& right);

}  // namespace sorites::meanfield
