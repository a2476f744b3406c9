"""The deviation of an error where there is a single split: by drawing its users again and again.

Errors of one user hang together, so whole users are drawn, with replacement: Efron, "Bootstrap methods: another look at
the jackknife", 1979.
"""
import json
import pathlib
import random
import re
import statistics

DRAWS = 200
ERRORS = {"mae": abs, "mse": lambda error: error * error}


def deviation(metric, model, results):
    """Of the metric, for the values that inference left in the folder `results`."""
    by_user = sums_by_user(ERRORS[metric], truth_of(model), pathlib.Path(results))
    source = random.Random(4)
    drawn = []
    for _ in range(DRAWS):
        users = source.choices(by_user, k=len(by_user))
        drawn.append(sum(error for error, _ in users) / sum(count for _, count in users))
    return statistics.stdev(drawn)


def sums_by_user(error_of, truth, results):
    """Per user: the sum of errors, and how many there are. The first argument is the user."""
    (values,) = results.glob("*.txt")
    sums = {}
    for atom, value in rows(values):
        if atom not in truth:
            continue
        error, count = sums.get(atom[0], (0.0, 0))
        sums[atom[0]] = (error + error_of(value - truth[atom]), count + 1)
    return list(sums.values())


def truth_of(model):
    """The truth that inference is compared with, by atom."""
    text = re.sub(r"^\s*//.*$", "", pathlib.Path(model).read_text(), flags=re.MULTILINE)
    files = [
        file for predicate in json.loads(text)["predicates"].values() for file in predicate.get("truth", {}).get("infer", [])
    ]
    return {atom: value for file in files for atom, value in rows(pathlib.Path(file))}


def rows(path):
    for line in path.read_text().splitlines():
        *atom, value = line.split("\t")
        yield tuple(atom), float(value)
