"""One seed: a random program, what the oracle knows about it, what the program answers, and whether both agree."""
import json
import pathlib
import random
import resource
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "soak"))
import checks
import grounder
import outside
from model_files import ModelFiles
from patience import communicate
from random_program import WEIGHTS, RandomProgram

SOLVERS = ("auto", "admm", "coordinate-descent", "dual-bcd", "dual-bcd-lock-free", "gradient", "stochastic-gradient",
           "pdhg", "interior-point", "integer")
# These reach the gap, always; the others are asked to be honest.
EXACT = ("auto", "interior-point", "integer")
TIME_LIMIT = 20  # seconds that the program may solve; it is stopped after twice as many
MEMORY_LIMIT = 4 << 30


class Sorites:
    def __init__(self, path, limit_memory=False):
        self.path, self.limit_memory = path, limit_memory
        self.seconds = 0.0  # of processors, that the last run took

    def __call__(self, arguments):
        """(exit code, JSON document or what was printed instead)."""
        limit = (lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))) if self.limit_memory else None
        process = subprocess.Popen([self.path, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=limit)
        before = children_seconds()
        try:
            out, err = communicate(process, 2 * TIME_LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return None, {"error": f"no answer after {2 * TIME_LIMIT} s"}
        self.seconds = children_seconds() - before
        try:
            return process.returncode, json.loads(out)
        except ValueError:
            return process.returncode, {"error": (out + err).decode(errors="replace")[-2000:]}

    def was_starved(self, document):
        """Whether the last run ended at its time limit because others had the processors."""
        return document.get("status") == "time_limit" and self.seconds < TIME_LIMIT / 2


def children_seconds():
    """Of processors, that processes which were waited for have taken."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def tells_of_weights(document):
    """Whether the answer says that weights are too far apart to be told from rounding errors: not optimal, and not called so."""
    return any(words in document["message"] for words in ("too far apart", "does not see the small ones"))


class Case:
    def __init__(self, seed, folder, weights=WEIGHTS):
        self.seed, self.folder = seed, pathlib.Path(folder)
        self.random = random.Random(f"case {seed}")
        self.prepare(weights)

    def prepare(self, weights):
        self.program = RandomProgram(self.seed, weights).make()
        self.ground = grounder.ground(self.program, missing_is_zero=True)
        self.on_missing = self.choose_on_missing()
        if self.on_missing == "skip":
            self.ground = grounder.ground(self.program, missing_is_zero=False)
        integer = {(name,) + row for name, rows in self.program.targets.items() for row in rows
                   if self.program.predicates[name].integer}
        self.solver = self.choose_solver(integer)
        self.refused = self.on_missing == "error" and self.ground.missing > 0
        self.optimum = None if self.refused else outside.solve(self.ground.terms, integer)
        self.model = ModelFiles(self.program, self.folder, self.random).write()
        self.command = ["infer", *self.model, *self.flags()]

    def choose_solver(self, integer):
        """In turns; integer atoms are for two of them."""
        solvers = ("auto", "integer") if integer else SOLVERS
        return solvers[self.seed % len(solvers)]

    def choose_on_missing(self):
        """Not `error` where the only targets of a ground rule are such atoms: docs leave open whether that is one."""
        choices = ["zero", "skip"] + ([] if self.ground.only_missing else ["error"])
        return self.random.choice(choices)

    def flags(self):
        flags = ["--json", "--values", "--solver", self.solver, "--gap", str(checks.GAP), "--violation",
                 str(checks.VIOLATION), "--time-limit", str(TIME_LIMIT), "--on-missing-target", self.on_missing,
                 "--threads", str(self.random.choice([1, 1, 2]))]
        if self.random.random() < 0.2:
            flags += ["--set", "inference.normalize=false"]
        return flags

    def examine(self, sorites):
        """(complaints, status)."""
        code, document = answer = sorites(self.command)
        if self.refused:
            refused = code == 2 and document.get("ok") is False
            return ([] if refused else [f"missing targets are not told: exit code {code}, {document}"]), "refused"
        found = checks.complaints(self.program, self.ground, self.optimum, answer)
        status = (document or {}).get("status", "none")
        if sorites.was_starved(document or {}):
            return found, "time_limit on a busy machine"
        if not found and self.solver in EXACT and not checks.is_decided(document) and not tells_of_weights(document):
            found.append(f"{self.solver} ends with status {status}: {document['message']}")
        return found, status

    def describe(self):
        lines = [f"seed {self.seed}, solver {self.solver}, missing targets: {self.on_missing}"]
        for name, predicate in self.program.predicates.items():
            lines.append(f"  {name}: observed {self.program.observed[name]}, targets {self.program.targets[name]}"
                         + (", integer" if predicate.integer else ""))
        lines += [f"  {rule.text}" for rule in self.program.rules]
        lines += [f"    rule {t.rule + 1} {t.kind} {t.weight}: {t.offset} + {t.coefficients}" for t in self.ground.terms]
        lines.append(f"  optimum: {self.optimum}")
        return "\n".join(lines)
