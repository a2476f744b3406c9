"""The calls of pslpython, PSL's package for Python, versions 2 and 3, run by Sorites.

    import sorites.pslpython as pslpython
    from sorites.pslpython.model import Model

Programs that say `from pslpython.model import Model` run as they are after `install()`, or by
`python3 -m sorites.pslpython program.py`. What has no meaning here (options of the Java machine,
temporary folders) warns once.
"""

import sys

from . import model, partition, predicate, rule
from .model import Model, ModelError
from .partition import Partition
from .predicate import Predicate, PredicateError
from .rule import Rule, RuleError

__all__ = ["Model", "ModelError", "Partition", "Predicate", "PredicateError", "Rule", "RuleError", "install"]


def install() -> None:
    """From now on, `import pslpython` in this process means this package."""
    sys.modules["pslpython"] = sys.modules[__name__]
    for module in (model, partition, predicate, rule):
        sys.modules["pslpython." + module.__name__.rpartition(".")[2]] = module
