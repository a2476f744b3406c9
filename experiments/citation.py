"""Topics of papers from few labels: a network on words and links, and rules that know what links mean.

The setting of Dickens et al., "Neural-Symbolic Energy-Based Models", 2024, section 6: 20 labels per topic, 1,000 papers to
test, 500 to validate; the split is that of Planetoid (Yang et al., 2016), seeds are those of the networks.
"""
import pathlib
import sys

from harness import Progress
from training import Setting, table_of, train, verdict_of

EXAMPLE = pathlib.Path(__file__).resolve().parent.parent / "examples" / "citation"
sys.path.insert(0, str(EXAMPLE))

import make_data  # noqa: E402

SUMMARY = "topics of cora and citeseer from 20 labels each: networks with and without rules"
NEEDS = ("data/cora", "data/citeseer")

SEEDS = [0, 1, 2]
BARS = {"cora": 81.9, "citeseer": 68.0}
ALONE = ("--set", "learn.network_epochs=100")


def settings_of(name):
    topic = {"predicate": "Topic", "metric": "categorical_accuracy"}
    return [
        Setting(f"{name} / rules, untrained network", learned=False, flags=("--epochs", "0"), **topic),
        Setting(f"{name} / network alone", "Text", "categorical_accuracy", flags=ALONE),
        Setting(f"{name} / network first, then rules", flags=ALONE, **topic),
        Setting(f"{name} / energy", flags=("--loss", "energy"), bar=BARS[name], **topic),
        Setting(f"{name} / perceptron", flags=("--loss", "structured_perceptron"), bar=BARS[name], **topic),
        Setting(f"{name} / cross-entropy, bilevel", flags=("--method", "BinaryCrossEntropy"), bar=BARS[name], **topic),
    ]


def run(session):
    names = ["cora"] if session.quick else list(BARS)
    seeds = session.chosen_seeds(SEEDS)
    progress = Progress(1 for name in names for _ in settings_of(name) for _ in seeds)
    for name in names:
        model = write_model(session, name)
        for setting in settings_of(name):
            train(session, setting, {seed: model for seed in seeds}, progress, quick_epochs=5)


def write_model(session, name):
    """The example's model, with the papers of a data set in the place of those that are made up."""
    folder = session.folder / name
    words, topics, split = read_papers(session.data / "data" / name / "planetoid_nodes.tsv")
    links = [line.split() for line in lines_of(session.data / "data" / name / "planetoid_edges.tsv")]
    num_words = max(word for row in words for word in row) + 1
    make_data.write(folder, words, num_words, topics, links, split)
    num_topics = max(topic for topic in topics if topic is not None) + 1
    text = (EXAMPLE / "model.json").read_text()
    changed = text.replace('"class-size": 4', f'"class-size": {num_topics}')
    (folder / "model.json").write_text(changed)
    return folder / "model.json"


def read_papers(path):
    words, topics, split = [], [], []
    for line in lines_of(path):
        cells = line.split("\t")
        topics.append(int(cells[1]) if int(cells[1]) >= 0 else None)
        split.append(cells[2])
        words.append([int(word) for word in cells[3].split()] if len(cells) > 3 else [])
    return words, topics, split


def lines_of(path):
    return path.read_text().splitlines()


def all_settings():
    return [setting for name in BARS for setting in settings_of(name)]


def table(session):
    return table_of(session, all_settings())


def verdict(session):
    return verdict_of(session, all_settings())
