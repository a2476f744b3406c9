"""Mistakes as exceptions, warnings as Python's warnings."""

from __future__ import annotations

import json
import os
import sys
import warnings
from typing import List, NamedTuple

from ._library import INTERRUPTED, WRONG_INPUT, lib


class Note(NamedTuple):
    """A second place that belongs to a diagnostic, or a hint how to mend it (without a place)."""

    message: str
    file: str = ""
    line: int = 0
    column: int = 0
    length: int = 0


class Diagnostic(NamedTuple):
    """One mistake of rules, model files or data, and where it is. Lines and columns count from 1."""

    severity: str
    code: str
    message: str
    file: str
    line: int
    column: int
    length: int
    notes: List[Note]


class Error(Exception):
    """Something went wrong in Sorites. What is said is what the command line would say."""

    @property
    def diagnostics(self) -> List[Diagnostic]:
        """All mistakes of the input, by place; empty if the input was not to blame."""
        return getattr(self, "_diagnostics", [])


class InputError(Error, ValueError):
    """Rules, a model file or data are wrong; `diagnostics` has all mistakes with their places."""

    def __init__(self, text: str, diagnostics: List[Diagnostic]):
        super().__init__(text)
        self._diagnostics = diagnostics

    def __reduce__(self):
        return InputError, (str(self), self._diagnostics)


class SoritesWarning(UserWarning):
    """What Sorites warns of: nothing is wrong, but it may not be what was meant."""


def diagnostic_from(document: dict) -> Diagnostic:
    fields = {name: document[name] for name in Diagnostic._fields if name != "notes"}
    return Diagnostic(notes=[Note(**note) for note in document["notes"]], **fields)


def last_error(status: int) -> BaseException:
    """The exception for what the last call of this thread said."""
    text = lib.sorites_last_error().decode("utf-8", "replace").rstrip("\n")
    if status == INTERRUPTED:
        return KeyboardInterrupt(text)
    found = json.loads(lib.sorites_last_diagnostics())
    if status == WRONG_INPUT or found:
        return InputError(text, [diagnostic_from(one) for one in found])
    return Error(text)


def warn(documents: List[dict]) -> None:
    """Passes the warnings of the library on, as if whoever called this package had caused them."""
    for one in documents:
        warnings.warn(one["text"].rstrip("\n"), SoritesWarning, stacklevel=_level_of_caller())


def _level_of_caller() -> int:
    folder, level, frame = os.path.dirname(__file__), 1, sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(folder):
        level, frame = level + 1, frame.f_back
    return level
