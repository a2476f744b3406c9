#include "data/same_predicates.h"

#include <fmt/format.h>

#include <stdexcept>

namespace sorites {
namespace {

template <class... Arguments>
[[noreturn]] void refuse(fmt::format_string<Arguments...> difference, Arguments&&... arguments) {
  throw std::invalid_argument("the database does not fit the program: " +
                              fmt::format(difference, std::forward<Arguments>(arguments)...));
}

std::string shown(const Predicate& predicate) {
  return fmt::format("{}/{}", predicate.name, predicate.arity());
}

// One number per argument, or none.
void require_domain_per_argument(const Predicate& predicate) {
  if (predicate.domains.empty() || predicate.domains.size() == predicate.arity()) return;
  refuse("`{}` has {} domains", shown(predicate), predicate.domains.size());
}

void require_same_domains(const Predicate& of_program, const Predicate& of_database) {
  require_domain_per_argument(of_program);
  require_domain_per_argument(of_database);
  for (std::size_t k = 0; k < of_program.arity(); ++k) {
    if (of_program.domain(k) == of_database.domain(k)) continue;
    refuse("argument {} of `{}` has domain {} in the program and {} in the database",
           k + 1,
           of_program.name,
           of_program.domain(k),
           of_database.domain(k));
  }
}

}  // namespace

void require_same_predicates(const Program& program, const Database& database) {
  const std::vector<Predicate>& own = program.predicates;
  const std::vector<Predicate>& other = database.predicates();
  if (own.size() != other.size()) {
    refuse("predicates number {} in the program and {} in the database", own.size(), other.size());
  }
  for (PredicateId p = 0; p < own.size(); ++p) {
    if (own[p].name != other[p].name || own[p].arity() != other[p].arity()) {
      refuse("predicate {} is `{}` in the program and `{}` in the database",
             p,
             shown(own[p]),
             shown(other[p]));
    }
    require_same_domains(own[p], other[p]);
  }
  if (program.domains.size() != database.num_domains()) {
    refuse("domains number {} in the program and {} in the database",
           program.domains.size(),
           database.num_domains());
  }
  for (DomainId d = 0; d < program.domains.size(); ++d) {
    if (program.domains[d].type == database.dictionary(d).type()) continue;
    refuse("constants of domain {}, `{}`, have another type in the database",
           d,
           program.domains[d].name);
  }
}

}  // namespace sorites
