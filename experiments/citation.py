"""Topics of papers from few labels: a network on words and links, and rules that know what links mean.

The setting of Dickens et al., "Convex and Bilevel Optimization for Neural-Symbolic Inference and Learning", 2024, section
6.3, table 5: splits are drawn at random, 5 % of the papers to learn from, 5 % to validate with, 1,000 to test with. A seed draws
a split and the first parameters of the network. The loss of joint learning is a first guess, which nothing was chosen by.
"""
import pathlib
import random
import sys

from harness import ExperimentError, Progress
from training import Setting, table_of, train, verdict_of

EXAMPLE = pathlib.Path(__file__).resolve().parent.parent / "examples" / "citation"
sys.path.insert(0, str(EXAMPLE))

import make_data  # noqa: E402

SUMMARY = "topics of cora and citeseer, 10 random splits with 5 % of the labels: networks with and without rules"
HAS_SETTINGS = True
NEEDS = ("data/cora", "data/citeseer")

SEEDS = list(range(10, 20))
PART, TEST = 0.05, 1000  # papers to learn from and to validate with, as a share; papers to test with
BARS = {"cora": 81.5, "citeseer": 69.8}
ALONE = ("--set", "learn.network_epochs=100")
JOINT = ("--algorithm", "bilevel", "--loss", "cross_entropy:1,energy:1")


def settings_of(name):
    topic = {"predicate": "Topic", "metric": "categorical_accuracy"}
    network, pipeline = f"{name} / network alone", f"{name} / network first, then rules"
    joint = {"against": (network, pipeline), **topic}
    return [
        Setting(f"{name} / rules, untrained network", learned=False, flags=ALONE, **topic),
        Setting(network, "Text", "categorical_accuracy", flags=ALONE),
        Setting(pipeline, flags=ALONE, against=(network,), **topic),
        Setting(f"{name} / joint, energy", flags=("--loss", "energy"), bar=BARS[name], **joint),
        Setting(f"{name} / joint, perceptron", flags=("--loss", "structured_perceptron"), **joint),
        Setting(f"{name} / joint, bilevel", flags=JOINT, bar=BARS[name], **joint),
    ]


def run(session):
    names = ["cora"] if session.quick else list(BARS)
    seeds = session.chosen_seeds(SEEDS)
    wanted = {name: [setting for setting in settings_of(name) if session.wants(setting.name)] for name in names}
    if not any(wanted.values()):
        raise ExperimentError(f"no setting of {session.name} holds the text '{session.only}'")
    progress = Progress(1 for name in names for _ in wanted[name] for _ in seeds)
    for name in names:
        if not wanted[name]:
            continue
        models = {seed: write_model(session, name, seed) for seed in seeds}
        for setting in wanted[name]:
            train(session, setting, models, progress, quick_epochs=5)


def write_model(session, name, seed):
    """The example's model, with the papers of a data set in the place of those that are made up."""
    folder = session.folder / f"{name}-{seed}"
    words, topics = read_papers(session.data / "data" / name / "planetoid_nodes.tsv")
    split = split_of(topics, seed)
    links = [line.split() for line in lines_of(session.data / "data" / name / "planetoid_edges.tsv")]
    num_words = max(word for row in words for word in row) + 1
    make_data.write(folder, words, num_words, topics, links, split)
    num_topics = max(topic for topic in topics if topic is not None) + 1
    text = (EXAMPLE / "model.json").read_text()
    changed = text.replace('"class-size": 4', f'"class-size": {num_topics}')
    (folder / "model.json").write_text(changed)
    return folder / "model.json"


def split_of(topics, seed):
    """Which part each paper is in; papers without a topic, and those that are left, are in none."""
    papers = [paper for paper, topic in enumerate(topics) if topic is not None]
    random.Random(seed).shuffle(papers)
    few = round(PART * len(topics))
    split = [""] * len(topics)
    for part, chosen in (("train", papers[:few]), ("val", papers[few : 2 * few]), ("test", papers[2 * few : 2 * few + TEST])):
        for paper in chosen:
            split[paper] = part
    return split


def read_papers(path):
    words, topics = [], []
    for line in lines_of(path):
        cells = line.split("\t")
        topics.append(int(cells[1]) if int(cells[1]) >= 0 else None)
        words.append([int(word) for word in cells[3].split()] if len(cells) > 3 else [])
    return words, topics


def lines_of(path):
    return path.read_text().splitlines()


def all_settings():
    return [setting for name in BARS for setting in settings_of(name)]


def table(session):
    return table_of(session, all_settings())


def verdict(session):
    return verdict_of(session, all_settings())
