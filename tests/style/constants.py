"""usage: constants.py FILE...: numbers that nothing is said of.

A number that was chosen has a reason where it stands: a measurement, a formula, a citation, or what it is for. So a
constant needs a comment in its line, or above it in the same paragraph. Numbers that stand for "none" need none.

Elsewhere a number that was chosen is bare: a literal with an exponent or of single precision, or the share in a
comparison (`4 * entries > all`, `max(2, sweep / 5)`). It needs a name with a reason, or a comment in its line or the one
above. What follows from a definition (0, 1, 2, a half) is not chosen.

A number has one home: two files that give one name the same value have one number, which could come to differ."""
import re
import sys
from collections import defaultdict
from pathlib import Path

CONSTANT = re.compile(r"\bconstexpr\b(?P<type>[^=({;]*?)\b(?P<name>k[A-Z]\w*)\s*(?:=|\{)\s*(?P<value>[^;]*)")
NO_CHOICE = re.compile(r"~|0x[fF]{8}\b|numeric_limits|^-?[01](\.0)?[,};]?$|^static_cast<std::size_t>\(-1\)")
# Of a constant, however many lines it takes.
WHOLE_CONSTANT = re.compile(r"\bconstexpr\b[^=({;]*?\bk[A-Z]\w*(?:\[\w*\])*\s*(?:=|\{)[^;]*;")
TEXT = re.compile(r'R"(?P<mark>[^("\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"', re.DOTALL)
SMALL_OR_LARGE = r"(?<![\w.'])\d[\d']*\.?\d*[eE][-+]?\d+F?\b"
SINGLE = r"(?<![\w.'])(?!(?:0\.0|0\.5|1\.0|2\.0)F)\d+\.\d+F\b"
SHARE = (r"(?:[<>]=? |std::(?:min|max)\b[^;(]*\()(?:\(\)|[^;()])*?(?:[\w\]]|\(\)) / (?P<over>[3-9]|\d\d+)\b(?![.\w])"
         r"|(?<![\w.])(?P<times>[3-9]|\d\d+) \* [^;]*? [<>]=? ")
# One of those that a statement declares, and its value without type and notation.
DECLARED = re.compile(r"\b(k[A-Z]\w*)(?:\[\w*\])*\s*[={]\s*([^;,]*)")
NOTATION = re.compile(r"\bstd::\w+|[{}()\s']|(?<=[\da-fA-F])[uUlLfF]+\b")
# What tests alone use.
FOR_TESTS = re.compile(r"/(?:random|reference|test|fake|toy)_\w+\.h$")
BARE = re.compile(f"{SMALL_OR_LARGE}|{SINGLE}|{SHARE}")


def blank(match):
    """As many lines, with nothing in them."""
    return re.sub(r"[^\n]", " ", match.group())


def constants(path, lines):
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
            yield f"{path}:{number + 1}: nothing says why {match['name']} is {match['value'].strip()}"


def bare_numbers(path, text, lines):
    code = re.sub(r"//[^\n]*", blank, TEXT.sub(blank, text))
    code = WHOLE_CONSTANT.sub(blank, code)
    for number, line in enumerate(code.splitlines()):
        match = BARE.search(line)
        if match and "//" not in lines[number] and not lines[max(number - 1, 0)].lstrip().startswith("//"):
            literal = match["over"] or match["times"] or match.group()
            yield f"{path}:{number + 1}: {literal} has no name, and nothing says why it is that"


def numbers_of(text):
    """(name, value) of every constant that was chosen."""
    code = re.sub(r"//[^\n]*", blank, text)
    for statement in WHOLE_CONSTANT.finditer(code):
        for name, value in DECLARED.findall(statement.group()):
            if re.search(r"\d", value) and '"' not in value and not NO_CHOICE.search(value.strip()):
                yield name, NOTATION.sub("", value)


def several_homes(texts):
    """`texts`: path -> text."""
    homes = defaultdict(list)
    for path, text in texts.items():
        for number in dict.fromkeys(() if FOR_TESTS.search(path) else numbers_of(text)):
            homes[number].append(path)
    for (name, value), paths in homes.items():
        if len(paths) > 1:
            yield f"{paths[1]}: {name} is {value} in {', '.join(p for p in paths if p != paths[1])} too: give it one home"


def complaints(path, text):
    lines = text.splitlines()
    return [*constants(path, lines), *(() if FOR_TESTS.search(path) else bare_numbers(path, text, lines))]


def main(paths):
    texts = {path: Path(path).read_text() for path in paths if not re.search(r"_(test|benchmark)\.", path)}
    found = [complaint for path, text in texts.items() for complaint in complaints(path, text)]
    found += several_homes(texts)
    print("".join(f"{complaint}\n" for complaint in found), end="")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
