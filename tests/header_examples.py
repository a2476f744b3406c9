"""Compiles the examples in the comments of the public headers.

  header_examples.py INCLUDE_FOLDER COMPILER [INCLUDE_FOLDER_OF_TORCH...]

An example is a run of lines `//   code`, or ` *   code`, one of which ends like code. Each becomes
the body of a function in the namespace given::in_NAME_OF_HEADER; what examples take as given is
declared in header_examples.h. Those of c_api.h are compiled as C. Mistakes are reported at their
place in the header. Headers of torch are left out where there is no torch.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

PREAMBLE = pathlib.Path(__file__).resolve().parent / "header_examples.h"


def is_code(lines):
    """Formulas stand in comments too; they have no statements."""
    return any(re.sub(r"\s*//.*$", "", line).endswith((";", "{", "}")) for line in lines)


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


def translation_unit(headers, with_torch):
    lines = [f'#include "sorites/{header.name}"' for header in headers]
    lines += ["#define WITH_TORCH" if with_torch else "", f'#include "{PREAMBLE}"']
    count = 0
    for header in headers:
        for first, example in examples_of(header):
            count += 1
            lines.append(f"namespace given::in_{header.stem} {{ void example_{count}() {{")
            lines.append(f'#line {first} "{header}"')
            lines += example + ["}}"]
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


def main():
    include, compiler, torch = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
    headers = sorted((include / "sorites").glob("*.h"))
    of_torch = [header for header in headers if header.name.startswith("torch")]
    of_c = include / "sorites" / "c_api.h"
    others = [header for header in headers if header not in of_torch and header != of_c]
    unit, count = translation_unit(others, False)
    good = compiles(compiler, unit, [str(include)])
    unit, more = c_unit(of_c)
    good = compiles(compiler, unit, [str(include)], "c") and more > 0 and good
    count += more
    if count < 9:
        good = False
        print(f"only {count} examples were found: has the form of comments changed?")
    if torch:
        unit, more = translation_unit(of_torch, True)
        good = compiles(compiler, unit, [str(include), *torch]) and good
        count += more
    print(f"{count} examples of {len(headers)} headers")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
