// Named spans in tagged text, found exactly or not (Sang and Meulder 2003).
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/constant.h"
#include "base/tag_spans.h"
#include "eval/evaluators.h"

namespace sorites {
namespace {

// The tags of a token: the one of its highest value, and the true one if it is known.
struct Token {
  double highest = -1.0;
  Code predicted = 0;
  std::optional<Code> truth;
};

// Tokens by what stands before them (a document, or nothing), then by number.
using Text = std::map<std::pair<std::vector<Code>, std::int64_t>, Token>;

class Reader {
 public:
  Reader(const Database& database, PredicateId predicate)
      : database_(database),
        predicate_(database.predicates()[predicate]),
        relation_(database.relation(predicate)) {
    if (predicate_.arity() < 2) {
      throw std::invalid_argument(fmt::format(
          "SpanEvaluator: `{}` has no arguments for a token and its tag", predicate_.name));
    }
  }

  Text read(std::span<const double> target_values) {
    const Table& targets = relation_.table(Partition::kTarget);
    for (std::uint32_t row = 0; row < targets.num_rows; ++row) {
      Token& token = token_of(targets, row);
      const Code tag = targets.columns.back()[row];
      const bool ties = target_values[row] == token.highest;
      if (target_values[row] < token.highest || (ties && !less(tag, token.predicted))) continue;
      token.highest = target_values[row];
      token.predicted = tag;
    }
    const Table& truth = relation_.table(Partition::kTruth);
    for (std::uint32_t row = 0; row < truth.num_rows; ++row) {
      if (truth.value(row) >= 1.0) token_of(truth, row).truth = truth.columns.back()[row];
    }
    return std::move(text_);
  }

  std::string tag_text(Code code) const { return tags().text(code); }

 private:
  const Dictionary& tags() const {
    return database_.dictionary(predicate_.domain(predicate_.arity() - 1));
  }
  bool less(Code a, Code b) const { return tags().less(a, b); }

  Token& token_of(const Table& table, std::uint32_t row) {
    const std::size_t at = predicate_.arity() - 2;
    std::vector<Code> before;
    for (std::size_t k = 0; k < at; ++k) before.push_back(table.columns[k][row]);
    const std::string name =
        database_.dictionary(predicate_.domain(at)).text(table.columns[at][row]);
    const auto number = parse_integer(name);
    if (!number) {
      throw std::invalid_argument(fmt::format(
          "SpanEvaluator: tokens are integers in the order of the text, and `{}` of `{}` is "
          "none",
          name,
          predicate_.name));
    }
    return text_[{std::move(before), *number}];
  }

  const Database& database_;
  const Predicate& predicate_;
  const Relation& relation_;
  Text text_;
};

// Spans that two rows of tags have, and how many are in both.
struct Counts {
  double predicted = 0.0, true_ones = 0.0, both = 0.0;

  void add(const std::vector<std::string>& predicted_tags, const std::vector<std::string>& tags) {
    const std::vector<std::string_view> ours(predicted_tags.begin(), predicted_tags.end());
    const std::vector<std::string_view> theirs(tags.begin(), tags.end());
    const auto found = tag_spans(ours), wanted = tag_spans(theirs);
    predicted += static_cast<double>(found.size());
    true_ones += static_cast<double>(wanted.size());
    both += static_cast<double>(std::count_if(found.begin(), found.end(), [&](const TagSpan& span) {
      return std::find(wanted.begin(), wanted.end(), span) != wanted.end();
    }));
  }
};

}  // namespace

std::vector<Metric> span_metrics(const Database& database,
                                 PredicateId predicate,
                                 std::span<const double> target_values) {
  Reader reader(database, predicate);
  const Text text = reader.read(target_values);
  Counts counts;
  std::vector<std::string> predicted, tags;
  const Text::key_type* before = nullptr;
  const auto end_sentence = [&] {
    counts.add(predicted, tags);
    predicted.clear();
    tags.clear();
    before = nullptr;
  };
  for (const auto& [place, token] : text) {
    const bool follows =
        before != nullptr && before->first == place.first && before->second + 1 == place.second;
    if (!follows || !token.truth) end_sentence();
    if (!token.truth) continue;  // nobody knows
    predicted.push_back(token.highest < 0.0 ? "O" : reader.tag_text(token.predicted));
    tags.push_back(reader.tag_text(*token.truth));
    before = &place;
  }
  end_sentence();
  const auto share = [](double part, double all) { return all > 0.0 ? part / all : 0.0; };
  return {{"span_f1", share(2.0 * counts.both, counts.predicted + counts.true_ones)},
          {"span_precision", share(counts.both, counts.predicted)},
          {"span_recall", share(counts.both, counts.true_ones)}};
}

}  // namespace sorites
