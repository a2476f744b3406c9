"""Regularised inference: what eps costs in time and in the metric.

The setting of Dickens et al., "Neural-Symbolic Energy-Based Models", 2024, table 13 (Dickens et al., "Convex and Bilevel
Optimization for Neural-Symbolic Inference and Learning", 2024, appendix E.3): dual block coordinate descent, and the solver that is
taken by default, with eps from 100 to 0.01 times the squares of targets and slacks. Both stop at the same gap of the regularised problem.
"""
import split_models
from harness import Progress, markdown, row_of

SUMMARY = "regularised inference with eps from 100 to 0.01 on six data sets: seconds and metrics"
HAS_SETTINGS = True
NEEDS = ("data", "models")

STRENGTHS = (100, 10, 1, 0.1, 0.01)
SOLVERS = {"dual BCD": "dual-bcd", "default": "auto"}
ROUNDS = 3  # of which the fastest counts: others run on the machine as well
TIES = ("--set", "categoricalevaluator.representative=ACCURACY_EXPECTED")
DATA_SETS = {
    "stance-4forums": ("auroc", ()),
    "epinions": ("auroc", ()),
    "citeseer": ("categorical_accuracy_expected", TIES),
    "cora": ("categorical_accuracy_expected", TIES),
    "drug-drug-interaction": ("auroc", ()),
    "yelp": ("mae", ()),
}


def run(session):
    chosen = {name: rest for name, rest in DATA_SETS.items() if session.wants(name)}
    splits = {name: session.chosen(split_models.splits_of(session.data, name))[:5] for name in chosen}
    progress = Progress(1 for name in chosen for _ in SOLVERS for _ in (None, *STRENGTHS))
    for name, (metric, flags) in chosen.items():
        models = {split: split_models.write_model(session.data, name, split, session.folder / name) for split in splits[name]}
        for solver in SOLVERS:
            for eps in (None, *STRENGTHS):
                infer_all(session, setting_of(name, solver, eps), models, metric, ["--solver", SOLVERS[solver], *flags, *regularized(eps)])
                progress.step(setting_of(name, solver, eps))


def setting_of(name, solver, eps):
    return f"{name} / {solver} / {'none' if eps is None else eps}"


def regularized(eps):
    return [] if eps is None else ["--regularization", eps]


def infer_all(session, setting, models, metric, flags):
    values, seconds = {}, {}
    for split, model in models.items():
        for _ in range(1 if session.quick else ROUNDS):
            report = session.sorites("infer", model, *flags)
            if report is None:
                continue
            (metrics,) = report["metrics"].values()
            values[split] = metrics[metric]
            seconds[split] = min(seconds.get(split, float("inf")), report["seconds"]["solve"])
    if values:
        session.rows.append(row_of(setting, metric, values, list(seconds.values())))


def table(session):
    figures = {row.setting: row for row in session.rows}

    def block(cell):
        lines = []
        for name, (metric, _) in DATA_SETS.items():
            for solver in SOLVERS:
                rows = [figures.get(setting_of(name, solver, eps)) for eps in (*STRENGTHS, None)]
                if any(rows):
                    lines.append([f"{name}, {solver}", metric, str(max(row.n for row in rows if row))]
                                 + [cell(row) if row else "" for row in rows])
        return markdown(["data set, solver", "metric", "splits", *(f"eps {eps}" for eps in STRENGTHS), "none"], lines)

    return ("Metrics:\n\n" + block(lambda row: f"{row.mean:.4f} ± {row.std:.4f}")
            + "\n\nMilliseconds of solving:\n\n" + block(lambda row: f"{1000 * row.seconds:.1f}"))


def verdict(session):
    figures = {row.setting: row for row in session.rows}
    lines = []
    for name in DATA_SETS:
        for solver in SOLVERS:
            rows = [figures.get(setting_of(name, solver, eps)) for eps in STRENGTHS]
            if not all(rows):
                continue
            means = [row.mean for row in rows]
            lines.append(f"{name}, {solver}: the smallest eps takes {rows[-1].seconds / rows[0].seconds:.1f} times as long as "
                         f"the largest; means of the metric are within {max(means) - min(means):.4f}.")
    return lines
