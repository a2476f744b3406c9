"""Compiles the examples in the comments of the headers.

  header_examples.py PROJECT COMPILER [INCLUDE_FOLDER_OF_TORCH...]

An example is a run of lines `//   code`, or ` *   code`, one of which ends like code. Each becomes
the body of a function in the namespace given::in_NAME_OF_HEADER, or stands in the namespace of the
project if it declares something; what examples take as given is declared in header_examples.h.
Public headers are compiled alone, those of src after them, for their examples may use all that is
there. Those of c_api.h are compiled as C. Mistakes are reported at their place in the header.
Headers of torch are left out where there is no torch.

Lines that are too long clang-format puts together anew, two statements in one: that is found too.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

PREAMBLE = pathlib.Path(__file__).resolve().parent / "header_examples.h"
# How an example begins that can stand in no function.
DECLARES = ("template", "inline")
# As many as there were when they were counted: with fewer, the form of comments has changed.
LEAST_PUBLIC, LEAST_INNER = 9, 18


def is_code(lines):
    """Formulas stand in comments too, which have no statements, and grammars, whose tokens are `quoted`."""
    return not any("`" in line for line in lines) and any(re.sub(r"\s*//.*$", "", line).endswith((";", "{", "}")) for line in lines)


def examples_of(header):
    """(number of the first line, lines) of every example."""
    found, run = [], []
    for number, line in enumerate(header.read_text().splitlines() + [""], start=1):
        if line.startswith(("//   ", " *   ")):
            run.append(line[5:])
            continue
        if run and is_code(run):
            found.append((number - len(run), run))
        run = []
    return found


def joined_lines(header):
    """Places of examples where two statements stand in one line."""
    for first, example in examples_of(header):
        for number, line in enumerate(example, start=first):
            code = re.sub(r"\([^()]*\)|\{.*\}|//.*", "", re.sub(r'"(?:\\.|[^"\\])*"', "", line))
            if re.search(r";\s*\w", code):
                yield f"{header}:{number}: two statements in one line"


def translation_unit(root, headers, given):
    lines = [f'#include "{header.relative_to(root)}"' for header in headers]
    lines += [f"#define {given}", f'#include "{PREAMBLE}"']
    count = 0
    for header in headers:
        for first, example in examples_of(header):
            count += 1
            declares = example[0].startswith(DECLARES)
            lines.append("namespace sorites {" if declares else
                         f"namespace given::in_{header.stem} {{ void example_{count}() {{")
            lines.append(f'#line {first} "{header}"')
            lines += example + ["}" if declares else "}}"]
    return "\n".join(lines) + "\n", count


def c_unit(header):
    lines = ["#include <stdio.h>", f'#include "sorites/{header.name}"']
    examples = examples_of(header)
    for count, (first, example) in enumerate(examples):
        lines += [f"int example_{count}(void) {{", f'#line {first} "{header}"', *example, "return 0; }"]
    return "\n".join(lines) + "\n", len(examples)


def compiles(compiler, unit, include_folders, language="c++"):
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "examples"
        source.write_text(unit)
        flags = ["-x", language, "-std=c++20" if language == "c++" else "-std=c11", "-fsyntax-only"]
        for path in include_folders:
            flags += ["-I", path]  # of folders that the compiler knows, it takes no notice
        return subprocess.run([compiler, *flags, str(source)]).returncode == 0


def public_examples(include, compiler, torch):
    """(whether they compile, how many there are)."""
    headers = sorted((include / "sorites").glob("*.h"))
    of_torch = [header for header in headers if header.name.startswith("torch")]
    of_c = include / "sorites" / "c_api.h"
    others = [header for header in headers if header not in of_torch and header != of_c]
    unit, count = translation_unit(include, others, "PUBLIC_HEADERS")
    good = compiles(compiler, unit, [str(include)])
    unit, more = c_unit(of_c)
    good = compiles(compiler, unit, [str(include)], "c") and more > 0 and good
    count += more
    if torch:
        unit, more = translation_unit(include, of_torch, "WITH_TORCH")
        good = compiles(compiler, unit, [str(include), *torch]) and good
        count += more
    return good, count


def inner_examples(root, compiler):
    """The same of src; headers without an example are not even included."""
    src = root / "src"
    headers = [header for header in sorted(src.rglob("*.h"))
               if src / "torch" not in header.parents and examples_of(header)]
    unit, count = translation_unit(src, headers, "INNER_HEADERS")
    return compiles(compiler, unit, [str(root / "include"), str(src)]), count


def main():
    root, compiler, torch = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
    good, count = public_examples(root / "include", compiler, torch)
    inner_good, inner = inner_examples(root, compiler)
    good = good and inner_good
    for number, least in (count, LEAST_PUBLIC), (inner, LEAST_INNER):
        if number < least:
            good = False
            print(f"only {number} examples were found: has the form of comments changed?")
    joined = [place for folder in ("include", "src")
              for header in sorted((root / folder).rglob("*.h")) for place in joined_lines(header)]
    print("".join(f"{place}\n" for place in joined), end="")
    print(f"{count} examples of public headers, {inner} of others")
    return 0 if good and not joined else 1


if __name__ == "__main__":
    sys.exit(main())
