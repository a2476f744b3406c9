// A program and its data, built without any file through the public headers.
#include <sorites/database.h>
#include <sorites/model_file.h>
#include <sorites/network.h>
#include <sorites/program.h>

#include <iostream>

int main() {
  using namespace sorites;
  Program program;
  program.predicates = {
      {.name = "Likes", .types = {2, ArgumentType::kUniqueStringId}},
      {.name = "Knows", .types = {2, ArgumentType::kUniqueStringId}, .open = true},
  };
  add_rules(program, "10: Likes(A, X) & Likes(B, X) & (A != B) -> Knows(A, B) ^2");

  Database database(program.predicates);
  database.add(Partition::kObserved, "Likes", {"ann", "tea"}, 0.8);
  database.add(Partition::kTarget, "Knows", {"ann", "bob"});

  try {
    add_rules(program, "1: Knwos(A, B)");
    return 1;
  } catch (const InputError& error) {
    if (error.diagnostics().at(0).code != "unknown-predicate") return 1;
  }
  try {
    const auto networks = make_networks({{.name = "Net", .input_shape = {2}, .num_classes = 3}}, 1);
    if (networks->num_parameters(0) != 2 * 64 + 64 + 64 * 3 + 3) return 1;
  } catch (const NetworkError&) {
    if (has_networks()) throw;
  }
  std::cout << to_text(program) << database.relation(1).table(Partition::kTarget).num_rows << "\n";
  return 0;
}
