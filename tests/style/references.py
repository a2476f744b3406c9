"""usage: references.py PROJECT: what comments refer to is there.

A comment names files (`problem/structure.h`, `update.cc`): some file of the project ends like that. A name with a file
behind it, `HashSlots (sorites/database.h)` or `solve() (engine.cc)`, stands in that file.
"""
import pathlib
import re
import sys

COMMENT = re.compile(r"(?:^[ \t]*//[^\n]*\n)+|//[^\n]*", re.MULTILINE)
FILE = re.compile(r"(?:(?<![\w/.])(?P<name>\w*[A-Z]\w*|\w+(?=\(\)))(?:\(\))? \()?(?<![\w/.*-])(?P<file>\w[\w/]*\.(?:h|cc))\b(?![./])")


def complaints_about(path, text, files):
    """`files`: paths in the project -> their text."""
    for comment in COMMENT.finditer(text):
        # A line that goes on with the next is read as one.
        for match in FILE.finditer(re.sub(r"\n[ \t]*//[ \t]?", " ", comment[0])):
            of_that_name = [other for name, other in files.items() if f"/{name}".endswith(f"/{match['file']}")]
            line = text.count("\n", 0, comment.start()) + 1
            if f"#include <{match['file']}>" in text:
                continue
            if not of_that_name:
                yield f"{path}:{line}: {match['file']} is not there"
            elif match["name"] and not any(re.search(rf"\b{match['name']}\b", other) for other in of_that_name):
                yield f"{path}:{line}: {match['file']} has no {match['name']}"


def main():
    root = pathlib.Path(sys.argv[1])
    files = {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
             for folder in ("apps", "bench", "examples", "include", "src", "tests")
             for path in sorted((root / folder).rglob("*")) if path.suffix in (".h", ".cc")}
    problems = [problem for path, text in files.items() for problem in complaints_about(path, text, files)]
    print("".join(f"{problem}\n" for problem in problems), end="")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
