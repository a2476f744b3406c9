"""Columns of whatever has an Arrow C stream (polars, pyarrow, DuckDB, ...), without those packages.

The structs are those of the Arrow C data and stream interfaces; `__arrow_c_stream__` gives a capsule
that points to an ArrowArrayStream.
"""

from __future__ import annotations

import ctypes
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int64, c_void_p, py_object
from typing import Any, List, Tuple

import numpy as np


class _Schema(Structure):
    pass


class _Array(Structure):
    pass


class _Stream(Structure):
    pass


_Schema._fields_ = [
    ("format", c_char_p), ("name", c_char_p), ("metadata", c_char_p), ("flags", c_int64),
    ("n_children", c_int64), ("children", POINTER(POINTER(_Schema))), ("dictionary", POINTER(_Schema)),
    ("release", CFUNCTYPE(None, POINTER(_Schema))), ("private_data", c_void_p),
]
_Array._fields_ = [
    ("length", c_int64), ("null_count", c_int64), ("offset", c_int64), ("n_buffers", c_int64),
    ("n_children", c_int64), ("buffers", POINTER(c_void_p)), ("children", POINTER(POINTER(_Array))),
    ("dictionary", POINTER(_Array)), ("release", CFUNCTYPE(None, POINTER(_Array))),
    ("private_data", c_void_p),
]
_Stream._fields_ = [
    ("get_schema", CFUNCTYPE(c_int, POINTER(_Stream), POINTER(_Schema))),
    ("get_next", CFUNCTYPE(c_int, POINTER(_Stream), POINTER(_Array))),
    ("get_last_error", CFUNCTYPE(c_char_p, POINTER(_Stream))),
    ("release", CFUNCTYPE(None, POINTER(_Stream))), ("private_data", c_void_p),
]

_NUMBERS = {
    b"c": np.int8, b"C": np.uint8, b"s": np.int16, b"S": np.uint16, b"i": np.int32, b"I": np.uint32,
    b"l": np.int64, b"L": np.uint64, b"f": np.float32, b"g": np.float64,
}
_OFFSETS = {b"u": np.int32, b"U": np.int64}  # of texts, by how long they may be all together

_get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_get_pointer.restype, _get_pointer.argtypes = c_void_p, [py_object, c_char_p]


def columns_of(data: Any) -> Tuple[List[str], List[np.ndarray]]:
    """Names and columns, as arrays of NumPy that own their memory."""
    capsule = data.__arrow_c_stream__()
    stream = ctypes.cast(_get_pointer(capsule, b"arrow_array_stream"), POINTER(_Stream))
    schema = _Schema()
    _check(stream, stream.contents.get_schema(stream, ctypes.byref(schema)))
    try:
        if schema.format != b"+s":
            raise TypeError("the Arrow stream is no table: its format is " + schema.format.decode())
        fields = [schema.children[k].contents for k in range(schema.n_children)]
        parts: List[List[np.ndarray]] = [[] for _ in fields]
        while True:
            batch = _Array()
            _check(stream, stream.contents.get_next(stream, ctypes.byref(batch)))
            if not batch.release:
                break
            for k, field in enumerate(fields):
                parts[k].append(_column(field, batch.children[k].contents))
            batch.release(ctypes.byref(batch))
        names = [(field.name or b"").decode() for field in fields]
        return names, [np.concatenate(one) if one else np.empty(0, object) for one in parts]
    finally:
        schema.release(ctypes.byref(schema))


def _check(stream: Any, status: int) -> None:
    if status != 0:
        said = stream.contents.get_last_error(stream)
        raise OSError(status, "the Arrow stream failed: " + (said or b"no reason given").decode())


def _column(schema: _Schema, array: _Array) -> np.ndarray:
    if schema.dictionary:
        texts = _column(schema.dictionary.contents, array.dictionary.contents)
        codes = _plain(schema.format, array)
        result = np.asarray(texts, dtype=object)[codes]
    else:
        result = _plain(schema.format, array)
    valid = _valid(array)
    if valid is not None and not valid.all():
        result = result.astype(object)
        result[~valid] = None
    return result


def _plain(form: bytes, array: _Array) -> np.ndarray:
    begin, end = array.offset, array.offset + array.length
    if form in _NUMBERS:
        return _view(array.buffers[1], end, _NUMBERS[form])[begin:].copy()
    if form == b"b":
        bits = np.unpackbits(_view(array.buffers[1], (end + 7) // 8, np.uint8), bitorder="little")
        return bits[begin:end].astype(bool)
    if form in _OFFSETS:
        offsets = _view(array.buffers[1], end + 1, _OFFSETS[form])[begin:]
        base = array.buffers[2] or 0
        texts = [ctypes.string_at(base + a, b - a).decode()
                 for a, b in zip(offsets[:-1].tolist(), offsets[1:].tolist())]
        return np.array(texts, dtype=object)
    if form == b"vu":
        return np.array([_viewed_text(array, row) for row in range(begin, end)], dtype=object)
    raise TypeError(f"a column of the Arrow format `{form.decode()}` is neither numbers nor texts")


def _viewed_text(array: _Array, row: int) -> str:
    """Texts of at most 12 bytes stand in the view itself, others in one of the buffers behind it."""
    size_of_view, most_inside = 16, 12
    at = array.buffers[1] + size_of_view * row
    length = c_int.from_address(at).value
    if length <= most_inside:
        return ctypes.string_at(at + 4, length).decode()
    buffer, offset = c_int.from_address(at + 8).value, c_int.from_address(at + 12).value
    return ctypes.string_at(array.buffers[2 + buffer] + offset, length).decode()


def _valid(array: _Array):
    if array.null_count == 0 or array.n_buffers == 0 or not array.buffers[0]:
        return None
    end = array.offset + array.length
    bits = np.unpackbits(_view(array.buffers[0], (end + 7) // 8, np.uint8), bitorder="little")
    return bits[array.offset:end].astype(bool)


def _view(address: int, count: int, kind: Any) -> np.ndarray:
    size = count * np.dtype(kind).itemsize
    if size == 0 or not address:
        return np.empty(0, kind)
    return np.frombuffer((ctypes.c_char * size).from_address(address), dtype=kind)
