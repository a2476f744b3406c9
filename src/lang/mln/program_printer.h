// Programs as text of Markov logic that reads as the same program.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sorites/database.h"
#include "sorites/program.h"

namespace sorites::markov {

// The rule as one line: weight, formula, or a period at the end. It must be one that Markov logic
// can say: a formula with `=` and `!=` for comparisons, variables that begin with a small letter;
// throws std::invalid_argument for arithmetic rules and `%`. `database` gives the order of
// constants in lists of weights; without it, it is that of the program's domains, and where these
// do not list all constants, weights stand with their names.
std::string rule_text(const Rule& rule, const Program& program, const Database* database = nullptr);

// Types and predicates. With a database, all its constants are listed: `person = {Ann, Bob}`, and
// `person = {Ann, Bob, ...}` if there may be others; without it, those that the program lists.
std::string declarations_text(const Program& program, const Database* database = nullptr);

// All rules, one per line.
std::string rules_text(const Program& program, const Database* database = nullptr);

// Declarations, rules, facts and queries: all that a model says.
std::string model_text(const Program& program, const Database& database);

// Writes an .mln with a .db (and .unaries, .options) beside it if the path ends in .mln, else a
// folder of four to six files, which is made if there is none. Throws IoError.
void write_mln(const Program& program,
               const Database& database,
               const std::map<std::string, std::string>& options,
               const std::string& path);

// The path, and the files that it writes or removes by it.
std::vector<std::string> files_of_written_mln(const std::string& path);

}  // namespace sorites::markov
