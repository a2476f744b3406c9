#include "hinge/lower/open_world.h"

#include <fmt/format.h>

#include "data/open_world.h"

namespace sorites {
namespace {

bool is_open_world(const Predicate& predicate) {
  return predicate.open && predicate.open_world && !predicate.neural;
}

// "person (300) x person (300)"
std::string domains_text(const Program& program, const Predicate& predicate, const Database& data) {
  std::string text;
  for (std::size_t k = 0; k < predicate.arity(); ++k) {
    const DomainId domain = predicate.domain(k);
    text += fmt::format("{}{} ({})",
                        k == 0 ? "" : " x ",
                        program.domains[domain].name,
                        data.dictionary(domain).size());
  }
  return text;
}

}  // namespace

void check_open_world(const Program& program, const Database& database, Diagnostics& sink) {
  for (PredicateId p = 0; p < program.predicates.size(); ++p) {
    const Predicate& predicate = program.predicates[p];
    if (!is_open_world(predicate)) continue;
    const double size = num_atoms(database, p);
    if (size <= kMostOpenWorldAtoms) continue;
    sink.error(DiagnosticCode::kTooManyAtoms,
               Span{},
               fmt::format("all atoms of `{}` that are not observed are unknown, and there are "
                           "{:.0f} over its domains: {}",
                           predicate.name,
                           size,
                           domains_text(program, predicate, database)))
        .notes = {
        {fmt::format("at most {:.0f} can be inferred; give the domains fewer constants, or "
                     "list the atoms that are asked for",
                     kMostOpenWorldAtoms),
         {}}};
  }
}

void add_open_world_targets(const Program& program,
                            Database& database,
                            const std::stop_token& stop) {
  for (PredicateId p = 0; p < program.predicates.size(); ++p) {
    if (is_open_world(program.predicates[p])) add_unknown_atoms(database, p, stop);
  }
}

}  // namespace sorites
