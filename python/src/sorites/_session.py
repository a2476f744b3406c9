"""One session of the library, with errors, warnings, Ctrl-C and progress as Python has them."""

from __future__ import annotations

import ctypes
import json
import math
import threading
import weakref
from typing import Any, Callable, Dict, List, Optional

import numpy as np

from . import _errors
from ._interrupt import StopsOnInterrupt
from ._library import DONE, Progress, Rows, lib
from ._progress import ProgressBar

_no_progress = Progress()


class Session:
    """Not for several threads at once: calls wait for each other."""

    def __init__(self, source: str, is_text: bool, options: Dict[str, Any]):
        self._lock = threading.RLock()
        self._told = 0
        self._kept: List[Any] = []  # what the library looks at
        self._options: Dict[str, Any] = {}
        self._bar: Optional[ProgressBar] = None
        self.known: Dict[Any, Any] = {}  # what was asked of the targets, until data or options change
        open_it = lib.sorites_open_text if is_text else lib.sorites_open
        self._handle = open_it(source.encode(), _json(options))
        if not self._handle:
            raise _errors.last_error(_errors.WRONG_INPUT if _has_diagnostics() else -1)
        self._finalizer = weakref.finalize(self, lib.sorites_close, self._handle)

    def attach(self, table: Any, predicate: str, partition: int, phase: Optional[str]) -> None:
        with self._lock:
            rows = table.rows(predicate, partition, phase)
            self._kept.append((table, rows))
            self.known.clear()
            self._check(lib.sorites_attach(self._handle, rows))

    def change(self, table: Any, predicate: str, partition: int, remove: bool) -> None:
        with self._lock:
            self.known.clear()
            self._check(lib.sorites_change(self._handle, table.rows(predicate, partition), int(remove)))

    def set_weight(self, rule: int, weight: float) -> None:
        with self._lock:
            self._check(lib.sorites_set_weight(self._handle, rule, weight))

    def update(self) -> None:
        self._run(lambda: lib.sorites_update(self._handle), False)

    def arity(self, predicate: str) -> int:
        with self._lock:
            arity = lib.sorites_arity(self._handle, predicate.encode())
            if arity < 0:
                raise _errors.last_error(arity)
            return arity

    def set_options(self, options: Dict[str, Any]) -> None:
        """Options over all others, instead of those of the last such call."""
        with self._lock:
            if options == self._options:
                return
            self.known.clear()
            self._check(lib.sorites_set_options(self._handle, _json(options)))
            self._options = options

    def infer(self, progress: Optional[bool] = None) -> None:
        self._run(lambda: lib.sorites_infer(self._handle), progress, lambda: self.told("result"))

    def ask(self, question: str, progress: Optional[bool] = False, **arguments: Any) -> Any:
        return json.loads(self.ask_raw(question, progress, **arguments))

    def ask_raw(self, question: str, progress: Optional[bool] = False, **arguments: Any) -> bytes:
        given = {name: value for name, value in arguments.items() if value is not None}
        answers: List[Optional[bytes]] = []

        def call() -> int:
            answers.append(lib.sorites_ask(
                self._handle, question.encode(), _json(given) if given else None))
            return DONE if answers[0] is not None else -1

        self._run(call, progress, lambda: answers[0] or b"")
        assert answers[0] is not None
        return answers[0]

    def told(self, question: str) -> bytes:
        """What is known already, and takes no time: "result"."""
        with self._lock:
            answer = lib.sorites_ask(self._handle, question.encode(), None)
            if answer is None:
                raise _errors.last_error(-1)
            return answer

    def get(self, predicate: str, partition: int) -> Rows:
        """What it points to holds until the next call."""
        rows = Rows(predicate.encode(), partition, -1, 0, None, None, None)
        self._check(lib.sorites_get(self._handle, rows))
        return rows

    def _run(self, call: Callable[[], int], progress: Optional[bool],
             answer: Callable[[], bytes] = lambda: b"") -> None:
        """A Ctrl-C that did not end the call early, with an answer that says so, is Python's own
        KeyboardInterrupt, as is the second one: no loop of short calls can swallow them."""
        with self._lock:
            bar = ProgressBar.if_wanted(progress)
            if bar or self._bar:
                lib.sorites_on_progress(self._handle, bar.callback if bar else _no_progress, None)
            self._bar = bar  # which the library may call
            try:
                with StopsOnInterrupt(self._stop) as interrupts:
                    status = call()
            finally:
                if bar:
                    bar.close()
            self._check(status)
            self._warn()
            if interrupts.heard > 1 or (interrupts.heard and b'"interrupted"' not in answer()):
                raise KeyboardInterrupt

    def _stop(self) -> None:
        lib.sorites_stop(self._handle)

    def _check(self, status: int) -> None:
        if status != DONE:
            error = _errors.last_error(status)
            self._warn()
            raise error

    def _warn(self) -> None:
        text = lib.sorites_ask(self._handle, b"warnings", None)
        if text is None or text == b"[]":
            return
        found = json.loads(text)
        new, self._told = found[self._told:], len(found)
        _errors.warn(new)


def _json(arguments: Dict[str, Any]) -> bytes:
    """JSON has no number for infinity, which some options take; whoever takes no text says so."""
    return json.dumps({name: str(value) if isinstance(value, float) and not math.isfinite(value) else
                       json.loads(_json(value)) if isinstance(value, dict) else value
                       for name, value in arguments.items()}).encode()


def _has_diagnostics() -> bool:
    return lib.sorites_last_diagnostics() != b"[]"


def array_at(address: Optional[int], count: int, kind: Any) -> Optional[np.ndarray]:
    """A copy of memory of the library, which owns itself."""
    if not address or count == 0:
        return None if not address else np.empty(0, kind)
    result = np.empty(count, kind)
    ctypes.memmove(result.ctypes.data, address, result.nbytes)
    return result
