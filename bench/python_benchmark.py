#!/usr/bin/env python3
"""usage: python_benchmark.py [ROWS]: what the Python package costs beside the library below it.

Run by the Python of an environment with the wheel (python/test_wheel install). ROWS is how many rows the data frame
has, 10 million if it is not given.
"""
import json
import os
import statistics
import sys
import tempfile
import time
import warnings

import numpy as np
import pandas

import sorites as so
from sorites._library import lib

RUNS = 3


def seconds(work):
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def both_seconds(work):
    """By the clock, and of processor time."""
    begin = time.process_time()
    return seconds(work), time.process_time() - begin


def loading(rows):
    """A data frame into a model, against the load of the same rows in a file, which is that of the command line."""
    random = np.random.default_rng(0)
    ids = random.integers(0, rows // 10, rows)
    names = np.array([f"person{k}" for k in range(rows // 10)], dtype=object)
    rule = "1: P('x', 'y') -> Q('x')"
    for kind, column in (("integers", ids), ("texts", names[ids])):
        frame = pandas.DataFrame({"a": column, "b": np.arange(rows)})
        with tempfile.TemporaryDirectory() as folder:
            frame.to_csv(os.path.join(folder, "p.tsv"), sep="\t", header=False, index=False)
            model = os.path.join(folder, "model.json")
            with open(model, "w", encoding="utf-8") as file:
                json.dump({"predicates": {"P/2": {"observations": ["p.tsv"]}, "Q/1": {"targets": [["x"]]}},
                           "rules": [rule]}, file)
            of_file, of_frame = [], []
            for _ in range(RUNS):
                read = so.read(model)
                of_file.append(both_seconds(lambda: read.predicates))
                made = so.Model(rule).target("Q", ["x"])
                of_frame.append(both_seconds(lambda: made.observe("P", frame).predicates))
                del read, made
        for what, k in (("by the clock", 0), ("of processor time", 1)):
            file, table = statistics.median(t[k] for t in of_file), statistics.median(t[k] for t in of_frame)
            print(f"{rows:,} rows of {kind}: file {file:.2f} s, data frame {table:.2f} s {what}, {table / file:.2f} times")


def calling():
    """What one infer() costs beside the library's own time, on a small model that is ground and solved."""
    m = so.Model("2: Edge(A, B) & P(A) -> P(B) ^2   1: !P(A) ^2")
    m.observe("Edge", [(k, k + 1) for k in range(10)]).observe("P", [0]).target("P", list(range(1, 11)))
    m.infer(threads=1)
    session, kept, calls = m._open(), [], 5000

    def keep():
        kept[:] = [m.infer(threads=1)]

    def microseconds(work):
        begin = time.process_time()  # one thread: so others on the machine do not count
        for _ in range(calls):
            work()
        return 1e6 * (time.process_time() - begin) / calls

    alone = microseconds(lambda: lib.sorites_infer(session._handle))
    dropped, held = microseconds(lambda: m.infer(threads=1)), microseconds(keep)
    print(f"one infer(): {alone:.0f} microseconds of processor time in the library, {dropped - alone:.0f} beside it, "
          f"{held - alone:.0f} if the result before is still held, which then takes its values")


RULES = """1: Looks(I, D) -> Is(I, D)
1: Is(I, D) -> Looks(I, D)
Is(I, +D) = 1 .
Sum(+S) = 1 .
1: Is('a', D) & Is('b', E) & Adds(D, E, S) -> Sum(S)"""


def addition():
    """One addition of two digits: the symbolic part of a sample of MNIST-Add1."""
    digits, m = range(10), so.Model(RULES)
    m.observe("Looks", [(i, d) for i in "ab" for d in digits]).target("Is", [(i, d) for i in "ab" for d in digits])
    m.observe("Adds", [(d, e, d + e) for d in digits for e in digits])
    return m.target("Sum", list(range(19)))


def highs_loop(batch):
    """The same as linear programs, one canonical solve per sample: y, then a slack per ground rule."""
    from scipy.optimize import linprog
    from scipy.sparse import lil_matrix

    num_values, num_rules = 39, 140
    inequalities, fixed = lil_matrix((num_rules, num_values + num_rules)), np.zeros(num_rules)
    for k in range(20):
        inequalities[k, k], inequalities[20 + k, k] = -1, 1  # Looks - y <= s and y - Looks <= s
    row = 40
    for d in range(10):
        for e in range(10):
            inequalities[row, [d, 10 + e, 20 + d + e]] = [1, 1, -1]
            fixed[row] = 1.0
            row += 1
    for k in range(num_rules):
        inequalities[k, num_values + k] = -1
    equalities = lil_matrix((3, num_values + num_rules))
    for row, part in enumerate((slice(0, 10), slice(10, 20), slice(20, 39))):
        equalities[row, part] = 1
    costs = np.concatenate([np.zeros(num_values), np.ones(num_rules)])
    bounds = [(0, 1)] * num_values + [(0, None)] * num_rules
    matrix, sums = inequalities.tocsr(), equalities.tocsr()
    return [linprog(costs, matrix, np.concatenate([-looks, looks, fixed[40:]]), sums, np.ones(3), bounds,
                    method="highs").fun for looks in batch]


def layers():
    """HingeLayer forward and backward on 256 additions, against the loop over linear programs."""
    import torch
    from sorites.torch import HingeLayer

    layer = HingeLayer(addition(), ["Looks"], ["Is", "Sum"], regularization=0.0, gap=1e-4, smoothing=0.05)
    batch = torch.softmax(2 * torch.randn(256, 2, 10, generator=torch.Generator().manual_seed(0)), -1)
    looks = batch.reshape(256, 20).double().requires_grad_(True)

    def step():
        digits, sums = layer(looks)
        (digits.sum() + (sums ** 2).sum()).backward()

    first = seconds(step)
    again = statistics.median(seconds(step) for _ in range(RUNS))
    with torch.no_grad():
        looks += 0.02 * torch.randn(256, 20)
        looks.clamp_(0, 1)
    moved = seconds(step)
    print(f"256 additions, forward and backward: {1e3 * first:.1f} ms at first, {1e3 * moved:.1f} ms after a step of the "
          f"inputs, {1e3 * again:.1f} ms with the same ones")
    numbers = looks.detach().numpy()
    found = layer._core.run(numbers, layer.weights.detach().numpy(), np.arange(256))["values"]
    expected = []
    loop = seconds(lambda: expected.extend(highs_loop(numbers)))
    worst = np.max(np.abs(found - np.array(expected)))
    print(f"the loop over linear programs (HiGHS): {1e3 * loop:.0f} ms, {loop / first:.0f} times the first, "
          f"{loop / moved:.0f} times the next; objectives differ by at most {worst:.1e}")


def main():
    if "--help" in sys.argv:
        sys.exit(__doc__)
    warnings.simplefilter("ignore", so.SoritesWarning)
    calling()
    layers()
    loading(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000)


if __name__ == "__main__":
    main()
