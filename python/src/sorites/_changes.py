"""What updates have changed, for a session that begins anew with the tables of the model."""

from __future__ import annotations

from typing import Dict, List, Optional, Tuple

import numpy as np

from ._library import OBSERVED, TARGET
from ._session import Session
from ._table import Table, argument_from
from .result import arguments_of

_FEW = 1000  # rows that may wait to be folded

# As the user wrote the predicate; the partition; the constants; the value, or None: removed.
_Change = Tuple[str, int, tuple, Optional[float]]


class Changes:
    """Of each atom the last change: it does not grow with the number of updates."""

    def __init__(self) -> None:
        self._last: Dict[Tuple[str, Tuple[str, ...]], _Change] = {}
        self._waiting: List[Tuple[str, int, Table, bool]] = []  # not in `_last` yet
        self._num_waiting = 0  # rows

    def __len__(self) -> int:
        """How many are kept."""
        return len(self._last) + self._num_waiting

    def add(self, predicate: str, partition: int, table: Table, removed: bool) -> None:
        """A table of rows that were added, or removed. To look at each row takes longer than the update of
        many, so that waits until there are about as many new ones as old ones."""
        self._waiting.append((predicate, partition, table, removed))
        self._num_waiting += table.num_rows
        if self._num_waiting > _FEW + len(self._last):
            self._fold()

    def repeat(self, session: Session) -> None:
        """Changes a session that has the tables alone."""
        self._fold()
        self._remove_what_is_there(session)
        for (predicate, partition, removed), changes in self._grouped().items():
            columns = [argument_from(list(column)) for column in zip(*(constants for constants, _ in changes))]
            values = None if removed else np.array([value for _, value in changes], dtype=np.float64)
            session.change(Table(columns, values, None), predicate, partition, removed)

    def copy(self) -> "Changes":
        copied = Changes()
        copied._last = dict(self._last)
        copied._waiting = list(self._waiting)
        copied._num_waiting = self._num_waiting
        return copied

    def _fold(self) -> None:
        for predicate, partition, table, removed in self._waiting:
            columns = [column.constants() for column in table.columns]
            values = [1.0] * table.num_rows if table.values is None else table.values.tolist()
            for constants, value in zip(zip(*columns), values):
                key = (predicate.lower(), tuple(map(str, constants)))
                self._last[key] = (predicate, partition, constants, None if removed else value)
        self._waiting.clear()
        self._num_waiting = 0

    def _grouped(self) -> Dict[Tuple[str, int, bool], List[Tuple[tuple, Optional[float]]]]:
        groups: Dict[Tuple[str, int, bool], List[Tuple[tuple, Optional[float]]]] = {}
        for predicate, partition, constants, value in self._last.values():
            groups.setdefault((predicate, partition, value is None), []).append((constants, value))
        return groups

    def _remove_what_is_there(self, session: Session) -> None:
        """Atoms are removed from where the tables have them, which need not be where the last update did: it may
        have been moved before. Of those that came by an update and went by another one nothing is left."""
        there: Dict[str, Dict[tuple, int]] = {}
        for key, (predicate, _, constants, value) in list(self._last.items()):
            if value is not None:
                continue
            if key[0] not in there:
                there[key[0]] = _atoms(session, predicate)
            if key[1] in there[key[0]]:
                self._last[key] = (predicate, there[key[0]][key[1]], constants, None)
            else:
                del self._last[key]


def _atoms(session: Session, predicate: str) -> Dict[tuple, int]:
    """Atoms, and the partitions that have them."""
    atoms = {}
    arity = session.arity(predicate)
    for partition in (OBSERVED, TARGET):
        columns = arguments_of(session.get(predicate, partition), None, arity).values()
        atoms.update(dict.fromkeys(zip(*(map(str, column.tolist()) for column in columns)), partition))
    return atoms
