"""Our learners against those of PSL 3 of the same name: test metric and time per epoch, on split 0.

DATA/golden/learning.json holds what PSL's learners did. Several of them stopped after one epoch, by PSL's test of
movement, or ran out of their time; every run that got to an evaluation is compared. PSL's time per epoch is that of the
step alone, without the training metric; so ours is taken from a second run that looks at no metric on its way.
"""
import json

import split_models
from harness import ExperimentError, Progress, markdown, row_of

SUMMARY = "the learners of PSL by name: test metric and seconds per epoch, ours against PSL's"
NEEDS = ("data", "models", "golden")

MODELS = ("cora", "citeseer", "epinions", "stance-4forums")
METRICS = {"CategoricalAccuracy": "categorical_accuracy_expected", "AUROC": "auroc"}
MATCHED = 0.005  # a metric is matched if it is at most so much worse
SPEEDUP = 20.0  # asked for, per epoch
# Ties are not to decide which epoch is the best.
FLAGS = {name: ["--set", "categoricalevaluator.representative=ACCURACY_EXPECTED"] for name in ("cora", "citeseer")}
EPOCHS, QUICK_EPOCHS = 100, 10


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
    if not session.chosen([0]):
        raise ExperimentError("PSL's results are those of split 0: leave out --seeds, or say --seeds 0")
    runs = reference_runs(session)
    progress = Progress(1 for _ in runs)
    epochs = QUICK_EPOCHS if session.quick else EPOCHS
    for (name, learner), references in runs.items():
        model = split_models.write_model(session.data, name, 0, session.folder)
        command = ["learn", model, "--method", learner, "--epochs", epochs]
        report = session.sorites(*command, *FLAGS.get(name, []))
        timing = session.sorites(*command, "--no-eval", "--set", f"learn.metric_period={epochs}")
        progress.step(f"{name}, {learner}" + ("" if report and timing else ": failed"))
        for reference in references if report and timing else []:
            add_rows(session, name, reference, report, timing["history"][-1])


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
    """Per setting: metric, its two values, the two times, the ratio."""
    settings = {}
    for row in session.rows:
        settings.setdefault(row.setting, []).append(row)
    return {setting: (rows[0].metric, *(row.mean for row in rows)) for setting, rows in settings.items()}


def table(session):
    header = ["run of PSL", "metric", "ours", "PSL", "s/epoch", "PSL", "ratio"]
    lines = [
        [setting, metric, f"{ours:.4f}", f"{psl:.4f}", f"{seconds:.4f}", f"{psl_seconds:.4f}", f"{ratio:.0f} x"]
        for setting, (metric, ours, psl, seconds, psl_seconds, ratio) in figures_of(session).items()
    ]
    return markdown(header, lines)


def verdict(session):
    figures = figures_of(session)
    worse = [name for name, (_, ours, psl, *_) in figures.items() if ours < psl - MATCHED]
    slower = [name for name, values in figures.items() if values[-1] < SPEEDUP]
    beaten = sum(ours >= psl for _, ours, psl, *_ in figures.values())
    lines = [
        f"The metric of {len(figures) - len(worse)} of {len(figures)} runs is matched (to {MATCHED}) or beaten, that of {beaten} beaten or equalled.",
        f"{len(figures) - len(slower)} of {len(figures)} are at least {SPEEDUP:.0f} times as fast per epoch.",
    ]
    lines += [f"Not matched: {'; '.join(worse)}."] if worse else []
    return lines + ([f"Not fast enough: {'; '.join(slower)}."] if slower else [])
