"""Ground rules by definition: every constant for every variable, every atom looked up. Slow and plain on purpose.

It follows docs/language.md and shares no code with the program: what both say is right, or wrong in the docs.
"""
import itertools
from dataclasses import dataclass

from program import (TEXT_VARIABLES, And, Atom, Comparison, Forall, Iff, Implies, Not, Or, Quantified, Sum, Summed,
                     Variable)

NOTHING = 1e-9  # a violation that is none


class Unsuitable(Exception):
    """The rule is none: a variable is bound by nothing, or it divides by zero."""


@dataclass
class Term:
    """weight * max(0, r), its square, r <= 0 or r = 0, with r = offset + the sum of coefficient * atom."""
    rule: int
    kind: str  # hinge squared at_most equal
    weight: float
    coefficients: dict
    offset: float

    def residual(self, values):
        return self.offset + sum(c * values[atom] for atom, c in self.coefficients.items())

    def cost(self, values):
        distance = max(0.0, self.residual(values))
        return {"hinge": distance, "squared": distance * distance}.get(self.kind, 0.0) * self.weight

    def violation(self, values):
        """Of a hard ground rule; 0 of the others."""
        residual = self.residual(values)
        return {"at_most": max(0.0, residual), "equal": abs(residual)}.get(self.kind, 0.0)


@dataclass
class Ground:
    terms: list
    missing: int = 0            # ground rules with a target that also need an atom nobody listed
    only_missing: int = 0       # ... whose targets are all such atoms
    broken_by_observations: int = 0  # hard ground rules without a target that do not hold


def literals(formula, negated, universal):
    """Clauses of the formula (or its negation): sets of literals (kind, what, negated). Adds quantified variables that
    stand for all constants to `universal`."""
    if isinstance(formula, Comparison) and formula.operator == "!=":
        return literals(Comparison("==", formula.left, formula.right), not negated, universal)
    if isinstance(formula, (Atom, Comparison)):
        return [frozenset([("atom" if isinstance(formula, Atom) else "comparison", formula, negated)])]
    if isinstance(formula, Not):
        return literals(formula.operand, not negated, universal)
    if isinstance(formula, Implies):
        return literals(Or((Not(formula.body), formula.head)), negated, universal)
    if isinstance(formula, Iff):
        both = And((Implies(formula.left, formula.right), Implies(formula.right, formula.left)))
        return literals(both, negated, universal)
    if isinstance(formula, Forall):
        universal.add(formula.variable)
        return literals(formula.formula, negated, universal)
    if isinstance(formula, Quantified):
        if (formula.kind == "exists") != negated:
            return [frozenset([("exists", formula, formula.negated != negated)])]
        universal.add(formula.variable)
        literal = Not(formula.atom) if formula.negated != negated else formula.atom
        return literals(Or(tuple(Not(g) for g in formula.guards) + (literal,)), False, universal)
    parts = [literals(operand, negated, universal) for operand in formula.operands]
    if isinstance(formula, And) != negated:
        return [clause for part in parts for clause in part]
    return [frozenset().union(*choice) for choice in itertools.product(*parts)]


def clauses(formula):
    """The distinct clauses that do not hold by their form, and the variables that a quantifier gives all constants."""
    universal, found = set(), []
    for clause in literals(formula, False, universal):
        tautology = any((kind, what, not negated) in clause for kind, what, negated in clause)
        if not tautology and clause not in found:
            found.append(clause)
    return found, universal


def variables_of(arguments):
    return {a for a in arguments if isinstance(a, Variable)}


def variables_in(kind, what):
    """The variables of a literal that the rule must bind."""
    if kind == "atom":
        return variables_of(what.arguments)
    if kind == "comparison":
        return variables_of((what.left, what.right))
    found = variables_of(what.atom.arguments)
    for guard in what.guards:
        found |= condition_variables(guard)
    return found - {what.variable}


def condition_variables(formula):
    if isinstance(formula, Atom):
        return variables_of(formula.arguments)
    if isinstance(formula, Comparison):
        return variables_of((formula.left, formula.right))
    parts = [formula.operand] if isinstance(formula, Not) else formula.operands
    return set().union(*(condition_variables(part) for part in parts))


def substitute(term, binding):
    return binding[term] if isinstance(term, (Variable, Summed)) else term


def compare(comparison, binding):
    left, right = substitute(comparison.left, binding), substitute(comparison.right, binding)
    if comparison.operator == "==":
        return left == right
    if comparison.operator == "!=":
        return left != right
    if not variables_of((comparison.left, comparison.right)):
        left, right = str(left), str(right)  # no variable tells a domain: what is quoted is text
    return left.encode() < right.encode() if isinstance(left, str) else left < right


def binders_of(clause, universal, predicates):
    """The variables of a clause, and the atoms that bind by their targets what no negated atom binds."""
    if not any(kind == "atom" for kind, _, _ in clause):
        raise Unsuitable("a clause of comparisons alone")
    variables = set().union(*(variables_in(kind, what) for kind, what, _ in clause))
    given = set(universal)
    for kind, what, negated in clause:
        if kind == "atom" and negated:
            given |= variables_in(kind, what)
    binders = [what for kind, what, negated in clause
               if kind == "atom" and not negated and predicates[what.predicate].open
               and not variables_in(kind, what) <= given]
    if not variables <= given.union(*(variables_of(atom.arguments) for atom in binders)):
        raise Unsuitable("a variable is bound by no atom")
    return variables, binders


class Grounder:
    def __init__(self, program, missing_is_zero):
        self.program, self.missing_is_zero = program, missing_is_zero
        self.domains = {kind: program.constants(kind) for kind in ("text", "integer")}
        self.result = Ground([])

    def ground(self):
        for number in range(len(self.program.rules)):
            self.ground_rule(number)
        return self.result

    def ground_rule(self, number):
        self.number, self.rule = number, self.program.rules[number]
        if isinstance(self.rule.body, Sum):
            return self.ground_sum(self.rule.body)
        found, universal = clauses(self.rule.body)
        for clause in found:
            self.ground_clause(clause, universal)

    def bindings(self, variables):
        """Every way to put constants for the variables."""
        ordered = sorted(variables, key=lambda v: v.name)
        domains = [self.domains["text" if v.name in TEXT_VARIABLES else "integer"] for v in ordered]
        for constants in itertools.product(*domains):
            yield dict(zip(ordered, constants))

    def look_up(self, atom, binding):
        arguments = tuple(substitute(a, binding) for a in atom.arguments)
        return (atom.predicate,) + arguments, self.program.value(atom.predicate, arguments)

    def holds(self, formula, binding):
        """A condition on what is known: an atom holds if its value is above 0."""
        if isinstance(formula, Atom):
            return (self.look_up(formula, binding)[1] or 0) > 0
        if isinstance(formula, Comparison):
            return compare(formula, binding)
        if isinstance(formula, Not):
            return not self.holds(formula.operand, binding)
        combine = all if isinstance(formula, And) else any
        return combine(self.holds(operand, binding) for operand in formula.operands)

    # Logical rules

    def ground_clause(self, clause, universal):
        variables, binders = binders_of(clause, universal, self.program.predicates)
        for binding in self.bindings(variables):
            if all(self.look_up(atom, binding)[1] == "target" for atom in binders):
                self.ground_binding(clause, binding)

    def ground_binding(self, clause, binding):
        coefficients, offset, missing = {}, 1.0, 0
        for kind, what, negated in clause:
            if kind == "comparison":
                if compare(what, binding) != negated:
                    return  # the clause holds
            elif kind == "exists":
                offset += self.add_existential(what, negated, binding, coefficients)
            else:
                atom, value = self.look_up(what, binding)
                sign = 1.0 if negated else -1.0
                offset -= 1.0 if negated else 0.0
                if value is None:
                    if negated:
                        return  # no row, no grounding
                    missing += self.program.predicates[what.predicate].open
                elif value == "target":
                    coefficients[atom] = coefficients.get(atom, 0.0) + sign
                else:
                    offset += sign * value
        self.finish(coefficients, offset, ["<="], missing)

    def add_existential(self, what, negated, binding, coefficients):
        """A disjunction over all constants of the variable's domain; gives what it adds to the offset."""
        offset = 0.0
        for constant in self.domains["text" if what.variable.name in TEXT_VARIABLES else "integer"]:
            inner = {**binding, what.variable: constant}
            if not all(self.holds(guard, inner) for guard in what.guards):
                continue
            atom, value = self.look_up(what.atom, inner)
            sign = 1.0 if negated else -1.0
            offset -= 1.0 if negated else 0.0
            if value == "target":
                coefficients[atom] = coefficients.get(atom, 0.0) + sign
            else:
                offset += sign * (value or 0.0)
        return offset

    # Arithmetic rules

    def ground_sum(self, rule):
        summands = [(s, 1.0) for s in rule.left] + [(s, -1.0) for s in rule.right]
        variables = set().union(*(variables_of(s.atom.arguments) for s, _ in summands if s.atom))
        used = set().union(*(variables_of((c.left, c.right)) for c in rule.comparisons),
                           *(condition_variables(f) for _, f in rule.filters))
        if not used <= variables | {Variable(name) for name, _ in rule.filters}:
            raise Unsuitable("a variable is bound by no atom")
        for binding in self.bindings(variables):
            if all(compare(c, binding) for c in rule.comparisons):
                self.ground_sum_binding(rule, summands, binding)

    def expand(self, atom, binding, filters):
        """(whether some row matches, the bindings of the atoms that are summed)."""
        names = [a for a in atom.arguments if isinstance(a, Summed)]
        columns = [sorted({row[atom.arguments.index(name)] for row in self.program.rows(atom.predicate)})
                   for name in names]
        exists, kept = False, []
        for constants in itertools.product(*columns):
            inner = {**binding, **dict(zip(names, constants))}
            found = self.look_up(atom, inner)[1] is not None
            exists |= found
            passes = all(self.holds(filters[name.name], {**binding, Variable(name.name): inner[name]})
                         for name in names if name.name in filters)
            if passes and (found or not self.program.predicates[atom.predicate].open):
                kept.append((inner, found))
        return exists, kept

    def ground_sum_binding(self, rule, summands, binding):
        filters, kept, counts, something = dict(rule.filters), [], {}, False
        for summand, _ in summands:
            if summand.atom is None:
                kept.append([])
                continue
            exists, atoms = self.expand(summand.atom, binding, filters)
            if not exists:
                return
            something |= any(found for _, found in atoms)
            kept.append([inner for inner, _ in atoms])
            for argument in summand.atom.arguments:
                if isinstance(argument, Summed):
                    counts[argument.name] = len(atoms)
        if not something:
            return
        coefficients, offset = {}, 0.0
        for (summand, sign), atoms in zip(summands, kept):
            if summand.atom is not None and not atoms:
                continue
            factor = sign * coefficient_value(summand.coefficient, counts)
            if summand.atom is None:
                offset += factor
            for inner in atoms:
                atom, value = self.look_up(summand.atom, inner)
                if value == "target":
                    coefficients[atom] = coefficients.get(atom, 0.0) + factor
                else:
                    offset += factor * (value or 0.0)
        self.finish(coefficients, offset, ["<=", ">="] if rule.relation == "=" else [rule.relation], 0)

    def finish(self, coefficients, offset, relations, missing):
        coefficients = {atom: c for atom, c in coefficients.items() if abs(c) > 1e-12}
        hard = self.rule.weight is None
        if not coefficients:
            if hard and not missing and any(s * offset > NOTHING for s in signs(relations)):
                self.result.broken_by_observations += 1
            self.result.only_missing += missing > 0 and offset > NOTHING
            return
        if hard and len(relations) == 2:
            return self.add("equal", 1.0, coefficients, offset)
        for sign in signs(relations):
            largest = sign * offset + sum(max(0.0, sign * c) for c in coefficients.values())
            if largest <= NOTHING:
                continue  # it always holds
            if missing:
                self.result.missing += 1
                if not self.missing_is_zero:
                    continue
            self.add("at_most" if hard else "squared" if self.rule.squared else "hinge", sign, coefficients, offset)

    def add(self, kind, sign, coefficients, offset):
        self.result.terms.append(Term(self.number, kind, self.rule.weight or 0.0,
                                      {atom: sign * c for atom, c in coefficients.items()}, sign * offset))


def signs(relations):
    return [1.0 if relation == "<=" else -1.0 for relation in relations]


def coefficient_value(coefficient, counts):
    operator = coefficient[0]
    if operator == "number":
        return coefficient[1]
    if operator == "count":
        return float(counts[coefficient[1]])
    left, right = (coefficient_value(c, counts) for c in coefficient[1:])
    if operator == "/" and right == 0.0:
        raise Unsuitable("a division by zero")
    return {"+": lambda: left + right, "-": lambda: left - right, "*": lambda: left * right,
            "/": lambda: left / right, "max": lambda: max(left, right), "min": lambda: min(left, right)}[operator]()


def ground(program, missing_is_zero):
    return Grounder(program, missing_is_zero).ground()
