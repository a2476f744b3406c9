"""usage: one_definition.py PROJECT: no name at namespace level is defined in two headers.

Two types of one name in two headers link without a word, and then the linker takes the destructor of either for both (the one definition rule).
The same holds of inline functions with the same parameters. Names in unnamed namespaces, and in .cc files, are their own.
"""
import pathlib
import re
import sys
from collections import defaultdict

COMMENT_OR_TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)
PIECE = re.compile(
    r"namespace\s*(?P<namespace>[\w:]*)\s*\{"
    r"|\b(?P<kind>struct|class|enum class|union)\s+(?:alignas\([^)]*\)\s*)?(?P<type>\w+)\s*(?:final\s*)?(?::(?!:)[^;{}()]*)?\{"
    r"|\b(?:inline|constexpr)\s[^;{}=]*?\b(?P<function>\w+)\((?P<parameters>[^;{}]*?)\)\s*(?:const\s*|noexcept\s*)*\{"
    r"|(?P<open>\{)|(?P<close>\})"
)


def definitions(text):
    """Names with their namespace: types, and inline functions with their parameters."""
    text = COMMENT_OR_TEXT.sub(lambda match: " " if match[0].startswith("/") else '""', text)
    scopes = []
    for match in PIECE.finditer(text):
        outside = all(kind == "namespace" and name for kind, name in scopes)
        if match["namespace"] is not None:
            scopes.append(("namespace", match["namespace"]))
            continue
        if match["close"]:
            if scopes:
                scopes.pop()
            continue
        special = text[: match.start()].rstrip().endswith("template <>")
        where = "::".join(name for _, name in scopes)
        if match["type"] and outside and not special:
            yield f"{where}::{match['type']}"
        if match["function"] and outside and not special:
            yield f"{where}::{match['function']}({' '.join(match['parameters'].split())})"
        scopes.append(("other", ""))


def find(root):
    where = defaultdict(list)
    for folder in ("include", "src", "apps"):
        for path in sorted((root / folder).rglob("*.h")):
            for name in sorted(set(definitions(path.read_text(encoding="utf-8")))):
                where[name].append(path.relative_to(root))
    for name, paths in sorted(where.items()):
        if len(paths) > 1:
            yield f"{name} is defined in {' and in '.join(map(str, paths))}: rename one"


def main():
    problems = list(find(pathlib.Path(sys.argv[1])))
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
