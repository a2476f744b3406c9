"""Markov logic by mean field on the data sets of Xu et al., "LogicMP", 2024, section 5.2.

AUC-PR is the average precision over all queries of a folder together; queries of equal marginals are taken at once. Protocols:

- plain: `sorites learn FOLDER --output M && sorites infer M`, without an option. Nothing is chosen by queries.
- as written: `sorites infer FOLDER`, with the weights that stand there.
- the paper's: all predicates open, weights 1, five plain steps, an encoder that is distilled from the layer (appendix K.4). Its
  encoder is a graph network over the facts; ours has free embeddings alone. Only with --only paper: it takes long.
- hinge: the same folder under hinge losses. Only with --only hinge.

The paper's own figures are those of its table 4.
"""
import dataclasses
import itertools
import shutil

from harness import ExperimentError, Progress, Row, markdown, row_of

SUMMARY = "Markov logic: AUC-PR on kinship, UW-CSE and Cora by the plain commands, with the paper's figures"
NEEDS = ("data/logicmp",)

SEEDS = [0, 1, 2]


@dataclasses.dataclass
class Protocol:
    """How a folder is run: options of both commands, and whether it is learned at all."""

    name: str
    learns: bool = True
    options: tuple = ()
    inference: tuple = ()  # flags of `infer` alone
    asked_for: bool = False  # only if --only names it


PROTOCOLS = [
    Protocol("plain"),
    Protocol("as written", learns=False),
    Protocol(
        "paper",
        options=("inference.guess_closed=false", "meanfield.weight_scale=none", "meanfield.updates=plain",
                 "meanfield.iterations=5", "learn.rules=none", "learn.plus_start=1",
                 "meanfield.dimension=16"),
        asked_for=True,
    ),
    Protocol("hinge", learns=False, inference=("--semantics", "hinge"), asked_for=True),
]


@dataclasses.dataclass
class DataSet:
    """A group of folders."""

    name: str
    folders: dict  # folder of data/logicmp: figure of the paper, or None
    bar: float  # of the mean by the plain commands
    cost: float  # seconds of a folder


DATA_SETS = [
    DataSet("smoke", {"smoke": None}, 0.97, 0.1),
    DataSet("kinship", dict(zip([f"kinship/S{i}" for i in range(1, 5)], (0.99, 0.98, 1.0, 1.0))), 0.97, 1.0),
    DataSet("UW-CSE", {f"uw_cse/{name}": figure for name, figure in
                       (("ai", 0.26), ("graphics", 0.30), ("language", 0.42), ("systems", 0.25))}, 0.28, 5.0),
    DataSet("Cora", dict(zip([f"cora/S{i}" for i in range(1, 5)], (0.80, 0.88, 0.72, 0.83))), 0.80, 40.0),
]


def options(settings):
    return [part for setting in settings for part in ("--set", setting)]


def truth_of(folder):
    """Queries by predicate and constants; those that begin with `!` are false."""
    truth = {}
    for line in filter(None, map(str.strip, (folder / "queries").read_text().splitlines())):
        name, _, rest = line.lstrip("!").partition("(")
        arguments = tuple(text.strip() for text in rest.rstrip(")").split(","))
        truth[(name.upper(), arguments)] = not line.startswith("!")
    return truth


def scored_queries(results, truth):
    """Pairs of the marginal and the truth."""
    scores = {}
    for path in results.glob("*.txt"):
        for line in path.read_text().splitlines():
            *arguments, value = line.split("\t")
            scores[(path.stem.upper(), tuple(text.strip("'") for text in arguments))] = float(value)
    missing = truth.keys() - scores.keys()
    if missing:
        raise ExperimentError(f"{results}: no value for {next(iter(missing))}")
    return [(scores[query], holds) for query, holds in truth.items()]


def average_precision(pairs):
    """Area under the steps of precision over recall."""
    num_true = sum(holds for _, holds in pairs)
    found = taken = area = 0
    for _, ties in itertools.groupby(sorted(pairs, reverse=True), key=lambda pair: pair[0]):
        ties = [holds for _, holds in ties]
        found += sum(ties)
        taken += len(ties)
        area += sum(ties) / num_true * found / taken
    return area


def run_once(session, protocol, name, seed):
    """The metric and the seconds of one run, or None if it failed."""
    folder = session.data / "data" / "logicmp" / name
    work = session.folder / f"{protocol.name}-{name.replace('/', '-')}-{seed}"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    model, seconds, given = folder, 0.0, options(protocol.options)
    if protocol.learns:
        learned = session.sorites("learn", folder, "--no-eval", "--seed", seed, "--output", work / "learned", *given)
        if learned is None:
            return None
        model, seconds = work / "learned", learned["seconds"]["total"]
    inferred = session.sorites("infer", model, "--output", work / "results", *given, *protocol.inference)
    if inferred is None:
        return None
    return average_precision(scored_queries(work / "results", truth_of(folder))), seconds + inferred["seconds"]["total"]


def chosen_protocols(session):
    return [one for one in PROTOCOLS if (session.only in one.name if session.only else not one.asked_for)]


def run(session):
    jobs = [(protocol, data_set, name, seed) for protocol in chosen_protocols(session) for data_set in DATA_SETS
            for name in data_set.folders for seed in (session.chosen(SEEDS) if protocol.learns else [0])]
    progress = Progress(data_set.cost for _, data_set, _, _ in jobs)
    done = {}
    for protocol, _, name, seed in jobs:
        outcome = run_once(session, protocol, name, seed)
        if outcome is not None:
            done.setdefault((protocol.name, name), []).append(outcome)
        progress.step(f"{name}, {protocol.name}, seed {seed}: {'failed' if outcome is None else f'{outcome[0]:.3f}'}")
    for (protocol, name), outcomes in done.items():
        session.rows.append(row_of(f"{name}, {protocol}", "auprc", *map(list, zip(*outcomes))))


def rows_by_setting(session):
    return {row.setting: row for row in session.rows}


def mean_row(data_set, protocol, rows):
    """The mean of all folders, or None if one is missing."""
    own = [rows.get(f"{name}, {protocol}") for name in data_set.folders]
    if None in own:
        return None
    return Row(f"{data_set.name}, mean, {protocol}", "auprc", sum(row.mean for row in own) / len(own), 0.0, own[0].n,
               sum(row.seconds for row in own) / len(own), {row.setting: row.mean for row in own})


def figure_text(row):
    if row is None:
        return "–"
    return f"{row.mean:.3f} ± {row.std:.3f}" if row.n > 1 and row.std > 0.0 else f"{row.mean:.3f}"


def table(session):
    rows, lines, names = rows_by_setting(session), [], [one.name for one in chosen_protocols(session)]
    for data_set in DATA_SETS:
        for name, paper in data_set.folders.items():
            figures = [figure_text(rows.get(f"{name}, {protocol}")) for protocol in names]
            lines.append([name, "–" if paper is None else f"{paper:.2f}", *figures])
        if len(data_set.folders) > 1:
            paper = sum(data_set.folders.values()) / len(data_set.folders)
            means = [figure_text(mean_row(data_set, protocol, rows)) for protocol in names]
            lines.append([f"{data_set.name}, mean", f"{paper:.3f}", *means])
    return markdown(["data", "LogicMP's table 4", *names], lines)


def verdict(session):
    rows, lines = rows_by_setting(session), []
    for data_set in DATA_SETS if "plain" in [one.name for one in chosen_protocols(session)] else []:
        mean = mean_row(data_set, "plain", rows)
        if mean is None:
            lines.append(f"{data_set.name}: incomplete.")
        else:
            reached = "reached" if mean.mean >= data_set.bar else "MISSED"
            lines.append(f"{data_set.name}: {mean.mean:.3f} by the plain commands, {reached} (at least {data_set.bar:g}).")
    return lines
