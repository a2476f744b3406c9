"""What can be seen in the text of rules without reading them: predicates and their arities; and which
options the flags of the command line set."""

from __future__ import annotations

import re
from typing import Any, Dict

# Keywords of infer() and learn(): the flags of the commands, with underscores.
INFER_OPTIONS = {
    "solver": "inference.solver",
    "method": "inference.method",
    "samples": "inference.samples",
    "gap": "inference.gap",
    "violation": "inference.violation",
    "regularization": "inference.regularization",
    "time_limit": "inference.time_limit",
    "max_iterations": "inference.max_iterations",
    "on_missing_target": "inference.on_missing_target",
    "all": "inference.all_atoms",
    "threads": "parallel.numthreads",
    "seed": "random.seed",
}
LEARN_OPTIONS = {
    "method": "runtime.learn.method",
    "loss": "learn.loss",
    "algorithm": "learn.algorithm",
    "domain": "learn.domain",
    "step_size": "learn.step_size",
    "schedule": "learn.schedule",
    "epochs": "learn.max_epochs",
    "patience": "learn.patience",
    "time_limit": "learn.time_limit",
    "solver": "learn.solver",
    "gap": "learn.gap",
    "on_missing_target": "inference.on_missing_target",
    "threads": "parallel.numthreads",
    "seed": "random.seed",
}

_TOKEN = re.compile(
    r"//[^\n]*|/\*.*?\*/|#[^\n]*|'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|([A-Za-z_$][A-Za-z0-9_$]*)\s*\(|[(),]",
    re.S,
)


def options_from(keywords: Dict[str, Any], known: Dict[str, str], call: str) -> Dict[str, Any]:
    """Options by their names, from the keywords of a call. `options={...}` takes any by its name."""
    options = {name: value for name, value in (keywords.pop("options", None) or {}).items()}
    for name, value in keywords.items():
        if name not in known:
            listed = ", ".join(sorted(known))
            raise TypeError(f"{call}() takes {listed}, and any option by name in options={{...}}, not `{name}`")
        if value is not None:
            options[known[name]] = value
    return options


def predicates_of(rules: str, spaced_out: bool = False) -> Dict[str, int]:
    """How many arguments the predicates of the rules have, by name. In Markov logic (`spaced_out`) a
    name before a blank and a parenthesis is a variable: `exist x (...)`.

    >>> predicates_of("1: Lived(A, L) & Near(L, 'x, (y') -> Knows(A, +B)  # Not(this)")
    {'Lived': 2, 'Near': 2, 'Knows': 2}
    """
    found: Dict[str, int] = {}
    open_atoms: list = []  # of each parenthesis: the predicate before it or None, commas so far
    for token in _TOKEN.finditer(rules):
        text = token.group(0)
        if token.group(1) or text == "(":
            is_atom = not (spaced_out and text != token.group(1) + "(") if token.group(1) else False
            open_atoms.append([token.group(1) if is_atom else None, 0])
        elif text == "," and open_atoms:
            open_atoms[-1][1] += 1
        elif text == ")" and open_atoms:
            name, commas = open_atoms.pop()
            if name is not None:
                found.setdefault(name, commas + 1)
    by_case = {name.lower(): name for name in reversed(found)}  # how it is written first
    return {name: arity for name, arity in found.items() if by_case[name.lower()] == name}
