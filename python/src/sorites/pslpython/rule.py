"""Rules as texts, whose weight and exponent can be changed."""

from __future__ import annotations

import math
import re
from typing import List, Optional

_WEIGHT = re.compile(r"^(-?\d+(?:\.\d+)?(?:[eE]-?\d+)?)\s*:\s*")
_HARD = re.compile(r"\s+\.\s*$")
_EXPONENT = re.compile(r"\s+\^([12])\s*$")


class RuleError(Exception):
    def __init__(self, rule: str, message: str):
        super().__init__(f"{message} Rule: {rule}")


class Rule:
    """A rule from its text. What the text does not say (weight, hard, squared) is given beside it, and what
    is said twice must agree."""

    def __init__(self, rule_string: str, weighted: Optional[bool] = None, weight: Optional[float] = None,
                 squared: Optional[bool] = None):
        whole = body = rule_string.strip()
        hard = _HARD.search(body) is not None
        body = _HARD.sub("", body)
        exponent = _EXPONENT.search(body)
        body = _EXPONENT.sub("", body)
        if exponent and _HARD.search(body):
            raise RuleError(whole, "A hard rule has no exponent.")
        if hard and weighted:
            raise RuleError(whole, "The text says that the rule is hard, the argument that it is weighted.")
        written = _WEIGHT.match(body)
        body = _WEIGHT.sub("", body)
        if written and weight is not None and not math.isclose(float(written.group(1)), weight):
            raise RuleError(whole, "The weight of the text and the weight of the argument differ.")
        weight = float(written.group(1)) if written else weight
        self._weighted = weighted if weighted is not None else not hard
        if self._weighted and weight is None:
            raise RuleError(whole, "A weighted rule needs a weight.")
        if not self._weighted and weight is not None:
            raise RuleError(whole, "A hard rule has no weight.")
        self._body = body
        self._weight: Optional[float] = None
        if weight is not None:
            self.set_weight(weight)
        says_squared = exponent is not None and exponent.group(1) == "2"
        if exponent and squared is not None and squared != says_squared:
            raise RuleError(whole, "The exponent of the text and the argument `squared` differ.")
        self._squared = bool(squared) if exponent is None else says_squared
        if not self._weighted and (self._squared or exponent):
            raise RuleError(whole, "A hard rule has no exponent.")

    def set_weight(self, weight: float) -> "Rule":
        if weight < 0:
            raise RuleError(self._body, f"A weight is not negative, as {weight} is.")
        if not self._weighted:
            raise RuleError(self._body, "A hard rule has no weight.")
        self._weight = weight
        return self

    def set_squared(self, squared: bool) -> "Rule":
        if not self._weighted:
            raise RuleError(self._body, "A hard rule has no exponent.")
        self._squared = squared
        return self

    def weight(self) -> Optional[float]:
        return self._weight

    def weighted(self) -> bool:
        return self._weighted

    def squared(self) -> bool:
        return self._squared

    def to_string(self, weight_places: Optional[int] = None) -> str:
        if not self._weighted:
            return f"{self._body} ."
        weight = f"{self._weight:.{6 if weight_places is None else weight_places}f}"
        return f"{weight}: {self._body}" + (" ^2" if self._squared else "")

    def exact(self) -> str:
        """With all digits of the weight."""
        if not self._weighted:
            return f"{self._body} ."
        weight = repr(float(self._weight)).replace("e+", "e")
        return f"{weight}: {self._body}" + (" ^2" if self._squared else "")

    __str__ = to_string
    __repr__ = to_string

    @staticmethod
    def load_from_file(path: str) -> List["Rule"]:
        with open(path, encoding="utf-8") as file:
            lines = [line.strip() for line in file]
        return [Rule(line) for line in lines if line and not line.startswith(("//", "#"))]
