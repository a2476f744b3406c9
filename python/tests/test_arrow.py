"""Arrow's C stream, made here by hand: no package of Debian makes one."""

import ctypes

import numpy as np
import pytest
from sorites import _arrow

import sorites as so

_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class Column:
    """A column in Arrow's layout."""

    def __init__(self, form, buffers, length, nulls=0, offset=0, dictionary=None):
        self.form, self.buffers, self.length, self.nulls = form, buffers, length, nulls
        self.offset, self.dictionary = offset, dictionary


def texts(items):
    encoded = [item.encode() for item in items]
    ends = np.concatenate([[0], np.cumsum([len(one) for one in encoded])]).astype(np.int32)
    return Column(b"u", [None, ends, np.frombuffer(b"".join(encoded) or b"\0", np.uint8)], len(items))


class Stream:
    """What has `__arrow_c_stream__`: batches of columns."""

    def __init__(self, names, batches):
        self.names, self.batches, self.kept, self.released = names, batches, [], 0

    def schema(self, column, name=b""):
        one = _arrow._Schema(column.form, name, None, 2)
        if column.dictionary is not None:
            one.dictionary = ctypes.pointer(self.schema(column.dictionary))
        one.release = type(one.release)(lambda pointer: None)
        self.kept.append(one)
        return one

    def array(self, column):
        buffers = (ctypes.c_void_p * len(column.buffers))(
            *[None if one is None else one.ctypes.data for one in column.buffers])
        one = _arrow._Array(column.length, column.nulls, column.offset, len(column.buffers), 0,
                            ctypes.cast(buffers, ctypes.POINTER(ctypes.c_void_p)))
        if column.dictionary is not None:
            one.dictionary = ctypes.pointer(self.array(column.dictionary))
        self.kept += [buffers, column, one]
        return one

    def __arrow_c_stream__(self, requested=None):
        waiting = list(self.batches)

        def get_schema(stream, out):
            children = [ctypes.pointer(self.schema(column, name.encode()))
                        for name, column in zip(self.names, self.batches[0])]
            table = (ctypes.POINTER(_arrow._Schema) * len(children))(*children)
            self.kept.append(table)
            out.contents.format, out.contents.n_children = b"+s", len(children)
            out.contents.children = ctypes.cast(table, ctypes.POINTER(ctypes.POINTER(_arrow._Schema)))
            out.contents.release = type(out.contents.release)(lambda pointer: None)
            self.kept.append(out.contents.release)
            return 0

        def get_next(stream, out):
            if not waiting:
                out.contents.release = type(out.contents.release)()
                return 0
            columns = waiting.pop(0)
            children = [ctypes.pointer(self.array(column)) for column in columns]
            table = (ctypes.POINTER(_arrow._Array) * len(children))(*children)
            self.kept.append(table)

            def release(pointer):
                self.released += 1

            out.contents.length, out.contents.n_children = columns[0].length, len(children)
            out.contents.children = ctypes.cast(table, ctypes.POINTER(ctypes.POINTER(_arrow._Array)))
            out.contents.release = type(out.contents.release)(release)
            self.kept.append(out.contents.release)
            return 0

        stream = _arrow._Stream()
        kinds = dict(_arrow._Stream._fields_)
        stream.get_schema, stream.get_next = kinds["get_schema"](get_schema), kinds["get_next"](get_next)
        stream.get_last_error = kinds["get_last_error"](lambda one: b"no reason")
        stream.release = kinds["release"](lambda one: None)
        self.kept.append(stream)
        return _new_capsule(ctypes.addressof(stream), b"arrow_array_stream", None)


def test_a_stream_of_batches_is_rows():
    numbers = np.array([1, 2, 3], np.int64)
    stream = Stream(["who", "id"], [
        [texts(["ann", "bob", "zoë"]), Column(b"l", [None, numbers], 3)],
        [texts(["dee"]), Column(b"l", [None, np.array([9], np.int64)], 1)],
    ])
    found = so.Model("1: P(A, B)").target("P", stream).infer()["P"]
    assert found["who"].tolist() == ["ann", "bob", "zoë", "dee"] and found["id"].tolist() == [1, 2, 3, 9]
    assert stream.released == 2


def test_dictionaries_offsets_nulls_and_bits_are_read():
    codes = np.array([9, 1, 0, 1], np.int32)
    coded = Column(b"i", [None, codes], 3, offset=1, dictionary=texts(["a", "b"]))
    valid = np.array([0b1011], np.uint8)
    holes = Column(b"g", [valid, np.array([5.0, 0.25, 0.5, 1.0])], 3, nulls=1, offset=1)
    bits = Column(b"b", [None, np.array([0b0110], np.uint8)], 3, offset=1)
    names, columns = _arrow.columns_of(Stream(["c", "v", "b"], [[coded, holes, bits]]))
    assert names == ["c", "v", "b"] and columns[0].tolist() == ["b", "a", "b"]
    assert columns[1].tolist() == [0.25, None, 1.0] and columns[2].tolist() == [True, True, False]


def test_views_of_texts_are_read():
    long = "a text of more than twelve bytes"
    views = np.zeros(32, np.uint8)
    views[:4] = np.frombuffer(np.int32(3).tobytes(), np.uint8)
    views[4:7] = np.frombuffer(b"abc", np.uint8)
    views[16:20] = np.frombuffer(np.int32(len(long)).tobytes(), np.uint8)
    column = Column(b"vu", [None, views, np.frombuffer(long.encode(), np.uint8)], 2)
    assert _arrow.columns_of(Stream(["t"], [[column]]))[1][0].tolist() == ["abc", long]


def test_a_column_that_is_neither_numbers_nor_texts_is_refused():
    with pytest.raises(TypeError, match="tdD"):
        _arrow.columns_of(Stream(["d"], [[Column(b"tdD", [None, np.zeros(1, np.int32)], 1)]]))
