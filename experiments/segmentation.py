"""Blocks of tokens on pages from noisy scores of pairs, with and without a transitivity layer above them.

The task of Xu et al., "LogicMP", 2024, section 5.1, on pages that are drawn (examples/segmentation). A block counts if it is found exactly.
"""
import pathlib
import sys
import time

import harness

EXAMPLE = pathlib.Path(__file__).resolve().parent.parent / "examples" / "segmentation"
sys.path.insert(0, str(EXAMPLE))

from make_pages import make_pages  # noqa: E402

SUMMARY = "blocks of tokens on drawn pages: F1 of blocks with and without a transitivity layer"
NEEDS = ()

SEEDS = [1, 2, 3]  # seed 0 was used to choose the weights
PAGES = 10
ALONE, LAYER = "scores alone", "with the layer"
FLAGS = ("--set", "meanfield.track_free_energy=false")
WEIGHTS = (1.0, 0.2)


def atoms_of(path):
    """Of lines `coexist(T1, T2) 1.25` or `!coexist(T1, T2)`: tokens and the rest."""
    for line in path.read_text().splitlines():
        head, _, rest = line.partition(")")
        first, second = (text.strip() for text in head[head.index("(") + 1 :].split(","))
        yield first, second, rest if rest.strip() else not line.startswith("!")


def blocks_of(pairs):
    """Connected components of pairs that belong together: those that do in both directions."""
    together = {(a, b) for a, b, holds in pairs if holds}
    parent = {token: token for a, b, _ in pairs for token in (a, b)}

    def root(token):
        while parent[token] != token:
            token = parent[token]
        return token

    for a, b in together:
        if (b, a) in together:
            parent[root(a)] = root(b)
    blocks = {}
    for token in parent:
        blocks.setdefault(root(token), set()).add(token)
    return {frozenset(block) for block in blocks.values()}


def f1(found, true):
    return 2 * len(found & true) / (len(found) + len(true))


def infer(session, page):
    """Pairs with what the layer says."""
    results = page / "inferred"
    if session.sorites("infer", page, "--output", results, *FLAGS) is None:
        return None
    (table,) = results.glob("*.txt")
    rows = (line.split("\t") for line in table.read_text().splitlines())
    return [(a.strip("'"), b.strip("'"), float(value) > 0.5) for a, b, value in rows]


def run_page(session, page, scores):
    true = blocks_of(list(atoms_of(page / "queries")))
    alone = [(a, b, float(score) > 0.0) for a, b, score in atoms_of(page / "unaries")]
    scores[ALONE].append((f1(blocks_of(alone), true), 0.0))
    begin = time.monotonic()
    inferred = infer(session, page)
    if inferred is not None:
        scores[LAYER].append((f1(blocks_of(inferred), true), time.monotonic() - begin))


def run(session):
    seeds = session.chosen_seeds(SEEDS)
    count = 2 if session.quick else PAGES
    progress = harness.Progress([1] * (len(seeds) * count))
    scores = {ALONE: [], LAYER: []}
    for seed in seeds:
        for page in make_pages(session.folder / f"seed{seed}", count, seed, weights=WEIGHTS):
            run_page(session, page, scores)
            progress.step(f"seed {seed}, {page.name}")
    for setting, figures in scores.items():
        if figures:
            values, seconds = zip(*figures)
            session.rows.append(harness.row_of(setting, "F1 of blocks", values, seconds))


def table(session):
    rows = [[row.setting, f"{row.mean:.3f} ± {row.std:.3f}", str(row.n), f"{row.seconds:.2f}"] for row in session.rows]
    return harness.markdown(["", "F1 of blocks", "pages", "seconds per page"], rows)


def verdict(session):
    means = {row.setting: row.mean for row in session.rows}
    if len(means) < 2:
        return ["Nothing to compare."]
    return [f"The layer raises the F1 of blocks from {means[ALONE]:.3f} to {means[LAYER]:.3f}."]
