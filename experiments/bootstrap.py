"""The deviation of an error where there is a single split: by drawing its users again and again.

Errors of one user hang together, so whole users are drawn, with replacement: Efron, "Bootstrap methods: another look at
the jackknife", 1979. Every call draws the same users, so that the draws of two methods can be subtracted.
"""
import json
import pathlib
import random
import re
import statistics

import paired

DRAWS = 200
ERRORS = {"mae": abs, "mse": lambda error: error * error}


def draws(metric, model, results):
    """The metric of every draw, for the values that inference left in the folder `results`."""
    by_user = sums_by_user(ERRORS[metric], truth_of(model), pathlib.Path(results))
    source = random.Random(4)
    found = []
    for _ in range(DRAWS):
        users = source.choices(by_user, k=len(by_user))
        found.append(sum(error for error, _ in users) / sum(count for _, count in users))
    return found


def deviation(drawn):
    return statistics.stdev(drawn)


def difference(mean, first, second):
    """The difference `mean` of two methods, with the error that their draws tell."""
    error = statistics.stdev(a - b for a, b in zip(first, second))
    return paired.Difference(mean, error, 1, paired.NORMAL)


def sums_by_user(error_of, truth, results):
    """Per user, in the order of their names: the sum of errors, and how many there are. The first argument is the user."""
    (values,) = results.glob("*.txt")
    sums = {}
    for atom, value in rows(values):
        if atom not in truth:
            continue
        error, count = sums.get(atom[0], (0.0, 0))
        sums[atom[0]] = (error + error_of(value - truth[atom]), count + 1)
    return [sums[user] for user in sorted(sums)]


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
