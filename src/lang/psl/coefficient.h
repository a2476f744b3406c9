// Coefficients: numbers are folded, the rest is kept as a tree.
#pragma once

#include "lang/psl/reporter.h"
#include "lang/psl/resolver.h"
#include "lang/psl/syntax.h"
#include "sorites/program.h"

namespace sorites::lang {

// A coefficient is copied to every atom that it multiplies, so its size has a limit.
inline constexpr std::size_t kMaxOperations = 64;

Coefficient number(double value);
Coefficient negated(Coefficient c);  // the sign of a number, or of the number in 2 * c

// Builds the coefficients of one rule and reports the first that cannot be computed.
class CoefficientBuilder {
 public:
  CoefficientBuilder(Resolver& resolver, Reporter& reporter)
      : resolver_(resolver), reporter_(reporter) {}

  // Of an expression that is numeric.
  Coefficient build(const Expression& expression);
  // left op right; `at` is the place for reports. 1 is dropped as a factor or divisor, and
  // 2 * (3 * c) is 6 * c.
  Coefficient combine(CoefficientKind op, Coefficient left, Coefficient right, TextRange at);

 private:
  Coefficient build_chain(const Expression& expression);
  Coefficient fold(CoefficientKind op, double left, double right, TextRange at);
  // Reports it, and gives a number to go on with.
  Coefficient fail(DiagnosticCode code, TextRange at, std::string message, std::string hint);

  Resolver& resolver_;
  Reporter& reporter_;
  bool failed_ = false;
};

}  // namespace sorites::lang
