"""Rules as layers of networks: values or probabilities that fit the rules, with gradients.

`HingeLayer` infers the values of targets from values of other predicates, which a network computes;
gradients come by implicit differentiation. `LogicLayer` is mean field in Markov logic: log-odds in,
log-odds that respect the formulas out, gradients through all iterations. Works with torch 1.13 and 2.
"""

from __future__ import annotations

import copy
import ctypes
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
import torch

from . import _errors
from ._library import DONE, OBSERVED, TARGET, lib
from .model import Model

_NONE, _ENERGY, _PERCEPTRON = 0, 1, 2
_SMALLEST_WEIGHT = 1e-6  # at 0 a rule has no slope, and could not come back


class _Samples(ctypes.Structure):
    _fields_ = [
        ("loss", ctypes.c_int), ("num_samples", ctypes.c_size_t), ("ids", ctypes.c_void_p),
        ("outputs", ctypes.c_void_p), ("weights", ctypes.c_void_p), ("labels", ctypes.c_void_p),
        ("in_states", ctypes.c_void_p), ("states", ctypes.c_void_p), ("values", ctypes.c_void_p),
        ("failed", ctypes.c_void_p), ("in_outputs", ctypes.c_void_p), ("in_weights", ctypes.c_void_p),
    ]


lib.sorites_differentiate.restype = ctypes.c_int
lib.sorites_differentiate.argtypes = [ctypes.c_void_p, ctypes.POINTER(_Samples)]


class _Core:
    """The layer of a session: numbers in, numbers out."""

    def __init__(self, model: Model, options: Mapping[str, Any], smoothing: Optional[float]):
        self.session = model._open()
        self.session.set_options(dict(options))
        found = self.session.ask("layer", smoothing=smoothing)
        self.inputs = {one["predicate"].lower(): slice(one["first"], one["first"] + one["count"])
                       for one in found["outputs"]}
        self.states = {one["predicate"].lower(): slice(one["first"], one["first"] + one["count"])
                       for one in found["states"]}
        self.num_inputs = sum(one["count"] for one in found["outputs"])
        self.num_states = sum(one["count"] for one in found["states"])
        self.all_weights = np.array(found["weights"], np.float64)
        self.soft = np.flatnonzero(found["soft"])

    def run(self, inputs: np.ndarray, weights: np.ndarray, ids: np.ndarray, loss: int = _NONE,
            labels: Optional[np.ndarray] = None, in_states: Optional[np.ndarray] = None) -> Dict[str, np.ndarray]:
        count = len(inputs)
        all_weights = self.all_weights.copy()
        all_weights[self.soft] = weights
        numbers = {
            "ids": np.ascontiguousarray(ids, np.uint64), "outputs": inputs, "weights": all_weights,
            "labels": labels, "in_states": in_states, "states": np.empty((count, self.num_states)),
            "values": np.empty(count), "failed": np.zeros(count, np.int32),
            "in_outputs": np.zeros((count, self.num_inputs)), "in_weights": np.zeros(len(all_weights)),
        }
        call = _Samples(loss, count)
        for name, array in numbers.items():
            if array is not None:
                setattr(call, name, array.ctypes.data)
        with self.session._lock:
            if lib.sorites_differentiate(self.session._handle, call) != DONE:
                raise _errors.last_error(-1)
        numbers["in_weights"] = numbers["in_weights"][self.soft]
        return numbers


def _numbers(tensor: torch.Tensor) -> np.ndarray:
    return np.ascontiguousarray(tensor.detach().cpu().to(torch.float64).numpy())


class _Call(NamedTuple):
    """What is asked of a core, and how it went."""

    ids: np.ndarray
    loss: int
    labels: Optional[np.ndarray]
    failed: List[Any]


class _Layer(torch.autograd.Function):
    """States from inputs and weights; with a loss, its values per sample."""

    @staticmethod
    def forward(ctx: Any, weights: torch.Tensor, inputs: torch.Tensor, core: _Core, call: _Call) -> torch.Tensor:
        ctx.core, ctx.ids, ctx.loss, ctx.labels = core, call.ids, call.loss, call.labels
        ctx.save_for_backward(weights, inputs)
        found = core.run(_numbers(inputs), _numbers(weights), call.ids, call.loss, call.labels)
        call.failed.append(found["failed"])
        ctx.gradients = (found["in_outputs"], found["in_weights"]) if call.loss != _NONE else None
        result = found["states"] if call.loss == _NONE else found["values"]
        return torch.from_numpy(result).to(inputs)

    @staticmethod
    def backward(ctx: Any, slopes: torch.Tensor) -> Tuple[Any, ...]:  # type: ignore[override]
        weights, inputs = ctx.saved_tensors
        given = _numbers(slopes)
        if ctx.loss == _NONE:
            found = ctx.core.run(_numbers(inputs), _numbers(weights), ctx.ids, in_states=given)
            in_inputs, in_weights = found["in_outputs"], found["in_weights"]
        else:  # weights are shared, so each sample is asked for by itself only if slopes differ
            in_inputs = ctx.gradients[0] * given[:, None]
            in_weights = ctx.gradients[1] * given[0] if np.all(given == given[0]) else _weight_slopes(
                ctx, inputs, weights, given)
        return (torch.from_numpy(np.ascontiguousarray(in_weights)).to(weights),
                torch.from_numpy(in_inputs).to(inputs), None, None)


def _weight_slopes(ctx: Any, inputs: torch.Tensor, weights: torch.Tensor, given: np.ndarray) -> np.ndarray:
    total = np.zeros(len(ctx.core.soft))
    numbers, of_rules = _numbers(inputs), _numbers(weights)
    for k, slope in enumerate(given):
        found = ctx.core.run(numbers[k:k + 1], of_rules, ctx.ids[k:k + 1], ctx.loss, ctx.labels[k:k + 1])
        total += slope * found["in_weights"]
    return total


class HingeLayer(torch.nn.Module):
    """Inference with hinge losses as a layer.

    `inputs` are predicates whose values are tensors, one number per row of their data in its order;
    `outputs` those whose inferred values are wanted. The model describes one sample; the first axis of
    tensors is that of samples, which have the same rules and constants. Weights of soft rules are the
    parameter `weights`, which is kept at 1e-6 or more. `regularization` makes minimisers unique, and gradients
    by implicit differentiation are those of that problem, as far as `smoothing` (of kinks of hinges, and a
    curvature that all values have) is small.

    >>> from sorites import Model
    >>> m = Model("1: Digit(I, D) -> Even(D) ^2   1: !Even(D) ^2")
    >>> m = m.observe("Digit", [("i", 0), ("i", 1)]).target("Even", [0, 1])
    >>> layer = HingeLayer(m, inputs=["Digit"], outputs=["Even"])
    >>> x = torch.tensor([[0.2, 0.8]], dtype=torch.float64, requires_grad=True)
    >>> y = layer(x)
    >>> [round(one, 3) for one in y[0].tolist()]
    [0.1, 0.4]
    """

    def __init__(self, model: Model, inputs: Sequence[str], outputs: Sequence[str], learn_weights: bool = True, *,
                 regularization: float = 1e-4, smoothing: float = 1e-6, gap: float = 1e-8, threads: int = 0,
                 options: Optional[Mapping[str, Any]] = None):
        super().__init__()
        self.model = _with_inputs(model, inputs)
        settings = {"inference.regularization": regularization, "inference.gap": gap,
                    "parallel.numthreads": threads, **(options or {})}
        self._core = _Core(self.model, settings, smoothing)
        self.inputs, self.outputs = list(inputs), list(outputs)
        for name, known in [(one, self._core.inputs) for one in inputs] + [(one, self._core.states) for one in outputs]:
            if name.lower() not in known:
                raise KeyError(f"`{name}` has no rows in the ground model")
        weights = torch.from_numpy(self._core.all_weights[self._core.soft].copy())
        self.weights = torch.nn.Parameter(weights, requires_grad=learn_weights)
        self.failed = torch.zeros(0, dtype=torch.bool)  # per sample of the last call

    def forward(self, *inputs: torch.Tensor, ids: Optional[Sequence[int]] = None) -> Any:
        """The values of `outputs`, a tensor [samples, rows] each; one alone is not in a tuple. Samples whose
        hard rules contradict each other are NaN, and `failed` says which."""
        flat = self._flat(inputs)
        states = self._apply(flat, ids, _NONE, None)
        found = tuple(states[:, self._core.states[name.lower()]] for name in self.outputs)
        return found[0] if len(found) == 1 else found

    def energy(self, *inputs: torch.Tensor, labels: Mapping[str, Any], ids: Optional[Sequence[int]] = None) -> torch.Tensor:
        """Per sample, the smallest energy with labelled targets at their labels: a loss. `labels` has a
        tensor [samples, rows] per predicate, NaN where there is none."""
        flat = self._flat(inputs)
        return self._apply(flat, ids, _ENERGY, self._labels(labels, len(flat)))

    def perceptron(self, *inputs: torch.Tensor, labels: Mapping[str, Any], ids: Optional[Sequence[int]] = None) -> torch.Tensor:
        """The same minus the smallest energy of all values (structured perceptron)."""
        flat = self._flat(inputs)
        return self._apply(flat, ids, _PERCEPTRON, self._labels(labels, len(flat)))

    def _apply(self, flat: torch.Tensor, ids: Optional[Sequence[int]], loss: int, labels: Optional[np.ndarray]) -> torch.Tensor:
        numbers = np.arange(len(flat)) if ids is None else np.asarray(ids)
        if numbers.shape != (len(flat),):
            raise ValueError("`ids` has one number per sample")
        if bool((self.weights < _SMALLEST_WEIGHT).any()):  # a step has left the domain of weights
            with torch.no_grad():
                self.weights.clamp_(min=_SMALLEST_WEIGHT)
        failed: List[np.ndarray] = []
        result = _Layer.apply(self.weights, flat, self._core, _Call(numbers, loss, labels, failed))
        self.failed = torch.from_numpy(failed[0].astype(bool))
        return result

    def _flat(self, inputs: Sequence[torch.Tensor]) -> torch.Tensor:
        if len(inputs) != len(self.inputs):
            raise ValueError(f"the layer has inputs {', '.join(self.inputs)}")
        count = len(inputs[0])
        columns: List[Any] = [None] * len(self._core.inputs)
        order = sorted(self._core.inputs, key=lambda name: self._core.inputs[name].start)
        for name, tensor in zip(self.inputs, inputs):
            where = self._core.inputs[name.lower()]
            if tensor.numel() != count * (where.stop - where.start):
                raise ValueError(f"`{name}` takes {where.stop - where.start} numbers per sample, not "
                                 f"{tuple(tensor.shape)}")
            columns[order.index(name.lower())] = tensor.reshape(count, -1)
        return torch.cat(columns, dim=1)

    def _labels(self, labels: Mapping[str, Any], count: int) -> np.ndarray:
        found = np.full((count, self._core.num_states), np.nan)
        for name, values in labels.items():
            found[:, self._core.states[name.lower()]] = np.asarray(
                values.detach().cpu() if isinstance(values, torch.Tensor) else values).reshape(count, -1)
        return found


def energy(layer: HingeLayer, *inputs: torch.Tensor, labels: Mapping[str, Any]) -> torch.Tensor:
    """layer.energy() as a mean over samples."""
    return layer.energy(*inputs, labels=labels).mean()


def perceptron(layer: HingeLayer, *inputs: torch.Tensor, labels: Mapping[str, Any]) -> torch.Tensor:
    """layer.perceptron() as a mean over samples."""
    return layer.perceptron(*inputs, labels=labels).mean()


def _with_inputs(model: Model, inputs: Sequence[str]) -> Model:
    """A copy whose inputs are outputs of networks, with all their rows."""
    if model._path is not None:
        return model  # a model file says itself which predicates are deep
    made = copy.copy(model)
    wanted = {name.lower() for name in inputs}
    made._tables = [(name, TARGET if name.lower() in wanted and where == OBSERVED else where, phase, table)
                    for name, where, phase, table in made._tables]
    for name in inputs:
        made.declare(name, type="DeepPredicate")
    return made


class LogicLayer(torch.nn.Module):
    """Mean field in Markov logic as a layer: unary log-odds in, log-odds that respect the formulas out.

    `domains` are names of domains and how many constants each has; `predicates` say which domains their
    arguments have (if there is one domain, all have that). Tensors have the shape of a predicate,
    [samples, n, n] for two arguments. `facts` are predicates that are known: their true rows, by the
    numbers of constants. Weights of soft formulas are the parameter `weights`.

    >>> layer = LogicLayer("1: Friend(X, Y) & Smokes(X) -> Smokes(Y)", {"person": 3}, iterations=5,
    ...                    facts={"Friend": [(0, 1), (1, 2)]})
    >>> found = layer(torch.tensor([[4.0, 0.0, 0.0]]))
    >>> found.shape, bool(found[0, 1] > 0)
    (torch.Size([1, 3]), True)
    """

    def __init__(self, formulas: str, domains: Mapping[str, int], iterations: int = 5, *,
                 predicates: Optional[Mapping[str, Sequence[str]]] = None,
                 facts: Optional[Mapping[str, Any]] = None, learn_weights: bool = True, language: str = "psl",
                 options: Optional[Mapping[str, Any]] = None):
        super().__init__()
        constants = {name: [str(k) for k in range(size)] for name, size in domains.items()}
        model = Model.__new__(Model)
        model._begin("markov-logic", None)
        model._rules, model._language, model._domains = formulas, language, constants
        from ._names import predicates_of

        known = {name.lower(): rows for name, rows in (facts or {}).items()}
        self._shapes: Dict[str, Tuple[int, ...]] = {}
        for name, arity in predicates_of(formulas, language == "mln").items():
            types = list((predicates or {}).get(name) or [next(iter(domains))] * arity)
            if predicates is None and len(domains) > 1:
                raise ValueError("there are several domains: `predicates` says which ones arguments have")
            world = "closed" if name.lower() in known else "open"
            model._predicates[name] = {"arity": arity, "types": types, "world": world}
            if name.lower() in known:
                model.observe(name, known[name.lower()])
            else:
                self._shapes[name] = tuple(domains[one] for one in types)
        self.model = model
        settings = {"meanfield.updates": "plain", "meanfield.tolerance": 0, "meanfield.iterations": iterations}
        self._core = _Core(model, {**settings, **(options or {})}, None)
        self.predicates = sorted(self._shapes, key=lambda name: self._core.inputs[name.lower()].start)
        weights = torch.from_numpy(self._core.all_weights[self._core.soft].copy())
        self.weights = torch.nn.Parameter(weights, requires_grad=learn_weights)

    def forward(self, *unaries: torch.Tensor) -> Union[torch.Tensor, Tuple[torch.Tensor, ...]]:
        """Log-odds of all atoms, per open predicate in the order of `predicates`."""
        if len(unaries) != len(self.predicates):
            raise ValueError(f"the layer takes log-odds of {', '.join(self.predicates)}")
        count = len(unaries[0])
        for name, tensor in zip(self.predicates, unaries):
            if tuple(tensor.shape) != (count, *self._shapes[name]):
                raise ValueError(f"`{name}` takes [samples, {', '.join(map(str, self._shapes[name]))}], not "
                                 f"{list(tensor.shape)}")
        flat = torch.cat([tensor.reshape(count, -1) for tensor in unaries], dim=1)
        found = _Layer.apply(self.weights, flat, self._core, _Call(np.arange(count), _NONE, None, []))
        parts = tuple(found[:, self._core.states[name.lower()]].reshape(count, *self._shapes[name])
                      for name in self.predicates)
        return parts[0] if len(parts) == 1 else parts
