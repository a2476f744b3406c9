#!/usr/bin/env python3
"""usage: docs_test.py ROOT

Papers cited in comments and docs stand in docs/method/bibliography.md, and every paper there is cited; links
between the pages of ROOT lead to files and headings that exist, as do the source files that docs name. First the checks
themselves are tested, on a small tree with one mistake of each kind.

A citation in a comment is `Authors, "Title", Year`, or short, as in docs: `Boyd et al. 2011`, `Kingma and Ba 2015`,
`Mehrotra 1992`, with a letter after the year if there are several. An entry of the bibliography is

    * **Boyd et al. 2011** S. Boyd, N. Parikh, ..., "Title", where it appeared, 2011.
"""
import os
import re
import sys
import tempfile
import unittest

YEAR = r"((?:19[4-9]|20[0-2])\d)([a-z]?)\b"
NAME = r"[A-Z][A-Za-z'-]+"
SHORT = re.compile(rf"\b({NAME})(?: (et al\.)| and ({NAME}))?,? \(?{YEAR}(?!-)")
LONG = re.compile(rf"\"([^\"]+)\",? {YEAR}")
ENTRY = re.compile(rf"^\* \*\*(.+?)\*\* (.+), \"(.+?)\",? (.+)$")
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
SOURCE_NAME = re.compile(r"`([\w./-]+\.(?:cc|h|py))(?![\w.:])")
MONTHS = ("January|February|March|April|May|June|July|August|September|October|November|December").split("|")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def files(root, *endings):
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(f for f in folders if not f.startswith((".", "build")))
        for name in sorted(names):
            if name.endswith(endings):
                yield os.path.join(folder, name)


def comments(text):
    """(first line, text) of every run of lines with comments."""
    block, first = [], 0
    for number, line in enumerate(text.split("\n") + [""], 1):
        comment = re.search(r"(?:^|\s)//+ ?(.*)$", line)
        if comment:
            first = first if block else number
            block.append(comment.group(1).strip())
        elif block:
            yield first, " ".join(block)
            block = []


def prose(markdown):
    """(first line, text) of every paragraph without code."""
    inside, block, first = False, [], 0
    for number, line in enumerate(markdown.split("\n") + [""], 1):
        fence = line.startswith("```")
        inside ^= fence
        is_code = fence or inside or (line.startswith("    ") and not block)
        if line.strip() and not is_code:
            first = first if block else number
            block.append(line.strip())
        elif block:
            yield first, " ".join(block)
            block = []


def title_key(title):
    return re.sub(r"[^a-z0-9]+", " ", title.lower()).strip()


def citations(text):
    """('title', title, year) and ('key', key, None) of what a text cites."""
    for title, year, letter in LONG.findall(text):
        yield "title", title_key(title), year
    for name, et_al, second, year, letter in SHORT.findall(LONG.sub("", text)):
        if name in MONTHS:
            continue
        who = f"{name} et al." if et_al else f"{name} and {second}" if second else name
        yield "key", f"{who} {year}{letter}", None


def heading_names(markdown):
    """The anchors of the headings of a page, as GitHub makes them."""
    seen = {}
    inside = False
    for line in markdown.split("\n"):
        if line.startswith("```"):
            inside = not inside
        match = re.match(r"#+ (.*)", line)
        if inside or not match:
            continue
        name = re.sub(r"[^\w\- ]", "", match.group(1).lower()).replace(" ", "-")
        count = seen.get(name, 0)
        seen[name] = count + 1
        yield f"{name}-{count}" if count else name


def read_bibliography(path):
    """Keys and titles of the entries, and what is wrong with them."""
    keys, titles, wrong = {}, {}, []
    for number, line in enumerate(read(path).split("\n"), 1):
        if not line.startswith("* "):
            continue
        entry = ENTRY.match(line)
        year = re.search(YEAR, entry.group(1)) if entry else None
        if not entry or not year:
            wrong.append(f"{path}:{number}: not an entry of the form * **Key Year** Authors, \"Title\", where, year.")
            continue
        key, authors, title, where = entry.groups()
        if key.split(" ")[0] not in authors:
            wrong.append(f"{path}:{number}: the authors of {key} do not have that name among them")
        if year.group(1) not in where:
            wrong.append(f"{path}:{number}: {key} has another year in its entry")
        if key in keys:
            wrong.append(f"{path}:{number}: {key} stands twice")
        keys[key] = number
        titles[title_key(title), year.group(1)] = key
    return keys, titles, wrong


def check_citations(root):
    path = os.path.join(root, "docs", "method", "bibliography.md")
    keys, titles, wrong = read_bibliography(path)
    cited = set()
    texts = [(f, comments(read(f))) for part in ("src", "include", "apps", "bench") for f in
             files(os.path.join(root, part), ".h", ".cc")]
    texts += [(f, prose(read(f))) for f in files(os.path.join(root, "docs"), ".md") if f != path]
    for file, parts in texts:
        for number, text in parts:
            for kind, what, year in citations(text):
                key = what if kind == "key" else titles.get((what, year), None)
                if key in keys:
                    cited.add(key)
                else:
                    wrong.append(f"{file}:{number}: {what} {year or ''} does not stand in the bibliography")
    for key, number in keys.items():
        if key not in cited:
            wrong.append(f"{path}:{number}: nothing cites {key}")
    return wrong


def check_links(root):
    wrong = []
    for file in files(root, ".md"):
        for number, line in prose(read(file)):
            for target in LINK.findall(re.sub(r"`[^`]*`", "", line)):
                if re.match(r"[a-z]+:", target):
                    continue
                path, _, heading = target.partition("#")
                path = os.path.normpath(os.path.join(os.path.dirname(file), path)) if path else file
                if not os.path.exists(path):
                    wrong.append(f"{file}:{number}: there is no file {path}")
                elif heading and heading not in heading_names(read(path)):
                    wrong.append(f"{file}:{number}: {path} has no heading #{heading}")
    return wrong


def check_named_sources(root):
    """Source files that docs name exist: by path if one is given, else anywhere in the tree."""
    known = {os.path.basename(f) for f in files(root, ".cc", ".h", ".py")}
    wrong = []
    for file in files(os.path.join(root, "docs"), ".md"):
        for number, line in prose(read(file)):
            for name in SOURCE_NAME.findall(line):
                places = [os.path.join(root, name), os.path.join(root, "include", name)]
                if not (any(map(os.path.exists, places)) if "/" in name else name in known):
                    wrong.append(f"{file}:{number}: there is no source file {name}")
    return wrong


class Checks(unittest.TestCase):
    """Each finds its mistake, and nothing else, in a tree that has one."""

    GOOD = {
        "docs/method/bibliography.md": '* **Mehrotra 1992** S. Mehrotra, "On it", SIAM Journal, 1992.\n'
                                       '* **Kingma and Ba 2015** D. P. Kingma, J. Ba, "Adam: A Method", ICLR, 2015.\n',
        "docs/page.md": "# A page\n\n## On `this`, that\n\nSee [below](#on-this-that), `src/a.h`, [a](method/bibliography.md).\n",
        "src/a.h": "// Mehrotra, \"On it\", 1992,\n// and Kingma and Ba (2015).\n",
    }

    def mistakes(self, check, **changes):
        with tempfile.TemporaryDirectory() as root:
            for name, text in {**self.GOOD, **changes.get("files", {})}.items():
                os.makedirs(os.path.dirname(os.path.join(root, name)), exist_ok=True)
                with open(os.path.join(root, name), "w", encoding="utf-8") as file:
                    file.write(text)
            return check(root)

    def test_nothing_is_wrong_with_the_good_tree(self):
        for check in CHECKS:
            self.assertEqual(self.mistakes(check), [])

    def found(self, check, name, text):
        return len(self.mistakes(check, files={name: text}))

    def test_citations_that_are_not_listed_are_found(self):
        for comment in ("// Boyd et al. 2011.\n", "// Boyd,\n// \"Another title\", 2011.\n", "// (Kingma and Ba, 2016)\n"):
            self.assertEqual(self.found(check_citations, "src/b.cc", comment), 1, comment)
        self.assertEqual(self.found(check_citations, "docs/b.md", "As in Boyd et al. 2011.\n"), 1)

    def test_entries_that_nothing_cites_are_found(self):
        self.assertEqual(self.found(check_citations, "src/a.h", "// Mehrotra 1992.\n"), 1)

    def test_entries_that_contradict_their_key_are_found(self):
        for line in ('* **Mehrotra 1992** S. Mehrotra, "On it", SIAM, 1993.', '* **Mehrotra 1992** S. Boyd, "On it", SIAM, 1992.'):
            text = self.GOOD["docs/method/bibliography.md"].split("\n")[1] + "\n" + line + "\n"
            self.assertEqual(self.found(check_citations, "docs/method/bibliography.md", text), 1, line)

    def test_links_that_lead_nowhere_are_found(self):
        for link in ("[a](gone.md)", "[a](page.md#gone)", "[a](#gone)"):
            self.assertEqual(self.found(check_links, "docs/b.md", link + "\n"), 1, link)

    def test_source_files_that_are_gone_are_found(self):
        for name in ("`src/gone.h`", "`gone.cc`"):
            self.assertEqual(self.found(check_named_sources, "docs/b.md", name + "\n"), 1, name)


CHECKS = (check_citations, check_links, check_named_sources)

if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    outcome = unittest.TextTestRunner(verbosity=0).run(unittest.defaultTestLoader.loadTestsFromTestCase(Checks))
    found = [line for check in CHECKS for line in check(sys.argv[1])]
    print("\n".join(found))
    sys.exit(1 if found or not outcome.wasSuccessful() else 0)
