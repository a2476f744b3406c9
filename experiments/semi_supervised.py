"""Digits from a few labels and the sums of additions: what the rules say against the network is a part of its loss.

The setting of Dickens et al., "Neural-Symbolic Energy-Based Models", 2024, section 7: 600 images, of which 5 % have labels;
1,000 to validate with and 1,000 to test with. The outputs of the network are the digits: no inference may overrule them.
"""
from additions import Task, digits, run_tasks, settings_of
from training import table_of, verdict_of

SUMMARY = "MNIST digits from 5 % of the labels, with and without the sums of additions"
HAS_SETTINGS = True
NEEDS = ("data/mnist",)

ALONE = ("--set", "learn.network_epochs=60", "--epochs", "60")


def tasks():
    return [
        Task(
            "semi",
            [
                digits("30 labels / untrained", learned=False, flags=("--epochs", "0")),
                digits("30 labels / network alone", flags=ALONE),
                digits("30 labels and 300 sums / energy", bar=96.8),
            ],
        )
    ]


def run(session):
    run_tasks(session, tasks())


def table(session):
    return table_of(session, settings_of(tasks()))


def verdict(session):
    return verdict_of(session, settings_of(tasks()))
