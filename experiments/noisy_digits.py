"""Digits from sums beside a classifier that errs: the energy loss against the structured perceptron.

The setting of Dickens et al., "Learning in deep hinge-loss Markov random fields", 2022, table 1: 150 additions of one digit each,
500 images to test with, 10 splits. Of every image a noisy classifier names a digit: with a chance of 10, 25 or 50 % one drawn at random, else
the right one (that gives the paper's baseline). The network learns from the sums; weights of the rules are learned as well.
"""
import random

from additions import Task, run_tasks, settings_of, sums
from harness import row_of
from training import table_of, verdict_of

SUMMARY = "digits from 150 sums beside a classifier with 10, 25, 50 % of noise: energy against perceptron"
HAS_SETTINGS = True
NEEDS = ("data/mnist",)

ENERGY = ("--algorithm", "gradient", "--loss", "energy")
PERCEPTRON = ("--algorithm", "gradient", "--loss", "structured_perceptron")
BARS = {10: (77.1, 71.2), 25: (75.3, 72.0), 50: (70.4, 75.1)}
IMAGES, OTHERS = 300, 500
NOISY = {
    '"rules": [': '"rules": [\n    "0.1: Noisy(A, P, X) -> Digit(A, P, X) ^2",',
    "    // The digits of addition A": """    "Noisy/3": {
      "observations": {
        "learn": ["data/add1/learn_noisy.tsv"],
        "validation": ["data/add1/validation_noisy.tsv"],
        "infer": ["data/add1/infer_noisy.tsv"]
      }
    },

    // The digits of addition A""",
}


def name_of(noise, loss):
    return f"{noise} % noise / {loss}"


def tasks():
    return [
        Task(
            "add1_sums",
            [
                sums(name_of(noise, "energy"), bar=bars[0], flags=ENERGY, against=(name_of(noise, "perceptron"),)),
                sums(name_of(noise, "perceptron"), bar=bars[1], flags=PERCEPTRON),
            ],
            images=IMAGES,
            others=OTHERS,
            changes=NOISY,
            cost=20,
            extra=lambda folder, phases, seed, noise=noise: write_noisy(folder, phases, seed, noise / 100),
        )
        for noise, bars in BARS.items()
    ]


def write_noisy(folder, phases, seed, noise):
    """What the noisy classifier says of each image, and of how many additions it reads both digits right."""
    source = random.Random(1000 + seed)
    for phase, (digits, chosen) in phases.items():
        labels = [digits.labels[i] for i in chosen[: len(chosen) // 2 * 2]]
        said = [source.randrange(10) if source.random() < noise else label for label in labels]
        rows = [f"{row // 2}\t{'ab'[row % 2]}\t{digit}\n" for row, digit in enumerate(said)]
        (folder / f"{phase}_noisy.tsv").write_text("".join(rows))
        right = [a == b for a, b in zip(said, labels)]
        if phase == "infer":
            return sum(map(all, zip(right[0::2], right[1::2]))) / (len(right) // 2)
    return None


def run(session):
    baselines = run_tasks(session, tasks())
    for noise, values in zip(BARS, baselines):
        if values:
            session.rows.append(row_of(name_of(noise, "classifier alone"), "both right", values, [0.0]))


def table(session):
    alone = [
        f"{row.setting}: {100 * row.mean:.1f} ± {100 * row.std:.1f} % of additions with both digits right."
        for row in session.rows
        if row.metric == "both right"
    ]
    return "\n".join([table_of(session, settings_of(tasks())), "", *alone])


def verdict(session):
    return verdict_of(session, settings_of(tasks()))
