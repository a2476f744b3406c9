"""What the experiments on additions of handwritten digits share: the example's models, with images of MNIST."""
import dataclasses
import pathlib
import sys
import typing

from harness import ExperimentError, Progress
from training import Setting, train

EXAMPLE = pathlib.Path(__file__).resolve().parent.parent / "examples" / "mnist-addition"
sys.path.insert(0, str(EXAMPLE))

import make_additions  # noqa: E402

SEEDS = list(range(10, 20))  # settings were chosen on seeds 0 to 2
OTHERS = 1000  # images to validate with, and to test with
QUICK = {"images": 120, "others": 40, "epochs": 2}


@dataclasses.dataclass
class Task:
    """Lines of a table that share their models: one per seed, which draws images and begins with another network."""

    model: str  # add1, add1_sums, add2, semi: a model file of the example
    settings: list  # lines of the table
    images: int = 600
    changes: dict = dataclasses.field(default_factory=dict)  # of the model file: old text, new text
    cost: float = 60.0  # of a run, in seconds, about
    others: int = OTHERS
    labels_of_sums: bool = False  # of two digits: make_additions.write_sum_labels
    extra: typing.Callable = lambda folder, phases, seed: None  # writes more data; what it returns goes to the caller

    @property
    def digits(self):
        """Of the numbers that are added."""
        return 2 if self.model == "add2" else 1


def sums(name, **others):
    return Setting(name, "Sum", "categorical_accuracy", **others)


def digits(name, **others):
    return Setting(name, "Digit", "categorical_accuracy", **others)


def mnist_sources(session):
    """The images and labels there are."""
    try:
        return make_additions.sources(session.data / "data" / "mnist")
    except make_additions.DataError as error:
        raise ExperimentError(str(error)) from None


def run_tasks(session, tasks):
    """Per task, what its `extra` returned by seed."""
    sources = mnist_sources(session)
    seeds = session.chosen_seeds(SEEDS)
    wanted = [[setting for setting in task.settings if session.wants(setting.name)] for task in tasks]
    if not any(wanted):
        raise ExperimentError(f"no setting of {session.name} holds the text '{session.only}'")
    progress = Progress(task.cost for task, settings in zip(tasks, wanted) for _ in settings for _ in seeds)
    extras = [{} for _ in tasks]
    for number, (task, settings) in enumerate(zip(tasks, wanted)):
        if not settings:
            continue
        models = {}
        for seed in seeds:
            models[seed], extras[number][seed] = write_model(session, sources, task, number, seed)
        for setting in settings:
            train(session, setting, models, progress, QUICK["epochs"])
    return extras


def settings_of(tasks):
    return [setting for task in tasks for setting in task.settings]


def write_model(session, sources, task, number, seed):
    """The example's model in a folder of its own, with the images of a seed; what `extra` returned."""
    folder = session.folder / f"{number}-{task.model}-{seed}"
    images, others = (QUICK["images"], QUICK["others"]) if session.quick else (task.images, task.others)
    phases = make_additions.split(*sources, images, others, seed)
    make_additions.write(folder / "data" / f"add{task.digits}", task.digits, phases, 0.05, seed)
    if task.labels_of_sums:
        make_additions.write_sum_labels(folder / "data" / f"add{task.digits}", phases)
    extra = task.extra(folder / "data" / f"add{task.digits}", phases, seed)
    text = (EXAMPLE / f"{task.model}.json").read_text()
    for old, new in task.changes.items():
        if old not in text:
            raise ExperimentError(f"{task.model}.json has no text {old}")
        text = text.replace(old, new)
    path = folder / f"{task.model}.json"
    path.write_text(text)
    return path, extra
