"""What comes of asking a model: values, rules, explanations, metrics, the course of learning."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Optional, Sequence, Union

import numpy as np

from . import _display
from ._library import TARGET
from ._session import Session, array_at
from ._table import Table, pandas

if TYPE_CHECKING:
    from .model import Model

_DEFAULT_EVALUATORS = ("ContinuousEvaluator", "DiscreteEvaluator", "AUCEvaluator")


def frame(columns: Dict[str, Any]) -> Any:
    """A DataFrame, or without pandas a structured array of NumPy."""
    if pandas is not None:
        return pandas.DataFrame(columns)
    arrays = {name: np.asarray(column) for name, column in columns.items()}
    result = np.empty(len(next(iter(arrays.values()))), [(n, a.dtype) for n, a in arrays.items()])
    for name, array in arrays.items():
        result[name] = array
    return result


class Rules(Sequence):
    """A table of rules: a dict each, as the JSON documents have them."""

    def __init__(self, documents: List[Dict[str, Any]]):
        self._documents = documents

    def __getitem__(self, index: Any) -> Any:
        return self._documents[index]

    def __len__(self) -> int:
        return len(self._documents)

    @property
    def frame(self) -> Any:
        """As a DataFrame."""
        names = [name for name, value in (self._documents or [{}])[0].items()
                 if name not in ("file", "line") and not isinstance(value, (list, dict))]
        return frame({name: [one[name] for one in self._documents] for name in names})

    def __repr__(self) -> str:
        return _display.table_text(self._rows())

    def _repr_html_(self) -> str:
        return _display.table_html(self._rows())

    def _rows(self) -> List[Dict[str, Any]]:
        shown = ("weight", "old_weight", "learned", "terms", "satisfied", "energy", "distance", "worst",
                 "memory_bytes")
        return [{"rule": one["rule"], "text": one["text"], **{name: one[name] for name in shown if name in one}}
                for one in self._documents]


class Check:
    """What a model has, and what is wrong with it: `ok`, `diagnostics` with file, line and message, and
    `phases` with predicates, domains, rules and numbers of rows."""

    def __init__(self, document: Dict[str, Any]):
        self.report = document  # all that `sorites check --json` says
        self.ok: bool = document["ok"]
        self.diagnostics: List[Dict[str, Any]] = document["diagnostics"]
        self.phases: Dict[str, Dict[str, Any]] = {one["phase"]: one for one in document["phases"]}

    def __bool__(self) -> bool:
        return self.ok

    def __repr__(self) -> str:
        lines = ["no mistakes" if self.ok else "there are mistakes"]
        lines += [f"{one['file']}:{one['line']}: {one['severity']}: {one['message']}" for one in self.diagnostics]
        lines += [f"{phase}: {one['rows']:,} rows, {len(one['rules'])} rules" for phase, one in self.phases.items()]
        return "\n".join(lines)


class Ground:
    """The ground rules, counted: `atoms`, `terms`, `memory_bytes`, and per rule in `rules`."""

    def __init__(self, document: Dict[str, Any]):
        self.report = document  # all that `sorites ground --json` says
        self.atoms: int = document["atoms"]
        self.terms: int = document["terms"]
        self.memory_bytes: int = document["memory_bytes"]
        self.rules = Rules(document["rules"])

    def __repr__(self) -> str:
        return f"{self.terms:,} ground rules over {self.atoms:,} unknown atoms\n" + repr(self.rules)

    def _repr_html_(self) -> str:
        return f"<p>{repr(self).splitlines()[0]}</p>" + self.rules._repr_html_()


class Estimate:
    """What grounding would make, before it is done: `terms`, `memory_bytes`, `fits`, and both per rule."""

    def __init__(self, document: Dict[str, Any]):
        self._document = document
        self.terms: float = document["terms"]
        self.memory_bytes: float = document["memory_bytes"]
        self.fits: bool = document["fits"]
        self.rules = Rules(document["rules"])

    def __repr__(self) -> str:
        fits = "which fits" if self.fits else "which does NOT fit into memory"
        return (f"about {self.terms:,.0f} ground rules in {self.memory_bytes / 1e6:,.1f} MB, {fits}\n"
                + repr(self.rules))

    def _repr_html_(self) -> str:
        return f"<p>{repr(self).splitlines()[0]}</p>" + self.rules._repr_html_()


class Result(Mapping):
    """Values of all targets: `result["Knows"]` is a DataFrame with a column per argument and `value`.

    `status`, `objective`, `bound`, `gap`, `violation` and `conflict` say how good they are. The values of
    a result stay when the model goes on; explanations and metrics need it as it was.
    """

    def __init__(self, model: "Model", session: Optional[Session]):
        self._model = model
        self._session = session  # None: the model has gone on
        self._raw: Optional[bytes] = None
        self._parsed: Optional[Dict[str, Any]] = None
        self._frames: Dict[str, Dict[str, Any]] = {}
        self._names: Optional[List[str]] = None

    # ---- How good it is ------------------------------------------------------------------------

    @property
    def report(self) -> Dict[str, Any]:
        """All that `sorites infer --json` says."""
        if self._parsed is None:
            if self._raw is None:
                assert self._session is not None
                self._raw = self._session.told("result")
            self._parsed = json.loads(self._raw)
        return self._parsed

    @property
    def status(self) -> str:
        """"optimal", "time-limit", "interrupted", "infeasible", ...: docs/inference.md has them all."""
        return self.report["status"]

    @property
    def objective(self) -> float:
        """What the rules that are violated cost, in weights divided by the largest."""
        return self.report["objective"]

    @property
    def bound(self) -> Optional[float]:
        """No values have a smaller objective; None: no bound is known."""
        return self.report["lower_bound"]

    @property
    def gap(self) -> Optional[float]:
        """How far objective and bound are apart, relatively."""
        return self.report["relative_gap"]

    @property
    def violation(self) -> float:
        """By how much the worst hard rule is violated."""
        return self.report["max_violation"]

    @property
    def conflict(self) -> List[Dict[str, Any]]:
        """Hard rules that contradict each other, if the status is "infeasible"."""
        return self.report["conflict"]

    @property
    def rules(self) -> Rules:
        """Per rule: ground rules, how many hold, energy and distance."""
        return Rules(self.report["rules"])

    # ---- Values --------------------------------------------------------------------------------

    def __getitem__(self, predicate: str) -> Any:
        return frame(self.columns(predicate))

    def columns(self, predicate: str) -> Dict[str, np.ndarray]:
        """The same as arrays by name: the arguments, then `value`."""
        for known in self._target_names():
            if known.lower() == predicate.lower():
                return {name: column.copy() for name, column in self._columns(known).items()}
        raise KeyError(f"`{predicate}` has no targets; {', '.join(self._target_names()) or 'nothing'} has")

    def __iter__(self) -> Iterator[str]:
        return iter(self._target_names())

    def __len__(self) -> int:
        return len(self._target_names())

    def _target_names(self) -> List[str]:
        if self._names is None:
            assert self._session is not None
            known = self._session.known
            if "targets" not in known:
                found = self._session.ask("program")["predicates"]
                known["targets"] = [one["name"] for one in found if one["targets"] > 0]
            self._names = known["targets"]
        return self._names

    def _columns(self, predicate: str) -> Dict[str, np.ndarray]:
        if predicate not in self._frames:
            assert self._session is not None
            self._frames[predicate] = _columns_of_targets(
                self._session, predicate, self._model._targets_table(predicate))
        return self._frames[predicate]

    def _settle(self) -> None:
        """Takes all from the session, which is about to go on."""
        if self._session is None:
            return
        if self._raw is None:
            self._raw = self._session.told("result")
        for predicate in self._target_names():
            self._columns(predicate)
        self._session = None

    # ---- Questions -----------------------------------------------------------------------------

    def explain(self, *atoms: str, rules: Sequence[Union[int, str]] = (), limit: int = 10) -> "Explanation":
        """Why atoms have their values: the ground rules that pull at them, at most `limit` each way. Or what
        rules cost: their worst groundings; rules are numbers, or places as "model.json:18"."""
        session = self._present("explained")
        return Explanation(session.ask("explain", atoms=[str(one) for one in atoms],
                                       rules=[str(one) for one in rules], limit=limit))

    def evaluate(self, *evaluators: str) -> Dict[str, Dict[str, float]]:
        """Metrics of the values against truth, by predicate. `evaluators` are added to those that the model
        asks for: ContinuousEvaluator, DiscreteEvaluator, CategoricalEvaluator, AUCEvaluator, RankingEvaluator,
        SpanEvaluator. If neither names any, ContinuousEvaluator, DiscreteEvaluator and AUCEvaluator are taken."""
        session = self._present("evaluated")
        from ._errors import InputError

        try:
            document = session.ask("evaluate", evaluators=list(evaluators))
        except InputError as error:
            if evaluators or error.diagnostics[0].code != "no-evaluations":
                raise
            document = session.ask("evaluate", evaluators=list(_DEFAULT_EVALUATORS))
        return document["metrics"]

    def save(self, folder: Union[str, os.PathLike]) -> None:
        """Writes the values as `sorites infer --output` does: KNOWS.txt for `Knows`, a line per target."""
        self._present("saved").ask("save", results=os.fspath(folder))

    def save_state(self, path: Union[str, os.PathLike]) -> None:
        """Writes a state for `infer(warm_start=path)`."""
        self._present("saved").ask("save", state=os.fspath(path))

    def _present(self, what: str) -> Session:
        if self._session is None:
            raise RuntimeError(f"the model has gone on since: only its latest result can be {what}")
        return self._session

    # ---- Python --------------------------------------------------------------------------------

    def __repr__(self) -> str:
        gap = f", gap {self.gap:.1e}" if self.gap is not None else ""
        counts = ", ".join(f"{name}: {len(self._columns(name)['value'])}" for name in self)
        return f"Result({self.status}, objective {self.objective:.6g}{gap}; {counts})"

    def _repr_html_(self) -> str:
        return _display.result_html(self)

    def __getstate__(self) -> Dict[str, Any]:
        state = dict(self.__dict__)
        if self._session is not None:
            self._raw = self._raw or self._session.told("result")
            for predicate in self._target_names():
                self._columns(predicate)
            state = dict(self.__dict__)
        state["_session"], state["_model"] = None, None
        return state


def _columns_of_targets(
    session: Session, predicate: str, given: Optional[Table]
) -> Dict[str, np.ndarray]:
    """The targets of a predicate with their values. Columns are called as in the table that they came in,
    and numbers come back as numbers."""
    rows = session.get(predicate, TARGET)
    count = rows.num_rows
    if predicate not in session.known:
        arity = session.arity(predicate)  # a call: what was given before holds no longer
        session.known[predicate] = arguments_of(session.get(predicate, TARGET), given, arity)
        rows = session.get(predicate, TARGET)
    values = array_at(rows.values, count, np.float64)
    return {**session.known[predicate], "value": values if values is not None else np.full(count, np.nan)}


def arguments_of(rows: Any, given: Optional[Table], arity: int) -> Dict[str, np.ndarray]:
    count = rows.num_rows
    columns: Dict[str, np.ndarray] = {}
    for k in range(arity):
        column = rows.columns[k]
        name = given.names[k] if given is not None and given.names else f"arg{k + 1}"
        while name in columns or name == "value":
            name += "_"
        if column.numbers:
            columns[name] = array_at(column.numbers, count, np.int64)
            continue
        codes = array_at(column.codes, count, np.uint32)
        kind = given.columns[k].kind if given is not None and given.columns else "O"
        columns[name] = _constants(column, codes if codes is not None else np.empty(0, np.uint32), kind)
    return columns


def _constants(column: Any, codes: np.ndarray, kind: str) -> np.ndarray:
    ends = array_at(column.ends, column.num_texts, np.uint64)
    if ends is None or len(codes) == 0:
        return np.empty(0, {"i": np.int64, "f": np.float64}.get(kind, object))
    ends = ends.astype(np.int64)
    bytes_ = array_at(column.bytes, int(ends[-1]), np.uint8)
    blob = bytes_.tobytes() if bytes_ is not None else b""
    begins = np.concatenate([[0], ends[:-1]])
    used, where = np.unique(codes, return_inverse=True)
    texts = [blob[a:b].decode() for a, b in zip(begins[used].tolist(), ends[used].tolist())]
    convert = {"i": int, "f": float}.get(kind)
    if convert is not None:
        try:
            return np.array([convert(one) for one in texts], np.int64 if kind == "i" else np.float64)[where]
        except ValueError:
            pass  # constants that came from elsewhere
    known = np.empty(len(texts), dtype=object)
    known[:] = texts
    return known[where]


class Explanation:
    """Why values are as they are: `atoms` and `rules`, as `sorites explain --json` has them."""

    def __init__(self, document: Dict[str, Any]):
        self.report = document
        self.atoms: List[Dict[str, Any]] = document["atoms"]
        self.rules: List[Dict[str, Any]] = document["rules"]

    def __repr__(self) -> str:
        return _display.explanation_text(self)

    def _repr_html_(self) -> str:
        return _display.explanation_html(self)


class LearnLog:
    """The course of learning: `rules` with weights before and after, `history` per epoch, metrics before
    (`untrained`) and after (`learned`), on the data of inference."""

    def __init__(self, document: Dict[str, Any]):
        self.report = document
        self.stop: Optional[str] = document["stop"]
        self.history: List[Dict[str, Any]] = document["history"]
        self.rules = Rules(document["rules"])
        self.untrained: Optional[Dict[str, Any]] = document["untrained"]
        self.learned: Optional[Dict[str, Any]] = document["learned"]

    @property
    def frame(self) -> Any:
        """The history as a DataFrame."""
        names = list(self.history[0]) if self.history else []
        return frame({name: [epoch[name] for epoch in self.history] for name in names})

    def __repr__(self) -> str:
        last = self.history[-1] if self.history else {"epoch": 0, "loss": float("nan")}
        return (f"{self.report['loss']}, {last['epoch']} epochs, loss {last['loss']:.6g}, "
                f"stopped by {self.stop}\n{self.rules!r}")

    def _repr_html_(self) -> str:
        return _display.learning_html(self)
