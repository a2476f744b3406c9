// Named spans in tagged text, found exactly or not (Sang and Meulder 2003).
#include <fmt/format.h>

#include <map>
#include <optional>
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
        relation_(database.relation(predicate)) {}

  Text read(std::span<const double> target_values, bool include_observed) {
    const Table& targets = relation_.table(Partition::kTarget);
    for (std::uint32_t row = 0; row < targets.num_rows; ++row) {
      predict(targets, row, target_values[row]);
    }
    const Table& observed = relation_.table(Partition::kObserved);
    for (std::uint32_t row = 0; include_observed && row < observed.num_rows; ++row) {
      predict(observed, row, observed.value(row));
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

  void predict(const Table& table, std::uint32_t row, double value) {
    Token& token = token_of(table, row);
    const Code tag = table.columns.back()[row];
    const bool ties = value == token.highest;
    if (value < token.highest || (ties && !less(tag, token.predicted))) return;
    token.highest = value;
    token.predicted = tag;
  }

  Token& token_of(const Table& table, std::uint32_t row) {
    const std::size_t at = predicate_.arity() - 2;
    std::vector<Code> before;
    for (std::size_t k = 0; k < at; ++k) before.push_back(table.columns[k][row]);
    const Dictionary& tokens = database_.dictionary(predicate_.domain(at));
    return text_[{std::move(before), *parse_integer(tokens.text(table.columns[at][row]))}];
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
    auto next = wanted.begin();  // both are in the order of the text
    for (const TagSpan& span : found) {
      while (next != wanted.end() && next->begin < span.begin) ++next;
      if (next != wanted.end() && *next == span) both += 1.0;
    }
  }
};

}  // namespace

std::string why_no_spans(const Database& database, PredicateId predicate) {
  const Predicate& declared = database.predicates()[predicate];
  if (declared.arity() < 2) {
    return fmt::format("SpanEvaluator: `{}` has no arguments for a token and its tag",
                       declared.name);
  }
  const std::size_t at = declared.arity() - 2;
  if (declared.types[at] == ArgumentType::kUniqueIntId) return {};  // it holds nothing else
  const Dictionary& tokens = database.dictionary(declared.domain(at));
  for (const auto partition : {Partition::kTarget, Partition::kObserved, Partition::kTruth}) {
    for (const Code token : database.relation(predicate).table(partition).columns[at]) {
      const std::string name = tokens.text(token);
      if (parse_integer(name)) continue;
      return fmt::format(
          "SpanEvaluator: tokens are integers in the order of the text, and `{}` of `{}` is none",
          name,
          declared.name);
    }
  }
  return {};
}

std::vector<Metric> span_metrics(const Database& database,
                                 PredicateId predicate,
                                 std::span<const double> target_values,
                                 bool include_observed) {
  if (const std::string why = why_no_spans(database, predicate); !why.empty()) {
    throw std::invalid_argument(why);
  }
  Reader reader(database, predicate);
  const Text text = reader.read(target_values, include_observed);
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
