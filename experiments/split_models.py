"""Model files of every split of a data set, made from the model file of split 0.

A model file of SHARED/models names the files of its data. Those of another split are the same paths with another
number in them. Two data sets need files of their own first: stance-4forums has a folder per topic, which become one
model; of drug-drug-interaction only fold 0 is written out, the others are given by a table.
"""
import json
import random
import re

from harness import ExperimentError

DRUGS = "drug-drug-interaction"
STANCE = "stance-4forums"


def splits_of(shared, name):
    """The numbers of the splits there are."""
    folder = shared / "data" / f"psl-{name}"
    if not folder.is_dir():
        raise ExperimentError(f"no data set {name}: {folder} is not there")
    if name == DRUGS and (folder / "all" / "interacts_folds.tsv").is_file():
        return list(range(10))
    splits = sorted(int(entry.name) for entry in folder.iterdir() if entry.name.isdigit())
    if not splits:
        raise ExperimentError(f"{folder} has no split: there should be folders 0, 1, ...")
    return splits


def model_text(shared, name, split, folder):
    """The model file of a split, with absolute paths; data that has to be made goes to `folder`."""
    path = shared / "models" / f"psl-{name}.json"
    if not path.is_file():
        raise ExperimentError(f"no model of {name}: {path} is not there")
    source = shared / "data" / f"psl-{name}"
    data = source / str(split)
    if name == STANCE:
        data = join_topics(source / str(split), folder / f"{name}-data" / str(split))
    elif name == DRUGS and split != 0:
        data = write_fold(source, split, folder / f"{name}-data" / str(split))
    if not data.is_dir():
        raise ExperimentError(f"no split {split} of {name}: {data} is not there")
    return re.sub(r'"(\.\./data/psl-[a-z0-9-]+|data-stance)/0/', lambda _: f'"{data.resolve()}/', path.read_text())


def write_model(shared, name, split, folder, change=lambda text: text):
    """Writes the model file of a split to `folder`; `change` makes another model of it."""
    text = change(model_text(shared, name, split, folder))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}-{split}.json"
    path.write_text(text)
    return path


def with_validation(path, group):
    """Changes a model file so that a third of the truth to learn from is held out, atoms of a group together: they are the
    truth of the validation phase, which has the data of the learning phase else."""
    model = parsed(path.read_text())
    for name, predicate in model["predicates"].items():
        for part in ("observations", "targets"):
            if "learn" in predicate.get(part, {}):
                predicate[part]["validation"] = predicate[part]["learn"]
        if "learn" not in predicate.get("truth", {}):
            continue
        rows = [line.split("\t") for file in predicate["truth"]["learn"] for line in open(file).read().splitlines()]
        groups = sorted({group(row[:-1]) for row in rows})
        held_out = set(random.Random(0).sample(groups, len(groups) // 3))
        for phase, wanted in (("learn", False), ("validation", True)):
            file = path.with_suffix("") / f"{name.split('/')[0]}_{phase}.txt"
            write_rows(file, [row for row in rows if (group(row[:-1]) in held_out) == wanted], None)
            predicate["truth"][phase] = [str(file)]
    path.write_text(json.dumps(model, indent=2) + "\n")
    return path


def parsed(text):
    """A model file, which may have lines of comment."""
    return json.loads(re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE))


def with_rules(text, change):
    """Puts other rules, made of those there are, into the text of a model file."""
    model = parsed(text)
    model["rules"] = change(model["rules"])
    return json.dumps(model, indent=2) + "\n"


def join_topics(source, target):
    """All topics of a split of stance-4forums in one: authors get the topic in front of their names."""
    for topic in sorted(source.glob("*/*")):
        if not topic.is_dir():
            continue
        out = target / topic.parent.name
        out.mkdir(parents=True, exist_ok=True)
        first = topic == min(path for path in topic.parent.iterdir() if path.is_dir())
        for file in sorted(topic.glob("*.txt")):
            with open(out / file.name, "w" if first else "a") as joined:
                for line in file.read_text().splitlines():
                    joined.write(prefix_authors(line, topic.name) + "\n")
    return target


def prefix_authors(line, topic):
    """The first argument is an author; the second is, unless it is the topic."""
    first, second, *value = line.split("\t")
    second = second if second == topic else f"{topic}_{second}"
    return "\t".join([f"{topic}_{first}", second, *value])


def write_fold(source, fold, target):
    """A fold of drug-drug-interaction: a pair is a target in one fold of eval and in another of learn."""
    pairs = [line.split("\t") for line in (source / "all" / "interacts_folds.tsv").read_text().splitlines()]
    if not (target / "common").exists():
        target.mkdir(parents=True, exist_ok=True)
        (target / "common").symlink_to((source / "0" / "common").resolve())
    for phase, column in (("eval", 3), ("learn", 4)):
        known = [pair for pair in pairs if phase == "eval" or pair[3] != str(fold)]
        targets = [pair for pair in known if pair[column] == str(fold)]
        observed = [pair for pair in known if pair[column] != str(fold)]
        write_rows(target / phase / "interacts_obs.txt", observed, 3)
        write_rows(target / phase / "interacts_target.txt", targets, 2)
        write_rows(target / phase / "interacts_truth.txt", targets, 3)
        write_rows(target / phase / "valid_interactions_obs.txt", known, 2)
    return target


def write_rows(path, rows, num_columns):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join("\t".join(row[:num_columns]) + "\n" for row in rows))
