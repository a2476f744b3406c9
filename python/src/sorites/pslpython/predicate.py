"""Predicates and their rows, as data frames."""

from __future__ import annotations

import csv
import enum
from typing import Any, Dict, List, Optional, Sequence

import pandas

from .partition import Partition


class PredicateError(Exception):
    pass


class Predicate:
    """A predicate by its name and the number or types of its arguments. Version 2 also said whether it is
    `closed`, in the second place."""

    class ArgType(enum.Enum):
        UNIQUE_STRING_ID = "UniqueStringID"
        UNIQUE_INT_ID = "UniqueIntID"
        STRING = "String"
        INT = "Integer"
        LONG = "Long"
        DOUBLE = "Double"

    DEFAULT_FILE_DELIMITER = "\t"
    STRING_TYPES = {ArgType.UNIQUE_STRING_ID, ArgType.STRING}
    INT_TYPES = {ArgType.UNIQUE_INT_ID, ArgType.INT, ArgType.LONG}
    FLOAT_TYPES = {ArgType.DOUBLE}
    DEFAULT_ARG_TYPE = ArgType.UNIQUE_STRING_ID
    DEFAULT_TRUTH_VALUE = 1.0

    def __init__(self, raw_name: str, *positional: Any, size: Optional[int] = None,
                 arg_types: Optional[Sequence["Predicate.ArgType"]] = None,
                 evaluations: Sequence[Dict[str, Any]] = (), closed: Optional[bool] = None):
        rest = list(positional)
        if rest and isinstance(rest[0], bool):
            closed = rest.pop(0)
        if rest:
            size = rest.pop(0)
        if rest:
            arg_types = rest.pop(0)
        if rest:
            evaluations = rest.pop(0)
        self._name = Predicate.normalize_name(raw_name)
        self._closed = closed
        self._evaluations = list(evaluations)
        self._types = self._checked_types(size, arg_types)
        self._data: Dict[Partition, pandas.DataFrame] = {}
        self.clear_data()

    def _checked_types(self, size: Optional[int], types: Optional[Sequence["Predicate.ArgType"]]) -> List[Any]:
        if size is None and not types:
            raise PredicateError(f"{self._name} needs a size or types of its arguments.")
        if size is not None and size < 1:
            raise PredicateError(f"{self._name} needs at least one argument, not {size}.")
        if size is not None and types is not None and len(types) != size:
            raise PredicateError(f"{self._name} has {size} arguments but {len(types)} types.")
        chosen = list(types) if types is not None else [Predicate.DEFAULT_ARG_TYPE] * (size or 0)
        for one in chosen:
            if not isinstance(one, Predicate.ArgType):
                raise PredicateError(f"{one!r} is no Predicate.ArgType ({self._name}).")
        return chosen

    def add_data_file(self, partition: Partition, path: Any, has_header: bool = False,
                      delim: str = DEFAULT_FILE_DELIMITER) -> "Predicate":
        data = pandas.read_csv(path, delimiter=delim, header=None, skiprows=1 if has_header else None,
                               quoting=csv.QUOTE_NONE)
        try:
            return self.add_data(partition, data)
        except Exception as error:
            raise PredicateError(f"{path} is no file of rows of {self._name} (separated by {delim!r}).") from error

    def add_data_row(self, partition: Partition, args: Sequence[Any], truth_value: float = 1.0) -> "Predicate":
        return self.add_data(partition, [list(args) + [truth_value]])

    def add_observed_data(self, data: Any) -> "Predicate":
        return self.add_data(Partition.OBSERVATIONS, data)

    def add_target_data(self, data: Any) -> "Predicate":
        return self.add_data(Partition.TARGETS, data)

    def add_truth_data(self, data: Any) -> "Predicate":
        return self.add_data(Partition.TRUTH, data)

    def add_data(self, partition: Partition, data: Any) -> "Predicate":
        """Rows, a list of lists or a data frame; one column more than arguments is the truth value."""
        if not isinstance(partition, Partition):
            raise PredicateError(f"{partition!r} is no Partition.")
        rows, size = pandas.DataFrame(data), len(self._types)
        if len(rows.columns) not in (size, size + 1):
            raise PredicateError(
                f"Rows of {self._name} have {size} or {size + 1} columns, not {len(rows.columns)}.")
        rows = rows.set_axis(range(len(rows.columns)), axis=1)
        if len(rows.columns) == size:
            rows = rows.assign(**{"truth": Predicate.DEFAULT_TRUTH_VALUE}).set_axis(range(size + 1), axis=1)
        before = self._data[partition]
        self._data[partition] = rows if before.empty else pandas.concat([before, rows], ignore_index=True)
        return self

    def clear_data(self) -> "Predicate":
        for partition in Partition:
            self._data[partition] = pandas.DataFrame(columns=range(len(self._types) + 1))
        return self

    def name(self) -> str:
        return self._name

    def closed(self) -> Optional[bool]:
        return self._closed

    def types(self) -> List["Predicate.ArgType"]:
        return self._types

    def data(self) -> Dict[Partition, pandas.DataFrame]:
        return self._data

    def evaluations(self) -> List[Dict[str, Any]]:
        return self._evaluations

    def __len__(self) -> int:
        return len(self._types)

    @staticmethod
    def normalize_name(name: str) -> str:
        return name.upper()
