"""Digits learned from sums by policies: what the network reads is drawn, and what gave the right sum becomes likelier.

The setting of Dickens et al., "Neural-Symbolic Energy-Based Models", 2024, section 6, column IndeCateR of table 8: 600 images without
a label of a digit, 1,000 to validate with, 1,000 to test with. The loss is the accuracy of the sums itself.
"""
from additions import Task, run_tasks, settings_of, sums
from mnist_addition import DIGITS_OF_SUMS_AS_LABELS, SMALL_BATCHES
from training import table_of, verdict_of

SUMMARY = "MNIST-Add1 and MNIST-Add2 by policies: IndeCateR and REINFORCE"
HAS_SETTINGS = True
NEEDS = ("data/mnist",)

POLICY = ("--algorithm", "policy", "--loss", "metric")
# First guesses: nothing was chosen by figures.
INDECATER = (*POLICY, "--set", "learn.policy.draws=2")
REINFORCE = (*POLICY, "--set", "learn.policy.estimator=reinforce", "--set", "learn.policy.draws=10")


def tasks():
    return [
        Task(
            "add1_sums",
            [
                sums("add1, 300 additions / IndeCateR", bar=94.5, flags=INDECATER),
                sums("add1, 300 additions / REINFORCE", flags=REINFORCE),
            ],
        ),
        Task(
            "add2",
            [sums("add2, 150 additions / IndeCateR", bar=86.9, flags=INDECATER)],
            changes=SMALL_BATCHES | DIGITS_OF_SUMS_AS_LABELS,
            cost=300,
            labels_of_sums=True,
        ),
    ]


def run(session):
    run_tasks(session, tasks())


def table(session):
    return table_of(session, settings_of(tasks()))


def verdict(session):
    return verdict_of(session, settings_of(tasks()))
