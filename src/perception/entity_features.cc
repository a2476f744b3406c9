#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "data/mistakes.h"
#include "data/sources/records.h"
#include "perception/read_features.h"

namespace sorites {
namespace {

enum class NumberStatus : std::uint8_t { kGood, kNoNumber, kTooLarge };

NumberStatus read_number(std::string_view text, float& number) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range && end == text.data() + text.size()) {
    // Too small numbers are 0; from_chars does not tell them from too large ones.
    const std::size_t e = text.find_first_of("eE");
    if (e == std::string_view::npos || text.substr(e + 1, 1) != "-") return NumberStatus::kTooLarge;
    number = 0.0F;
    return NumberStatus::kGood;
  }
  if (error != std::errc() || end != text.data() + text.size()) return NumberStatus::kNoNumber;
  number = static_cast<float>(value);
  return std::isfinite(number) ? NumberStatus::kGood : NumberStatus::kTooLarge;
}

// Reads line after line; all of them must have as many columns as the first.
class EntityFeatureParser {
 public:
  EntityFeatureParser(const std::string& file,
                      std::size_t num_arguments,
                      const FeatureColumns& columns)
      : file_(file), num_arguments_(num_arguments), columns_(columns) {}

  void parse_line(std::string_view text) {
    ++line_;
    if (is_blank(text)) return;
    splitter_.split(text);  // tabs have no quotes that could be wrong
    const auto& fields = splitter_.fields();
    if (!fits(text, fields.size())) return;
    for (std::size_t i = num_arguments_; i < fields.size(); ++i) {
      if (i == label_) result_.labels.emplace_back(fields[i].text);
      if (is_feature_[i]) add(text, fields[i]);
    }
  }

  std::optional<EntityFeatures> finish(Diagnostics& sink) {
    if (mistakes_.total > 0) {
      report_mistakes(std::move(mistakes_), sink);
      return std::nullopt;
    }
    if (num_columns_ == 0) {
      sink.error(
          DiagnosticCode::kBadFeatures, Span{file_, 0, 0, 0}, "the file of features has no rows");
      return std::nullopt;
    }
    result_.array.shape = {static_cast<std::size_t>(
        std::count(is_feature_.begin() + static_cast<std::ptrdiff_t>(num_arguments_),
                   is_feature_.end(),
                   true))};
    if (result_.array.shape[0] == 0) {
      sink.error(DiagnosticCode::kBadFeatures,
                 Span{file_, first_line_, 0, 0},
                 "no column is left that is a feature");
      return std::nullopt;
    }
    return std::move(result_);
  }

 private:
  // Which columns are features, once it is known how many there are. False after a mistake.
  bool choose_columns() {
    is_feature_.assign(num_columns_, true);
    const auto leave_out = [&](int number) {
      const auto count = static_cast<int>(num_columns_ - num_arguments_);
      if (number < -count || number >= count) {
        if (!mistakes_.count()) return num_columns_;
        mistakes_.first.push_back(mistake_at(
            DiagnosticCode::kColumnCount,
            Span{file_, line_, 1, 0},
            {},
            0,
            0,
            fmt::format("there is no column {}: {} stand behind the entity, 0 to {}, or -1 to -{} "
                        "from the end",
                        number,
                        count,
                        count - 1,
                        count)));
        return num_columns_;
      }
      const std::size_t column =
          static_cast<std::size_t>(number < 0 ? number + count : number) + num_arguments_;
      is_feature_[column] = false;
      return column;
    };
    for (const int number : columns_.skipped) leave_out(number);
    if (columns_.label) label_ = leave_out(*columns_.label);
    return mistakes_.total == 0;
  }

  // Whether the line has the right number of columns; the first line says which is right.
  bool fits(std::string_view text, std::size_t num_columns) {
    if (num_columns_ == 0 && num_columns > num_arguments_) {
      num_columns_ = num_columns;
      first_line_ = line_;
      if (!choose_columns()) return false;
    }
    if (num_columns == num_columns_) return true;
    if (!mistakes_.count()) return false;
    mistakes_.first.push_back(mistake_at(
        DiagnosticCode::kColumnCount,
        Span{file_, line_, 1, 0},
        text,
        0,
        text.size(),
        num_columns <= num_arguments_
            ? fmt::format("{} of an entity and then numbers are expected, but the line has {}",
                          counted(num_arguments_, "argument"),
                          counted(num_columns, "column"))
            : fmt::format("the line has {}, but line {} has {}",
                          counted(num_columns - num_arguments_, "number"),
                          first_line_,
                          num_columns_ - num_arguments_)));
    mistakes_.first.back().notes.push_back({"columns are separated by one tab each", {}});
    return false;
  }

  void add(std::string_view text, const RecordField& field) {
    float number = 0.0F;
    const NumberStatus status = read_number(field.text, number);
    result_.array.values.push_back(number);
    if (status == NumberStatus::kGood || !mistakes_.count()) return;
    mistakes_.first.push_back(mistake_at(
        DiagnosticCode::kBadFeatures,
        Span{file_, line_, 1, 0},
        text,
        static_cast<std::size_t>(field.raw.data() - text.data()),
        field.raw.size(),
        status == NumberStatus::kNoNumber
            ? fmt::format("`{}` is not a number", shortened(field.text))
            : fmt::format("`{}` is too large for a number of a network", shortened(field.text))));
  }

  const std::string& file_;
  std::size_t num_arguments_, num_columns_ = 0;
  const FeatureColumns& columns_;
  std::vector<bool> is_feature_;                                 // per column of a line
  std::size_t label_ = std::numeric_limits<std::size_t>::max();  // the column of labels
  std::uint32_t line_ = 0, first_line_ = 0;
  FieldSplitter splitter_{RowFormat::kTabs};
  EntityFeatures result_;
  MistakeList mistakes_;
};

}  // namespace

std::optional<EntityFeatures> parse_entity_features(std::string_view text,
                                                    const std::string& file,
                                                    std::size_t num_arguments,
                                                    const FeatureColumns& columns,
                                                    Diagnostics& sink) {
  EntityFeatureParser parser(file, num_arguments, columns);
  const char *p = text.data(), *end = p + text.size();
  while (p < end) {
    const Record record = next_record(p, end, false);
    parser.parse_line(record.text);
    p = record.next;
  }
  return parser.finish(sink);
}

}  // namespace sorites
