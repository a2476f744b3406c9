"""Rows of all kinds come in, and the same rows come out."""

import gzip
import sqlite3

import numpy as np
import pytest
from conftest import values_by_atom
from hypothesis import given, settings
from hypothesis import strategies as st

import sorites as so

pandas = pytest.importorskip("pandas")


def rows_out(data, arity=2, **options):
    """The rows of a model whose targets are these."""
    arguments = ", ".join("ABCD"[:arity])
    m = so.Model(f"1: P({arguments})", **options).target("P", data)
    return m.infer()["P"]


ROWS = [("ann", "oslo"), ("bob", "rome"), ("cid", "oslo")]


@pytest.mark.parametrize("data", [
    ROWS,
    [list(row) for row in ROWS],
    iter(ROWS),
    {"who": ["ann", "bob", "cid"], "where": ["oslo", "rome", "oslo"]},
    np.array(ROWS),
    np.array(ROWS, dtype=object),
    np.array(ROWS, dtype=[("who", "U3"), ("where", "U4")]),
    pandas.DataFrame(ROWS, columns=["who", "where"]),
    pandas.DataFrame(ROWS, columns=["who", "where"]).astype("category"),
    pandas.DataFrame(ROWS, columns=["who", "where"], dtype="string"),
], ids=lambda data: type(data).__name__)
def test_all_kinds_of_rows_are_the_same(data):
    found = rows_out(data)
    assert [tuple(row) for row in found.iloc[:, :2].itertuples(index=False)] == ROWS


def test_columns_keep_their_names():
    assert list(rows_out(pandas.DataFrame(ROWS, columns=["who", "where"]))) == ["who", "where", "value"]
    assert list(rows_out(ROWS)) == ["arg1", "arg2", "value"]


def test_integers_come_back_as_integers():
    found = rows_out(pandas.DataFrame({"a": [3, -1, 2**62], "b": np.array([1, 2, 3], np.int8)}))
    assert found["a"].dtype == np.int64 and found["a"].tolist() == [3, -1, 2**62]
    assert found["b"].tolist() == [1, 2, 3]


def test_values_are_the_last_column():
    m = so.Model("1: P(A) -> Q(A)").observe("P", {"who": ["a", "b"], "how much": [0.25, 1]})
    m.target("Q", ["a", "b"])
    assert values_by_atom(m.infer(gap=1e-9), "Q")[("b",)] == pytest.approx(1.0, abs=1e-4)
    m = so.Model("P(A) = Q(A) .").observe("P", pandas.DataFrame({"who": ["a"], "value": [0.25]})).target("Q", ["a"])
    assert m.infer()["Q"]["value"][0] == pytest.approx(0.25, abs=1e-6)


def test_files_are_rows(tmp_path):
    (tmp_path / "a.tsv").write_text("ann\toslo\nbob\trome\n")
    (tmp_path / "b.csv").write_text('"cid","new, york"\n')
    with gzip.open(tmp_path / "c.tsv.gz", "wt") as file:
        file.write("dee\tparis\n")
    m = so.Model("1: P(A, B)")
    for name in ("a.tsv", "b.csv", "c.tsv.gz"):
        m.target("P", tmp_path / name)
    assert [tuple(row) for row in m.infer()["P"].iloc[:, :2].itertuples(index=False)] == [
        ("ann", "oslo"), ("bob", "rome"), ("cid", "new, york"), ("dee", "paris")]


def test_queries_are_rows():
    database = sqlite3.connect(":memory:")
    database.execute("create table lived (who text, place text)")
    database.executemany("insert into lived values (?, ?)", ROWS)
    found = rows_out(so.sql(database, "select who, place from lived where place = ?", ["oslo"]))
    assert found.iloc[:, 0].tolist() == ["ann", "cid"]


def test_no_rows_are_rows_too():
    m = so.Model("1: P(A) -> Q(A)").observe("P", []).target("Q", ["a"])
    assert len(m.infer()["Q"]) == 1
    m = so.Model("1: P(A) -> Q(A)").observe("P", pandas.DataFrame({"a": []})).target("Q", ["a"])
    assert len(m.infer()["Q"]) == 1


def test_integers_are_not_copied():
    from sorites._table import table_from
    numbers = np.arange(10)
    assert np.shares_memory(table_from({"a": numbers}, 1, "P").columns[0].numbers, numbers)
    frame = pandas.DataFrame({"a": numbers, "b": np.arange(10)})
    assert np.shares_memory(table_from(frame, 2, "P").columns[1].numbers, frame["b"].to_numpy())


texts = st.text(st.characters(blacklist_categories=("Cs",), blacklist_characters="\0"), min_size=0, max_size=12)
constants = st.one_of(texts, st.integers(-(2**63), 2**63 - 1))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=30, unique=True))
def test_any_texts_come_out_as_they_went_in(rows):
    found = rows_out(pandas.DataFrame(rows, columns=["x", "y"]))
    assert [tuple(row) for row in found[["x", "y"]].itertuples(index=False)] == rows


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(-(2**63), 2**63 - 1), texts), min_size=1, max_size=30, unique=True))
def test_any_integers_come_out_as_they_went_in(rows):
    found = rows_out(pandas.DataFrame(rows, columns=["x", "y"]))
    assert [tuple(row) for row in found[["x", "y"]].itertuples(index=False)] == rows


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(texts, st.floats(0, 1)), min_size=1, max_size=20, unique_by=lambda row: row[0]))
def test_any_values_come_out_as_they_went_in(rows):
    m = so.Model("P(A) = Q(A) .").observe("P", pandas.DataFrame(rows)).target("Q", [a for a, _ in rows])
    assert m.infer()["Q"]["value"].tolist() == pytest.approx([value for _, value in rows], abs=1e-6)
