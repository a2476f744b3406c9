#include "data/sources/column_file.h"

#include <fmt/format.h>

#include <charconv>
#include <functional>

#include "base/diagnostics.h"
#include "base/tag_spans.h"
#include "data/sources/records.h"

namespace sorites {
namespace {

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t i = 0; i < line.size();) {
    std::size_t end = i;
    while (end < line.size() && !is_blank(line[end])) ++end;
    if (end > i) words.push_back(line.substr(i, end - i));
    i = end + 1;
  }
  return words;
}

// Where `#` and the view begin. A `#` of a folder is none of this.
std::size_t find_view_mark(std::string_view path) {
  const std::size_t hash = path.rfind('#');
  const std::size_t slash = path.rfind('/');
  const bool in_folder = slash != std::string_view::npos && hash < slash;
  return in_folder ? std::string_view::npos : hash;
}

// What a view says of the tokens of a sentence: one text per token; without one there is no row.
using Describe = std::function<std::vector<std::optional<std::string>>(
    const ColumnFileSentence& sentence, std::size_t number)>;

Describe by_token(
    std::function<std::optional<std::string>(const ColumnFileSentence&, std::size_t token)> one) {
  return [one = std::move(one)](const ColumnFileSentence& sentence, std::size_t /*number*/) {
    std::vector<std::optional<std::string>> texts;
    for (std::size_t i = 0; i < sentence.size(); ++i) texts.push_back(one(sentence, i));
    return texts;
  };
}

struct ColumnError {
  std::string what;
};

std::string_view text_of(const ColumnFileToken& token, int column) {
  const auto text = column_of(token, column);
  if (!text) {
    throw ColumnError{fmt::format("line {} has {} column{}, and no column {}",
                                  token.line,
                                  token.columns.size(),
                                  token.columns.size() == 1 ? "" : "s",
                                  column)};
  }
  return *text;
}

Describe column_view(int column) {
  return by_token([column](const ColumnFileSentence& sentence, std::size_t i) {
    return std::optional<std::string>(text_of(sentence[i], column));
  });
}

Describe tag_view(int column, bool bioes) {
  return [=](const ColumnFileSentence& sentence, std::size_t /*number*/) {
    std::vector<std::string_view> tags;
    for (const ColumnFileToken& token : sentence) {
      tags.push_back(text_of(token, column));
      if (is_tag(tags.back())) continue;
      throw ColumnError{fmt::format(
          "line {} has `{}` where a tag should be: O, B-PER, I-PER ...", token.line, tags.back())};
    }
    std::vector<std::optional<std::string>> texts;
    for (std::string& tag : tags_of(tag_spans(tags), tags.size(), bioes)) {
      texts.emplace_back(std::move(tag));
    }
    return texts;
  };
}

// None: there is no such view.
Describe find_view(std::string_view view) {
  const auto when = [](auto holds) {
    return by_token([holds](const ColumnFileSentence& sentence, std::size_t i) {
      return holds(sentence, i) ? std::optional<std::string>("") : std::nullopt;
    });
  };
  if (view == "token") return when([](const auto&, std::size_t) { return true; });
  if (view == "first") return when([](const auto&, std::size_t i) { return i == 0; });
  if (view == "last") return when([](const auto& s, std::size_t i) { return i + 1 == s.size(); });
  if (view == "next") {
    return by_token([](const ColumnFileSentence& sentence, std::size_t i) {
      return i + 1 < sentence.size() ? std::optional(std::to_string(sentence[i + 1].line))
                                     : std::nullopt;
    });
  }
  if (view == "sentence") {
    return [](const ColumnFileSentence& sentence, std::size_t number) {
      return std::vector<std::optional<std::string>>(sentence.size(), std::to_string(number));
    };
  }
  int column = 0;
  const auto [end, problem] = std::from_chars(view.data(), view.data() + view.size(), column);
  const std::string_view scheme(end, static_cast<std::size_t>(view.data() + view.size() - end));
  if (problem != std::errc()) return {};
  if (scheme.empty()) return column_view(column);
  if (scheme == ":bio" || scheme == ":bioes") return tag_view(column, scheme == ":bioes");
  return {};
}

// What is no text of a column is no truth value.
std::size_t num_arguments_of(std::string_view view) {
  const bool is_tag_or_number = view == "next" || view == "sentence" || view.find(':') != view.npos;
  return is_tag_or_number ? 2 : 1;
}

}  // namespace

std::vector<ColumnFileSentence> read_column_file(std::string_view text,
                                                 const std::stop_token& stop) {
  constexpr std::string_view kDocument = "-DOCSTART-";
  text = without_byte_order_mark(text);
  std::vector<ColumnFileSentence> sentences;
  bool inside = false;
  std::uint32_t line = 0;
  while (!text.empty()) {
    const Record record = next_record(text.data(), text.data() + text.size(), false);
    text.remove_prefix(static_cast<std::size_t>(record.next - text.data()));
    ++line;
    std::vector<std::string_view> columns = words_of(record.text);
    if (columns.empty() || columns.front() == kDocument) {
      inside = false;
      continue;
    }
    if (!inside && stop.stop_requested()) throw Interrupted();
    if (!inside) sentences.emplace_back();
    inside = true;
    sentences.back().push_back({line, std::move(columns)});
  }
  return sentences;
}

std::optional<std::string_view> column_of(const ColumnFileToken& token, int number) {
  const auto count = static_cast<int>(token.columns.size());
  const int at = number < 0 ? number + count : number;
  if (at < 0 || at >= count) return std::nullopt;
  return token.columns[static_cast<std::size_t>(at)];
}

std::optional<ColumnFileView> column_file_view(std::string_view path) {
  const std::size_t hash = find_view_mark(path);
  const std::string_view file = path.substr(0, hash);
  if (!file.ends_with(".conll") && !file.ends_with(".conll.gz")) return std::nullopt;
  const bool has_view = hash != std::string_view::npos;
  return ColumnFileView{std::string(file), std::string(has_view ? path.substr(hash + 1) : "")};
}

std::string_view without_view(std::string_view path) {
  return column_file_view(path) ? path.substr(0, find_view_mark(path)) : path;
}

ColumnFileRows rows_of_view(std::span<const ColumnFileSentence> sentences, std::string_view view) {
  const Describe describe = find_view(view);
  if (!describe) {
    return {{},
            1,
            fmt::format(
                "{} what of a column file its rows are: `#token`, `#first`, `#last`, "
                "`#next`, `#sentence`, or a column, `#0`, as tags `#-1:bioes`",
                view.empty() ? "its name does not say" : "`#" + std::string(view) + "` is not")};
  }
  ColumnFileRows rows;
  rows.num_arguments = num_arguments_of(view);
  std::uint32_t line = 1;
  std::size_t number = 0;
  try {
    for (const ColumnFileSentence& sentence : sentences) {
      const auto texts = describe(sentence, ++number);
      for (std::size_t i = 0; i < sentence.size(); ++i) {
        for (; line < sentence[i].line; ++line) rows.text += '\n';
        if (!texts[i]) continue;
        rows.text += std::to_string(line);
        if (!texts[i]->empty()) rows.text += "\t" + *texts[i];
      }
    }
  } catch (const ColumnError& error) {
    return {{}, 1, error.what};
  }
  rows.text += '\n';
  return rows;
}

}  // namespace sorites
