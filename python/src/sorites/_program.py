"""The command `sorites`: the program that the wheel brings."""

from __future__ import annotations

import os
import sys

from ._library import library_path


def main() -> None:
    """Becomes the program, so that signals and exit codes are its own."""
    program = library_path().parent / "sorites"
    if not program.exists():
        sys.exit(f"sorites: the program is not beside {library_path()}; `make wheel` builds both")
    os.execv(program, ["sorites", *sys.argv[1:]])
