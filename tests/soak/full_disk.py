"""No room on the disk: files may only grow to some size, or standard output is /dev/full. The program must say so, with an
exit code other than 0, and leave what was there before, or nothing."""
import random
import resource
import subprocess
import time

import models
from killed import contents, is_whole, remove, writers


def limited(size):
    """For the child: a file that would grow beyond `size` gets an error. Python has ignored SIGXFSZ for it."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def try_limit(runner, writer, rng, tally):
    remove(writer.output)
    size = rng.randrange(len(writer.right))
    outcome = runner.run(writer.command, preexec_fn=limited(size), restore_signals=False)
    command = f"(ulimit -f, {size} bytes) " + " ".join(map(str, writer.command))
    reason = outcome.trouble({0, 1, 2})
    if reason is None and outcome.code == 0 and contents(writer.output) != writer.right and \
            not (writer.accepts and writer.output.exists() and is_whole(runner, writer, None)):
        reason = "exit code 0, though the output is not there"
    if reason is None and outcome.code != 0 and not outcome.err.strip():
        reason = f"exit code {outcome.code} without a message"
    if reason is None and not is_whole(runner, writer, None):
        reason = "a part of the output is left"
    if reason is not None:
        tally.find(f"{writer.name}: {reason}", command, [writer.output])


def try_full(runner, command, tally):
    with open("/dev/full", "wb", buffering=0) as full:
        outcome = runner.run(command, stdout=full)
    reason = outcome.trouble({1, 2, 3})
    if reason is not None:
        tally.find(f"{' '.join(w for w in map(str, command) if '/' not in w)} > /dev/full: {reason}", " ".join(map(str, command)) + " > /dev/full")


def run(runner, folder, seconds, seed, tally):
    rng = random.Random(seed)
    found = [writer for writer in writers(runner, folder) if writer.right]
    model = models.friends(folder / "full", 100)
    printing = [["infer", model], ["infer", model, "--json", "--values"], ["check", model, "--print"], ["check", model],
                ["ground", model, "--json"], ["estimate", model], ["learn", model, "--epochs", 2], ["completion", "bash"],
                ["explain", model, "--atom", "Smokes(infer1)"], ["--help"], ["--version"], ["infer", "--help"]]
    tally.notes = "RLIMIT_FSIZE, /dev/full"
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        tally.tries += 1
        if rng.random() < 0.6:
            try_limit(runner, rng.choice(found), rng, tally)
        else:
            try_full(runner, rng.choice(printing), tally)
