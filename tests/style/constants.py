"""usage: constants.py FILE...: constants that nothing is said of.

A number that was chosen has a reason where it stands: a measurement, a formula, a citation, or what it is for. So a
constant needs a comment in its line, or above it in the same paragraph. Numbers that stand for "none" need none."""
import re
import sys
from pathlib import Path

CONSTANT = re.compile(r"\bconstexpr\b(?P<type>[^=({;]*?)\b(?P<name>k[A-Z]\w*)\s*(?:=|\{)\s*(?P<value>[^;]*)")
NO_CHOICE = re.compile(r"~|0x[fF]{8}\b|numeric_limits|^-?[01](\.0)?[,};]?$|^static_cast<std::size_t>\(-1\)")


def complaints(path, text):
    lines = text.splitlines()
    found = []
    for number, line in enumerate(lines):
        match = CONSTANT.search(line)
        if not match or not re.search(r"\d", match["value"]) or "string_view" in match["type"]:
            continue
        if NO_CHOICE.search(match["value"].strip()):
            continue
        first = number
        while first > 0 and lines[first - 1].strip():
            first -= 1
        if not any("//" in above for above in lines[first:number + 1]):
            found.append(f"{path}:{number + 1}: nothing says why {match['name']} is {match['value'].strip()}")
    return found


def main(paths):
    found = [complaint for path in paths if not re.search(r"_(test|benchmark)\.", path)
             for complaint in complaints(path, Path(path).read_text())]
    print("".join(f"{complaint}\n" for complaint in found), end="")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
