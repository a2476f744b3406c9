"""Our learners against those of PSL 3 of the same name: test metric and time per epoch, on split 0.

DATA/golden/learning.json holds what PSL's learners did. Several of them stopped after one epoch, by PSL's test of
movement, or ran out of their time; every run that got to an evaluation is compared with one of ours of as many epochs.
PSL's time per epoch is that of the step alone, without the training metric; so ours is taken from a run that looks at no
metric on its way, of EPOCHS, or more where PSL made more. Both evaluate by their inference as it comes.
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
# Topics of many documents tie: the metric must not depend on their order.
TIES = ("--set", "categoricalevaluator.representative=ACCURACY_EXPECTED")
FLAGS = {name: TIES for name in ("cora", "citeseer")}
# The minimiser-based losses of PSL hold the energy loss as well.
LOSS_FLAGS = {name: ["--set", "minimizer.energylosscoefficient=1"] for name in ("SquaredError", "BinaryCrossEntropy")}
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
    for (name, learner), references in runs.items():
        model = split_models.write_model(session.data, name, 0, session.folder)
        command = ["learn", model, "--method", learner, *LOSS_FLAGS.get(learner, [])]
        most = max(reference["epochs"] for reference in references)
        epochs = QUICK_EPOCHS if session.quick else max(EPOCHS, most)
        timing = session.sorites(*command, "--epochs", epochs, "--no-eval", "--set", f"learn.metric_period={epochs}")
        for reference in references if timing else []:
            as_many = min(reference["epochs"], epochs) if session.quick else reference["epochs"]
            report = session.sorites(*command, "--epochs", as_many, *FLAGS.get(name, []))
            exact = infer_with(session, name, reference["weights"])
            if report and exact:
                add_rows(session, name, reference, report, timing["history"][-1], exact)
        progress.step(f"{name}, {learner}" + ("" if timing else ": failed"))


def infer_with(session, name, weights):
    """What PSL's weights give by our inference: PSL's own often ends far from the optimum."""
    folder = session.folder / "weights-of-psl"
    model = split_models.write_model(session.data, name, 0, folder, lambda text: split_models.with_weights(text, weights))
    return session.sorites("infer", model, *FLAGS.get(name, []))


def add_rows(session, name, reference, report, last_epoch, exact):
    """All metrics, both times, and how much faster we are."""
    setting = f"{name} / {title_of(reference)}"
    theirs = {METRICS[key]: value for key, value in reference["test_metrics_own"].items() if key in METRICS}
    ((metric, their_value),) = theirs.items()
    (our_metrics,) = report["learned"]["metrics"].values()
    (exact_metrics,) = exact["metrics"].values()
    per_epoch = last_epoch["seconds"] / max(last_epoch["epoch"], 1)
    for what, value in (
        (metric, our_metrics[metric]),
        (f"{metric} of PSL", their_value),
        (f"{metric} of PSL's weights by our inference", exact_metrics[metric]),
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
    """Per setting: the metric, its three values, the two times, the ratio."""
    settings = {}
    for row in session.rows:
        settings.setdefault(row.setting, []).append(row)
    return {setting: (rows[0].metric, *(row.mean for row in rows)) for setting, rows in settings.items()}


def table(session):
    header = ["run of PSL", "metric", "ours", "PSL", "PSL's weights", "s/epoch", "PSL", "ratio"]
    lines = [
        [setting, metric, *(f"{value:.4f}" for value in values[:5]), f"{values[5]:.0f} x"]
        for setting, (metric, *values) in figures_of(session).items()
    ]
    return markdown(header, lines)


def verdict(session):
    figures = figures_of(session)
    total = len(figures)

    def behind(column):
        return [name for name, (_, *values) in figures.items() if values[0] < values[column] - MATCHED]

    slow = [name for name, (_, *values) in figures.items() if values[5] < SPEEDUP]
    lines = []
    for column, whose in ((1, "PSL"), (2, "PSL's weights by our inference")):
        names = behind(column)
        lines.append(f"The metric of {whose} is matched (to {MATCHED}) or beaten in {total - len(names)} of {total} runs.")
        lines += [f"Not in: {'; '.join(names)}."] if names else []
    lines.append(f"{total - len(slow)} of {total} are at least {SPEEDUP:.0f} times as fast per epoch.")
    return lines + ([f"Not so fast: {'; '.join(slow)}."] if slow else [])
