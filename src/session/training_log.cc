#include "session/training_log.h"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <map>
#include <utility>

#include "base/diagnostics.h"
#include "config/json_text.h"
#include "modelfile/file_access.h"

namespace sorites {
namespace {

using Columns = std::vector<std::pair<std::string_view, std::optional<double>>>;

Columns columns_of(const LearnEpoch& epoch, const LogShape& shape) {
  Columns columns = {{"epoch", static_cast<double>(epoch.epoch)},
                     {"loss", epoch.loss},
                     {"training_metric", epoch.training_metric},
                     {"validation_metric", epoch.validation_metric},
                     {"relative_gap", epoch.relative_gap},
                     {"gradient_norm", epoch.gradient_norm},
                     {"movement", epoch.movement},
                     {"seconds", epoch.seconds},
                     {"inference_seconds", epoch.inference_seconds}};
  if (shape.is_bilevel) {
    const BilevelEpoch bilevel = epoch.bilevel.value_or(BilevelEpoch());
    columns.emplace_back("relaxation", bilevel.relaxation);
    columns.emplace_back("squared_penalty", bilevel.squared_penalty);
    columns.emplace_back("linear_penalty", bilevel.linear_penalty);
    columns.emplace_back("violation", bilevel.violation);
    columns.emplace_back("active_constraints", bilevel.active);
  }
  if (shape.is_policy) columns.emplace_back("gradient_variance", epoch.gradient_variance);
  if (shape.has_validation_loss) columns.emplace_back("validation_loss", epoch.validation_loss);
  if (!shape.has_networks) return columns;
  const auto trained = static_cast<double>(epoch.num_trained);
  columns.emplace_back("start", static_cast<double>(epoch.start + 1));
  columns.emplace_back("network_seconds", epoch.network_seconds);
  columns.emplace_back("trained_entities", trained);
  columns.emplace_back("entities_per_second", epoch.seconds > 0.0 ? trained / epoch.seconds : 0.0);
  return columns;
}

// The number of the epoch that a line is of; both formats begin with it.
std::optional<std::uint64_t> epoch_of(std::string_view line) {
  constexpr std::string_view kJsonBegin = R"({"epoch": )";
  if (line.starts_with(kJsonBegin)) line.remove_prefix(kJsonBegin.size());
  std::uint64_t number = 0;
  const auto result = std::from_chars(line.data(), line.data() + line.size(), number);
  const bool whole =
      result.ec == std::errc() && result.ptr != line.data() + line.size() && *result.ptr == ',';
  return whole ? std::optional(number) : std::nullopt;
}

// The whole lines of a log by epoch, if it has this head.
std::map<std::uint64_t, std::string> lines_of(const std::string& path, const std::string& head) {
  std::map<std::uint64_t, std::string> lines;
  std::string text;
  if (!read_text_file(path, text).empty() || !text.starts_with(head)) return lines;
  for (std::size_t at = head.size(), end = 0; (end = text.find('\n', at)) != std::string::npos;
       at = end + 1) {
    const std::string line = text.substr(at, end + 1 - at);
    if (const auto epoch = epoch_of(line)) lines[*epoch] = line;
  }
  return lines;
}

}  // namespace

void check_log_name(const std::string& path) {
  for (const char* extension : {".csv", ".json", ".jsonl"}) {
    if (path.ends_with(extension)) return;
  }
  Diagnostics sink;
  sink.error(DiagnosticCode::kUnknownLogFormat,
             Span{path},
             "the name of a training log tells its format, and this one does not")
      .notes.push_back({"end it in .csv, or in .json for JSON lines", {}});
  throw InputError(sink.take_sorted());
}

TrainingLog::TrainingLog(std::string path,
                         const LogShape& shape,
                         std::span<const LearnEpoch> history)
    : path_(std::move(path)), is_csv_(path_.ends_with(".csv")), shape_(shape) {
  check_log_name(path_);
  const auto kept =
      history.empty() ? std::map<std::uint64_t, std::string>() : lines_of(path_, head());
  file_.reset(std::fopen(path_.c_str(), "wb"));
  std::string text = head();
  for (const LearnEpoch& epoch : history) {
    const auto before = kept.find(epoch.epoch);
    text += before != kept.end() ? before->second : line(epoch, {});
  }
  write(text);
}

void TrainingLog::add(const LearnEpoch& epoch, std::span<const double> weights) {
  write(line(epoch, weights));
}

std::string TrainingLog::head() const {
  if (!is_csv_) return {};
  std::string text;
  for (const auto& [name, value] : columns_of({}, shape_)) text += fmt::format("{},", name);
  for (std::size_t r = 0; r < shape_.num_rules; ++r) text += fmt::format("weight_{},", r + 1);
  text.back() = '\n';
  return text;
}

std::string TrainingLog::line(const LearnEpoch& epoch, std::span<const double> weights) const {
  if (!is_csv_) {
    JsonMembers members;
    for (const auto& [name, value] : columns_of(epoch, shape_)) {
      members.emplace_back(std::string(name), value ? json_number(*value) : "null");
    }
    std::vector<std::string> list;
    for (const double weight : weights) list.push_back(json_number(weight));
    members.emplace_back("weights", weights.empty() ? "null" : json_list(list));
    return json_object(members) + "\n";
  }
  std::string text;
  for (const auto& [name, value] : columns_of(epoch, shape_)) {
    text += value ? fmt::format("{},", *value) : ",";
  }
  for (std::size_t r = 0; r < shape_.num_rules; ++r) {
    text += r < weights.size() ? fmt::format("{},", weights[r]) : ",";
  }
  text.back() = '\n';
  return text;
}

void TrainingLog::write(const std::string& text) {
  const bool written = file_ != nullptr &&
                       std::fwrite(text.data(), 1, text.size(), file_.get()) == text.size() &&
                       std::fflush(file_.get()) == 0;
  if (!written) throw IoError(fmt::format("cannot write `{}`: {}", path_, std::strerror(errno)));
}

}  // namespace sorites
