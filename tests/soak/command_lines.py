"""Bad command lines: random commands, flags, values and paths, with at least one mistake that is surely one. Each must
get exit code 2 and a message, soon."""
import os
import random
import re
import time

import models

VALUES = ("", "0", "-1", "1e309", "nan", "-nan", "inf", "abc", "999999999999999999999", "1,2", "0x10", "é", "'", "a=b", "=",
          "--", "-", "/", ".", "..", "/nonexistent/file", "/dev/null", "/proc/self/mem", "\x1b[31m", "%s%s%n", "$(true)", "a" * 5000,
          "\udcff", "::", "1e-400", "+5", " 7", "true", "None")
# What these name is written: it must lie in the folder of the trial.
WRITING = ("--output", "--save-state", "--snapshot", "--rules-out", "--log", "--plot")
COMMANDS = ("check", "estimate", "ground", "infer", "learn", "explain", "eval", "completion")
# Takes a value that can never be right.
SURELY_WRONG = (["--no-such-flag"], ["--no-such-flag=1"], ["-Z"], ["--threads", "many"], ["--threads"], ["--seed", "x"],
                ["--color", "blue"], ["--set", "no.such.option=1"], ["-D", "nothing"], ["--data"], ["extra", "extra2"],
                ["--gap", "wide"], ["--solver", "magic"], ["--phase", "later"], ["--time-limit", "-5"])


def flags_of(runner, command):
    """(flag, whether it takes a value) of a command, from its help."""
    text = runner.run([command, "--help"]).out
    found = re.findall(r"^  (?:-\w,)?(--[\w-]+)( [A-Z]\w*)?", text, re.MULTILINE)
    return [(flag, bool(value)) for flag, value in found if flag not in ("--help", "--version")]


def command_line(rng, flags, model, folder):
    """(arguments, whether they are surely wrong)."""
    command = rng.choice(COMMANDS + ("nothing", "Infer"))
    paths = [str(model), str(model) + "x", str(folder), "/nonexistent/model.json", "/dev/null", "", str(folder / "empty.json")]
    words = [rng.choice(paths)]
    for _ in range(rng.randrange(4)):
        flag, takes = rng.choice(flags.get(command) or flags["infer"])
        if takes:
            value = rng.choice(VALUES + tuple(paths))
            while flag in WRITING and (value.startswith("/") or ".." in value):
                value = rng.choice(VALUES)
            words += [f"{flag}={value}"] if rng.random() < 0.3 else [flag, value]
        else:
            words.append(flag)
    surely = rng.random() < 0.7
    if surely:
        words += rng.choice(SURELY_WRONG[:4])
    elif rng.random() < 0.7:
        words += rng.choice(SURELY_WRONG)
    return [command] + [word.replace("\0", "") for word in words], surely


def run(runner, folder, seconds, seed, tally, at_least=1000):
    rng = random.Random(seed)
    model = models.friends(folder, 20)
    (folder / "empty.json").write_text("")
    flags = {command: flags_of(runner, command) for command in COMMANDS}
    place = folder / "here"  # what a path of VALUES writes, it writes here
    place.mkdir()
    end = time.monotonic() + seconds
    while time.monotonic() < end or tally.tries < at_least:
        words, surely = command_line(rng, flags, model, folder)
        shown = " ".join(map(repr, words))
        arguments = [os.fsencode(word) if "\udcff" in word else word for word in words]
        outcome = runner.run(arguments, timeout=30, cwd=place)
        tally.tries += 1
        help_was_asked = outcome.code == 0 and "Usage:" in outcome.out
        reason = outcome.trouble({2} if surely and not help_was_asked else {0, 1, 2, 3})
        if reason is None and "\x1b" in outcome.err.replace("\x1b[0m", "") and "--color" not in words:
            reason = "an escape sequence of the command line reaches the terminal"
        if reason is not None:
            tally.find(f"{reason}: {outcome.err[:200]!r}", shown)
