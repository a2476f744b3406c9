// Which constants arguments and variables run over. A domain that the program names has the
// constants of its dictionary. The built-in ones are bags of everything that has a type: there,
// argument places that rules join share the constants that occur in one of them, in data or rules.
#pragma once

#include <cstdint>
#include <vector>

#include "meanfield/model.h"

namespace sorites::meanfield {

struct NarrowedDomains {
  std::vector<MeanFieldDomain> domains;
  std::vector<std::vector<std::uint32_t>> of_argument;  // per predicate and argument
  std::vector<std::vector<std::uint32_t>> of_variable;  // per rule and variable
};

// A predicate with an open world has atoms over all of its domains, built-in or not.
NarrowedDomains narrow_domains(const Program& program, const Database& database);

// All constants of a domain.
std::vector<Code> all_codes(const Database& database, DomainId domain);

}  // namespace sorites::meanfield
