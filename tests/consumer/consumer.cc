// A model opened, asked, explained, changed, asked again and learned from: all through session.h.
#include <sorites/session.h>

#include <iostream>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  using namespace sorites;
  if (argc != 2) return 2;
  Session session = Session::open(argv[1]);
  const InferResult first = session.infer();
  std::cout << name_of(first.status) << ", objective " << first.objective << "\n";

  const AtomRange& range = first.ranges.at(0);
  const std::vector<std::string> atoms = {
      atom_text(session.database(), range.predicate, {Partition::kTarget, 0})};
  const ExplainResult why = session.explain(atoms);
  for (const RuleForce& rule : why.atoms.at(0).rules) {
    std::cout << rule.force << "  " << why.rules[rule.rule].text << "\n";
  }

  session.update({.observations = {{"Lived", {"ada", "oslo"}, 1.0}}});
  const InferResult second = session.infer();
  std::cout << "then objective " << second.objective << "\n";

  const LearnReport learned = session.learn();
  std::cout << learned.text;
  return first.is_finished() && second.is_finished() && learned.stop ? 0 : 1;
}
