"""usage: tidy.py BUILD [--seconds S] FILE...: clang-tidy on these sources, some of a folder at a time.

Most of its time goes into headers, and into paths of the analyzer: so sources of a folder are put one behind the other
into one file, which is read once, and complaints are led back to the sources. Sources that do not compile together
(two have the same name to themselves) are read one by one. What was clean is not read again until it changes: what
the preprocessor makes of it, or .clang-tidy. BUILD is a configured folder without unity builds: its
compile_commands.json has a line for every source. No file is begun after S seconds; those that are left out are
named. Exits with 1 if something was found."""
import argparse
import bisect
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FILES_TOGETHER = 16  # more leaves less to share among cores
ROOT = Path(__file__).resolve().parents[2]


def groups_of(sources, command_of):
    """Lists of at most FILES_TOGETHER sources of one folder that are compiled alike, equally long."""
    alike = {}
    for source in sorted(sources):
        alike.setdefault((source.rsplit("/", 1)[0], str(command_of(source))), []).append(source)
    groups = []
    for files in alike.values():
        count = -(-len(files) // FILES_TOGETHER)
        groups += [files[len(files) * i // count:len(files) * (i + 1) // count] for i in range(count)]
    return groups


class Together:
    """Sources in one text, and the way back from its lines."""

    def __init__(self, texts):
        self.names = list(texts)
        self.first_lines, self.text = [], ""
        for text in texts.values():
            self.first_lines.append(self.text.count("\n") + 1)
            self.text += text + "\n"

    def place(self, line):
        at = bisect.bisect_right(self.first_lines, line) - 1
        return f"{self.names[at]}:{line - self.first_lines[at] + 1}"

    def led_back(self, output, path):
        return re.sub(re.escape(str(path)) + r":(\d+)", lambda match: self.place(int(match[1])), output)


class Tidy:
    def __init__(self, build, deadline):
        self.deadline = deadline
        self.folder = build.resolve() / "tidy"
        (self.folder / "clean").mkdir(parents=True, exist_ok=True)
        commands = json.loads((build / "compile_commands.json").read_text())
        self.commands = {os.path.relpath(entry["file"], ROOT): entry for entry in commands}

    def command(self, source):
        """The folder in which a source is compiled, and how, without its name and what is written."""
        entry = self.commands[source]
        words = shlex.split(entry["command"])[1:]
        at = words.index("-o")
        flags = [word for word in words[:at] + words[at + 2:] if word not in ("-c", "-Werror", entry["file"])]
        # A source may include what stands beside it, which the file that holds several does not stand beside.
        return entry["directory"], [*flags, f"-I{(ROOT / source).parent}"]

    def key(self, path, directory, flags):
        """What the answer depends on; comments too, for NOLINT."""
        command = ["clang++", "-Wno-unknown-warning-option", *flags, "-E", "-C", "-P", str(path)]
        seen = subprocess.run(command, cwd=directory, capture_output=True).stdout
        return hashlib.sha256(seen + (ROOT / ".clang-tidy").read_bytes() + str(flags).encode()).hexdigest()

    def read(self, sources):
        """What is wrong with the sources; none if there was no time."""
        if time.time() > self.deadline:
            return None
        together = Together({source: (ROOT / source).read_text() for source in sources})
        name = hashlib.sha256("".join(sources).encode()).hexdigest()[:12]
        path = self.folder / f"{name}.cc"
        path.write_text(together.text)
        directory, flags = self.command(sources[0])
        clean = self.folder / "clean" / self.key(path, directory, flags)
        if clean.exists():
            return ""
        run = subprocess.run(["clang-tidy", "--quiet", f"--config-file={ROOT / '.clang-tidy'}", path, "--", *flags],
                             cwd=directory, capture_output=True, text=True)
        # What does not compile makes it crash at times, without a word about why.
        crashed = run.returncode != 0 and not run.stdout
        if len(sources) > 1 and (crashed or "[clang-diagnostic-error]" in run.stdout):
            found = [self.read([source]) for source in sources]
            return None if None in found else "".join(found)
        if run.returncode == 0:
            clean.touch()
            return ""
        return together.led_back(run.stdout + (run.stderr if not run.stdout else ""), path)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build", type=Path)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("files", nargs="*")
    arguments = parser.parse_args()
    tidy = Tidy(arguments.build, time.time() + arguments.seconds)
    unknown = [source for source in arguments.files if source not in tidy.commands]
    if unknown:
        print("not part of this build:", *unknown)
    groups = groups_of(set(arguments.files) - set(unknown), tidy.command)
    failed = False
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for sources, found in zip(groups, pool.map(tidy.read, groups)):
            failed = failed or bool(found)
            if found is None:
                print("no time for", *sources)
            print(found or "", end="", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
