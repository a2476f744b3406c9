"""usage: includes.py PROJECT: compares every include of src, apps and include with the folder table of docs/architecture.md.

A row of the table names a folder, the public headers that belong to it and the folders it may use; a folder may also use
what those may use, but programs (apps) only public headers of that. CMakeLists.txt must list the same folders after USES. Files that are only there for tests and
benchmarks may use more: for them TESTS_USE in CMakeLists.txt decides.

Rows stand in the order of the pipeline: a folder uses those above it. Pairs where that cannot be are listed below the
table.

Besides, the tables of "Walk through" name files that are there, with the functions they are said to have; each, with the
text below it, names few enough to be followed. Public headers stay few and short.
"""
import pathlib
import re
import sys
from dataclasses import dataclass, field

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
ROW = re.compile(r"^\| (src/[\w/]+|apps/[\w/]+)/ \|(.*)\|$", re.MULTILINE)
USES = re.compile(r"^sorites_folder\(([\w/]+)(.*?)\)$", re.MULTILINE | re.DOTALL)
STEP = re.compile(r"^\| ((?:src|apps)/[\w/]+\.cc) \|(.*)\|$", re.MULTILINE)
FUNCTION = re.compile(r"`(?:\w+::)?([a-z]\w*)(?:\(\))?`")
NAMED = re.compile(r"\b((?:src|apps)/[\w/]+\.(?:cc|h))\b")
ACCEPTED = re.compile(r"`([\w/]+) → ([\w/]+)`")
MOST_STEPS = 20
MOST_PUBLIC_HEADERS = 15
MOST_PUBLIC_LINES = 2200


@dataclass
class Folder:
    uses: set = field(default_factory=set)
    headers: set = field(default_factory=set)


def read_table(text):
    """Folders by name (`base`, `hinge/model`, `apps/cli`) from the rows | folder | enters | public headers | may use |."""
    table = {}
    for name, cells in ROW.findall(text):
        _, headers, uses = (cell.strip() for cell in cells.split("|"))
        table[name.removeprefix("src/")] = Folder(set(uses.split()) - {"–"}, set(headers.split()) - {"–"})
    return table


def reachable(table, name):
    """The folder and all that it may use, directly or through others."""
    found, waiting = set(), [name]
    while waiting:
        folder = waiting.pop()
        if folder not in found:
            found.add(folder)
            waiting += table[folder].uses if folder in table else []
    return found


def folder_of(path):
    """src/hinge/model/a.h → hinge/model, apps/cli/a.cc → apps/cli."""
    return str(pathlib.PurePosixPath(path).parent).removeprefix("src/")


def target(include):
    """The path in the project of an include as it is written, `sorites/model.h` or `base/source.h`."""
    return f"include/{include}" if include.startswith("sorites/") else f"src/{include}"


def only_for_tests(files):
    """Tests, benchmarks, and the headers that nothing else includes."""
    tests = {path for path in files if re.search(r"_(test|benchmark)\.cc$", path)}
    users = {}
    for path, includes in files.items():
        for include in includes:
            if (header := target(include)) in files:
                users.setdefault(header, set()).add(path)
    while True:
        more = {path for path, by in users.items() if path not in tests and path.startswith("src/") and by <= tests}
        more |= {path for path in files if path.endswith(".cc") and path not in tests
                 and path.removesuffix("cc") + "h" in tests}
        if not more:
            return tests
        tests |= more


def check(table, files, cmake_uses):
    """Complaints about files {path: [include]} and about folders that the table and CMakeLists.txt do not agree on."""
    complaints = []
    owner = {}
    for name, folder in table.items():
        for header in folder.headers:
            if header in owner:
                complaints.append(f"docs/architecture.md: {header} belongs to {owner[header]} and to {name}")
            owner[header] = name
            if f"include/sorites/{header}" not in files:
                complaints.append(f"docs/architecture.md: include/sorites/{header}, of {name}, is not there")
        complaints += [f"docs/architecture.md: {name} may use {used}, which has no row" for used in sorted(folder.uses - set(table))]
        if name in cmake_uses and cmake_uses[name] != folder.uses:
            complaints.append(f"docs/architecture.md: {name} may use {' '.join(sorted(folder.uses)) or 'nothing'}; "
                              f"CMakeLists.txt says {' '.join(sorted(cmake_uses[name])) or 'nothing'}")
        if any(name in reachable(table, used) for used in folder.uses):
            complaints.append(f"docs/architecture.md: {name} may use itself, through what it may use")
    for name in sorted(cmake_uses.keys() - table.keys()):
        complaints.append(f"docs/architecture.md: no row for src/{name}, which CMakeLists.txt builds")

    exempt = only_for_tests(files)
    for path in sorted(files):
        public = path.startswith("include/")
        folder = owner.get(path.removeprefix("include/sorites/")) if public else folder_of(path)
        if folder not in table:
            complaints.append(f"{path}: belongs to no folder of the table in docs/architecture.md")
            continue
        if path in exempt:
            continue
        allowed = reachable(table, folder)
        allowed_inside = {folder} | table[folder].uses if folder.startswith("apps/") else allowed
        for include in files[path]:
            public = include.startswith("sorites/")
            if public:
                used = owner.get(include.removeprefix("sorites/"))
            elif "/" in include:
                used = folder_of(include)
            else:
                used = folder  # a file beside it
            if used not in (allowed if public else allowed_inside):
                complaints.append(f'{path}: includes "{include}" of {used}, which {folder} may not use')
    return complaints


def check_order(text):
    """Complaints about folders that use one whose row stands below their own, but for pairs `a → b` that the text lists."""
    table = read_table(text)
    place = {name: number for number, name in enumerate(table)}
    against = {(name, used) for name, folder in table.items() for used in folder.uses if place.get(used, 0) > place[name]}
    accepted = set(ACCEPTED.findall(text))
    return ([f"docs/architecture.md: {name} uses {used}, whose row stands below" for name, used in sorted(against - accepted)] +
            [f"docs/architecture.md: {name} → {used} is accepted, but follows the order" for name, used in sorted(accepted - against)])


def check_walks(text, sources):
    """Complaints about the tables | file | what happens there |, given the texts of sources {path: text}."""
    complaints = []
    for walk in text.split("| file | what happens there |")[1:]:
        walk = re.split(r"^## ", walk, maxsplit=1, flags=re.MULTILINE)[0]
        steps, named = STEP.findall(walk), set(NAMED.findall(walk))
        if len(named) > MOST_STEPS:
            complaints.append(f"docs/architecture.md: a walk names {len(named)} files (at most {MOST_STEPS})")
        complaints += [f"docs/architecture.md: {path} is not there"
                       for path in sorted(named - sources.keys() - {path for path, _ in steps})]
        for path, what in steps:
            if path not in sources:
                complaints.append(f"docs/architecture.md: {path} is not there")
                continue
            complaints += [f"docs/architecture.md: {path} has no function {name}" for name in FUNCTION.findall(what)
                           if not re.search(rf"\b{name}\(", sources[path])]
    return complaints


def check_public_headers(texts):
    lines = sum(text.count("\n") for text in texts)
    return [f"include: {count} {what} of public headers (at most {most})"
            for count, what, most in ((len(texts), "files", MOST_PUBLIC_HEADERS), (lines, "lines", MOST_PUBLIC_LINES))
            if count > most]


def read_files(project):
    paths = [path for top in ("src", "apps", "include") for path in (project / top).rglob("*")
             if path.suffix in (".h", ".cc")]
    return {str(path.relative_to(project)): INCLUDE.findall(path.read_text(encoding="utf-8")) for path in paths}


def read_cmake(text):
    """Which folders CMakeLists.txt lets each folder use."""
    folders = {name for name, _ in USES.findall(text)}
    targets = {"sorites_" + name.replace("/", "_"): name for name in folders}
    uses = {}
    for name, arguments in USES.findall(text):
        words = arguments.split("TESTS_USE")[0].split()
        uses[name] = {targets[word] for word in words if word in targets}
    return uses


def main():
    project = pathlib.Path(sys.argv[1])
    architecture = (project / "docs/architecture.md").read_text(encoding="utf-8")
    files = read_files(project)
    complaints = check(read_table(architecture), files, read_cmake((project / "CMakeLists.txt").read_text(encoding="utf-8")))
    complaints += check_order(architecture)
    complaints += check_walks(architecture, {path: (project / path).read_text(encoding="utf-8") for path in files})
    complaints += check_public_headers([path.read_text(encoding="utf-8") for path in (project / "include").rglob("*.h")])
    print("\n".join(complaints), end="\n" if complaints else "")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
