// Arithmetic expressions as sums of coefficient * atom.
#pragma once

#include <vector>

#include "lang/psl/coefficient.h"
#include "lang/psl/resolver.h"
#include "lang/psl/syntax.h"
#include "sorites/program.h"

namespace sorites::lang {

// Products distribute over sums: 2 * (P(A) + 1) is 2 * P(A) + 2. A product of atoms is reported.
class Linearizer {
 public:
  Linearizer(Resolver& resolver, Reporter& reporter)
      : resolver_(resolver), reporter_(reporter), coefficients_(resolver, reporter) {}

  // The summands of one side, at least one. Comparisons among them go to conditions().
  std::vector<Summand> side(const Expression& expression);
  std::vector<Comparison>& conditions() { return conditions_; }

 private:
  void add(const Expression& expression, bool negate, std::vector<Summand>& sum);
  void add_constant(Coefficient c, bool negate, std::vector<Summand>& sum);
  void add_product(const Expression& product, bool negate, std::vector<Summand>& sum);
  const Expression* atomic_factor(const Expression& product);
  void report_not_linear(const Expression& expression);

  Resolver& resolver_;
  Reporter& reporter_;
  CoefficientBuilder coefficients_;
  std::vector<Comparison> conditions_;
  bool in_product_ = false;
};

}  // namespace sorites::lang
