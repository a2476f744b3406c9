"""kill -9, and Ctrl-C and its kin, at random moments of every command that writes. What it writes is whole, or as it
was before."""
import pathlib
import random
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass

import models
from patience import communicate

PATIENCE = 15  # seconds from the first Ctrl-C to the end; solvers and readers look up more often


@dataclass
class Writer:
    name: str
    command: list
    output: pathlib.Path     # a file or folder that it writes
    accepts: list            # the command that must accept the output, or None: the bytes are always the same
    seconds: float = 0.0
    right: bytes = b""


def contents(path):
    """Of a file, or of all files of a folder; None if there is nothing."""
    if path.is_dir():
        return b"".join(p.name.encode() + p.read_bytes() for p in sorted(path.iterdir()) if ".part" not in p.name)
    return path.read_bytes() if path.exists() else None


def remove(path):
    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def writers(runner, folder):
    model = models.friends(folder / "model", 3000)
    small = models.friends(folder / "small", 200)
    out = folder / "out"
    out.mkdir()
    found = [
        Writer("ground --snapshot", ["ground", model, "--snapshot", out / "a.snapshot"], out / "a.snapshot", None),
        Writer("ground --rules-out", ["ground", model, "--rules-out", out / "a.tsv"], out / "a.tsv", None),
        Writer("infer --output", ["infer", model, "--output", out / "results", "--threads", 1], out / "results/SMOKES.txt", None),
        Writer("infer --save-state", ["infer", model, "--save-state", out / "a.state", "--quiet"], out / "a.state",
               ["infer", model, "--warm-start", out / "a.state", "--json"]),
        Writer("learn --output", ["learn", small, "--epochs", 5, "--output", out / "learned.json", "--no-eval"],
               out / "learned.json", ["check", out / "learned.json"]),
        Writer("learn --save-state", ["learn", small, "--epochs", 8, "--save-state", out / "learn.state", "--no-eval"],
               out / "learn.state", ["learn", small, "--resume", out / "learn.state", "--epochs", 9, "--no-eval"]),
        Writer("learn --plot", ["learn", small, "--epochs", 5, "--plot", out / "a.svg", "--no-eval"], out / "a.svg", None),
    ]
    for writer in found:
        begin = time.monotonic()
        writer.failed = runner.run(writer.command).trouble({0, 1})
        writer.seconds = time.monotonic() - begin
        writer.right = contents(writer.output)
        remove(writer.output)
    return found


def is_whole(runner, writer, before):
    """Whether the output is absent, as it was, or complete."""
    now = contents(writer.output)
    if now is None or now == before or now == writer.right:
        return True
    if writer.name == "learn --plot":  # times differ; it is a text that ends
        return now.rstrip().endswith(b"</svg>")
    if writer.name == "infer --output":  # after Ctrl-C the values are the best so far
        return now.endswith(b"\n") and len(now.splitlines()) == len(writer.right.splitlines())
    return writer.accepts is not None and runner.run(writer.accepts).code in (0, 1)


def one(runner, writer, number, rng):
    """(the exit code, whether the output is whole, how long it took to end)."""
    remove(writer.output)
    before = None
    if rng.random() < 0.5 and writer.right is not None:  # an earlier result is there
        writer.output.parent.mkdir(parents=True, exist_ok=True)
        writer.output.write_bytes(writer.right)
        before = writer.right
    process = runner.start(writer.command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    # Half of the time near the end, where files are written.
    share = rng.uniform(0, 1.1) if rng.random() < 0.5 else rng.uniform(0.8, 1.1)
    time.sleep(writer.seconds * share)
    begin = time.monotonic()
    process.send_signal(number)
    try:
        communicate(process, PATIENCE)
        code = process.returncode
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        code = None
    return code, is_whole(runner, writer, before), time.monotonic() - begin


def run_kills(runner, folder, seconds, seed, tally):
    run(runner, folder, seconds, seed, tally, [signal.SIGKILL])


def run_interrupts(runner, folder, seconds, seed, tally):
    run(runner, folder, seconds, seed, tally, [signal.SIGINT, signal.SIGINT, signal.SIGTERM, signal.SIGHUP])


def run(runner, folder, seconds, seed, tally, numbers):
    rng = random.Random(seed)
    found = writers(runner, folder)
    for writer in found:
        if writer.failed or writer.right is None:
            tally.find(f"{writer.name} does not work: {writer.failed}", writer.command)
    tally.notes = ", ".join(writer.name for writer in found)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        writer, number = rng.choice(found), rng.choice(numbers)
        code, whole, took = one(runner, writer, number, rng)
        tally.tries += 1
        name = signal.Signals(number).name
        # Before main() a signal does what it always does.
        allowed = {0, 1, -number} if number == signal.SIGKILL else {0, 1, 130, 128 + number, -number}
        if code is None:
            tally.find(f"{writer.name}: {name} is not heard for {took:.0f} s", " ".join(map(str, writer.command)))
        elif code not in allowed:
            tally.find(f"{writer.name}: exit code {code} after {name}", " ".join(map(str, writer.command)))
        elif not whole:
            tally.find(f"{writer.name}: {name} left a part of the output", " ".join(map(str, writer.command)),
                       [writer.output])
