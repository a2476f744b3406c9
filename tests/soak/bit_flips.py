"""Damage in every binary file that the program reads: flipped bits, cut ends, blocks of zeros.

A file with a checksum must be refused, or the damage did not matter: the answer is the same. In an array of numbers a flipped
bit is another number; there the program must only go on or say what is wrong.
"""
import json
import pathlib
import random
import shutil
import time
from dataclasses import dataclass

import models


@dataclass
class Subject:
    name: str
    file: pathlib.Path   # what is damaged
    command: list        # that reads it, with --json
    checked: bool        # whether damage must be noticed


def hinge_subjects(runner, folder):
    model = models.friends(folder / "packed", 30, packed=True)
    snapshot, state, learned = (folder / name for name in ("model.snapshot", "model.state", "learn.state"))
    runner.run(["ground", model, "--snapshot", snapshot])
    runner.run(["infer", model, "--save-state", state, "--output", folder / "results"])
    runner.run(["learn", model, "--save-state", learned, "--epochs", 3, "--output", folder / "learned.psl"])
    packed = model.parent / "infer_friends.tsv.gz"
    return [Subject("snapshot", snapshot, ["infer", model, "--json", "--values", "--from-snapshot", snapshot], True),
            Subject("state", state, ["infer", model, "--json", "--values", "--gap", "1e-8", "--warm-start", state], True),
            Subject("learn state", learned, ["learn", model, "--json", "--resume", learned, "--epochs", 5, "--no-eval"], True),
            Subject("gz", packed, ["infer", model, "--json", "--values"], True)]


def network_subjects(runner, folder):
    """Arrays and networks; empty if the program has no networks."""
    citation = models.example("citation", folder)
    additions = models.example("mnist-addition", folder)
    learned = citation / "learned.json"
    if runner.run(["learn", citation / "model.json", "--epochs", 2, "--output", learned]).code != 0:
        return []
    words, images = citation / "data/words.npy", additions / "data/add1/infer_images.idx.gz"
    found = [Subject("npy", words, ["infer", citation / "model.json", "--json"], False),
             Subject("IDX in gz", images, ["infer", additions / "add1.json", "--json"], True)]
    module = models.scripted(folder / "scripted")
    found.append(Subject("TorchScript", module.parent / "layers.pt", ["infer", module, "--json", "--values"], True))
    found += [Subject("network", path, ["infer", learned, "--json", "--values"], True)
              for path in sorted(citation.glob("learned*.pt"))[:1]]
    return found


def damage(data, rng):
    data = bytearray(data)
    kind = rng.choice(["bit", "bit", "bit", "bits", "cut", "zeros", "repeat"])
    place = rng.randrange(len(data))
    if kind == "bit":
        data[place] ^= 1 << rng.randrange(8)
    elif kind == "bits":
        for _ in range(10):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    elif kind == "cut":
        del data[place:]
    elif kind == "zeros":
        data[place:place + 64] = bytes(len(data[place:place + 64]))
    else:
        data[place:place] = data[place:place + 64]
    return bytes(data), f"{kind} at byte {place}"


def answer(outcome):
    """What does not depend on the time it took."""
    try:
        document = json.loads(outcome.out)
    except ValueError:
        return outcome.out
    for key in ("seconds", "peak_memory_bytes", "history", "diagnostics"):
        document.pop(key, None)
    document.get("presolve", {}).pop("seconds", None)
    return json.dumps(document, sort_keys=True)


def run(runner, folder, seconds, seed, tally):
    rng = random.Random(seed)
    subjects = hinge_subjects(runner, folder) + network_subjects(runner, folder)
    for subject in subjects:
        subject.right, first = subject.file.read_bytes(), runner.run(subject.command)
        subject.answer = answer(first)
        if first.code not in (0, 1):
            tally.find(f"{subject.name}: exit code {first.code} without damage: {first.err}", subject.command)
    tally.notes = ", ".join(subject.name for subject in subjects)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        subject = rng.choice(subjects)
        data, what = damage(subject.right, rng)
        if data == subject.right:
            continue
        subject.file.write_bytes(data)
        outcome = runner.run(subject.command)
        tally.tries += 1
        reason = outcome.trouble({0, 1, 2, 3})
        if reason is None and subject.checked and outcome.code == 0 and answer(outcome) != subject.answer:
            reason = "another answer, and no word about the damage"
        if reason is not None:
            kept = folder / f"damaged-{subject.file.name}"
            shutil.copy(subject.file, kept)
            tally.find(f"{subject.name}: {reason}", f"{what}; {' '.join(map(str, subject.command))}", [kept])
        subject.file.write_bytes(subject.right)
