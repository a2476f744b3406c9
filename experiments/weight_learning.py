"""Learning rule weights by every loss: what it does to the metric on data that was not learned from.

The methods are those of Dickens et al., "Convex and Bilevel Optimization for Neural-Symbolic Inference and Learning",
2024, section 6.3, and the same minimiser-based losses by implicit differentiation.
"""
import dataclasses
import typing

import bootstrap
import split_models
import topic_models
from harness import Progress, markdown, row_of

SUMMARY = "test metric of every way to learn rule weights, over the splits of nine data sets"
NEEDS = ("data", "models")

UNTRAINED = "untrained"
VALUE_BASED = {
    "energy": ["--method", "Energy"],
    "perceptron": ["--method", "StructuredPerceptron"],
}
MINIMISER_BASED = {
    "squared error": ["--method", "SquaredError"],
    "cross-entropy": ["--method", "BinaryCrossEntropy"],
    "implicit squared error": ["--loss", "squared_error", "--algorithm", "gradient"],
    "implicit cross-entropy": ["--loss", "cross_entropy", "--algorithm", "gradient"],
}
METHODS = VALUE_BASED | MINIMISER_BASED
# The same for all methods and data sets; what is not named here is the default of the program.
SETTINGS = ["--epochs", "100"]
QUICK_SETTINGS = ["--epochs", "10"]
FOOTNOTE = f"\\* One split: the deviation is estimated by a bootstrap over its users ({bootstrap.DRAWS} draws)."


@dataclasses.dataclass
class DataSet:
    name: str
    source: str  # the data set that its model file is of
    metric: str
    cost: float  # of a run, in seconds, about
    change: typing.Callable = lambda text: text  # of the model
    sign: float = 1.0  # -1: smaller is better
    flags: tuple = ()  # of this data set alone
    quick: bool = False


TOPICS = {"metric": "categorical_accuracy_expected", "flags": topic_models.LEARNING_FLAGS}
ABSOLUTE_ERROR = {"metric": "mae", "sign": -1.0, "flags": ("--set", "continuousevaluator.representative=MAE")}
DATA_SETS = [
    DataSet("cora", "cora", cost=2, quick=True, **TOPICS),
    DataSet("citeseer", "citeseer", cost=2, **TOPICS),
    DataSet("cora-extended", "cora", cost=3, change=topic_models.extended(7), quick=True, **TOPICS),
    DataSet("citeseer-extended", "citeseer", cost=3, change=topic_models.extended(6), **TOPICS),
    DataSet("epinions", "epinions", "auroc", cost=1, quick=True),
    DataSet("stance-4forums", "stance-4forums", "auroc", cost=2, quick=True),
    DataSet("drug-drug-interaction", "drug-drug-interaction", "auroc", cost=10),
    DataSet("jester", "jester", "mse", cost=60, sign=-1.0),
    DataSet("yelp", "yelp", cost=6, **ABSOLUTE_ERROR),
]


def run(session):
    chosen = [data for data in DATA_SETS if data.quick or not session.quick]
    splits = {data.name: session.chosen(split_models.splits_of(session.data, data.source)) for data in chosen}
    progress = Progress(data.cost for data in chosen for _ in splits[data.name] for _ in METHODS)
    for data in chosen:
        folder = session.folder / data.name
        models = {
            split: split_models.write_model(session.data, data.source, split, folder, data.change)
            for split in splits[data.name]
        }
        learn_all(session, data, models, QUICK_SETTINGS if session.quick else SETTINGS, progress)


def learn_all(session, data, models, settings, progress):
    """Adds a row per method, over the models of all splits."""
    for method, flags in METHODS.items():
        reports = []
        learned = session.folder / data.name / "learned.json"
        learned.parent.mkdir(parents=True, exist_ok=True)
        try:
            for split, model in models.items():
                report = session.sorites("learn", model, *flags, *settings, *data.flags, "--output", learned)
                progress.step(f"{data.name} {split}, {method}: {text_of(report, data)}")
                reports += [report] if report else []
        finally:  # an interrupt keeps the splits that are done
            add_rows(session, data, method, reports)
        if len(models) == 1 and reports:
            estimate_deviations(session, data, *models.values(), learned)


def add_rows(session, data, method, reports):
    """Every run evaluates the untrained weights as well: the first method tells them."""
    if not reports:
        return
    untrained = f"{data.name} / {UNTRAINED}"
    if all(row.setting != untrained for row in session.rows):
        before = [metric_of(report["untrained"], data) for report in reports]
        session.rows.append(row_of(untrained, data.metric, before, [0.0]))
    after = [metric_of(report["learned"], data) for report in reports]
    seconds = [report["seconds"]["learn"] for report in reports]
    session.rows.append(row_of(f"{data.name} / {method}", data.metric, after, seconds))


def estimate_deviations(session, data, model, learned):
    """Of the last row, and of the untrained weights if they have none yet, where there is a single split."""
    if data.metric not in bootstrap.ERRORS:
        return
    (untrained,) = (row for row in session.rows if row.setting == f"{data.name} / {UNTRAINED}")
    for row, file in ((untrained, model), (session.rows[-1], learned)):
        results = session.folder / data.name / "results"
        if row.std == 0.0 and session.sorites("infer", file, "--output", results):
            row.std = bootstrap.deviation(data.metric, model, results)


def metric_of(evaluation, data):
    (metrics,) = evaluation["metrics"].values()
    return metrics[data.metric]


def text_of(report, data):
    if report is None:
        return "failed"
    before, after = metric_of(report["untrained"], data), metric_of(report["learned"], data)
    return f"{data.metric} {before:.4f} -> {after:.4f} in {report['seconds']['learn']:.1f} s"


def table(session):
    return metric_table(session, DATA_SETS)


def is_estimated(row):
    return row.n == 1 and row.std > 0.0


def metric_table(session, data_sets):
    """The metrics, a line per data set, and the seconds of learning."""
    figures = {row.setting: row for row in session.rows}
    names = [data for data in data_sets if f"{data.name} / {UNTRAINED}" in figures]
    columns = [UNTRAINED, *METHODS]

    def cells(data, text):
        rows = [figures.get(f"{data.name} / {method}") for method in columns]
        return [text(row) if row else "" for row in rows]

    metrics = [
        [data.name, data.metric, str(figures[f"{data.name} / {UNTRAINED}"].n)]
        + cells(data, lambda row: f"{row.mean:.4f} ± {row.std:.4f}" + ("*" if is_estimated(row) else ""))
        for data in names
    ]
    seconds = [[data.name] + cells(data, lambda row: f"{row.seconds:.1f}")[1:] for data in names]
    return (
        markdown(["data set", "metric", "splits", *columns], metrics)
        + (f"\n\n{FOOTNOTE}" if any(map(is_estimated, session.rows)) else "")
        + "\n\nSeconds of learning, per split:\n\n"
        + markdown(["data set", *METHODS], seconds)
    )


def verdict(session):
    """Whether minimiser-based learning is as good as value-based learning, and whether learning does harm."""
    figures = {row.setting: row for row in session.rows}
    complete = [data for data in DATA_SETS if all(f"{data.name} / {method}" in figures for method in METHODS)]

    def score(data, method):
        return data.sign * round(figures[f"{data.name} / {method}"].mean, 4)

    def best(data, methods):
        return max(score(data, method) for method in methods)

    def wins(methods):
        return [data.name for data in complete if best(data, methods) >= best(data, VALUE_BASED)]

    if not complete:
        return []
    total = len(complete)
    named = wins(MINIMISER_BASED)
    lines = [
        "The best minimiser-based method beats or equals the best value-based one on "
        f"{len(named)} of {total} data sets: {', '.join(named) or 'none'}."
    ]
    for method in MINIMISER_BASED:
        lines.append(f"{method.capitalize()} alone does on {len(wins([method]))} of {total}.")
    return lines + harm(complete, figures)


def harm(data_sets, figures):
    """Methods that end below the untrained weights by more than a deviation, the larger of the two; those of a single
    split are named even if it is by less."""
    harmful, close = [], []
    for data in data_sets:
        before = figures[f"{data.name} / {UNTRAINED}"]
        for method in METHODS:
            after = figures[f"{data.name} / {method}"]
            loss = data.sign * (before.mean - after.mean)
            text = f"{data.name} / {method} (by {loss:.4f})"
            if round(loss, 4) > max(before.std, after.std):
                harmful.append(text)
            elif after.n == 1 and round(loss, 4) > 0.0:
                close.append(text)
    lines = [f"Below the untrained weights by more than one deviation: {', '.join(harmful) or 'no method'}."]
    return lines + ([f"Below them by less on a single split: {', '.join(close)}."] if close else [])
