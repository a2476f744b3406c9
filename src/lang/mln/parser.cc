#include "lang/mln/parser.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "lang/mln/lexer.h"

namespace sorites::markov {
namespace {

// A slip of the pen must not fill the memory; longer lists of constants are data.
constexpr std::int64_t kMostInRange = 10'000;

// `{1, ..., 20}`: the integers between the numbers before and after the dots.
bool parse_range_end(Cursor& cursor, std::vector<TermSyntax>& constants, TextRange dots) {
  cursor.take_if(TokenKind::kComma);
  TermSyntax last;
  if (!parse_term(cursor, "the last number", last)) return false;
  const auto integer = [](const std::string& text, std::int64_t& value) {
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    return read.ec == std::errc() && read.ptr == text.data() + text.size();
  };
  std::int64_t from = 0, to = 0;
  if (constants.empty() || !integer(constants.back().text, from) || !integer(last.text, to) ||
      to <= from || to - from > kMostInRange) {
    return cursor.fail(DiagnosticCode::kSyntax,
                       join(dots, last.range),
                       "`...` stands between two integers, the smaller one first, and for at most "
                       "ten thousand of them");
  }
  for (std::int64_t i = from + 1; i <= to; ++i) {
    constants.push_back({std::to_string(i), last.range});
  }
  return true;
}

bool parse_type(Cursor& cursor, TypeSyntax& type) {
  if (!parse_name(cursor, "a type", type.name)) return false;
  cursor.take();  // =
  const TextRange opening = cursor.peek().range;
  if (!cursor.expect(
          TokenKind::kLeftBrace, "`{`", "a type lists its constants: `person = {Anna, Bob}`")) {
    return false;
  }
  if (!cursor.peek_is(TokenKind::kRightBrace)) {
    do {
      if (cursor.peek_is(TokenKind::kDots)) {
        const TextRange dots = cursor.take().range;
        type.open = cursor.peek_is(TokenKind::kRightBrace);
        if (type.open) break;
        if (!parse_range_end(cursor, type.constants, dots)) return false;
      } else if (!parse_term(cursor, "a constant", type.constants.emplace_back())) {
        return false;
      }
    } while (cursor.take_if(TokenKind::kComma));
  }
  return cursor.expect_closing(TokenKind::kRightBrace, "`,` or `}`", opening);
}

bool parse_arguments(Cursor& cursor, PredicateSyntax& predicate) {
  const TextRange opening = cursor.peek().range;
  if (!cursor.expect(TokenKind::kLeftParenthesis,
                     "`(`",
                     "a predicate lists its types: `friend(person, person)`")) {
    return false;
  }
  if (!cursor.peek_is(TokenKind::kRightParenthesis)) {
    do {
      if (predicate.functional) {
        return cursor.fail(DiagnosticCode::kSyntax,
                           cursor.last_range(),
                           "`!` marks the type of the classes, which must be the last argument");
      }
      if (!parse_name(cursor, "a type", predicate.arguments.emplace_back())) return false;
      predicate.functional = cursor.take_if(TokenKind::kNot);
    } while (cursor.take_if(TokenKind::kComma));
  }
  return cursor.expect_closing(TokenKind::kRightParenthesis, "`,` or `)`", opening);
}

bool parse_predicate(Cursor& cursor, PredicateSyntax& predicate) {
  const TextRange begin = cursor.peek().range;
  predicate.closed = cursor.take_if(TokenKind::kStar);
  if (!parse_name(cursor, "a predicate", predicate.name)) return false;
  if (!parse_arguments(cursor, predicate)) return false;
  if (cursor.peek_is_word("in")) {
    cursor.take();
    if (!parse_names(cursor, "a class", predicate.classes)) return false;
  }
  predicate.range = join(begin, cursor.last_range());
  return true;
}

bool parse_number(Cursor& cursor, std::vector<double>& numbers) {
  const bool negative = cursor.take_if(TokenKind::kMinus);
  if (!negative) cursor.take_if(TokenKind::kPlus);
  if (negative && means_hard(cursor.peek())) {
    return cursor.fail(DiagnosticCode::kBadNumber,
                       cursor.peek().range,
                       "a weight of minus infinity",
                       "negate the formula and make it hard");
  }
  if (!cursor.peek_is(TokenKind::kNumber)) return cursor.fail_expected("a number");
  const double number = cursor.take().number;
  numbers.push_back(negative ? -number : number);
  return true;
}

bool parse_constants(Cursor& cursor, std::vector<TermSyntax>& constants) {
  const TextRange opening = cursor.peek().range;
  if (!cursor.take_if(TokenKind::kLeftParenthesis)) {
    return parse_term(cursor, "a constant", constants.emplace_back());
  }
  do {
    if (!parse_term(cursor, "a constant", constants.emplace_back())) return false;
  } while (cursor.take_if(TokenKind::kComma));
  return cursor.expect_closing(TokenKind::kRightParenthesis, "`,` or `)`", opening);
}

bool names_constants(const Cursor& cursor) {
  return cursor.peek_is(TokenKind::kLeftParenthesis) || cursor.peek_is(TokenKind::kDots) ||
         cursor.peek_is(TokenKind::kEqual, 1);
}

// `A = 0.7`, `(A, B) = 0.7`, or at the end `... = 0.7`, of all others.
bool parse_constant_weights(Cursor& cursor, FormulaSyntax& formula) {
  do {
    const TextRange begin = cursor.peek().range;
    const bool others = cursor.take_if(TokenKind::kDots);
    ConstantWeightSyntax one;
    if (!others && !parse_constants(cursor, one.constants)) return false;
    one.range = join(begin, cursor.last_range());
    std::vector<double> weight;
    if (!cursor.expect(TokenKind::kEqual, "`=`", "a weight of a constant is written `A = 0.7`") ||
        !parse_number(cursor, weight)) {
      return false;
    }
    if (others) {
      formula.weights = std::move(weight);
      return !cursor.peek_is(TokenKind::kComma) ||
             cursor.fail(DiagnosticCode::kSyntax,
                         one.range,
                         "`...` stands for all constants that are not named, so it is the last");
    }
    one.weight = weight[0];
    formula.constant_weights.push_back(std::move(one));
  } while (cursor.take_if(TokenKind::kComma));
  return true;
}

bool parse_weight_list(Cursor& cursor, FormulaSyntax& formula) {
  if (cursor.peek_is(TokenKind::kRightBracket)) {
    formula.weight_list = true;
    return true;
  }
  if (names_constants(cursor)) return parse_constant_weights(cursor, formula);
  formula.weight_list = true;
  do {
    if (!parse_number(cursor, formula.weights)) return false;
  } while (cursor.take_if(TokenKind::kComma));
  return true;
}

bool parse_weight(Cursor& cursor, FormulaSyntax& formula) {
  const TextRange begin = cursor.peek().range;
  if (means_hard(cursor.peek())) {
    cursor.take();
    formula.hard = true;
  } else if (cursor.take_if(TokenKind::kLeftBracket)) {
    if (!parse_weight_list(cursor, formula)) return false;
    if (!cursor.expect_closing(TokenKind::kRightBracket, "`,` or `]`", begin)) return false;
  } else if (!parse_number(cursor, formula.weights)) {
    return false;
  }
  formula.weight_range = join(begin, cursor.last_range());
  return true;
}

bool begins_weight(const Cursor& cursor) {
  switch (cursor.peek().kind) {
    case TokenKind::kNumber:
    case TokenKind::kMinus:
    case TokenKind::kPlus:
    case TokenKind::kLeftBracket:
      return true;
    default:
      return means_hard(cursor.peek());
  }
}

// `person motherOf(person)`, as Alchemy declares a function.
bool looks_like_function(const Cursor& cursor) {
  return cursor.peek_is(TokenKind::kWord) && !is_keyword(cursor.peek().text) &&
         cursor.peek_is(TokenKind::kWord, 1) && !is_keyword(cursor.peek(1).text) &&
         cursor.peek_is(TokenKind::kLeftParenthesis, 2);
}

bool refuse_function(Cursor& cursor) {
  const std::string type = cursor.peek().text, name = cursor.peek(1).text;
  return cursor.fail(
      DiagnosticCode::kSyntax,
      join(cursor.peek().range, cursor.peek(1).range),
      fmt::format("`{}` is declared as a function, and there are none", name),
      fmt::format("declare a predicate with its value as the last argument, `{}(..., "
                  "{}!)`: the `!` says that there is exactly one",
                  name,
                  type));
}

// A line that could be both: a declaration has neither weight nor period, and no operator.
bool looks_like_declaration(const Cursor& cursor) {
  // `*p(x)` is a declaration of a closed predicate or, in a formula, an atom with both signs.
  const std::size_t first = cursor.peek_is(TokenKind::kStar) ? 1 : 0;
  if (!cursor.peek_is(TokenKind::kWord, first)) return false;
  if (cursor.peek_is(TokenKind::kEqual, 1)) return cursor.peek_is(TokenKind::kLeftBrace, 2);
  if (!cursor.peek_is(TokenKind::kLeftParenthesis, first + 1)) return false;
  std::size_t i = first + 2;
  const auto skip_to = [&](TokenKind kind) {
    while (!cursor.peek_is(kind, i) && !cursor.peek_is(TokenKind::kLine, i) &&
           !cursor.peek_is(TokenKind::kEnd, i)) {
      ++i;
    }
    if (cursor.peek_is(kind, i)) ++i;
  };
  skip_to(TokenKind::kRightParenthesis);
  if (cursor.peek_is_word("in", i)) skip_to(TokenKind::kRightBrace);
  return cursor.peek_is(TokenKind::kLine, i) || cursor.peek_is(TokenKind::kEnd, i);
}

void find_starred(Expression& expression, std::vector<Expression*>& found) {
  if (expression.starred) found.push_back(&expression);
  for (Expression& operand : expression.operands) find_starred(operand, found);
}

bool parse_declaration(Cursor& cursor, Statements& statements) {
  if (looks_like_function(cursor)) return refuse_function(cursor);
  if (cursor.peek_is(TokenKind::kEqual, 1)) {
    TypeSyntax type{&cursor.source()};
    if (!parse_type(cursor, type)) return false;
    statements.types.push_back(std::move(type));
  } else {
    PredicateSyntax predicate{&cursor.source()};
    if (!parse_predicate(cursor, predicate)) return false;
    statements.predicates.push_back(std::move(predicate));
  }
  return cursor.at_line_end() || cursor.fail_expected("the end of the declaration");
}

}  // namespace

bool parse_formula(Cursor& cursor, FormulaSyntax& formula) {
  formula.source = &cursor.source();
  const TextRange first = cursor.peek().range;
  const bool weighted = begins_weight(cursor);
  if (weighted && !parse_weight(cursor, formula)) return false;
  const TextRange begin = cursor.peek().range;
  if (means_forall(cursor.peek())) {
    cursor.take();
    if (!parse_variables(cursor, formula.quantified)) return false;
  }
  if (!parse_expression(cursor, formula.expression)) return false;
  formula.range = join(begin, cursor.last_range());
  const TextRange end = cursor.peek().range;
  const bool period = cursor.take_if(TokenKind::kPeriod);
  if (!cursor.at_line_end()) return cursor.fail_expected("an operator or the end of the line");
  if (period && weighted && !formula.hard) {
    return cursor.fail(DiagnosticCode::kWeightAndPeriod,
                       end,
                       "a formula with a weight ends with a period, which makes it hard",
                       "leave out one of them");
  }
  if (!period && !weighted) {
    return cursor.fail(DiagnosticCode::kMissingRuleEnd,
                       formula.range,
                       "a formula without a weight",
                       "write a weight in front of it, or a period behind it if it must hold");
  }
  formula.hard = formula.hard || period;
  formula.whole = join(first, cursor.last_range());
  return true;
}

namespace {

bool parse_include(Cursor& cursor, const Include& include) {
  const TextRange at = cursor.take().range;
  if (!cursor.peek_is(TokenKind::kString)) return cursor.fail_expected("a file name in quotes");
  const Token name = cursor.take();
  if (!cursor.at_line_end()) return cursor.fail_expected("the end of the line");
  if (!include) {
    return cursor.fail(DiagnosticCode::kSyntax, at, "no file can be included here");
  }
  include(cursor.source(), name.text, name.range);
  return true;
}

void add_formula(Cursor& cursor, FormulaSyntax formula, Statements& statements) {
  std::vector<Expression*> starred;
  find_starred(formula.expression, starred);
  if (starred.empty()) {
    statements.formulas.push_back(std::move(formula));
    return;
  }
  constexpr std::size_t kMostStarred = 6;  // each doubles the formulas: 64
  if (formula.hard || starred.size() > kMostStarred) {
    cursor.fail(DiagnosticCode::kSyntax,
                starred[0]->range,
                formula.hard ? "`*` stands for formulas with both signs, which cannot both be hard"
                             : fmt::format("more than {} atoms with `*`", kMostStarred));
    return;
  }
  for (std::size_t signs = 0; signs < std::size_t{1} << starred.size(); ++signs) {
    FormulaSyntax one = formula;
    starred.clear();
    find_starred(one.expression, starred);
    for (std::size_t i = starred.size(); i-- > 0;) {  // the first one changes last
      Expression& atom = *starred[i];
      atom.starred = false;
      if ((signs >> (starred.size() - 1 - i) & 1U) == 0) continue;
      Expression negated;
      negated.kind = ExpressionKind::kNot;
      negated.range = atom.range;
      negated.operands.push_back(std::move(atom));
      atom = std::move(negated);
    }
    statements.formulas.push_back(std::move(one));
  }
}

}  // namespace

void parse_statements(const Source& source,
                      StatementKinds kinds,
                      Statements& statements,
                      Diagnostics& sink,
                      const Include& include) {
  Cursor cursor(source, tokenize(source, sink), sink);
  for (; !cursor.peek_is(TokenKind::kEnd); cursor.skip_line()) {
    if (cursor.at_line_end()) continue;
    if (cursor.peek_is(TokenKind::kInclude)) {
      parse_include(cursor, include);
    } else if (kinds == StatementKinds::kBoth && looks_like_function(cursor)) {
      refuse_function(cursor);
    } else if (kinds == StatementKinds::kDeclarations ||
               (kinds == StatementKinds::kBoth && looks_like_declaration(cursor))) {
      parse_declaration(cursor, statements);
    } else {
      FormulaSyntax formula;
      if (parse_formula(cursor, formula)) add_formula(cursor, std::move(formula), statements);
    }
  }
}

}  // namespace sorites::markov
