"""Rows on their way in: data frames, arrays, lists and Arrow as the columns that the library takes.

Integers go in as they are, without a copy if they are 64 bits wide and lie one after the other.
Texts are factorised: each stands once, and rows say which they have.
"""

from __future__ import annotations

import ctypes
import os
from typing import Any, List, Optional, Sequence, Tuple

import numpy as np

from . import _arrow
from ._library import PHASES, Column, Rows

try:
    import pandas
except ImportError:  # it is a help, not a need
    pandas = None

MISSING = np.uint32(0xFFFFFFFF)  # the code of nothing: the library says in which row


class ArgumentColumn:
    """The constants of one argument. `kind` is what they were: numbers (i), reals (f) or texts (O)."""

    def __init__(self, kind: str, numbers=None, codes=None, texts: Sequence[str] = ()):
        self.kind = kind
        self.numbers = numbers
        self.codes = codes
        self.bytes, self.ends = _joined(texts) if numbers is None else (b"", None)

    def __len__(self) -> int:
        return len(self.codes if self.numbers is None else self.numbers)

    def constants(self) -> List[Any]:
        """One per row: integers, or texts."""
        if self.numbers is not None:
            return self.numbers.tolist()
        begins = np.concatenate([np.zeros(1, np.uint64), self.ends[:-1]]) if len(self.ends) else self.ends
        texts = [self.bytes[a:b].decode() for a, b in zip(begins.tolist(), self.ends.tolist())]
        return [texts[code] for code in self.codes.tolist()]

    def fill(self, column: Column) -> None:
        if self.numbers is not None:
            column.numbers = self.numbers.ctypes.data
            return
        column.codes = self.codes.ctypes.data
        column.num_texts = len(self.ends)
        column.bytes = ctypes.cast(ctypes.c_char_p(self.bytes), ctypes.c_void_p)
        column.ends = self.ends.ctypes.data


class Table:
    """Columns of arguments and, if there are any, truth values."""

    def __init__(self, columns: List[ArgumentColumn], values, names: Optional[List[str]]):
        self.columns = columns
        self.values = values
        self.names = names  # of the columns of arguments; None: they have none
        self.num_rows = len(columns[0])
        self.path: Optional[str] = None

    def rows(self, predicate: str, partition: int, phase: Optional[str] = None) -> Rows:
        """For a call; it looks at this table's memory."""
        columns = (Column * len(self.columns))()
        for column, filled in zip(self.columns, columns):
            column.fill(filled)
        rows = Rows(predicate.encode(), partition, PHASES[phase], self.num_rows, columns, None)
        if self.values is not None:
            rows.values = self.values.ctypes.data
        return rows


class FileTable:
    """A file of rows, which the library reads: *.csv, anything else by tabs, *.gz unpacked."""

    names = None
    columns: List[ArgumentColumn] = []

    def __init__(self, path: str):
        self.path = path

    def rows(self, predicate: str, partition: int, phase: Optional[str] = None) -> Rows:
        return Rows(predicate.encode(), partition, PHASES[phase], 0, None, None, self.path.encode())


def table_from(data: Any, arity: int, predicate: str):
    """Any kind of rows. One column more than the predicate has arguments: truth values."""
    if isinstance(data, (str, os.PathLike)):
        return FileTable(os.fspath(data))
    if isinstance(data, (Table, FileTable)):
        return data
    names, columns = _columns_of(data, arity, predicate)
    if len(columns) not in (arity, arity + 1):
        raise ValueError(
            f"`{predicate}` has {arity} argument{'s' if arity != 1 else ''}, so its rows have {arity} "
            f"columns, or {arity + 1} with truth values, not {len(columns)}"
        )
    values = _values_from(columns[arity], predicate) if len(columns) > arity else None
    arguments = [argument_from(column) for column in columns[:arity]]
    if len({len(column) for column in arguments}) > 1:
        raise ValueError(f"the columns of `{predicate}` have different lengths")
    return Table(arguments, values, names[:arity] if names else None)


def _columns_of(data: Any, arity: int, predicate: str) -> Tuple[Optional[List[str]], List[Any]]:
    if pandas is not None and isinstance(data, pandas.DataFrame):
        return [str(name) for name in data.columns], [data.iloc[:, k] for k in range(data.shape[1])]
    if pandas is not None and isinstance(data, (pandas.Series, pandas.Index)):
        return None, [data]
    if isinstance(data, dict):
        return [str(name) for name in data], list(data.values())
    if isinstance(data, np.ndarray):
        return _columns_of_array(data, predicate)
    if hasattr(data, "__arrow_c_stream__"):
        return _arrow.columns_of(data)
    return None, _columns_of_rows(list(data), arity, predicate)


def _columns_of_array(array: np.ndarray, predicate: str) -> Tuple[Optional[List[str]], List[Any]]:
    if array.dtype.names:
        return list(array.dtype.names), [array[name] for name in array.dtype.names]
    if array.ndim == 1:
        return None, [array]
    if array.ndim != 2:
        raise ValueError(f"an array of rows has two dimensions, not {array.ndim} (`{predicate}`)")
    return None, [array[:, k] for k in range(array.shape[1])]


def _columns_of_rows(rows: List[Any], arity: int, predicate: str) -> List[Any]:
    if not rows:
        return [[] for _ in range(arity)]
    if arity == 1 and not isinstance(rows[0], (tuple, list, np.ndarray)):
        return [rows]  # constants, not rows of one
    length = len(rows[0]) if isinstance(rows[0], (tuple, list, np.ndarray)) else 0
    for number, row in enumerate(rows):
        if not isinstance(row, (tuple, list, np.ndarray)) or len(row) != length:
            raise ValueError(
                f"row {number} of `{predicate}` is {row!r}: rows are tuples that all have as many items"
            )
    return [list(column) for column in zip(*rows)]


def argument_from(column: Any) -> ArgumentColumn:
    """A column of constants of any kind."""
    if isinstance(column, ArgumentColumn):
        return column
    if pandas is not None and isinstance(column, (pandas.Series, pandas.Index)):
        if isinstance(column.dtype, pandas.CategoricalDtype):
            values = column.cat if isinstance(column, pandas.Series) else column
            texts = [_text(one) for one in values.categories]
            return ArgumentColumn("O", codes=np.asarray(values.codes).astype(np.uint32), texts=texts)
        if column.dtype.kind == "i" and not isinstance(column.dtype, np.dtype) and not column.hasnans:
            column = column.astype(np.int64)  # integers that might have been missing
        array = column.to_numpy()
    else:
        array = _array_of(column)
    if array.dtype.kind == "i" or (array.dtype.kind == "u" and array.dtype.itemsize < 8):
        return ArgumentColumn("i", numbers=np.ascontiguousarray(array, dtype=np.int64))
    codes, uniques = _factorize(array)
    return ArgumentColumn("f" if array.dtype.kind == "f" else "O", codes=codes,
                          texts=[_text(one) for one in uniques])


def _array_of(column: Any) -> np.ndarray:
    if isinstance(column, np.ndarray):
        return column
    items = list(column)
    whole = all(type(one) is int for one in items) and items
    if whole and all(-(2**63) <= one < 2**63 for one in items):
        return np.array(items, dtype=np.int64)
    array = np.empty(len(items), dtype=object)  # NumPy would make one kind of all of them
    array[:] = items
    return array


def _factorize(array: np.ndarray) -> Tuple[np.ndarray, Any]:
    if pandas is not None:
        codes, uniques = _factorize_objects(array) if array.dtype == object else pandas.factorize(array)
        return codes.astype(np.uint32), uniques
    known: dict = {}
    codes = np.empty(len(array), dtype=np.uint32)
    for row, one in enumerate(array.tolist()):
        missing = one is None or one != one
        codes[row] = MISSING if missing else known.setdefault(one, len(known))
    return codes, list(known)


def _factorize_objects(array: np.ndarray) -> Tuple[np.ndarray, Any]:
    """Equal texts are mostly one object, so pointers, which are quick to compare, come first."""
    array = np.ascontiguousarray(array)
    if len(array) == 0:
        return pandas.factorize(array)
    memory = (ctypes.c_char * array.nbytes).from_address(array.ctypes.data)
    codes, pointers = pandas.factorize(np.frombuffer(memory, dtype=np.intp))
    first = np.empty(len(pointers), np.intp)
    first[codes[::-1]] = np.arange(len(array) - 1, -1, -1)
    inner, uniques = pandas.factorize(array[first])
    return inner[codes], uniques


def _text(constant: Any) -> str:
    if isinstance(constant, str):
        return constant
    if isinstance(constant, bytes):
        return constant.decode()
    return str(constant)


def _joined(texts: Sequence[str]) -> Tuple[bytes, np.ndarray]:
    """All texts one after the other, and where each ends."""
    joined = "".join(texts)
    if joined.isascii():
        lengths = np.fromiter(map(len, texts), dtype=np.uint64, count=len(texts))
        return joined.encode(), np.cumsum(lengths, dtype=np.uint64)
    encoded = [one.encode() for one in texts]
    lengths = np.fromiter(map(len, encoded), dtype=np.uint64, count=len(encoded))
    return b"".join(encoded), np.cumsum(lengths, dtype=np.uint64)


def _values_from(column: Any, predicate: str) -> np.ndarray:
    try:
        return np.ascontiguousarray(column, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"the last column of `{predicate}` is one more than it has arguments, so it holds truth "
            f"values, but: {error}"
        ) from None
