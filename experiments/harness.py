"""What all experiments share: the program they run, the figures they collect, the time they have left."""
import dataclasses
import json
import pathlib
import statistics
import subprocess
import sys
import time


class ExperimentError(Exception):
    """An experiment cannot be run; the text says why."""


@dataclasses.dataclass
class Row:
    """A figure: a metric of a setting, over n runs of `seconds` each."""

    setting: str
    metric: str
    mean: float
    std: float
    n: int
    seconds: float
    values: dict  # by split or seed
    draws: list = dataclasses.field(default_factory=list)  # of a single split, where its deviation comes from a bootstrap


def row_of(setting, metric, values, seconds):
    """Summarises runs, given by split or seed, or as a list; the deviation of one run is 0."""
    values = values if isinstance(values, dict) else dict(enumerate(values))
    each = list(values.values())
    std = statistics.stdev(each) if len(each) > 1 else 0.0
    return Row(setting, metric, statistics.mean(each), std, len(each), statistics.mean(seconds), values)


@dataclasses.dataclass
class Session:
    """One run of an experiment. `rows` grows as it goes, so that what is done outlives an interrupt."""

    name: str
    data: pathlib.Path
    build: pathlib.Path
    seeds: list | None
    quick: bool
    only: str = ""  # lines of the table that are asked for hold this text
    rows: list = dataclasses.field(default_factory=list)
    reports: dict = dataclasses.field(default_factory=dict)  # of runs that several lines of a table are about
    failures: list = dataclasses.field(default_factory=list)

    @property
    def folder(self):
        """Where models and other files of the run go."""
        return self.build / "experiments" / self.name

    def chosen(self, splits):
        """Those of the splits that are asked for."""
        found = [split for split in self.chosen_seeds(splits) if split in splits]
        if not found:
            raise ExperimentError(f"{self.name} has the splits {', '.join(map(str, splits))}")
        return found

    def chosen_seeds(self, usual):
        """The random seeds that are asked for, whichever they are; if none are, the usual ones."""
        if self.seeds is None:
            return usual[:1] if self.quick else usual
        return list(self.seeds)

    def wants(self, line):
        return self.only in line

    def sorites(self, *arguments):
        """Runs the program and returns its JSON document, or None if it failed: then the table has a hole."""
        command = [str(self.build / "sorites"), *map(str, arguments), "--json", "--quiet"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode == 0:
            return json.loads(done.stdout)
        self.failures.append(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr.strip()}")
        return None


class Progress:
    """A line on standard error per step, with the time that the rest will probably take."""

    def __init__(self, costs):
        self.costs = list(costs)  # of each step, in any unit: only ratios matter
        self.done = 0
        self.begin = time.monotonic()

    def step(self, text):
        self.done += 1
        elapsed = time.monotonic() - self.begin
        left = elapsed * sum(self.costs[self.done :]) / sum(self.costs[: self.done])
        print(f"[{self.done}/{len(self.costs)}] {text}; {duration(left)} left", file=sys.stderr, flush=True)


def duration(seconds):
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"


def markdown(header, rows):
    """A table; all columns but the first hold figures."""
    lines = [header, ["---"] + ["---:"] * (len(header) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def write_json(path, session):
    rows = [{key: value for key, value in dataclasses.asdict(row).items() if key != "draws"} for row in session.rows]
    document = {"name": session.name, "rows": rows}
    path.write_text(json.dumps(document, indent=2) + "\n")
