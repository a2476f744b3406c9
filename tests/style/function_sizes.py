"""usage: function_sizes.py FILE...: names functions of more than 60 lines or 6 parameters; exits with 1 if there are any.

Sources are C++, or Python (*.py, and scripts that begin with #! and a python): there, parameters that a call must name
do not count, nor does `self`. The limits are those of readability-function-size in .clang-tidy, and lines are counted as it counts them, from the
line of { to that of }. clang-tidy needs minutes for all files, this a second or two: it cuts text into tokens and
tells the body of a function from other braces by what stands before it. Lambdas count as lines of their function.
"""
import ast
import pathlib
import re
import sys
from dataclasses import dataclass

MAX_LINES = 60
MAX_PARAMETERS = 6

TOKEN = re.compile(
    r"""//[^\n]* | /\*.*?\*/ | \#(?:\\\n|[^\n])*            # comments, lines of the preprocessor
      | R"(?P<mark>[^("\s]*)\(.*?\)(?P=mark)" | "(?:\\.|[^"\\\n])*"   # strings
      | '(?:\\.|[^'\\\n])+'
      | (?:0[xX][0-9a-fA-F.]+|\d[\d']*\.?[\d']*(?:[eE][-+]?\d+)?)\w*  # numbers, with their marks
      | [A-Za-z_]\w* | :: | -> | <=> | [<>=!]= | && | \|\| | \S""",
    re.DOTALL | re.VERBOSE)
CLOSING = {"(": ")", "[": "]", "{": "}"}
# A bracket after one of these is not a list of parameters.
NOT_NAMES = {"noexcept", "decltype", "requires", "alignas", "explicit", "if", "static_assert", "__attribute__"}
TYPE_WORDS = {"namespace", "struct", "class", "union", "enum"}


@dataclass
class Token:
    text: str
    line: int


@dataclass
class Function:
    name: str
    line: int
    lines: int
    parameters: int


def tokens_of(text):
    tokens, line, last = [], 1, 0
    for match in TOKEN.finditer(text):
        line += text.count("\n", last, match.start())
        last = match.start()
        if not match.group().startswith(("//", "/*", "#")):
            tokens.append(Token(match.group(), line))
    return tokens


def matching(tokens, open_at):
    """The index of the bracket that closes the one at open_at."""
    depth = 0
    for i in range(open_at, len(tokens)):
        if tokens[i].text in CLOSING:
            depth += 1
        elif tokens[i].text in CLOSING.values():
            depth -= 1
            if depth == 0:
                return i
    return len(tokens) - 1


def after_template(tokens, start):
    """The index after `template <...>`, if it stands at start."""
    while start < len(tokens) and tokens[start].text == "template" and tokens[start + 1].text == "<":
        depth = 0
        for i in range(start + 1, len(tokens)):
            depth += {"<": 1, ">": -1}.get(tokens[i].text, 0)
            if depth == 0:
                break
        start = i + 1
    return start


def count_parameters(tokens):
    """Of the tokens between the brackets of a list of parameters."""
    if not tokens or [t.text for t in tokens] == ["void"]:
        return 0
    depth, commas = 0, 0
    for token in tokens:
        if token.text in "([{<":
            depth += 1
        elif token.text in ")]}>":
            depth -= 1
        elif token.text == "," and depth == 0:
            commas += 1
    return commas + 1


def declarator(tokens, start, end):
    """(name, parameters) if tokens[start:end] declare a function, else None."""
    start = after_template(tokens, start)
    i = start
    while i < end:
        text = tokens[i].text
        if text == "=" and tokens[i - 1].text != "operator":
            return None
        if text == "(":
            close = matching(tokens, i)
            before = tokens[i - 1].text if i > start else ""
            if before == "operator":  # operator()(...)
                i = close + 1
                continue
            is_name = re.fullmatch(r"[A-Za-z_]\w*", before) and before not in NOT_NAMES
            is_operator = "operator" in [t.text for t in tokens[max(start, i - 4):i]]
            if is_name or is_operator:
                return before, count_parameters(tokens[i + 1:close])
            i = close + 1
            continue
        i += 1
    return None


def starts_member(tokens, start, i):
    """Whether the { at i is `member{...}` of a constructor's list, which the body follows."""
    depth, colon = 0, False
    for token in tokens[start:i]:
        depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(token.text, 0)
        if token.text == ":" and depth == 0:
            colon = True
    return colon and (re.fullmatch(r"\w+", tokens[i - 1].text) is not None or tokens[i - 1].text == ">")


def functions_of(text):
    """All functions that are defined in the text, outermost ones only."""
    tokens = tokens_of(text)
    found, start, i = [], 0, 0
    while i < len(tokens):
        token = tokens[i].text
        if token in ("(", "["):
            i = matching(tokens, i) + 1
        elif token == "{":
            head = {t.text for t in tokens[after_template(tokens, start):i]}
            function = declarator(tokens, start, i)
            if function and starts_member(tokens, start, i):
                i = matching(tokens, i) + 1
            elif function:
                close = matching(tokens, i)
                name, parameters = function
                found.append(Function(name, tokens[start].line, tokens[close].line - tokens[i].line, parameters))
                start = i = close + 1
            elif head & TYPE_WORDS and "enum" not in head or "extern" in head:
                start = i = i + 1  # what is in it is looked at
            else:
                i = matching(tokens, i) + 1  # the value of a variable, an enumeration
        elif token in (";", "}") or (token == ":" and i > start and tokens[i - 1].text in
                                     ("public", "private", "protected")):
            start = i = i + 1
        else:
            i += 1
    return found


def python_functions_of(text):
    """The same of Python; functions in functions too."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            names = [one.arg for one in node.args.posonlyargs + node.args.args]
            parameters = len(names) - (names[:1] in (["self"], ["cls"]))
            yield Function(node.name, node.lineno, node.end_lineno - node.lineno, parameters)


def is_python(path, text):
    return path.endswith(".py") or re.match(r"#!.*python", text) is not None


def complaint(function):
    """What is wrong with it, or an empty text."""
    reasons = []
    if function.lines > MAX_LINES:
        reasons.append(f"{function.lines} lines (at most {MAX_LINES})")
    if function.parameters > MAX_PARAMETERS:
        reasons.append(f"{function.parameters} parameters (at most {MAX_PARAMETERS})")
    return " and ".join(reasons)


def check(sources):
    """Complaints about sources {path: text}."""
    return [f"{path}:{function.line}: {function.name} has {complaint(function)}"
            for path, text in sources.items()
            for function in (python_functions_of if is_python(path, text) else functions_of)(text) if complaint(function)]


def main():
    complaints = check({path: pathlib.Path(path).read_text(encoding="utf-8") for path in sys.argv[1:]})
    print("\n".join(complaints), end="\n" if complaints else "")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
