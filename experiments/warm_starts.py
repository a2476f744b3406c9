"""What warm starts and shared factorisations save: epochs of additions of two digits by the bilevel algorithm, steps of 32
images, with them and with every solve anew. Warm starts do nothing for the network, so there are two: one that takes
next to no time, and the example's.
"""
import dataclasses

import additions
import mnist_addition
from harness import Progress, markdown, row_of

SUMMARY = "seconds per epoch of two-digit additions with and without warm starts"
NEEDS = ("data/mnist",)

EPOCHS, QUICK_EPOCHS = 6, 2  # the first is left out: all of it is new
WARM, ANEW = "warm starts", "every solve anew"
PARTS = {"seconds": "epoch", "inference_seconds": "inference, all threads", "network_seconds": "network"}
STEPS_OF_32 = ("--set", "learn.batch_components=8")
SMALL_NETWORK = {
    '"network": "cnn",': '"network": "mlp",',
    '"channels": [16, 32, 64],': "",
    '"hidden": 128,': '"hidden": [64],',
    '"normalization": "batch",': "",
    '"max-shift": 2,': "",
    '"max-rotation": 10,': "",
    '"max-scaling": 0.1': '"max-shift": 0',
}
NETWORKS = {"mlp": SMALL_NETWORK, "cnn": {}}
BAR = 5.0  # asked for


def run(session):
    sources = additions.mnist_sources(session)
    progress = Progress(1 for _ in NETWORKS for _ in (WARM, ANEW))
    for number, (network, changes) in enumerate(NETWORKS.items()):
        task = additions.Task(
            "add2", [], changes=changes | mnist_addition.DIGITS_OF_SUMS_AS_LABELS, labels_of_sums=True
        )
        model, _ = additions.write_model(session, sources, task, number, 0)
        for way, warm in ((WARM, "true"), (ANEW, "false")):
            per_epoch = time_epochs(session, model, warm)
            for part, seconds in per_epoch.items():
                session.rows.append(row_of(f"{network}, {way}", part, [seconds], [per_epoch["epoch"]]))
            progress.step(f"{network}, {way}")


def time_epochs(session, model, warm):
    """Seconds per epoch, of each part; none if learning failed."""
    epochs = QUICK_EPOCHS if session.quick else EPOCHS
    flags = ("--epochs", epochs, "--no-eval", "--set", f"learn.metric_period={epochs}")
    way = ("--set", f"learn.warm_start={warm}")
    report = session.sorites("learn", model, *mnist_addition.BILEVEL, *STEPS_OF_32, *flags, *way)
    if not report:
        return {}
    first, last = report["history"][0], report["history"][-2]  # metrics are part of the last
    count = last["epoch"] - first["epoch"]
    return {name: (last[part] - first[part]) / count for part, name in PARTS.items()}


def figures_of(session):
    figures = {}
    for row in session.rows:
        figures.setdefault(row.setting, {})[row.metric] = row.mean
    return figures


def table(session):
    lines = [
        [setting, *(f"{parts[name]:.3f}" for name in PARTS.values())] for setting, parts in figures_of(session).items()
    ]
    return markdown(["network, way", *(f"{name} in s" for name in PARTS.values())], lines)


def verdict(session):
    figures, lines = figures_of(session), []
    for network in NETWORKS:
        warm, anew = (figures.get(f"{network}, {way}") for way in (WARM, ANEW))
        if warm and anew:
            epoch, inference = (anew[part] / warm[part] for part in ("epoch", "inference, all threads"))
            share = 1.0 - warm["network"] / warm["epoch"]
            reached = "reached" if epoch >= BAR else "not reached"
            lines.append(
                f"{network}: an epoch is {epoch:.1f} times as fast ({BAR:.0f} asked for: {reached}), its inference"
                f" {inference:.1f} times; {100 * share:.0f} % of a warm epoch are not the network's."
            )
    return lines
