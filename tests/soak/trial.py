"""Runs the program once, and says whether it behaved."""
import pathlib
import shutil
import subprocess
import time
from dataclasses import dataclass, field

from patience import communicate

EXIT_CODES = {0, 1, 2, 3, 130}
CRASH_WORDS = ("terminate called", "Sanitizer", "runtime error:", "Assertion", "std::bad_alloc", "SORITES_CHECK")
LONGEST = 60  # seconds, but for those in which others have the processors; longer is a hang


@dataclass
class Outcome:
    code: int  # negative: ended by that signal; None: it hung
    out: str
    err: str

    def trouble(self, expected=EXIT_CODES):
        """What is wrong with how it ended, or None."""
        if self.code is None:
            return f"it did not end within {LONGEST} s"
        if self.code < 0:
            return f"it was ended by signal {-self.code}"
        words = [word for word in CRASH_WORDS if word in self.err]
        if words:
            return f"it printed `{words[0]}`"
        if self.code not in expected:
            return f"exit code {self.code}, should be one of {sorted(expected)}"
        if self.code == 2 and not (self.err.strip() or self.out.strip()):
            return "exit code 2 without a message"
        return None


@dataclass
class Tally:
    """What was tried, and what came of it."""
    what: str
    keep: pathlib.Path
    tries: int = 0
    findings: list = field(default_factory=list)
    notes: str = ""

    def find(self, reason, command, files=()):
        """Notes a finding, and keeps the files that led to it; of the same thing, the first three times."""
        if self.findings.count(reason) >= 3:
            self.findings.append(reason)
            return
        folder = self.keep / f"{self.what.replace(' ', '-')}-{len(self.findings) + 1}"
        folder.mkdir(parents=True, exist_ok=True)
        for path in map(pathlib.Path, files):
            if path.is_dir():
                shutil.copytree(path, folder / path.name, dirs_exist_ok=True)
            elif path.is_file():
                shutil.copy(path, folder)
        command = command if isinstance(command, str) else " ".join(map(str, command))
        (folder / "finding.txt").write_text(f"{reason}\n{command}\n", errors="backslashreplace")
        self.findings.append(reason)
        print(f"FOUND ({self.what}): {reason}\n  {command[:500]}\n  kept in {folder}", flush=True)


class Runner:
    def __init__(self, program):
        self.program = str(pathlib.Path(program).resolve())

    def start(self, arguments, **options):
        return subprocess.Popen([self.program, *map(str, arguments)], stdin=subprocess.DEVNULL, **options)

    def run(self, arguments, timeout=LONGEST, **options):
        options.setdefault("stdout", subprocess.PIPE)
        process = self.start(arguments, stderr=subprocess.PIPE, **options)
        try:
            out, err = communicate(process, timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return Outcome(None, "", "")
        return Outcome(process.returncode, (out or b"").decode(errors="replace"), err.decode(errors="replace"))

    def seconds(self, arguments, **options):
        """How long it takes."""
        begin = time.monotonic()
        self.run(arguments, **options)
        return time.monotonic() - begin
