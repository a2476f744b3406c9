"""Weights of rules alone, by every loss: what each does to the metric on data that was not learned from.

The setting of Dickens et al., "Convex and Bilevel Optimization for Neural-Symbolic Inference and Learning", 2024, section
6.3, table 4: value-based losses against minimiser-based ones by the bilevel algorithm, and by implicit differentiation.

Of every split, a third of the labels to learn from is held out (the validation part). The best epoch is that of the best metric
there. How strongly weights are pulled to the first ones is chosen, for each method, on the validation part of the first split, as the
paper chooses on its first fold. Test data is looked at once, with what was chosen. Of data sets that have more, five splits are taken.
"""
import dataclasses
import typing

import bootstrap
import paired
import split_models
import topic_models
from harness import Progress, markdown, row_of

SUMMARY = "weights of rules by every loss, on six data sets: test metrics and paired differences"
HAS_SETTINGS = True
NEEDS = ("data", "models")

UNTRAINED = "untrained"
VALUE_BASED = {
    "energy": ["--loss", "energy", "--algorithm", "gradient"],
    "perceptron": ["--loss", "structured_perceptron", "--algorithm", "gradient"],
}
BILEVEL = {
    "bilevel, squared error": ["--loss", "squared_error", "--algorithm", "bilevel"],
    "bilevel, cross-entropy": ["--loss", "cross_entropy", "--algorithm", "bilevel"],
}
IMPLICIT = {
    "implicit, squared error": ["--loss", "squared_error", "--algorithm", "gradient"],
    "implicit, cross-entropy": ["--loss", "cross_entropy", "--algorithm", "gradient"],
}
METHODS = VALUE_BASED | BILEVEL | IMPLICIT
# The same for all methods and data sets; what is not named here is the default of the program.
EPOCHS, QUICK_EPOCHS = 100, 10
PULLS = (0.01, 0.1, 1.0)  # learn.relative_log, of which the validation part chooses
FOOTNOTE = f"\\* One split: deviations and errors are those of a bootstrap over its users ({bootstrap.DRAWS} draws)."


@dataclasses.dataclass
class DataSet:
    name: str
    source: str  # the data set that its model file is of
    metric: str
    cost: float  # of a run, in seconds, about
    group: typing.Callable  # of an atom: those of one group are held out together
    change: typing.Callable = lambda text: text  # of the model
    sign: float = 1.0  # -1: smaller is better
    flags: tuple = ()  # of this data set alone
    quick: bool = False


def by_first(atom):
    return atom[0]


TOPICS = {"metric": "categorical_accuracy_expected", "flags": topic_models.LEARNING_FLAGS, "group": by_first}
ABSOLUTE_ERROR = {"metric": "mae", "sign": -1.0, "flags": ("--set", "continuousevaluator.representative=MAE")}
DATA_SETS = [
    DataSet("epinions", "epinions", "auroc", 1, tuple, quick=True),
    DataSet("4forums", "stance-4forums", "auroc", 3, by_first),
    DataSet("cora", "cora", cost=7, change=topic_models.extended(7), quick=True, **TOPICS),
    DataSet("citeseer", "citeseer", cost=5, change=topic_models.extended(6), **TOPICS),
    DataSet("yelp", "yelp", cost=10, group=tuple, **ABSOLUTE_ERROR),
    DataSet("drug-drug", "drug-drug-interaction", "auroc", 20, lambda atom: tuple(sorted(atom))),
]
SPLITS = 5  # at most, as in the paper


def run(session):
    chosen = [data for data in DATA_SETS if (data.quick or not session.quick) and session.wants(data.name)]
    splits = {data.name: chosen_splits(session, data) for data in chosen}
    progress = Progress(
        data.cost * (len(PULLS) if number == 0 else 1) for data in chosen for _ in METHODS for number, _ in enumerate(splits[data.name])
    )
    epochs = QUICK_EPOCHS if session.quick else EPOCHS
    for data in chosen:
        folder = session.folder / data.name
        models = {
            split: split_models.with_validation(
                split_models.write_model(session.data, data.source, split, folder, data.change), data.group
            )
            for split in splits[data.name]
        }
        learn_all(session, data, models, epochs, progress)


def chosen_splits(session, data):
    there = split_models.splits_of(session.data, data.source)
    return session.chosen(there) if session.seeds else session.chosen(there[:SPLITS])


def learn_all(session, data, models, epochs, progress):
    """Adds a row per method, over the models of all splits."""
    for method, flags in METHODS.items():
        reports, pulls = {}, PULLS
        try:
            for split, model in models.items():
                output = learned_path(session, data, method)
                pull, report = learn_best(session, model, [*flags, "--epochs", epochs, *data.flags], pulls, output)
                progress.step(f"{data.name} {split}, {method}, pull {pull}: {text_of(report, data)}")
                reports |= {split: report} if report else {}
                pulls = (pull,)  # chosen on the first split
        finally:  # an interrupt keeps the splits that are done
            add_rows(session, data, method, reports)
    if len(models) == 1 and data.metric in bootstrap.ERRORS:
        estimate_deviations(session, data, *models.values())


def learn_best(session, model, flags, pulls, output):
    """The pull that is best on the validation part and the report of its run, whose model is in `output`."""
    best, chosen = None, pulls[0]
    for pull in pulls:
        candidate = output.with_suffix(".candidate.json")
        report = session.sorites("learn", model, *flags, "--set", f"learn.relative_log={pull}", "--output", candidate)
        if report and (best is None or validation_of(report) > validation_of(best)):
            best, chosen = report, pull
            candidate.replace(output)
    return chosen, best


def validation_of(report):
    """Larger is better, whatever the metric; that of the training data where there is no validation part."""
    (kept,) = (epoch for epoch in report["history"] if epoch["epoch"] == report["kept_epoch"])
    return kept["validation_metric"] if kept["validation_metric"] is not None else kept["training_metric"]


def learned_path(session, data, method):
    folder = session.folder / data.name / "learned"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / (method.replace(", ", "-").replace(" ", "-") + ".json")


def add_rows(session, data, method, reports):
    """Every run evaluates the untrained weights as well: the first method tells them."""
    if not reports:
        return
    untrained = f"{data.name} / {UNTRAINED}"
    if all(row.setting != untrained for row in session.rows):
        before = {split: metric_of(report["untrained"], data) for split, report in reports.items()}
        session.rows.append(row_of(untrained, data.metric, before, [0.0]))
    after = {split: metric_of(report["learned"], data) for split, report in reports.items()}
    seconds = [report["seconds"]["learn"] for report in reports.values()]
    session.rows.append(row_of(f"{data.name} / {method}", data.metric, after, seconds))


def estimate_deviations(session, data, model):
    """Of a data set with a single split: users of it are drawn again and again, the same for all methods."""
    for method in (UNTRAINED, *METHODS):
        file = model if method == UNTRAINED else learned_path(session, data, method)
        rows = [row for row in session.rows if row.setting == f"{data.name} / {method}"]
        results = session.folder / data.name / "results"
        if rows and session.sorites("infer", file, *data.flags, "--output", results):
            rows[0].draws = bootstrap.draws(data.metric, model, results)
            rows[0].std = bootstrap.deviation(rows[0].draws)


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


def difference(figures, data, first, second):
    """First minus second, as a gain; None if there is none."""
    a, b = (figures.get(f"{data.name} / {method}") for method in (first, second))
    if a is None or b is None:
        return None
    gain = paired.difference(a.values, b.values)
    if gain and a.draws and b.draws:
        gain = bootstrap.difference(gain.mean, a.draws, b.draws)
    if gain:
        gain.mean *= data.sign
    return gain


def metric_table(session, data_sets):
    """The metrics, a line per data set; gains over the untrained weights; seconds of learning."""
    figures = {row.setting: row for row in session.rows}
    names = [data for data in data_sets if f"{data.name} / {UNTRAINED}" in figures]
    columns = [UNTRAINED, *METHODS]

    def cells(data, text):
        rows = [figures.get(f"{data.name} / {method}") for method in columns]
        return [text(row) if row else "" for row in rows]

    def differences(data, pairs):
        found = [difference(figures, data, first, second) for first, second in pairs]
        return [data.name] + [gain.text() if gain else "" for gain in found]

    gains = [(method, UNTRAINED) for method in METHODS]
    duels = [(method, other) for method in BILEVEL for other in VALUE_BASED]

    metrics = [
        [data.name, data.metric, str(figures[f"{data.name} / {UNTRAINED}"].n)]
        + cells(data, lambda row: f"{row.mean:.4f} ± {row.std:.4f}")
        for data in names
    ]
    seconds = [[data.name] + cells(data, lambda row: f"{row.seconds:.1f}")[1:] for data in names]
    return (
        markdown(["data set", "metric", "splits", *columns], metrics)
        + ("\n\n" + FOOTNOTE.replace("\\* ", "") if any(row.draws for row in session.rows) else "")
        + "\n\nGains over the untrained weights, paired by split, with standard errors; \\* is significant at 0.05:\n\n"
        + markdown(["data set", *METHODS], [differences(data, gains) for data in names])
        + "\n\nThe bilevel algorithm against value-based losses, in the same way:\n\n"
        + markdown(["data set", *(f"{a}, minus {b}" for a, b in duels)], [differences(data, duels) for data in names])
        + "\n\nSeconds of learning, per split:\n\n"
        + markdown(["data set", *METHODS], seconds)
    )


def verdict(session):
    """Whether bilevel learning is as good as value-based learning, by paired means, and whether learning helps."""
    figures = {row.setting: row for row in session.rows}
    complete = [data for data in DATA_SETS if all(f"{data.name} / {method}" in figures for method in METHODS)]
    if not complete:
        return []
    lines = []
    for method in (*BILEVEL, *IMPLICIT):
        above = {
            other: [data.name for data in complete if round(difference(figures, data, method, other).mean, 4) >= 0.0]
            for other in VALUE_BASED
        }
        both = [name for name in above["energy"] if name in above["perceptron"]]
        better = [data.name for data in complete if is_gain(difference(figures, data, method, UNTRAINED))]
        lines.append(
            f"{method.capitalize()}: at or above energy on {len(above['energy'])}, perceptron on {len(above['perceptron'])}, "
            f"both on {len(both)} of {len(complete)} ({', '.join(both) or 'none'}); "
            f"significantly above untrained on {len(better)} ({', '.join(better) or 'none'})."
        )
    worse = [
        f"{data.name} / {method} ({gain.text()})"
        for data in complete
        for method in METHODS
        if (gain := difference(figures, data, method, UNTRAINED)).mean < 0.0 and gain.is_significant
    ]
    return lines + [f"Significantly below the untrained weights: {', '.join(worse) or 'no method'}."]


def is_gain(gain):
    return gain.mean > 0.0 and gain.is_significant
