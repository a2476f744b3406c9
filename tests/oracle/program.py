"""Programs of the rule language as data. What they mean is said in docs/language.md; nothing here is taken from src/.

A formula is an Atom, Comparison, Not, And, Or, Implies, Iff, Quantified or Forall. Variables named in TEXT_VARIABLES
stand for texts, all others for integers.
"""
from dataclasses import dataclass, field
from typing import Any, Optional

TEXT_VARIABLES = ("A", "B", "C", "Y")


@dataclass(frozen=True)
class Variable:
    name: str


@dataclass(frozen=True)
class Summed:
    """`+X` in an argument."""
    name: str


@dataclass(frozen=True)
class Atom:
    predicate: str
    arguments: tuple  # of Variable, Summed, or a constant: str or int


@dataclass(frozen=True)
class Comparison:
    operator: str  # == != %
    left: Any
    right: Any


@dataclass(frozen=True)
class Not:
    operand: Any


@dataclass(frozen=True)
class And:
    operands: tuple


@dataclass(frozen=True)
class Or:
    operands: tuple


@dataclass(frozen=True)
class Implies:
    body: Any
    head: Any


@dataclass(frozen=True)
class Iff:
    left: Any
    right: Any


@dataclass(frozen=True)
class Quantified:
    """exists V: guards & literal, or forall V: guards -> literal. All of them mention V."""
    kind: str  # exists forall
    variable: Variable
    guards: tuple
    atom: Atom
    negated: bool


@dataclass(frozen=True)
class Forall:
    """A quantifier in front of a whole rule."""
    variable: Variable
    formula: Any


@dataclass(frozen=True)
class Summand:
    coefficient: tuple  # ("number", 2.0), ("count", "X"), or an operator of + - * / max min and two coefficients
    atom: Optional[Atom] = None


@dataclass(frozen=True)
class Sum:
    """Summands on the left, and on the right with the other sign; `comparisons` restrict the groundings."""
    left: tuple
    relation: str  # <= >= =
    right: tuple
    comparisons: tuple = ()
    filters: tuple = ()  # of (name of the summed variable, formula)


@dataclass
class Rule:
    body: Any  # a formula or a Sum
    weight: Optional[float]  # None: hard
    squared: bool
    text: str = ""


@dataclass
class Predicate:
    name: str
    types: tuple  # of "text" or "integer", per argument
    open: bool = False
    integer: bool = False


@dataclass
class Program:
    predicates: dict = field(default_factory=dict)  # by name
    observed: dict = field(default_factory=dict)    # by name: arguments -> value
    targets: dict = field(default_factory=dict)     # by name: list of arguments
    rules: list = field(default_factory=list)

    def value(self, predicate, arguments):
        """A number for an observed atom, "target", or None if it is neither."""
        if arguments in self.observed[predicate]:
            return self.observed[predicate][arguments]
        return "target" if arguments in self.targets[predicate] else None

    def rows(self, predicate):
        return list(self.observed[predicate]) + list(self.targets[predicate])

    def constants(self, kind):
        """All constants of a kind in all data, in order."""
        found = {row[i] for p in self.predicates.values() for row in self.rows(p.name)
                 for i, k in enumerate(p.types) if k == kind}
        return sorted(found)
