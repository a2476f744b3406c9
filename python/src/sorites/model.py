"""Models: rules and data, and all that can be asked of them."""

from __future__ import annotations

import json
import os
import threading
import warnings
import weakref
from typing import Any, Dict, List, Mapping, Optional, Union

from ._changes import Changes
from ._errors import Error
from ._library import OBSERVED, TARGET, TRUTH
from ._names import INFER_OPTIONS, LEARN_OPTIONS, options_from, predicates_of
from ._session import Session
from ._table import Table, table_from
from .result import Check, Estimate, Ground, LearnLog, Result, Rules

_PARTITIONS = {"observed": OBSERVED, "target": TARGET, "truth": TRUTH}
_RULES = "<rules>"  # the name of the rules in messages


def _changed_partition(partition: Union[str, Mapping[str, str]], predicate: str) -> int:
    chosen = partition.get(predicate, "observed") if isinstance(partition, Mapping) else partition
    if chosen not in ("observed", "target"):
        raise ValueError(f"`partition` is 'observed' or 'target', not {chosen!r}")
    return _PARTITIONS[chosen]


class Model:
    """Weighted rules over predicates, and the data they are about.

    Predicates have as many arguments as the rules say; their data comes by `observe`, `target` and
    `truth`. `semantics` is "hinge" (values that violate the rules least) or "markov-logic"
    (probabilities), `language` that of the rules, "psl" or "mln". `options` are those of docs/options.md.

    >>> import sorites as so
    >>> m = so.Model('''20: Lived(A, L) & Lived(B, L) & (A != B) -> Knows(A, B) ^2
    ...                  5: !Knows(A, B) ^2''')
    >>> m.observe("Lived", [("ann", "oslo"), ("bob", "oslo"), ("cid", "rome")])
    Model(of Lived, Knows; 1 table of data; hinge)
    >>> m = m.target("Knows", [("ann", "bob"), ("bob", "ann"), ("ann", "cid")])
    >>> m.infer()["Knows"]["value"].round(2).tolist()
    [0.8, 0.8, 0.0]
    """

    def __init__(
        self,
        rules: str,
        *,
        semantics: Optional[str] = None,
        language: str = "psl",
        options: Optional[Dict[str, Any]] = None,
        domains: Optional[Dict[str, Optional[List[str]]]] = None,
    ):
        self._begin(semantics, options)
        self._rules = rules
        self._language = language
        self._domains = domains
        self._predicates: Dict[str, Dict[str, Any]] = {
            name: {"arity": arity} for name, arity in predicates_of(rules, language == "mln").items()
        }
        if language == "psl":  # in Markov logic, rules are read with the data
            self._check_rules()

    def _begin(self, semantics: Optional[str], options: Optional[Dict[str, Any]]) -> None:
        self._semantics = semantics
        self._options = dict(options or {})
        self._path: Optional[str] = None  # of a model that is read from disk
        self._data: Optional[str] = None
        self._rules = ""
        self._language = "psl"
        self._domains: Optional[Dict[str, Optional[List[str]]]] = None
        self._predicates = {}
        self._tables: List[tuple] = []  # predicate, partition, phase, table
        self._changes = Changes()
        self._weights: Dict[int, float] = {}  # that were set
        self._learned = False
        self._learned_weights: List[Dict[str, Any]] = []  # rules with weights, of the model that this one copies
        self._session: Optional[Session] = None
        self._lock = threading.RLock()
        self._latest: Any = None  # a weak reference to the result that the session has

    # ---- Data ----------------------------------------------------------------------------------

    def observe(self, predicate: str, data: Any, *, phase: Optional[str] = None) -> "Model":
        """Rows that are known: a column per argument and, if you like, one of truth values.

        `data` is a DataFrame, a dict of columns, a list of tuples, an array of NumPy, anything with an
        Arrow C stream, `so.sql(...)`, or the path of a file (tabs, *.csv, *.gz). `phase` is "learn",
        "validation" or "infer"; without it, the rows count in all of them. Data is not copied where its
        layout allows that, so it should stay as it is.
        """
        return self._attach(predicate, OBSERVED, data, phase)

    def target(self, predicate: str, data: Any, *, phase: Optional[str] = None) -> "Model":
        """Atoms whose values are asked for. `data` and `phase` are as of `observe`."""
        return self._attach(predicate, TARGET, data, phase)

    def truth(self, predicate: str, data: Any, *, phase: Optional[str] = None) -> "Model":
        """True values of targets, to learn from and to compare with. As `observe`."""
        return self._attach(predicate, TRUTH, data, phase)

    def declare(self, predicate: str, arity: Optional[int] = None, **members: Any) -> "Model":
        """Says more of a predicate than the rules do: whatever a model file may (docs/model-file.md), as
        `types`, `classes`, `world`, `evaluations`, `options`; with `_` for `-`.

        >>> m = Model("1: Likes(A, B) -> Likes(B, A)").declare("Likes", evaluations=["AUCEvaluator"])
        """
        if self._path is not None:
            raise ValueError("a model that was read from disk declares its predicates itself")
        with self._lock:
            known = self._predicates.setdefault(self._name_of(predicate), {"arity": arity or 0})
            if arity is None and members.get("classes") and "classes" not in known:
                arity = known["arity"] - 1  # rules write the class as the last argument, declarations do not
            if arity is not None:
                known["arity"] = arity
            if known["arity"] == 0:
                raise ValueError(f"no rule mentions `{predicate}`: say its `arity`")
            known.update({name.replace("_", "-"): value for name, value in members.items()})
            self._forget_session()
        return self

    def update(
        self, predicate: Union[str, Mapping[str, Any]], add: Any = None, remove: Any = None, *,
        partition: Union[str, Mapping[str, str]] = "observed",
    ) -> "Model":
        """Changes the data of a running model: rows that come (or get another value) and rows that go,
        "observed" or "target", of all phases. What changed is ground anew, and inference starts from the
        last answer (in Markov logic afresh).

        Several predicates change at once, all or none, by a dict of the rows that come; `remove` is then a
        dict as well, and `partition` may be one. Rules that need new atoms of both are never without one.

        >>> m = Model("1: P(A) -> Q(A)   1: S(A) -> P(A)").observe("S", ["a", "b"])
        >>> m = m.target("P", ["a"]).target("Q", ["a"])
        >>> m.update({"P": ["b"], "Q": ["b"]}, partition="target").infer()["Q"]["value"].tolist()
        [1.0, 1.0]
        """
        several = isinstance(predicate, Mapping)
        if several and (add is not None or not isinstance(remove, (Mapping, type(None)))):
            raise TypeError("update() of several predicates takes the rows that come as its first dict, and those "
                            "that go as the dict `remove`")
        added: Mapping[str, Any] = predicate if several else {predicate: add}  # type: ignore[assignment, dict-item]
        removed: Mapping[str, Any] = (remove or {}) if several else {predicate: remove}  # type: ignore[dict-item]
        names = list(dict.fromkeys([*removed, *added]))
        where = {name: _changed_partition(partition, name) for name in names}
        with self._lock:
            session = self._open()
            self._settle_latest()
            changes = [
                (name, where[name], table_from(rows[name], self._arity(name), name), goes)
                for rows, goes in ((removed, True), (added, False))
                for name in names if rows.get(name) is not None
            ]
            for name, place, table, goes in changes:
                session.change(table, name, place, goes)
            session.update()
            for change in changes:
                self._changes.add(*change)
        return self

    def set_weight(self, rule: int, weight: float) -> "Model":
        """Gives a rule, by its number in `rules`, another weight."""
        with self._lock:
            session = self._open()
            self._settle_latest()
            numbers = [one["rule"] for one in session.ask("program")["rules"]]
            if rule not in numbers:
                raise IndexError(f"there are rules 1 to {max(numbers, default=0)}, but none has the number {rule}")
            session.set_weight(rule, float(weight))
            session.update()
            self._weights[rule] = float(weight)
        return self

    # ---- Questions -----------------------------------------------------------------------------

    def check(self, *phases: str) -> Check:
        """Every mistake of the model and its data, without an exception, and what there is of predicates,
        rules and rows in each phase; `phases` are "learn", "validation", "infer", by default all it has."""
        with self._lock:
            return Check(self._open().ask("check", phases=list(phases)))

    def ground(self, *, from_snapshot: Optional[str] = None, count_all: bool = False,
               progress: Optional[bool] = None) -> Ground:
        """How many ground rules there are, per rule. `count_all` also counts those that no values can
        violate, which takes longer."""
        with self._lock:
            session = self._open()
            self._settle_latest()
            session.set_options({"inference.count_all": "true"} if count_all else {})
            return Ground(session.ask("ground", progress, from_snapshot=from_snapshot))

    def estimate(self, seconds: float = 1.0) -> Estimate:
        """How many ground rules there would be, and how much memory they would take, per rule, from
        samples that take about so many seconds."""
        with self._lock:
            return Estimate(self._open().ask("estimate", seconds=seconds))

    def infer(
        self,
        *,
        warm_start: Optional[str] = None,
        from_snapshot: Optional[str] = None,
        progress: Optional[bool] = None,
        **options: Any,
    ) -> Result:
        """The values of all targets, with a proof of how good they are. Again, it starts from the last
        answer. Keywords are the flags of `sorites infer`: gap, time_limit, method, threads, ...; any other
        option stands by its name in `options={...}`. After Ctrl-C the result is the best so far.
        """
        with self._lock:
            session = self._open()
            self._settle_latest()
            session.set_options(options_from(options, INFER_OPTIONS, "infer"))
            if warm_start or from_snapshot:
                session.ask_raw("infer", progress, warm_start=warm_start, from_snapshot=from_snapshot)
            else:
                session.infer(progress)
            result = Result(self, session)
            self._latest = weakref.ref(result)
            return result

    def learn(
        self,
        *,
        output: Optional[str] = None,
        save_state: Optional[str] = None,
        resume: Optional[str] = None,
        log: Optional[str] = None,
        plot: Optional[str] = None,
        evaluate: bool = True,
        progress: Optional[bool] = None,
        **options: Any,
    ) -> LearnLog:
        """Learns the weights of the rules, and networks, from the truth of targets; the model goes on with
        them. Keywords are the flags of `sorites learn`: loss, epochs, algorithm, step_size, ... After Ctrl-C
        the model has the best weights so far.
        """
        with self._lock:
            session = self._open()
            self._settle_latest()
            session.set_options(options_from(options, LEARN_OPTIONS, "learn"))
            report = session.ask("learn", progress, output=output, save_state=save_state, resume=resume,
                                 log=log, plot=plot, evaluate=evaluate)
            if report["stop"] is None:
                raise Error(report["message"])
            self._learned = True
            self._weights.clear()
            return LearnLog(report)

    @property
    def rules(self) -> Rules:
        """The rules with their present weights; the first has the number 1."""
        with self._lock:
            return Rules(self._open().ask("program")["rules"])

    @property
    def predicates(self) -> List[Dict[str, Any]]:
        """Names, arities and numbers of rows of all predicates."""
        with self._lock:
            return self._open().ask("program")["predicates"]

    def save(self, path: Union[str, os.PathLike]) -> None:
        """Writes the model with its present weights and data: *.json is a model file, which the command line
        and `so.read` run, with data in memory as *.csv files beside it; anything else gets the rules alone.
        A file that the model is read from is not replaced: it has comments and options that would be lost."""
        with self._lock:
            self._open().ask("save", model=os.fspath(path))

    # ---- Inside --------------------------------------------------------------------------------

    def _attach(self, predicate: str, partition: int, data: Any, phase: Optional[str]) -> "Model":
        if phase not in (None, "learn", "validation", "infer"):
            raise ValueError(f"`phase` is 'learn', 'validation' or 'infer', not {phase!r}")
        with self._lock:
            name = self._name_of(predicate)
            table = table_from(data, self._arity(name), name)
            self._settle_latest()
            if self._session is not None:
                self._session.attach(table, name, partition, phase)
            self._tables.append((name, partition, phase, table))
        return self

    def _name_of(self, predicate: str) -> str:
        """As the rules write it: case does not matter."""
        for known in self._predicates:
            if known.lower() == predicate.lower():
                return known
        return predicate

    def _arity(self, predicate: str) -> int:
        if self._path is None and self._name_of(predicate) not in self._predicates:
            raise KeyError(f"no rule mentions `{predicate}`; declare(\"{predicate}\", arity) adds a predicate")
        if self._session is None and self._path is None:
            declared = self._predicates[self._name_of(predicate)]
            return declared["arity"] + (1 if declared.get("classes") else 0)
        return self._open().arity(predicate)

    def _model_text(self, every_predicate: Dict[str, Any]) -> str:
        predicates = {}
        for name, members in self._predicates.items():
            members = {**members, **every_predicate}
            predicates[f"{name}/{members.pop('arity')}"] = members
        document: Dict[str, Any] = {"predicates": predicates, "rules": _RULES}
        if self._language != "psl":
            document["language"] = self._language
        if self._domains:
            document["domains"] = self._domains
        return json.dumps(document)

    def _check_rules(self) -> None:
        """Mistakes are best told at once. Which predicates have targets is not known yet: what depends on
        that, and warnings, wait until there is data."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self._new_session(every_predicate={"force-open": True}).ask("program")

    def _new_session(self, every_predicate: Dict[str, Any] = {}) -> Session:
        options: Dict[str, Any] = {"options": self._options}
        if self._semantics:
            options["semantics"] = self._semantics
        if self._path is not None:
            if self._data:
                options["data"] = self._data
            return Session(self._path, False, options)
        options["texts"] = {_RULES: self._rules}
        return Session(self._model_text(every_predicate), True, options)

    def _open(self) -> Session:
        if self._session is None:
            session = self._new_session()
            for predicate, partition, phase, table in self._tables:
                session.attach(table, predicate, partition, phase)
            self._changes.repeat(session)
            session.update()
            if self._learned_weights:
                session.ask("take_weights", rules=self._learned_weights)
            for rule, weight in self._weights.items():
                session.set_weight(rule, weight)
            session.update()
            self._session = session
        return self._session

    def _forget_session(self) -> None:
        self._settle_latest()
        self._session = None

    def _settle_latest(self) -> None:
        """The session is about to go on: a result that somebody still has takes what it needs."""
        latest = self._latest() if self._latest is not None else None
        if latest is not None:
            latest._settle()
        self._latest = None

    def _targets_table(self, predicate: str) -> Optional[Table]:
        """One that says how columns are called."""
        for name, partition, _, table in self._tables:
            if partition == TARGET and name.lower() == predicate.lower():
                return table
        return None

    # ---- Python --------------------------------------------------------------------------------

    def __repr__(self) -> str:
        if self._path is not None:
            return f"sorites.read({self._path!r})"
        tables = len(self._tables)
        return (f"Model(of {', '.join(self._predicates)}; {tables} table{'s' if tables != 1 else ''} of data; "
                f"{self._semantics or 'hinge'})")

    def _repr_html_(self) -> str:
        return self.rules._repr_html_()

    def __getstate__(self) -> Dict[str, Any]:
        with self._lock:
            state = dict(self.__dict__)
            if self._learned:
                self._keep_learned(state)
        for name in ("_session", "_lock", "_latest"):
            del state[name]
        return state

    def _keep_learned(self, state: Dict[str, Any]) -> None:
        """What was learned, in a form that another session can begin with."""
        program = self._open().ask("program")
        state["_options"] = {**self._options, **program["options"]}
        state["_learned_weights"] = [
            {key: one[key] for key in ("rule", "weight", "constant_weights")} for one in program["rules"]
        ]

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._session = self._latest = None
        self._lock = threading.RLock()

    def __copy__(self) -> "Model":
        copied = Model.__new__(type(self))
        state = self.__getstate__()
        state["_tables"] = list(state["_tables"])
        state["_changes"] = state["_changes"].copy()
        for name in ("_weights", "_options"):
            state[name] = dict(state[name])
        state["_predicates"] = {name: dict(one) for name, one in state["_predicates"].items()}
        copied.__setstate__(state)
        return copied

    def __deepcopy__(self, memo: Any) -> "Model":
        return self.__copy__()  # data is looked at, never changed


def read(
    path: Union[str, os.PathLike],
    data: Union[str, os.PathLike, None] = None,
    *,
    semantics: Optional[str] = None,
    options: Optional[Dict[str, Any]] = None,
) -> Model:
    """A model from disk: model.json or model.yaml, a folder with one, a rule file with its `data`, an .mln
    file, or a folder of Markov logic."""
    model = Model.__new__(Model)
    model._begin(semantics, options)
    model._path = os.fspath(path)
    model._data = os.fspath(data) if data is not None else None
    model._open()
    return model
