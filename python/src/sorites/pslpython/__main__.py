"""python3 -m sorites.pslpython program.py ...: runs a program that imports pslpython."""

import runpy
import sys

from . import install

if len(sys.argv) < 2:
    sys.exit("usage: python3 -m sorites.pslpython PROGRAM.py [ARGUMENT ...]")
install()
sys.argv = sys.argv[1:]
sys.path.insert(0, sys.argv[0].rpartition("/")[0] or ".")
runpy.run_path(sys.argv[0], run_name="__main__")
