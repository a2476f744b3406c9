// Inferred truth values on disk, in PSL's format: one file per open predicate, KNOWS.txt for
// `Knows`, one line per target: its arguments and then its value, separated by tabs.
//
//   write_results("results", database, model.atom_ranges, solution.truth);
//   const std::vector<double> truth = read_results("results", database, model.atom_ranges);
//
// In text arguments a backslash, quote, tab or end of line is written as \\ \' \t \n \r. Values
// have as many digits as it takes to read back the same double; PSL writes single precision.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sorites/database.h"
#include "sorites/model.h"

namespace sorites {

std::string results_file_name(const Predicate& predicate);  // "KNOWS.txt"

// `ranges` and `truth` are as of a Model: truth[first + i], in [0, 1], is the value of target row
// i. Makes the folder if it is not there. The files are written under other names and renamed when
// all are whole: if writing fails, what was there before still is. Throws IoError;
// std::invalid_argument if ranges, truth and database do not fit each other.
void write_results(const std::string& directory,
                   const Database& database,
                   std::span<const AtomRange> ranges,
                   std::span<const double> truth);

// The value of every target of the ranges, as `truth` above; the files may hold the rows in any
// order. Values that are outside [0, 1] by no more than 1e-6 are moved into it. Throws InputError
// with all mistakes of all files: rows that are wrong or stand twice, targets without a row. Rows
// that are no targets are left out, with a warning.
std::vector<double> read_results(const std::string& directory,
                                 const Database& database,
                                 std::span<const AtomRange> ranges,
                                 std::vector<Diagnostic>* warnings = nullptr);

}  // namespace sorites
