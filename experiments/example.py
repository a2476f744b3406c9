"""Learning the weights of an example of the project by every method: needs no other data, shows that all of it runs.

The example has one set of data, which is learned from and evaluated on: its figures say nothing about other data.
"""
import pathlib

from harness import Progress
from modular import METHODS, DataSet, learn_all, metric_table

SUMMARY = "weights of examples/acquaintances by every method: needs no data, a few seconds"
NEEDS = ()

MODEL = pathlib.Path(__file__).resolve().parent.parent / "examples" / "acquaintances" / "model.json"
DATA = DataSet("acquaintances", "acquaintances", "f1", 1, tuple)


def run(session):
    learn_all(session, DATA, {0: MODEL}, 5 if session.quick else 50, Progress(1 for _ in METHODS))


def table(session):
    return metric_table(session, [DATA])


def verdict(_):
    return []
