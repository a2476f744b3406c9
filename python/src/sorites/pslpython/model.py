"""Models of rules and predicates."""

from __future__ import annotations

import uuid
import warnings
from typing import Any, Dict, List, Optional, Sequence

import pandas

from .. import model as sorites_model
from .._errors import SoritesWarning
from .partition import Partition
from .predicate import Predicate, PredicateError
from .rule import Rule

_told: set = set()


def _warn_once(what: str) -> None:
    if what not in _told:
        _told.add(what)
        warnings.warn(f"{what} has no meaning for Sorites, and is left out", SoritesWarning, stacklevel=4)


class ModelError(Exception):
    pass


class Model:
    """A model by its name; rules and predicates are added."""

    TRUTH_COLUMN_NAME = "truth"

    def __init__(self, name: Optional[str] = None):
        self._name = name if name is not None else str(uuid.uuid4())
        self._rules: List[Rule] = []
        self._predicates: Dict[str, Predicate] = {}
        self._options: Dict[str, Any] = {}

    def add_predicate(self, predicate: Predicate) -> "Model":
        if predicate is None:
            raise ModelError("There is no predicate to add.")
        known = self._predicates.get(predicate.name())
        if known is not None and known is not predicate:
            raise PredicateError(f"There is a predicate {predicate.name()} already.")
        self._predicates[predicate.name()] = predicate
        return self

    def add_rule(self, rule: Rule) -> "Model":
        self._rules.append(rule)
        return self

    def infer(self, method: str = "", *positional: Any, **keywords: Any) -> Dict[Predicate, pandas.DataFrame]:
        """Values of targets: a data frame per predicate, with columns 0, 1, ... and "truth"."""
        options = self._run_options(positional, keywords)
        if method:
            options["runtime.inference.method"] = method
        result = self._sorites(options).infer()
        found: Dict[Predicate, pandas.DataFrame] = {}
        for name in result:
            predicate = self._predicates[name.upper()]
            columns = list(result.columns(name).values())
            frame = pandas.DataFrame(dict(enumerate(columns[:-1])))
            for k, kind in enumerate(predicate.types()):
                if kind in Predicate.INT_TYPES:
                    frame[k] = frame[k].astype("int64")
                elif kind in Predicate.FLOAT_TYPES:
                    frame[k] = frame[k].astype("float64")
            frame[Model.TRUTH_COLUMN_NAME] = columns[-1]
            found[predicate] = frame
        return found

    def learn(self, method: str = "", *positional: Any, **keywords: Any) -> "Model":
        """Learns the weights of the rules, which get them."""
        options = self._run_options(positional, keywords)
        if method:
            options["runtime.learn.method"] = method
        log = self._sorites(options).learn(evaluate=False)
        for rule, learned in zip(self._rules, log.rules):
            if rule.weighted():
                rule.set_weight(learned["weight"])
        return self

    def get_rules(self) -> List[Rule]:
        return self._rules

    def get_predicates(self) -> Dict[str, Predicate]:
        return self._predicates

    def get_predicate(self, name: str) -> Predicate:
        return self._predicates[Predicate.normalize_name(name)]

    def get_name(self) -> str:
        return self._name

    def add_options(self, options: Dict[str, Any]) -> None:
        self._options.update(options)

    def get_options(self) -> Dict[str, Any]:
        return self._options

    def clear_options(self) -> None:
        self._options = {}

    # Version 3 had (psl_options, jvm_options, transform_config) behind the method, version 2
    # (additional_cli_options, psl_config, jvm_options, logger, temp_dir, cleanup_temp).
    def _run_options(self, positional: Sequence[Any], keywords: Dict[str, Any]) -> Dict[str, Any]:
        old = positional and isinstance(positional[0], (list, tuple))
        names = ("additional_cli_options", "psl_config", "jvm_options", "logger", "temp_dir", "cleanup_temp") \
            if old else ("psl_options", "jvm_options", "transform_config")
        given = {**dict(zip(names, positional)), **keywords}
        options = dict(self._options)
        options.update(given.pop("psl_options", None) or {})
        options.update(given.pop("psl_config", None) or {})
        options.update(_from_command_line(given.pop("additional_cli_options", None) or []))
        for name, value in given.items():
            if name not in ("jvm_options", "logger", "temp_dir", "cleanup_temp", "transform_config"):
                raise TypeError(f"there is no argument `{name}`")
            if value and name != "cleanup_temp":
                _warn_once(f"`{name}`")
        return options

    def _sorites(self, options: Dict[str, Any]) -> sorites_model.Model:
        if not self._rules:
            raise ModelError("The model has no rules.")
        text = "\n".join(rule.exact() for rule in self._rules)
        model = sorites_model.Model.__new__(sorites_model.Model)
        model._begin(None, {name: _as_text(value) for name, value in options.items()})
        model._rules = text
        for name, predicate in self._predicates.items():
            model._predicates[name] = {"arity": len(predicate), "types": [t.value for t in predicate.types()]}
            if predicate.evaluations():
                model._predicates[name]["evaluations"] = predicate.evaluations()
            if predicate.closed() is False and predicate.data()[Partition.TARGETS].empty:
                model._predicates[name]["force-open"] = True
        add = {Partition.OBSERVATIONS: model.observe, Partition.TARGETS: model.target, Partition.TRUTH: model.truth}
        for name, predicate in self._predicates.items():
            for partition, rows in predicate.data().items():
                if len(rows):
                    add[partition](name, _typed(rows, predicate))
        return model


def _typed(rows: pandas.DataFrame, predicate: Predicate) -> pandas.DataFrame:
    """Arguments as their types say: pandas reads 1 as a number, also where texts are meant."""
    typed = {}
    for k, kind in enumerate(predicate.types()):
        column = rows[k]
        if kind in Predicate.STRING_TYPES:
            typed[k] = column.map(lambda one: one if isinstance(one, str) else str(one)).astype(object)
        elif kind in Predicate.INT_TYPES:
            typed[k] = column.astype("int64")
        else:
            typed[k] = column
    frame = pandas.DataFrame(typed)
    frame["truth"] = rows[len(predicate)].astype("float64")
    return frame


def _as_text(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def _from_command_line(arguments: Sequence[str]) -> Dict[str, str]:
    """Options that PSL 2 took as `-D name=value` or `--option value`."""
    options: Dict[str, str] = {}
    rest = list(arguments)
    while rest:
        flag = rest.pop(0)
        if flag == "-D" and rest:
            flag += rest.pop(0)
        if flag.startswith("-D") and "=" in flag:
            name, _, value = flag[2:].partition("=")
            options[name] = value
        elif flag == "--int-ids":
            options["runtime.db.intids"] = "true"
        elif flag in ("--postgres", "--h2path", "-h2", "--eval", "-e") and rest and not rest[0].startswith("-"):
            _warn_once(f"`{flag} {rest.pop(0)}`")
        else:
            _warn_once(f"`{flag}`")
    return options
