// Column files of tagged text, such as those of CoNLL (Sang and Meulder 2003): a token per line,
// its columns with blanks between, an empty line between sentences. A token is named by the number
// of its line, so that tokens of two sentences never stand side by side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sorites {

struct ColumnFileToken {
  std::uint32_t line = 0;
  std::vector<std::string_view> columns;
};
using ColumnFileSentence = std::vector<ColumnFileToken>;

// Lines `-DOCSTART- ...` are ends of sentences, as in the files of 2003. A byte-order mark is
// passed over. The text must outlive the tokens. Throws Interrupted.
std::vector<ColumnFileSentence> read_column_file(std::string_view text,
                                                 const std::stop_token& stop = {});

// Numbers from 0, from the end if negative. None if the token has no such column.
std::optional<std::string_view> column_of(const ColumnFileToken& token, int number);

// Rows of a column file, by what stands behind `#` in `train.conll#next`. Names that end in .conll
// (or .conll.gz) have to say what is meant.
struct ColumnFileView {
  std::string file;  // without the view
  std::string view;  // empty: none is given
};
std::optional<ColumnFileView> column_file_view(std::string_view path);
// The file that a path names, of a column file or any other one.
std::string_view without_view(std::string_view path);

// Lines of the rows, each where its token stands in the file; lines without a row are empty:
//
//   token          token
//   first, last    token, if it is the first or last one of its sentence
//   next           token, the one behind it in the sentence
//   sentence       token, number of its sentence, from 1
//   0, 1, -1 ...   token, text of the column
//   -1:bioes       token, tag of the column as B-, I-, E-, S- or O, whatever scheme it is written
//                  in; -1:bio without E- and S-
struct ColumnFileRows {
  std::string text;
  // Of a predicate that the rows fit: at least. The texts of a column may be truth values.
  std::size_t num_arguments = 1;
  std::string error;  // why not
};
ColumnFileRows rows_of_view(std::span<const ColumnFileSentence> sentences, std::string_view view);

}  // namespace sorites
