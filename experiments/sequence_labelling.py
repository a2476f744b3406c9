"""Names in sentences: a network alone, and with rules above it.

The task of Xu et al., "LogicMP", 2024, section 5.3, on Wikigold (Balasuriya et al. 2009) instead of CoNLL 2003. Tags are written as BIOES; a name
counts if it is found exactly. A fifth of the sentences to learn from is held out to choose the epoch, and chose the settings on seed 0.

- network alone: words and letters, read in both directions, no rules (one without weight, which changes nothing)
- + adjacent: pairs of tags that cannot stand side by side, each a rule
- + lists: items of an enumeration ("Rome, Paris and Oslo") have names of one kind as well
- linear chain: a weight for each pair of tags instead of rules, as a conditional random field has
"""
import dataclasses
import json
import re

from harness import Progress, markdown, row_of
from paired import difference

SUMMARY = "names in sentences of Wikigold: a network alone, with rules about neighbours and lists, as a linear chain"
NEEDS = ("data/wikigold",)
HAS_SETTINGS = True

SEEDS = [10, 11, 12]
KINDS = ("PER", "LOC", "ORG", "MISC")
TAGS = ["O"] + [f"{letter}-{kind}" for kind in KINDS for letter in "BIES"]
EPOCHS, PATIENCE = 40, 8
ALONE, ADJACENT, LISTS, CHAIN = "network alone", "+ adjacent", "+ lists", "linear chain"
F1, BROKEN = "span F1", "broken pairs"


def may_follow(first, second):
    if first == "O" or first[0] in "ES":
        return second == "O" or second[0] in "BS"
    return second != "O" and second[0] in "IE" and second[2:] == first[2:]


FORBIDDEN = [(a, b) for a in TAGS for b in TAGS if not may_follow(a, b)]
ADJACENT_RULES = [f"3: !Next(I, J) | !Tag(I, '{a}') | !Tag(J, '{b}')" for a, b in FORBIDDEN]
LIST_RULES = [
    f"1: Item({i}, {j}) & (Tag(I, 'B-{kind}') | Tag(I, 'S-{kind}')) -> Tag(J, 'B-{kind}') | Tag(J, 'S-{kind}')"
    for kind in KINDS
    for i, j in ("IJ", "JI")
]
RULES = {
    ALONE: ["0: !Next(I, J) | !Tag(I, 'O') | !Tag(J, 'I-PER')"],
    ADJACENT: ADJACENT_RULES,
    LISTS: ADJACENT_RULES + LIST_RULES,
    CHAIN: ["0 Next(i, j) ^ Tag(i, +a) ^ Tag(j, +b)"],
}


@dataclasses.dataclass
class Token:
    line: int
    word: str
    tag: str


def sentences_of(path):
    """Lists of tokens; blank lines, and those of a new document, stand between sentences."""
    sentences = [[]]
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("-DOCSTART-"):
            sentences.append([])
        else:
            word, tag = line.split()
            sentences[-1].append(Token(number, word, tag))
    return [sentence for sentence in sentences if sentence]


def written(sentences, path):
    """Writes sentences to a file of their own, and reads it: tokens are named by its lines."""
    path.write_text("\n".join("".join(f"{token.word} {token.tag}\n" for token in one) for one in sentences))
    return sentences_of(path)


def items_of(sentence):
    """Pairs of tokens that begin neighbouring items of an enumeration: runs of capitals with a comma or a conjunction between."""
    runs = []  # of words with a capital: first, and behind the last
    for i, token in enumerate(sentence):
        if not re.match(r"[A-Z]", token.word):
            continue
        if runs and runs[-1][1] == i:
            runs[-1][1] = i + 1
        else:
            runs.append([i, i + 1])
    for (first, end), (second, _) in zip(runs, runs[1:]):
        if all(token.word in (",", "and", "or", "&") for token in sentence[end:second]):
            yield sentence[first].line, sentence[second].line


def prepare(session):
    """The three phases as files: tokens by line, and pairs of items. Of each phase its sentences."""
    session.folder.mkdir(parents=True, exist_ok=True)
    data = session.data / "data" / "wikigold"
    training = sentences_of(data / "train.conll")
    test = sentences_of(data / "test.conll")
    if session.quick:
        training, test = training[:60], test[:20]
    cut = len(training) * 4 // 5
    phases = {"learn": training[:cut], "validation": training[cut:], "infer": test}
    for phase, sentences in phases.items():
        phases[phase] = written(sentences, session.folder / f"{phase}.conll")
        pairs = [pair for sentence in phases[phase] for pair in items_of(sentence)]
        (session.folder / f"{phase}_items.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in pairs))
    return phases


def model_of(setting):
    def by_phase(file):
        return {phase: [file.format(phase)] for phase in ("learn", "validation", "infer")}

    network = {"network": "bilstm", "hidden": "100", "embedding-size": "50", "learning-rate": "0.003"}
    network.update({f"{name}::features": f"{phase}.conll"
                    for name, phase in (("learning", "learn"), ("validation", "validation"), ("inference", "infer"))})
    return {
        "language": "mln" if setting == CHAIN else "psl",
        "semantics": "markov-logic",
        "domains": {"token": None},
        "predicates": {
            "Next/2": {"types": ["token", "token"], "observations": by_phase("{}.conll#next")},
            "Item/2": {"types": ["token", "token"], "world": "closed", "observations": by_phase("{}_items.tsv")},
            "Tag/1": {"type": "DeepPredicate", "types": ["token"], "classes": TAGS, "truth": by_phase("{}.conll#-1:bioes"),
                      "options": network, "evaluations": ["SpanEvaluator"]},
        },
        "rules": RULES[setting],
    }


def broken_pairs(folder, sentences):
    """How many neighbours have tags that cannot stand side by side."""
    best = {}
    for line in next(folder.glob("*.txt")).read_text().splitlines():
        token, tag, value = line.split("\t")
        if float(value) > best.get(int(token), (-1.0, ""))[0]:
            best[int(token)] = (float(value), tag.strip("'"))
    tags = [[best[token.line][1] for token in sentence] for sentence in sentences]
    return sum(not may_follow(a, b) for sentence in tags for a, b in zip(sentence, sentence[1:]))


def run_one(session, setting, seed, phases):
    """F1 on the test part, pairs that are broken there, and the seconds of learning."""
    name = f"{setting.replace(' ', '_').replace('+_', '')}_{seed}"
    model = session.folder / f"{name}.json"
    model.write_text(json.dumps(model_of(setting), indent=1))
    learned = session.folder / f"{name}_learned.json"
    flags = ["--epochs", 3 if session.quick else EPOCHS, "--patience", PATIENCE, "--seed", seed]
    if setting == ALONE:
        flags += ["--set", "learn.weights=false"]
    report = session.sorites("learn", model, "--output", learned, *flags)
    results = session.folder / name
    inferred = report and session.sorites("infer", learned, "--output", results)
    if not inferred:
        return None
    (metrics,) = inferred["metrics"].values()
    return metrics["span_f1"], broken_pairs(results, phases["infer"]), report["seconds"]["learn"]


def run(session):
    phases = prepare(session)
    seeds = session.chosen_seeds(SEEDS)
    settings = [setting for setting in RULES if session.wants(setting)]
    found = {setting: {} for setting in settings}
    progress = Progress([1] * (len(seeds) * len(settings)))
    for seed in seeds:
        for setting in settings:
            found[setting][seed] = run_one(session, setting, seed, phases)
            progress.step(f"{setting}, seed {seed}")
    for setting, by_seed in found.items():
        done = {seed: figures for seed, figures in by_seed.items() if figures}
        if not done:
            continue
        seconds = [figures[2] for figures in done.values()]
        session.rows.append(row_of(setting, F1, {seed: figures[0] for seed, figures in done.items()}, seconds))
        session.rows.append(row_of(setting, BROKEN, {seed: float(figures[1]) for seed, figures in done.items()}, seconds))


def rows_by_setting(session, metric):
    return {row.setting: row for row in session.rows if row.metric == metric}


def table(session):
    scores, broken = rows_by_setting(session, F1), rows_by_setting(session, BROKEN)
    lines = []
    for setting, row in scores.items():
        lines.append([setting, f"{100 * row.mean:.1f} ± {100 * row.std:.1f}",
                      " ".join(f"{100 * value:.1f}" for value in row.values.values()),
                      f"{broken[setting].mean:.0f}", str(row.n), f"{row.seconds:.0f}"])
    return markdown(["", "F1 of names, %", "by seed", "broken pairs", "seeds", "seconds"], lines)


def verdict(session):
    scores, broken = rows_by_setting(session, F1), rows_by_setting(session, BROKEN)
    if ALONE not in scores:
        return ["Nothing to compare with: the network alone was not run."]
    lines = []
    for setting, row in scores.items():
        if setting == ALONE:
            continue
        gain = difference(row.values, scores[ALONE].values)
        if gain is None:
            continue
        better = sum(value > scores[ALONE].values[seed] for seed, value in row.values.items() if seed in scores[ALONE].values)
        lines.append(f"{setting}: {gain.text(100, 1)} points of F1 against the network alone, above it on {better} of {gain.n} seeds; "
                     f"{broken[ALONE].mean:.1f} broken pairs become {broken[setting].mean:.1f}.")
    return lines
