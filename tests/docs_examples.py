#!/usr/bin/env python3
"""usage: docs_examples.py ROOT PROGRAM COMPILER [INCLUDE_FOLDER_OF_TORCH...]

Runs or checks every block of code in README.md, CONTRIBUTING.md, docs/, docs/method/ and the READMEs of examples/.
What a block is, its tag says; a block without a tag, or indented instead of fenced, is a mistake.

    sh        Lines that begin with `sorites`, `build/sorites` or a script of examples/ are run, in order, in a folder
              of the page's own that has a copy of examples/. They must succeed. In the comment of a line
                  # exit code 2     says with what code it ends instead;
                  # needs ...       says what it needs that is not shipped: it is not run, but listed;
                  # takes ...       the same for what takes long.
              Lines that use what such a line would have written, and networks where there is no torch, are left out too.
              Other lines (make, experiments/run) are listed as not run.
    console   The same for lines that begin with `$ `; lines below are what it prints. Numbers may differ by 2 %
              (lines about time, memory and solver as they like); lines may be left out where `...` stands.
    json yaml A model file, or some of its predicates. `sorites check` may find no mistake but data that is not there.
              A name behind the tag (```json model.json) is the file that commands of the page see; so for rules.
    rules     Rules over the predicates that the page has in a table, or in a model file that it shows or names.
    mln       A file of Markov logic, named behind the tag (```mln paper/facts); the folder is checked as a model.
    cpp c     Compiles. What is taken as given is declared in docs_examples.h.
    python    Runs, all blocks of a page together: python/tests/test_docs.py, a test of the wheel, does it.
    text      Diagrams, formulas, messages. Messages have a code that docs/diagnostics.md lists.

Besides, docs/json.md names every key of the documents that the commands print.

First the checks themselves are tested, on pages with one mistake each.
"""
import glob
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PREAMBLE = pathlib.Path(__file__).resolve().parent / "docs_examples.h"
TAGS = ("sh", "console", "json", "yaml", "rules", "mln", "cpp", "c", "python", "text")
COMMAND = re.compile(r"(?:build/)?sorites\s|examples/\S+\.py\s")
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?")
# What a check may say of a model whose data is not there.
WITHOUT_DATA = {"unreadable-file"}


class Block:
    def __init__(self, line, info, text):
        self.line, self.text = line, text
        self.tag, _, self.name = info.strip().partition(" ")

    def lines(self):
        return self.text.split("\n")


def blocks_of(markdown):
    """Fenced blocks; what is indented like code has no tag."""
    found, fence, inside, before = [], None, [], ""
    for number, line in enumerate(markdown.split("\n"), 1):
        opening = re.match(r"\s*```(.*)$", line)
        if fence is None and opening:
            fence, inside = (number, opening.group(1)), []
        elif fence is not None and line.strip() == "```":
            found.append(Block(*fence, "\n".join(inside)))
            fence = None
        elif fence is not None:
            inside.append(line)
        elif line.startswith("    ") and not before.strip():
            found.append(Block(number, "", line))
        before = line
    return found


class Page:
    """One page: `wrong` is what is wrong with it, `left_out` what was not run."""

    def __init__(self, name, markdown, tools):
        self.name, self.markdown, self.tools = name, markdown, tools
        self.wrong, self.left_out, self.count = [], [], 0
        self.predicates = {}  # Name: declaration, for rules
        self.not_written = set()  # what lines that were not run would have written

    def check(self):
        with tempfile.TemporaryDirectory() as self.folder:
            self.prepare()
            for block in blocks_of(self.markdown):
                self.count += 1
                if block.tag not in TAGS:
                    self.report(block, f"the block has no tag, or none that is known: `{block.tag}`")
                    continue
                getattr(self, "check_" + block.tag)(block)
            self.check_folders()
        return self

    def prepare(self):
        if COMMAND.search(self.markdown):
            shutil.copytree(self.tools.root / "examples", os.path.join(self.folder, "examples"))
        os.mkdir(os.path.join(self.folder, "build"))
        os.symlink(self.tools.program, os.path.join(self.folder, "build", "sorites"))
        for names, types, world in TABLE_ROW.findall(self.markdown):
            for name, arity in re.findall(r"`(\w+)/(\d)`", names):
                self.declare(name, int(arity), types, world)
        for model in re.findall(r"examples/[\w./-]+\.json", self.markdown):
            self.declare_all((self.tools.root / model).read_text(encoding="utf-8"))

    def report(self, block, what):
        self.wrong.append(f"{self.name}:{block.line}: {what}")

    # ---- Commands -------------------------------------------------------------------------------

    def run(self, command):
        environment = dict(os.environ, PATH=os.path.join(self.folder, "build") + os.pathsep + os.environ["PATH"])
        ended = subprocess.run(["bash", "-c", "set -o pipefail; " + command], cwd=self.folder, env=environment,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return ended.returncode, ended.stdout

    def run_line(self, block, line):
        """What it printed; None if it was not run."""
        command, _, comment = line.partition("  #")
        if re.search(r"\b(needs|takes) ", comment) or self.lacks_something(command):
            self.left_out.append(f"{self.name}:{block.line}: {line.strip()}")
            self.not_written.update(re.findall(r"--(?:output|save-state) (\S+)", command))
            return None
        self.not_written -= set(re.findall(r"--(?:output|save-state) (\S+)", command))
        expected = re.search(r"exit code (\d)", comment)
        code, output = self.run(command)
        if code != (int(expected.group(1)) if expected else 0):
            self.report(block, f"`{command.strip()}` ended with exit code {code}:\n{output}")
            return None
        return output

    def lacks_something(self, command):
        if self.not_written & set(command.split()):
            return True
        models = [os.path.join(self.folder, word) for word in command.split() if word.endswith(".json")]
        return not self.tools.torch and any(
            os.path.isfile(m) and "DeepPredicate" in pathlib.Path(m).read_text(encoding="utf-8") for m in models)

    def check_sh(self, block):
        for line in block.text.replace("\\\n", "").split("\n"):
            line = line.removeprefix("$ ")
            piped = re.search(r"\|\s*(?:build/)?sorites\s", line)
            if COMMAND.match(line) or piped:
                self.run_line(block, line)
            elif line.strip() and not line.startswith("#"):
                self.left_out.append(f"{self.name}:{block.line}: {line.strip()}")

    def check_console(self, block):
        output, at = None, 0
        for line in block.lines():
            if line.startswith("$ "):
                self.check_prompt(block, line)
                output, at = self.run_line(block, line[2:]), 0
                output = output.split("\n") if output is not None else None
            elif output is not None and line.strip() not in ("", "..."):
                while at < len(output) and not same_line(line, output[at]):
                    at += 1
                if at == len(output):
                    self.report(block, f"not printed, or not in this order: {line}\nbut\n" + "\n".join(output))
                    output = None

    def check_prompt(self, block, line):
        if not COMMAND.match(line[2:]):
            self.report(block, f"only commands of Sorites stand in console blocks, not {line}")

    # ---- Models ---------------------------------------------------------------------------------

    def check_json(self, block, ending=".json"):
        fragment = ending == ".json" and block.text.lstrip().startswith('"')
        text = '{"predicates": {' + block.text + '}}' if fragment else block.text
        path = os.path.join(self.folder, block.name or f"block{block.line}{ending}")
        pathlib.Path(path).write_text(text, encoding="utf-8")
        allowed = WITHOUT_DATA | ({"no-rules"} if fragment else set())
        if block.name.endswith(".data"):  # of a rule file, which a later block may check
            return
        self.check_model(block, path, allowed)
        self.declare_all(text)

    def check_yaml(self, block):
        self.check_json(block, ".yaml")

    def check_model(self, block, path, allowed=()):
        code, output = self.run(f"sorites check '{path}' --json 2>/dev/null")
        try:
            found = json.loads(output)["diagnostics"]
        except (ValueError, KeyError):
            return self.report(block, f"`sorites check` ended with exit code {code}:\n{output}")
        for one in found:
            if one["severity"] == "error" and one["code"] not in allowed:
                self.report(block, f"{one['message']} [{one['code']}], in line {one['line']} of the block")

    def check_mln(self, block):
        path = pathlib.Path(self.folder, block.name)
        if not block.name:
            return self.report(block, "say behind `mln` which file it is: ```mln paper/facts")
        path.parent.mkdir(exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(block.text + "\n")

    def check_folders(self):
        for predicates in glob.glob(os.path.join(self.folder, "*", "predicates")):
            folder = os.path.dirname(predicates)
            if os.path.exists(os.path.join(folder, "facts")):
                self.check_model(Block(1, "mln", ""), folder)

    # ---- Rules ----------------------------------------------------------------------------------

    def declare(self, name, arity, types, world):
        kinds = {"integer": "Integer", "real number": "Double"}
        listed = [kinds.get(one.strip(), "String") for one in types.split(",")]
        if len(listed) != arity:
            listed = ["String"] * arity
        row = {"String": "a", "Integer": 1, "Double": 0.5}
        self.predicates[name] = {"types": listed,
                                 "targets" if world == "open" else "observations": [[row[t] for t in listed]]}

    def declare_all(self, model):
        for name, arity in re.findall(r'"(\w+)/(\d)": *\{', model):
            self.predicates.setdefault(name, {"arity": int(arity), "targets": [["a"] * int(arity)]})

    def check_rules(self, block):
        if not self.predicates:
            return self.report(block, "the page has neither a table of predicates nor a model file")
        rules = os.path.join(self.folder, block.name or f"block{block.line}.rules")
        pathlib.Path(rules).write_text(block.text + "\n", encoding="utf-8")
        model = os.path.join(self.folder, f"block{block.line}.json")
        pathlib.Path(model).write_text(json.dumps({"predicates": self.predicates,
                                                   "options": {"pam.throw": False},  # there is hardly any data
                                                   "rules": os.path.basename(rules)}))
        self.check_model(block, model)

    # ---- Code and text --------------------------------------------------------------------------

    def check_cpp(self, block):
        includes = [line for line in block.lines() if line.startswith("#include")]
        of_torch = any("torch" in line for line in includes)
        if of_torch and not self.tools.torch:
            self.left_out.append(f"{self.name}:{block.line}: code that needs torch")
            return
        if "int main" in block.text:
            unit = block.text
        else:
            code = "\n".join("" if line in includes else line for line in block.lines())
            headers = sorted((self.tools.root / "include" / "sorites").glob("*.h"))
            wanted = [h for h in headers if h.name.startswith("torch") == of_torch and h.name != "c_api.h"]
            unit = "\n".join(includes + [f'#include "sorites/{h.name}"' for h in wanted])
            unit += "\n#define WITH_TORCH" if of_torch else ""
            unit += f'\n#include "{PREAMBLE}"\n'
            unit += "namespace given {\nvoid block() {\n"
            unit += f'#line {block.line + 1} "{self.name}"\n{code}\n}}\n}}\n'
        self.compile(block, unit, "c++", ["-std=c++20"] + [f"-I{t}" for t in self.tools.torch])

    def check_c(self, block):
        self.compile(block, block.text + "\n", "c", ["-std=c11", "-Wall", "-Wextra", "-Werror"])

    def compile(self, block, unit, language, flags):
        ended = subprocess.run([self.tools.compiler, "-x", language, *flags, "-fsyntax-only", "-I",
                                str(self.tools.root / "include"), "-"], input=unit, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if ended.returncode != 0:
            self.report(block, f"does not compile:\n{ended.stdout}")

    def check_python(self, block):
        """Its mistakes of form alone; the wheel's tests run it."""
        try:
            compile(block.text, self.name, "exec")
        except SyntaxError as error:
            self.report(block, f"this is no Python: {error}")

    def check_text(self, block):
        for code in re.findall(r"(?:error|warning): .*\[([a-z-]+)\]$", block.text, re.MULTILINE):
            if code not in self.tools.codes:
                self.report(block, f"there is no diagnostic [{code}]")


# Commands whose JSON documents have all keys there are.
DOCUMENTS = ("infer examples/smokers/model.json --values", "infer examples/smokers --values", "learn examples/votes/model.json",
             "estimate examples/smokers", "ground examples/acquaintances/model.json", "check examples/smokers",
             "explain examples/acquaintances/model.json --atom 'Knows(lena, ivo)' --rule 1",
             "explain examples/smokers --atom 'smokes(Bob)' --rule 1",
             "eval examples/acquaintances/model.json --results results")


def keys_of(document):
    """All keys of a document but those that are names of predicates, domains and metrics."""
    if isinstance(document, list):
        return {key for one in document for key in keys_of(one)}
    if not isinstance(document, dict):
        return set()
    inside = {key for name, value in document.items() if name != "domains" for key in keys_of(value)}
    return {key for key in document if key.upper() != key} | inside


class JsonPage(Page):
    """The page that lists the keys of JSON documents."""

    def check_folders(self):
        self.run("sorites infer examples/acquaintances/model.json --output results")
        named = set(re.findall(r"`(\w+)`", self.markdown)) | self.tools.metrics
        for command in DOCUMENTS:
            code, output = self.run(f"sorites {command} --json 2>/dev/null")
            try:
                unknown = keys_of(json.loads(output)) - named
            except ValueError:
                self.report(Block(1, "", ""), f"`sorites {command} --json` ended with exit code {code}:\n{output}")
                continue
            if unknown:
                self.report(Block(1, "", ""), f"keys of `sorites {command}` that are not listed: {sorted(unknown)}")


# | `Knows/2`, `Friends/2` | two texts | open |
TABLE_ROW = re.compile(r"^\| ((?:`\w+/\d`,? )+)\| ([\w, ]+) \| (open|closed) \|", re.MULTILINE)


def same_line(shown, printed):
    """Equal but for blanks and what numbers may differ by."""
    first = shown.split()[0]
    if first in ("time", "memory", "solver"):
        return printed.startswith(first)
    if " ".join(NUMBER.sub("0", shown).split()) != " ".join(NUMBER.sub("0", printed).split()):
        return False
    values = [[float(n.replace(",", "")) for n in NUMBER.findall(line)] for line in (shown, printed)]
    return all(abs(a - b) <= 0.02 * max(abs(a), abs(b)) + 1e-3 for a, b in zip(*values))


class Tools:
    def __init__(self, root, program, compiler, torch):
        self.root, self.program = pathlib.Path(root).resolve(), os.path.abspath(program)
        self.compiler, self.torch = compiler, torch
        table = (self.root / "docs" / "diagnostics.md").read_text(encoding="utf-8")
        self.codes = set(re.findall(r"`([a-z0-9-]+)`", table))
        evaluation = (self.root / "docs" / "evaluation.md").read_text(encoding="utf-8")
        self.metrics = set(re.findall(r"`(\w+)`", evaluation))


class Checks(unittest.TestCase):
    """Each kind of block is found wrong if it is, and only then."""

    GOOD = {
        "sh": "sorites check examples/smokers\nsorites check examples/gone  # exit code 2",
        "console": "$ sorites infer examples/smokers\nsmokes('Bob') = 0.5694\n...\nstatus  converged",
        "json": '{"predicates": {"P/1": {"targets": [["a"]]}}, "rules": ["1: P(X)"]}',
        "yaml": "predicates: {P/1: {targets: [[a]]}}\nrules: ['1: P(X)']",
        "cpp": "use(Session::open(\"model.json\").infer().values);",
        "c": "#include <sorites/c_api.h>\nint main(void) { return sorites_open(\"m\", 0) == 0; }",
        "python": "import sorites as so\nso.Model('1: P(A)')",
        "text": "a.json:1:1: error: what is wrong [unknown-predicate]",
    }
    BAD = {
        "sh": ["sorites check examples/gone", "sorites check examples/smokers  # exit code 2", "sorites gone  # more"],
        "console": ["$ sorites infer examples/smokers\nsmokes('Bob') = 0.6245", "$ ls"],
        "json": ['{"predicates": {"P/1": {"targets": [["a"]]}}, "rules": ["1: Q(X)"]}', "{", '"P/1": {"tragets": []}'],
        "yaml": ["predicates: {P/1: {targets: [[a]]}}\nrules: ['1: Q(X)']"],
        "cpp": ["Session::open(7, 8, 9);"],
        "c": ["#include <sorites/c_api.h>\nint main(void) { return sorites_gone(); }"],
        "text": ["a.json:1:1: error: what is wrong [no-such-code]"],
        "python": ["so.Model("], "": ["anything"], "ruby": ["puts 1"],
    }

    def wrong(self, markdown):
        return Page("page.md", markdown, Checks.tools).check().wrong

    def test_good_blocks_are_good(self):
        for tag, text in self.GOOD.items():
            self.assertEqual(self.wrong(f"# A page\n\n```{tag}\n{text}\n```\n"), [])

    def test_bad_blocks_are_found(self):
        for tag, texts in self.BAD.items():
            for text in texts:
                self.assertEqual(len(self.wrong(f"# A page\n\n```{tag}\n{text}\n```\n")), 1, text)

    def test_indented_blocks_are_found(self):
        self.assertEqual(len(self.wrong("# A page\n\n    sorites infer model.json\n")), 1)

    def test_rules_are_compiled_over_the_predicates_of_a_table(self):
        table = "| `Age/2` | text, integer | closed |\n| `Knows/2`, `Likes/2` | two texts | open |\n\n"
        self.assertEqual(self.wrong(table + "```rules\n1: Age(A, X) & X != '18' & Likes(A, B) -> Knows(A, B)\n```\n"), [])
        self.assertEqual(len(self.wrong(table + "```rules\n1: Age(A, 'old') -> Knows(A, A)\n```\n")), 1)
        self.assertEqual(len(self.wrong("```rules\n1: P(X)\n```\n")), 1)

    def test_files_of_markov_logic_are_checked_together(self):
        page = "```mln m/predicates\np(t)\n```\n```mln m/facts\np(A)\n```\n```mln m/rules\n1 %s(x)\n```\n"
        self.assertEqual(self.wrong(page % "p"), [])
        self.assertEqual(len(self.wrong(page % "q")), 1)

    def test_keys_of_json_documents_that_are_not_listed_are_found(self):
        page = (Checks.tools.root / "docs" / "json.md").read_text(encoding="utf-8")
        self.assertEqual(JsonPage("json.md", page, Checks.tools).check().wrong, [])
        self.assertEqual(len(JsonPage("json.md", page.replace("`pull_up`", "pull"), Checks.tools).check().wrong), 2)

    def test_commands_see_the_files_of_the_page(self):
        model = "```json model.json\n" + self.GOOD["json"] + "\n```\n```sh\nsorites infer model.json\n```\n"
        self.assertEqual(self.wrong(model), [])


def main():
    tools = Tools(*sys.argv[1:4], sys.argv[4:])
    Checks.tools = tools
    outcome = unittest.TextTestRunner(verbosity=0).run(unittest.defaultTestLoader.loadTestsFromTestCase(Checks))
    pages = ["README.md", "CONTRIBUTING.md", "docs/*.md", "docs/method/*.md", "examples/*/README.md"]
    names = [p for pattern in pages for p in sorted(tools.root.glob(pattern))]
    checked = []
    for path in names:
        kind = JsonPage if path.name == "json.md" else Page
        checked.append(kind(str(path.relative_to(tools.root)), path.read_text(encoding="utf-8"), tools).check())
    wrong = [line for page in checked for line in page.wrong]
    left_out = [line for page in checked for line in page.left_out]
    print("\n".join(["Not run:"] + left_out + wrong))
    print(f"{sum(p.count for p in checked)} blocks of {len(checked)} pages; {len(left_out)} lines not run, {len(wrong)} mistakes")
    return 1 if wrong or not outcome.wasSuccessful() else 0


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    sys.exit(main())
