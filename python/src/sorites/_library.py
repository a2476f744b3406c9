"""libsorites.so: what the C API (include/sorites/c_api.h) declares, for ctypes."""

from __future__ import annotations

import ctypes
import os
from ctypes import (
    CFUNCTYPE, POINTER, Structure, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint32, c_uint64,
    c_void_p,
)
from pathlib import Path

DONE, FAILED, INTERRUPTED, WRONG_INPUT = 0, -1, -2, -3
OBSERVED, TARGET, TRUTH = 0, 1, 2
PHASES = {None: -1, "learn": 0, "validation": 1, "infer": 2}

Progress = CFUNCTYPE(None, c_void_p, c_char_p, c_double, c_char_p)


class Column(Structure):
    """The constants of one argument: numbers as they are, or texts and which of them a row has."""

    _fields_ = [
        ("numbers", c_void_p),
        ("codes", c_void_p),
        ("num_texts", c_size_t),
        ("bytes", c_void_p),
        ("ends", c_void_p),
    ]


class Rows(Structure):
    """Rows of one predicate."""

    _fields_ = [
        ("predicate", c_char_p),
        ("partition", c_int),
        ("phase", c_int),
        ("num_rows", c_size_t),
        ("columns", POINTER(Column)),
        ("values", c_void_p),
        ("path", c_char_p),
    ]


_CALLS = {
    "sorites_version": (c_char_p, []),
    "sorites_last_error": (c_char_p, []),
    "sorites_last_diagnostics": (c_char_p, []),
    "sorites_open": (c_void_p, [c_char_p, c_char_p]),
    "sorites_open_text": (c_void_p, [c_char_p, c_char_p]),
    "sorites_close": (None, [c_void_p]),
    "sorites_on_progress": (None, [c_void_p, Progress, c_void_p]),
    "sorites_stop": (None, [c_void_p]),
    "sorites_set_options": (c_int, [c_void_p, c_char_p]),
    "sorites_arity": (c_int64, [c_void_p, c_char_p]),
    "sorites_attach": (c_int, [c_void_p, POINTER(Rows)]),
    "sorites_change": (c_int, [c_void_p, POINTER(Rows), c_int]),
    "sorites_set_weight": (c_int, [c_void_p, c_uint32, c_double]),
    "sorites_update": (c_int, [c_void_p]),
    "sorites_get": (c_int, [c_void_p, POINTER(Rows)]),
    "sorites_infer": (c_int, [c_void_p]),
    "sorites_ask": (c_char_p, [c_void_p, c_char_p, c_char_p]),
}


def library_path() -> Path:
    """Where libsorites.so is: SORITES_LIBRARY, or inside of the package."""
    return Path(os.environ.get("SORITES_LIBRARY") or Path(__file__).parent / "lib" / "libsorites.so")


def _load() -> ctypes.CDLL:
    path = library_path()
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        raise ImportError(
            f"cannot load {path}: {error}. The wheel brings it; with the sources alone, set "
            "SORITES_LIBRARY to a libsorites.so that `make wheel` or `make install` built"
        ) from error
    for name, (result, arguments) in _CALLS.items():
        call = getattr(library, name)
        call.restype, call.argtypes = result, arguments
    return library


lib = _load()
version: str = lib.sorites_version().decode()
