"""usage: readmes.py PROJECT: every folder below src has a README.md of at most 40 lines that says what to read first, and
the files that it names are there; so are those that READMEs of tests and bench name.

A file is named by a word with an ending, `join.h` or `hinge/lower/lower.h`: it is looked for in the folder of the README,
in src, include/sorites and the project. Stems stand without an ending where a list of files has its names: in front of
the text of a block that is indented by four, in the first cell of a table and at the head of a list. They are files,
or folders, beside the README.
"""
import pathlib
import re
import sys

MOST_LINES = 40
FILE = re.compile(r"(?<![\w/*.-])[\w][\w./-]*\.(?:h|cc|py)\b(?!\w)")
BLOCK = re.compile(r"^ {4}([a-z]\w*(?:, [a-z]\w*)*)(?:  |$)")  # "    epochs, descent   how steps are made"
CELL = re.compile(r"^\| ([^|]*)\|")
HEAD = re.compile(r"^- ((?:`[^`]*`(?:, )?)+):")
QUOTED = re.compile(r"`([a-z]\w*)`")


def stems(line):
    if block := BLOCK.match(line):
        return block[1].split(", ")
    if (listed := CELL.match(line) or HEAD.match(line)) and not set(listed[1]) <= set("- "):
        return QUOTED.findall(listed[1])
    return []


def complaints_about(folder, text, files):
    """Complaints about the README of a folder, given the paths of all files of the project."""
    name = f"{folder}/README.md"
    complaints = []
    if folder.startswith("src/"):
        if text.count("\n") > MOST_LINES:
            complaints.append(f"{name}: has more than {MOST_LINES} lines")
        if "read first" not in text.lower() and not re.search(r"\bRead\b.*?\bfirst\b", text, re.DOTALL):
            complaints.append(f"{name}: does not say what to read first")
    for number, line in enumerate(text.splitlines(), start=1):
        for file in FILE.findall(line):
            if not any(f"{top}{file}" in files for top in (f"{folder}/", "src/", "include/sorites/", "")):
                complaints.append(f"{name}:{number}: {file} is not there")
        for stem in stems(line):
            beside = f"{folder}/{stem}"
            if not any(path.startswith((f"{beside}.", f"{beside}/")) or path == beside for path in files):
                complaints.append(f"{name}:{number}: there is no file {stem}")
    return complaints


def check(texts, files):
    """Complaints, given the texts of READMEs {folder: text} and the paths of all files."""
    folders = {str(parent) for path in files if path.startswith("src/")
               for parent in pathlib.PurePosixPath(path).parents if str(parent).startswith("src/")}
    complaints = [f"{folder}: has no README.md" for folder in sorted(folders - texts.keys())]
    for folder in sorted(texts):
        complaints += complaints_about(folder, texts[folder], files)
    return complaints


def main():
    project = pathlib.Path(sys.argv[1])
    tops = ("src", "include", "apps", "tests", "bench", "python", "docs", "examples")
    files = {str(path.relative_to(project)) for top in tops for path in (project / top).rglob("*") if path.is_file()}
    texts = {str(pathlib.PurePosixPath(path).parent): (project / path).read_text(encoding="utf-8") for path in files
             if re.fullmatch(r"(?:src|tests|bench)(?:/.*)?/README\.md", path) and not path.startswith("tests/language/")}
    complaints = check(texts, files)
    print("\n".join(complaints), end="\n" if complaints else "")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
