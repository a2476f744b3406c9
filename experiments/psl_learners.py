"""Our learners against those of PSL 3 of the same name: test metric and time per epoch, on split 0.

DATA/golden/learning.json holds what PSL's learners did. Several of them stopped after one epoch, by PSL's test of
movement, or ran out of their time; every run that got to an evaluation is compared with one of ours of as many epochs.
PSL's time per epoch is that of the step alone, without the training metric; so ours is taken from a run that looks at no
metric on its way, of EPOCHS, or more where PSL made more. Both evaluate by their inference as it comes. What a metric
is worth on one split is told by its deviation over all splits, with the weights of the model file.
"""
import json

import split_models
from harness import ExperimentError, Progress, markdown, row_of

SUMMARY = "the learners of PSL by name: test metric and seconds per epoch, ours against PSL's"
NEEDS = ("data", "models", "golden")

MODELS = ("cora", "citeseer", "epinions", "stance-4forums")
METRICS = {"CategoricalAccuracy": "categorical_accuracy_expected", "AUROC": "auroc"}
MATCHED = 0.005  # a metric is nearly the same if it is at most so much worse
SPEEDUP = 20.0  # asked for, per epoch
# Topics of many documents tie: the metric must not depend on their order.
TIES = ("--set", "categoricalevaluator.representative=ACCURACY_EXPECTED")
FLAGS = {name: TIES for name in ("cora", "citeseer")}
# The minimiser-based losses of PSL hold the energy loss as well.
LOSS_FLAGS = {name: ["--set", "minimizer.energylosscoefficient=1"] for name in ("SquaredError", "BinaryCrossEntropy")}
EPOCHS, QUICK_EPOCHS = 100, 10
UNTRAINED = "untrained, all splits"


def reference_runs(session):
    """PSL's runs that were evaluated, by model and learner."""
    path = session.data / "golden" / "learning.json"
    if not path.is_file():
        raise ExperimentError(f"no results of PSL: {path} is not there")
    runs = {}
    for run in json.loads(path.read_text())["runs"]:
        name = run["model"].removeprefix("psl-")
        if name in MODELS and run.get("test_metrics_own") and run.get("mean_epoch_s"):
            runs.setdefault((name, run["learner"]), []).append(run)
    return runs


def run(session):
    session.chosen([0])  # PSL's results are those of split 0
    runs = reference_runs(session)
    progress = Progress(1 for _ in runs)
    for name in dict.fromkeys(name for name, _ in runs):
        add_deviation(session, name)
    for (name, learner), references in runs.items():
        model = split_models.write_model(session.data, name, 0, session.folder)
        command = ["learn", model, "--method", learner, *LOSS_FLAGS.get(learner, [])]
        most = max(reference["epochs"] for reference in references)
        epochs = QUICK_EPOCHS if session.quick else max(EPOCHS, most)
        timing = session.sorites(*command, "--epochs", epochs, "--no-eval", "--set", f"learn.metric_period={epochs}")
        for reference in references if timing else []:
            as_many = min(reference["epochs"], epochs) if session.quick else reference["epochs"]
            report = session.sorites(*command, "--epochs", as_many, *FLAGS.get(name, []))
            if report:
                add_rows(session, name, reference, report, timing["history"][-1])
        progress.step(f"{name}, {learner}" + ("" if timing else ": failed"))


def add_deviation(session, name):
    """Of the metric over all splits, without learning."""
    metrics = {}
    for split in split_models.splits_of(session.data, name):
        model = split_models.write_model(session.data, name, split, session.folder / "untrained")
        report = session.sorites("infer", model, *FLAGS.get(name, []))
        for of_predicate in report["metrics"].values() if report else []:
            (metric,) = set(METRICS.values()) & set(of_predicate)
            metrics.setdefault(metric, []).append(of_predicate[metric])
    for metric, values in metrics.items():
        session.rows.append(row_of(f"{name} / {UNTRAINED}", metric, values, [0.0]))


def add_rows(session, name, reference, report, last_epoch):
    """Both metrics, both times, and how much faster we are."""
    setting = f"{name} / {title_of(reference)}"
    theirs = {METRICS[key]: value for key, value in reference["test_metrics_own"].items() if key in METRICS}
    ((metric, their_value),) = theirs.items()
    (our_metrics,) = report["learned"]["metrics"].values()
    per_epoch = last_epoch["seconds"] / max(last_epoch["epoch"], 1)
    for what, value in (
        (metric, our_metrics[metric]),
        (f"{metric} of PSL", their_value),
        ("seconds per epoch", per_epoch),
        ("seconds per epoch of PSL", reference["mean_epoch_s"]),
        ("speedup per epoch", reference["mean_epoch_s"] / per_epoch),
    ):
        session.rows.append(row_of(setting, what, [value], [last_epoch["seconds"]]))


def title_of(reference):
    """Learner, inference and what was not default: "Energy, ADMM, 100 steps"."""
    title = f"{reference['learner']}, {reference['inference'].removesuffix('Inference')}"
    for extra in reference.get("extra") or []:
        if extra.startswith("gradientdescent.numsteps="):
            title += f", {extra.partition('=')[2]} steps"
        elif not extra.startswith("gradientdescent."):
            title += f", {extra}"
    return title


def figures_of(session):
    """Per setting: the metric, its two values, the two times, the ratio."""
    settings = {}
    for row in session.rows:
        if not row.setting.endswith(UNTRAINED):
            settings.setdefault(row.setting, []).append(row)
    return {setting: (rows[0].metric, *(row.mean for row in rows)) for setting, rows in settings.items()}


def deviations_of(session):
    """By data set."""
    suffix = f" / {UNTRAINED}"
    return {row.setting.removesuffix(suffix): row.std for row in session.rows if row.setting.endswith(suffix)}


def table(session):
    header = ["run of PSL", "metric", "ours", "PSL", "s/epoch", "PSL", "ratio"]
    lines = [
        [setting, metric, *(f"{value:.4f}" for value in values[:4]), f"{values[4]:.0f} x"]
        for setting, (metric, *values) in figures_of(session).items()
    ]
    return markdown(header, lines)


def verdict(session):
    figures, deviations = figures_of(session), deviations_of(session)
    total = len(figures)

    def behind(allowed):
        return [
            name
            for name, (_, ours, theirs, *_) in figures.items()
            if ours < theirs - allowed(name.partition(" / ")[0])
        ]

    slow = [name for name, (_, *values) in figures.items() if values[4] < SPEEDUP]
    text = ", ".join(f"{name} {deviation:.4f}" for name, deviation in deviations.items())
    lines = [f"Deviations of the metric over splits, with the weights of the model file: {text}."]
    tolerances = {f"to {MATCHED}": lambda _: MATCHED, "to one deviation": lambda name: deviations.get(name, 0.0)}
    for within, allowed in tolerances.items():
        names = behind(allowed)
        lines.append(f"The metric of PSL is matched ({within}) or beaten in {total - len(names)} of {total} runs.")
        lines += [f"Not in: {'; '.join(names)}."] if names else []
    lines.append(f"{total - len(slow)} of {total} are at least {SPEEDUP:.0f} times as fast per epoch.")
    return lines + ([f"Not so fast: {'; '.join(slow)}."] if slow else [])
