"""Digits learned from sums: a network that reads images, rules that know addition, and no label of a digit.

The setting of Dickens et al., "Convex and Bilevel Optimization for Neural-Symbolic Inference and Learning", 2024, appendix
E.1.6, and, with pre-training, of "Neural-Symbolic Energy-Based Models", 2024, section 7: images are drawn without overlap,
1,000 to validate with and 1,000 to test with.
"""
from additions import Task, run_tasks, settings_of, sums
from training import table_of, verdict_of

SUMMARY = "MNIST-Add1 and MNIST-Add2: digits learned from the sums of additions"
HAS_SETTINGS = True
NEEDS = ("data/mnist",)

ALONE = ("--set", "learn.network_epochs=60", "--epochs", "60")
# Ten times the images need fewer passes over them.
FEW_EPOCHS = ("--epochs", "12")
CROSS_ENTROPY = ("--loss", "cross_entropy")
UNIQUE = ("--set", "learn.regularization=0")  # every atom has a square of its own already
BILEVEL = ("--algorithm", "bilevel", *CROSS_ENTROPY, *UNIQUE)
SQUARED_ERROR = ("--loss", "squared_error")
IMPLICIT = ("--algorithm", "gradient")
PERCEPTRON = (*IMPLICIT, "--loss", "structured_perceptron")
# The perceptron leaves outputs only as decided as they have to be, and sums of pairs need decided ones: a temperature that falls.
DECIDED = {'"normalization": "batch",': '"normalization": "batch", "output": "root-softmax", "final-temperature": 0.3,'}
# The paper's sum: how well sums are inferred, and the energy of the known ones.
WITH_ENERGY = ("--loss", "cross_entropy:1,energy:1")
# Sums of two digits as labels, as in add1_sums.json: pairs that agree with no sum are targets too, and ones and tens of the
# sum have labels.
DIGITS_OF_SUMS_AS_LABELS = {
    '        "output": "root-softmax",\n': "",
    '"Sum(A, +Z) = 1 ."': '"Sum(A, +Z) = 1 .", "0.05: !Ones(A, X, Y, C, S) ^2", "0.05: !Tens(A, X, Y, C, T) ^2"',
    '"Ones/4": {"targets": {"learn": ["data/add2/learn_ones.tsv"]}}':
        '"Ones/5": {"targets": {"learn": ["data/add2/learn_ones_pairs.tsv"]}}',
    '"Tens/4": {"targets": {"learn": ["data/add2/learn_tens.tsv"]}}':
        '"Tens/5": {"targets": {"learn": ["data/add2/learn_tens_pairs.tsv"]}}',
    '"SumOnes/2": {"targets": {': '"SumOnes/2": {"truth": {"learn": ["data/add2/learn_ones_truth.tsv"]}, '
    '"targets": {"learn": ["data/add2/learn_ones_targets.tsv"],',
    '"SumTens/2": {"targets": {': '"SumTens/2": {"truth": {"learn": ["data/add2/learn_tens_truth.tsv"]}, '
    '"targets": {"learn": ["data/add2/learn_tens_targets.tsv"],',
    "Ones(A, +X, +Y, +C) = 1 .": "Ones(A, +X, +Y, +C, S) = SumOnes(A, S) .",
    "Tens(A, +X, +Y, +C) = 1 .": "Tens(A, +X, +Y, +C, T) = SumTens(A, T) .",
    "Ones(A, X, +Y, +C) =": "Ones(A, X, +Y, +C, +S) =",
    "Ones(A, +X, Y, +C) =": "Ones(A, +X, Y, +C, +S) =",
    "Tens(A, X, +Y, +C) =": "Tens(A, X, +Y, +C, +T) =",
    "Tens(A, +X, Y, +C) =": "Tens(A, +X, Y, +C, +T) =",
    "Ones(A, +X, +Y, C) = Tens(A, +U, +V, C)": "Ones(A, +X, +Y, C, +S) = Tens(A, +U, +V, C, +T)",
}
PRETRAINED = {'"hidden": 128,': '"hidden": 128, "pretraining-epochs": 40, "pretraining-batch-size": 128,'}
# An encoder that knows nothing of digits yet finds them sooner by more steps.
SMALL_BATCHES = {'"learn.batch_components": 8': '"learn.batch_components": 4'}


def labelled(model):
    """All digits have labels."""
    validation = f'"truth": {{"validation": ["data/{model}/validation_digits'
    return {validation: validation.replace('{"validation"', f'{{"learn": ["data/{model}/learn_digits.tsv"], "validation"')}


def tasks():
    return [
        Task("add1", baselines("add1, 300 additions"), changes=labelled("add1")),
        Task("add1", [sums("add1, 300 additions / energy", bar=88.8)]),
        Task("add1", [sums("add1, 3,000 additions / energy", bar=95.7, flags=FEW_EPOCHS)], 6000, cost=120),
        Task("add1", [sums("add1, 300 additions / pre-trained, energy", bar=94.9)], changes=PRETRAINED),
        Task(
            "add1_sums",
            [
                sums("add1, 300 additions / bilevel, cross-entropy", against=("add1, 300 additions / energy",), bar=88.8),
                sums("add1, 300 additions / bilevel, cross-entropy and energy", against=("add1, 300 additions / energy",), bar=88.8, flags=WITH_ENERGY),
                sums("add1, 300 additions / bilevel, squared error", against=("add1, 300 additions / energy",), bar=88.8, flags=SQUARED_ERROR),
                sums("add1, 300 additions / implicit, cross-entropy", flags=IMPLICIT),
            ],
        ),
        Task("add1_sums", [sums("add1, 300 additions / perceptron", bar=75.0, flags=PERCEPTRON)], changes=DECIDED),
        Task("add1_sums", [sums("add1, 3,000 additions / bilevel, cross-entropy", bar=95.7, flags=FEW_EPOCHS)], 6000, cost=120),
        Task("add2", baselines("add2, 150 additions"), changes=labelled("add2")),
        Task("add2", [sums("add2, 150 additions / energy", bar=76.0)]),
        Task("add2", [sums("add2, 1,500 additions / energy", bar=93.0, flags=FEW_EPOCHS)], 6000, cost=120),
        Task("add2", [sums("add2, 150 additions / pre-trained, energy", bar=89.4)], changes=PRETRAINED | SMALL_BATCHES),
        Task(
            "add2",
            [
                sums("add2, 150 additions / bilevel, cross-entropy", against=("add2, 150 additions / energy",), bar=76.0, flags=BILEVEL),
                sums("add2, 150 additions / implicit, cross-entropy", flags=CROSS_ENTROPY),
            ],
            changes=SMALL_BATCHES | DIGITS_OF_SUMS_AS_LABELS,
            cost=120,
            labels_of_sums=True,
        ),
        Task(
            "add2",
            [sums("add2, 1,500 additions / bilevel, cross-entropy", bar=93.0, flags=(*BILEVEL, *FEW_EPOCHS))],
            6000,
            changes=SMALL_BATCHES | DIGITS_OF_SUMS_AS_LABELS,
            cost=300,
            labels_of_sums=True,
        ),
    ]


def baselines(name):
    return [
        sums(f"{name} / untrained", learned=False, flags=("--epochs", "0")),
        sums(f"{name} / network alone, from labels of all digits", flags=ALONE),
    ]


def run(session):
    run_tasks(session, tasks())


def table(session):
    return table_of(session, settings_of(tasks()))


def verdict(session):
    return verdict_of(session, settings_of(tasks()))
