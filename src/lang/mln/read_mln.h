// Texts of Markov logic to a program and its data.
//
//   Diagnostics sink;
//   const markov::LoadedProgram model = markov::read_mln("model.mln", "data.db", sink);
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lang/mln/rule_builder.h"
#include "lang/mln/vocabulary.h"
#include "sorites/database.h"
#include "sorites/program.h"

namespace sorites::markov {

struct LoadedProgram {
  Program program;
  Database database;
};

// Not owned. Each kind is read in this order.
struct MlnSources {
  std::vector<const Source*> declarations;
  std::vector<const Source*> statements;  // declarations and formulas
  std::vector<const Source*> formulas;
  std::vector<const Source*> facts;
  std::vector<const Source*> queries;
  std::vector<const Source*> unaries = {};
};

// Reads a file into `text`; returns why it could not, or an empty text.
using ReadText = std::function<std::string(const std::string& path, std::string& text)>;

// As far as possible: there are mistakes if the sink has errors. `files` reads what statements
// include, by paths relative to the file that does.
LoadedProgram compile_mln(const MlnSources& sources, const ReadText& files, Diagnostics& sink);

// Reads an .mln file and, if `data_path` is given, its .db file, or a folder with the files
// `predicates`, `facts` and `rules`; `queries` and `unaries` (for an .mln file `model.unaries`) may
// be missing. Files that cannot be read are mistakes.
LoadedProgram read_mln(const std::string& path, const std::string& data_path, Diagnostics& sink);

// Every file that it reads, with those that others include, and those that may be missing.
std::vector<std::string> files_of_mln(const std::string& path, const std::string& data_path);

// ---- For programs that are declared elsewhere -------------------------------------------------

// The names of a program, with the database's constants. Both must outlive it.
Vocabulary vocabulary_of(const Program& program, Database& database);

// Compiles the formulas and appends them to the program, each with the number of its place among
// them from `first_id` on. All mistakes go to the sink.
void add_formulas(const std::vector<FormulaSyntax>& formulas,
                  RuleId first_id,
                  DataKnown data,
                  Vocabulary& vocabulary,
                  Program& program,
                  Diagnostics& sink);

// Reads lines `smokes(Ann) 1.25` into the unary potentials of the database.
void add_unaries(const std::vector<const Source*>& sources,
                 Vocabulary& vocabulary,
                 Database& database,
                 Diagnostics& sink);

// Reports text that is not UTF-8, which would make places and messages unreadable.
bool check_utf8(const Source& source, Diagnostics& sink);

}  // namespace sorites::markov
