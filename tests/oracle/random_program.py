"""Random small programs with data, over every construct of the rule language."""
import random

from grounder import Grounder, Unsuitable, clauses
from program import (TEXT_VARIABLES, And, Atom, Comparison, Forall, Iff, Implies, Not, Or, Predicate, Program, Quantified,
                     Rule, Sum, Summand, Summed, Variable)
from rule_text import RuleWriter

TEXTS = ("a", "b", "New York", "x'y", "Zoë", "10", "9", "B")
INTEGERS = (1, 2, 10, -3)
CLOSED = {"Person": ("text",), "Likes": ("text", "text"), "Rated": ("text", "integer"),
          "Met": ("text", "text", "integer"), "Empty": ("text", "text")}
OPEN = {"Good": ("text",), "Knows": ("text", "text"), "Trusts": ("text", "text"), "Rank": ("text", "integer"),
        "Nothing": ("text",)}
VALUES = (0.0, 1.0, 1.0, 1.0, 0.3, 0.5, 0.75)
WEIGHTS = (0.1, 0.25, 0.5, 1.0, 1.0, 2.0, 5.0, 10.0, 0.123456789, 100.0)
WIDE_WEIGHTS = WEIGHTS + (1e-6, 1e-3, 1e4, 1e6, 1e9)
MOST_TERMS = 120


def one():
    return ("number", 1.0)


class RandomProgram:
    """`integer`: how often a predicate is one of integer atoms. `hard`: how often a rule is."""

    def __init__(self, seed, weights=WEIGHTS):
        self.random, self.weights = random.Random(seed), weights
        self.integer = self.random.choice([0.0, 0.0, 0.3, 1.0])
        self.hard = self.random.choice([0.0, 0.15, 0.3])
        self.squared = self.random.choice([0.0, 0.5, 0.5, 1.0])
        self.texts = self.random.sample(TEXTS, self.random.randint(3, 5))
        self.integers = self.random.sample(INTEGERS, 2)
        self.writer = RuleWriter(self.random)
        self.quantified = False  # whether terms may be the variable of a quantifier, Y

    def make(self):
        program = Program()
        for name, types in {**CLOSED, **OPEN}.items():
            integer = name in OPEN and self.chance(self.integer)
            program.predicates[name] = Predicate(name, types, name in OPEN, integer)
            program.observed[name], program.targets[name] = {}, []
            if name not in ("Empty", "Nothing"):
                self.add_rows(program, program.predicates[name])
        if not any(program.targets.values()):
            program.observed["Good"], program.targets["Good"] = {}, [(text,) for text in self.texts]
        wanted = self.random.randint(1, 6)
        while len(program.rules) < wanted:
            self.add_rule(program)
        return program

    # Data

    def chance(self, share):
        return self.random.random() < share

    def pool(self, kind):
        return self.texts if kind == "text" else self.integers

    def add_rows(self, program, predicate):
        count = self.random.randint(2, 5) if len(predicate.types) == 1 else self.random.randint(4, 14)
        for _ in range(count):
            row = tuple(self.random.choice(self.pool(kind)) for kind in predicate.types)
            if program.value(predicate.name, row) is not None:
                continue
            if predicate.open and self.chance(0.7):
                program.targets[predicate.name].append(row)
            else:
                values = (0.0, 1.0) if predicate.integer else VALUES
                program.observed[predicate.name][row] = self.random.choice(values)

    # Rules

    def add_rule(self, program):
        """Adds a rule that means something, is not there yet and does not make the program large. A hard rule that
        observations break is not drawn: what becomes of it is not for a solver to say."""
        hard = self.chance(self.hard)
        squared = not hard and self.chance(self.squared)
        rule = Rule(self.body(), None if hard else self.random.choice(self.weights), squared)
        if not isinstance(rule.body, Sum) and not clauses(rule.body)[0]:
            return  # it holds by its form, and is left out with a warning
        if any(rule.body == other.body and (rule.squared, hard) == (other.squared, other.weight is None)
               for other in program.rules):
            return
        program.rules.append(rule)
        try:
            grounder = Grounder(program, missing_is_zero=True)
            grounder.ground_rule(len(program.rules) - 1)
            result = grounder.result
            if len(result.terms) > MOST_TERMS or result.broken_by_observations:
                raise Unsuitable("too large, or broken")
            if not result.terms and self.chance(0.9):
                raise Unsuitable("it says nothing")
            rule.text = self.writer.rule(rule)
        except Unsuitable:
            program.rules.pop()

    def body(self):
        kinds = [self.implication] * 8 + [self.connectives] * 2 + [self.sum] * 4 + [self.summation] * 4 + \
                [self.quantifier] * 2 + [self.prior]
        return self.random.choice(kinds)()

    def term(self, kind):
        if self.chance(0.12):
            return self.random.choice(list(self.pool(kind)) + (["nobody"] if kind == "text" else [77]))
        if self.quantified and kind == "text" and self.chance(0.5):
            return Variable("Y")
        return Variable(self.random.choice("ABC" if kind == "text" else "NM"))

    def atom(self, names=None):
        name = self.random.choice(names or (list(CLOSED) + list(OPEN) * 2))
        if name in ("Empty", "Nothing") and self.chance(0.7):
            name = self.random.choice(["Person", "Good", "Knows"] if names is None else names)
        return Atom(name, tuple(self.term(kind) for kind in {**CLOSED, **OPEN}[name]))

    def comparison(self):
        kind = self.random.choice(["text", "text", "text", "integer"])
        return Comparison(self.random.choice(["!=", "!=", "==", "%"]), self.term(kind), self.term(kind))

    def literal(self, names=None):
        atom = self.atom(names)
        return Not(atom) if self.chance(0.25) else atom

    def prior(self):
        return self.literal(list(OPEN))

    def implication(self):
        body = [self.literal() for _ in range(self.random.randint(1, 3))]
        body += [self.comparison() for _ in range(self.random.choice([0, 0, 0, 1, 1, 2]))]
        self.random.shuffle(body)
        head = [self.literal(list(OPEN))] + ([self.literal()] if self.chance(0.3) else [])
        return Implies(And(tuple(body)) if len(body) > 1 else body[0], Or(tuple(head)) if len(head) > 1 else head[0])

    def connectives(self, depth=2):
        if depth == 0:
            return self.comparison() if self.chance(0.15) else self.literal()
        left, right = self.connectives(depth - 1), self.connectives(depth - 1)
        return self.random.choice([And((left, right)), Or((left, right)), Implies(left, right), Iff(left, right)])

    def with_y(self, make):
        """What `make` gives, until it mentions Y."""
        self.quantified = True
        while True:
            made = make()
            terms = (made.left, made.right) if isinstance(made, Comparison) else made.arguments
            if Variable("Y") in terms:
                self.quantified = False
                return made
            self.quantified = True

    def quantifier(self):
        if self.chance(0.2):
            return Forall(Variable("A"), Or(tuple(self.literal() for _ in range(2)) + (Not(self.atom()),)))
        guards = tuple(self.with_y(self.comparison if self.chance(0.4) else lambda: self.atom(["Person", "Likes", "Met"]))
                       for _ in range(self.random.choice([0, 1, 1, 2])))
        atom = self.with_y(lambda: self.atom(["Good", "Knows", "Trusts", "Rank"]))
        inner = Quantified(self.random.choice(["exists", "forall"]), Variable("Y"), guards, atom, self.chance(0.2))
        if self.chance(0.6):
            return Implies(self.literal(), inner)
        return Implies(And((inner, self.literal())), self.literal(list(OPEN)))

    # Arithmetic rules

    def number(self):
        return ("number", self.random.choice([1.0, 1.0, 1.0, 2.0, 0.5, -1.0, 3.0, 0.25]))

    def relation(self):
        return self.random.choice(["<=", "<=", ">=", ">=", "="])

    def sum(self):
        count = self.random.randint(1, 3)
        left = tuple(Summand(self.number(), self.atom(list(OPEN) if i == 0 else None)) for i in range(count))
        right = (Summand(("number", self.random.choice([0.0, 0.5, 1.0, 1.5, 2.0]))),)
        if self.chance(0.5):
            right = (Summand(self.number(), self.atom()),) + (right if self.chance(0.3) else ())
        comparisons = (self.comparison(),) if self.chance(0.25) else ()
        return Sum(left, self.relation(), right, comparisons)

    def summed_atom(self, name):
        X = Summed(name)
        A, B, N = Variable("A"), Variable("B"), Variable("N")
        return self.random.choice([
            Atom("Knows", (A, X)), Atom("Knows", (X, B)), Atom("Trusts", (X, A)), Atom("Good", (X,)),
            Atom("Rank", (A, X)), Atom("Rank", (X, N)), Atom("Likes", (A, X)), Atom("Met", (A, X, N)),
            Atom("Likes", (X, self.random.choice(self.texts))), Atom("Trusts", (X, self.random.choice(self.texts)))])

    def coefficient(self, name):
        count = ("count", name)
        return self.random.choice([one(), one(), one(), ("number", 2.0), count, ("/", one(), count),
                                   ("max", count, ("number", 2.0)), ("min", ("+", count, one()), ("number", 3.0)),
                                   ("-", count, ("number", 0.5)), ("/", ("number", -1.0), count)])

    def filter(self, name, integer):
        X, A = Variable(name), Variable("A")
        if integer:
            return self.random.choice([Comparison("!=", X, self.integers[0]), Comparison("%", X, self.integers[1])])
        some = self.random.choice(self.texts)
        return self.random.choice([
            Atom("Person", (X,)), Not(Atom("Person", (X,))), Comparison("!=", X, some), Atom("Likes", (X, A)),
            Or((Atom("Likes", (X, some)), Atom("Person", (X,)))), Comparison("!=", X, A),
            And((Comparison("%", X, some), Not(Atom("Likes", (X, X)))))])

    def summation(self):
        first = self.summed_atom("X")
        left, summed = [Summand(self.coefficient("X"), first)], {"X": first}
        if self.chance(0.3):
            summed["Z"] = self.summed_atom("Z")
            left.append(Summand(self.coefficient("Z"), summed["Z"]))
        if self.chance(0.1):
            summed = {"X": Atom("Met", (Summed("X"), Summed("Z"), Variable("N")))}
            left = [Summand(one(), summed["X"]), Summand(one(), Atom("Rank", (Variable("A"), Variable("N"))))]
        if self.chance(0.3):
            left.append(Summand(self.number(), self.atom(list(OPEN))))
        count = ("count", "X")
        right = self.random.choice([("number", 1.0), ("number", 0.0), ("number", 0.5), count,
                                    ("/", count, ("number", 2.0)), ("max", count, ("number", 2.0))])
        rights = [Summand(right)] + ([Summand(self.number(), self.atom())] if self.chance(0.2) else [])
        filters = tuple((name, self.filter(name, "Rank" == atom.predicate and atom.arguments[1] == Summed(name)))
                        for name, atom in summed.items() if self.chance(0.5))
        return Sum(tuple(left), self.relation(), tuple(rights), (), filters)
