// For tests: random small programs with data, as text, over a fixed set of predicates.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/constant.h"
#include "lang/clause_form.h"
#include "sorites/database.h"
#include "sorites/program.h"

namespace sorites {

class RandomProgram {
 public:
  explicit RandomProgram(unsigned seed) : random_(seed) {}

  // Closed and open predicates, some always without rows, one neural; text and integer arguments.
  static std::vector<Predicate> predicates() {
    using T = ArgumentType;
    const auto text = T::kUniqueStringId, integer = T::kUniqueIntId;
    return {
        {.name = "Person", .types = {text}},
        {.name = "Likes", .types = {text, text}},
        {.name = "Rated", .types = {text, integer}},
        {.name = "Met", .types = {text, text, integer}},
        {.name = "Empty", .types = {text, text}},
        {.name = "Good", .types = {text}, .open = true},
        {.name = "Knows", .types = {text, text}, .open = true},
        {.name = "Trusts", .types = {text, text}, .open = true},
        {.name = "Rank", .types = {text, integer}, .open = true},
        {.name = "Nothing", .types = {text}, .open = true},
        {.name = "Seen", .types = {text, integer}, .open = true, .neural = true},
    };
  }

  bool one_in(std::size_t count) { return below(count) == 0; }

  std::string constant(ConstantType type) {
    static const std::vector<std::string> kTexts{"a", "b", "c", "d"}, kIntegers{"1", "2", "10"};
    const auto& pool = type == ConstantType::kText ? kTexts : kIntegers;
    return pool[below(pool.size())];
  }

  // `target_share` of the rows of open predicates are targets; where it is not given, two thirds.
  // `size` times as many constants and rows as a definition by nested loops can take.
  Database database(const std::vector<Predicate>& predicates,
                    double target_share = 2.0 / 3,
                    std::size_t size = 1) {
    Database database(predicates);
    for (const Predicate& predicate : predicates) {
      if (predicate.name == "Empty" || predicate.name == "Nothing") continue;
      std::set<std::vector<std::string>> used;
      const std::size_t rows = size * (predicate.arity() == 1 ? 1 + below(5) : 4 + below(14));
      for (std::size_t i = 0; i < rows; ++i) {
        std::vector<std::string> row;
        for (const ArgumentType type : predicate.types) {
          row.push_back(constant(constant_type(type)));
          if (size > 1 && !one_in(size)) row.back() += std::to_string(below(size));
        }
        if (!used.insert(row).second) continue;
        const bool target =
            predicate.open && static_cast<double>(below(1000)) < 1000 * target_share;
        static const double kValues[] = {0.0, 1.0, 1.0, 0.3, 0.75};
        const std::vector<std::string_view> views(row.begin(), row.end());
        database.add(target ? Partition::kTarget : Partition::kObserved,
                     predicate.name,
                     views,
                     target ? 1.0 : kValues[below(5)]);
      }
    }
    return database;
  }

  // Adds the next random rule that compiles and that hinge-loss semantics can take.
  void add_rule(Program& program, bool with_quantifier = false) {
    for (;;) {
      try {
        const std::size_t before = program.rules.size();
        add_rules(program, with_quantifier ? weighted(quantified()) : rule());
        if (program.rules.size() == before) continue;  // a duplicate, or true by its form
        const auto* logical = std::get_if<LogicalRule>(&program.rules.back().body);
        if (logical == nullptr || lang::clause_form(logical->formula, program.predicates).form) {
          return;
        }
        program.rules.pop_back();
      } catch (const InputError&) {
        continue;  // an unbound variable, say; draw again
      }
    }
  }

  // One rule; it need not be right (a variable may be unbound).
  std::string rule() {
    switch (below(6)) {
      case 0:
        return weighted(formula(2));
      case 1:
        return weighted(arithmetic());
      case 2:
        return summation();
      case 3:
        return weighted(quantified());
      default:
        return weighted(implication());
    }
  }

 private:
  std::size_t below(std::size_t count) { return random_() % count; }

  std::string term(ConstantType type) {
    if (below(7) == 0) return fmt::format("'{}'", below(9) == 0 ? "77" : constant(type));
    static const std::vector<std::string> kTexts{"A", "B", "C"}, kIntegers{"N", "M"};
    if (quantified_ && below(2) == 0) return type == ConstantType::kText ? "Y" : "K";
    const auto& pool = type == ConstantType::kText ? kTexts : kIntegers;
    return pool[below(pool.size())];
  }

  // With a weight and perhaps an exponent, or a period.
  std::string weighted(const std::string& body) {
    if (below(4) == 0) return body + " .";
    return fmt::format("{}: {}{}", 1 + below(9), body, below(2) == 0 ? " ^2" : "");
  }

  std::string closed_atom() { return atom(below(4)); }

  std::string atom() {
    const auto all = predicates();
    std::size_t chosen = below(all.size());
    const bool without_rows = all[chosen].name == "Empty" || all[chosen].name == "Nothing";
    if (without_rows && below(4) != 0) chosen = 5 + below(4);  // mostly something with targets
    return atom(chosen);
  }

  std::string atom(std::size_t chosen) {
    const Predicate predicate = predicates()[chosen];
    std::vector<std::string> arguments;
    for (const ArgumentType type : predicate.types) arguments.push_back(term(constant_type(type)));
    return fmt::format("{}({})", predicate.name, fmt::join(arguments, ", "));
  }

  std::string comparison() {
    static const char* kOperators[] = {"!=", "!=", "==", "%"};
    const ConstantType type = below(4) == 0 ? ConstantType::kInteger : ConstantType::kText;
    return fmt::format("({} {} {})", term(type), kOperators[below(4)], term(type));
  }

  std::string literal() { return (below(4) == 0 ? "!" : "") + atom(); }

  std::string implication() {
    std::string text = literal();
    for (std::size_t i = below(4); i > 0; --i) text += " & " + literal();
    for (std::size_t i = below(3); i > 0; --i) text += " & " + comparison();
    text += " >> " + literal();
    if (below(3) == 0) text += " | " + literal();
    if (below(6) == 0) text += " | " + comparison();
    return text;
  }

  std::string formula(int depth) {
    if (depth == 0) return below(6) == 0 ? comparison() : literal();
    static const char* kConnectives[] = {" & ", " | ", " -> ", " <-> "};
    return fmt::format("({}{}{})", formula(depth - 1), kConnectives[below(4)], formula(depth - 1));
  }

  // Literals and comparisons about `Y` and `K`, under a quantifier.
  std::string inner(const char* quantifier) {
    quantified_ = true;
    std::string text = fmt::format("{} Y, K: ", quantifier);
    const std::string connective = below(4) == 0 ? " | " : " & ";
    for (std::size_t i = below(3); i > 0; --i) {
      text += (below(3) == 0   ? comparison()
               : below(4) == 0 ? literal()
                               : (below(4) == 0 ? "!" : "") + closed_atom()) +
              connective;
    }
    text += literal();
    quantified_ = false;
    return text;
  }

  std::string inner_literal() {
    quantified_ = true;
    const std::string text = literal();
    quantified_ = false;
    return text;
  }

  std::string quantified() {
    switch (below(6)) {
      case 0:
        return fmt::format("({}) >> {}", inner("exists"), literal());
      case 1:
        return fmt::format("({} -> {}) >> {}", inner("forall"), inner_literal(), literal());
      case 2:
        return fmt::format("forall A, N: {} | {} | {}", literal(), literal(), literal());
      case 3:
        return fmt::format("{} <-> {}", literal(), inner(below(2) == 0 ? "exists" : "forall"));
      case 4:
        return fmt::format("forall A: {} -> {}", literal(), inner("exists"));
      default:
        return fmt::format("{} & {} >> {}", literal(), literal(), inner("exists"));
    }
  }

  std::string coefficient() {
    static const char* kCoefficients[] = {"", "2 * ", "0.5 * ", "-1 * ", "3 ", "@Max[2, 1] * "};
    return kCoefficients[below(6)];
  }

  std::string arithmetic() {
    std::string text = coefficient() + atom();
    for (std::size_t i = below(3); i > 0; --i)
      text += (below(2) == 0 ? " + " : " - ") + coefficient() + atom();
    if (below(5) == 0) text += " + " + comparison();
    static const char* kRelations[] = {" <= ", " >= ", " = "};
    text += kRelations[below(3)];
    return text + (below(2) == 0 ? fmt::format("{}", static_cast<double>(below(5)) / 2) : atom());
  }

  std::string summed_atom(const std::string& variable) {
    static const char* kShapes[] = {"Knows(A, +{})",
                                    "Knows(+{}, B)",
                                    "Likes(A, +{})",
                                    "Likes(+{}, 'b')",
                                    "Met(A, +{}, N)",
                                    "Trusts(+{}, A)",
                                    "Good(+{})",
                                    "Empty(A, +{})"};
    return fmt::format(fmt::runtime(kShapes[below(8)]), variable);
  }

  std::string filter(const std::string& variable) {
    static const char* kConditions[] = {"Person({0})",
                                        "!Person({0})",
                                        "{0} != 'a'",
                                        "Likes({0}, 'a') | Person({0})",
                                        "{0} % 'c' & !Likes({0}, {0})",
                                        "Likes({0}, A)",
                                        "{0} != A"};
    return fmt::format(
        "{{{}: {}}}", variable, fmt::format(fmt::runtime(kConditions[below(7)]), variable));
  }

  std::string summation() {
    static const char* kCoefficients[] = {"", "2 * ", "|X| * ", "1 / |X| * ", "@Max[|X|, 2] * "};
    std::string text = kCoefficients[below(5)] + summed_atom("X");
    if (below(3) == 0) text += " + " + summed_atom("Y");
    if (below(3) == 0) text += " - " + coefficient() + atom();
    if (below(8) == 0) text = "Met(+X, +Y, N)";
    static const char* kRelations[] = {" <= ", " >= ", " = "};
    static const char* kRight[] = {"1", "0", "|X|", "|X| / 2", "0.5"};
    text += kRelations[below(3)] + std::string(kRight[below(5)]);
    text = weighted(text);
    if (below(2) == 0) text += " " + filter("X");
    return text;
  }

  std::mt19937 random_;
  bool quantified_ = false;  // under a quantifier of `Y` and `K`
};

}  // namespace sorites
