"""Sorites: weighted rules over relational data, certified inference, explanations and learning.

>>> import sorites as so
>>> m = so.Model("2: Friend(A, B) & Smokes(A) -> Smokes(B)   1: !Smokes(A)")
>>> m = m.observe("Friend", [("ann", "bob")]).observe("Smokes", [("ann",)]).target("Smokes", [("bob",)])
>>> r = m.infer()
>>> r.status, r["Smokes"]["value"].round(3).tolist()
('optimal', [1.0])
"""

from ._errors import Diagnostic, Error, InputError, Note, SoritesWarning
from ._library import version as __version__
from ._sql import sql
from .model import Model, read
from .result import Check, Estimate, Explanation, Ground, LearnLog, Result, Rules

__all__ = [
    "Check", "Diagnostic", "Error", "Estimate", "Explanation", "Ground", "InputError", "LearnLog", "Model", "Note", "Result",
    "Rules", "SoritesWarning", "read", "sql", "__version__",
]
