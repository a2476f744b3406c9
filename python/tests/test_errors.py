"""Mistakes are exceptions with all diagnostics, told as the command line tells them."""

import pickle
import warnings

import numpy as np
import pytest
from conftest import run

import sorites as so


def test_saving_replaces_no_file_that_the_model_is_read_from(model_file):
    folder = model_file.parent
    (folder / "KNOWS.txt").write_text((folder / "pairs.tsv").read_text())
    model_file.write_text(model_file.read_text().replace("pairs.tsv", "KNOWS.txt"))
    before = {path: path.read_text() for path in folder.iterdir()}
    m = so.read(model_file)
    r = m.infer()
    for save in (lambda: r.save(folder), lambda: r.save_state(model_file), lambda: r.save_state(folder / "lived.tsv"),
                 lambda: m.save(model_file), lambda: m.save(folder / "lived.tsv")):
        with pytest.raises(so.InputError, match="this would replace"):
            save()
    assert {path: path.read_text() for path in folder.iterdir()} == before
    r.save(folder / "results")
    r.save_state(folder / "state")
    m.save(folder / "learned.json")
    m.save(folder / "learned.json")


def test_a_typo_in_a_rule_says_what_the_command_says(tmp_path):
    (tmp_path / "model.json").write_text(
        '{"predicates": {"Smokes/1": {"targets": [["a"]]}}, "rules": ["1: Smoks(A) -> Smokes(A)"]}')
    with pytest.raises(so.InputError) as caught:
        so.read(tmp_path / "model.json").infer()
    said = run("infer", tmp_path / "model.json", check=False).stderr
    assert str(caught.value) in said
    one = caught.value.diagnostics[0]
    assert one.code == "unknown-predicate" and one.line == 1 and one.column > 1 and one.length == 5
    assert "Smokes" in one.notes[0].message
    assert isinstance(caught.value, ValueError)
    assert pickle.loads(pickle.dumps(caught.value)).diagnostics == caught.value.diagnostics


def test_mistakes_of_rules_are_told_at_once_with_their_line():
    with pytest.raises(so.InputError) as caught:
        so.Model("1: P(A) -> Q(A)\n1: P(A) & -> Q(A)\n1: P(A, B) -> Q(A)")
    assert {one.line for one in caught.value.diagnostics} >= {2}
    assert caught.value.diagnostics[0].file == "<rules>"
    assert "<rules>:2:" in str(caught.value) and "^" in str(caught.value)


def test_all_mistakes_of_data_are_told_with_their_rows():
    m = so.Model("1: P(A) -> Q(A)").observe("P", [("a", 0.5), ("b", 1.5), ("a", 1.0), ("c", float("nan"))])
    m.target("Q", ["a"])
    with pytest.raises(so.InputError) as caught:
        m.infer()
    assert [(one.code, one.line) for one in caught.value.diagnostics] == [
        ("value-range", 2), ("duplicate-atom", 3), ("value-range", 4)]
    assert caught.value.diagnostics[0].file == "<observations of P>"


def test_missing_arguments_are_told_with_their_row():
    m = so.Model("1: P(A) -> Q(A)").observe("P", ["a", None]).target("Q", ["a"])
    with pytest.raises(so.InputError, match="missing"):
        m.infer()


def test_a_type_that_does_not_fit_is_told():
    m = so.Model("1: P(A) -> Q(A)").declare("P", types=["UniqueIntID"]).declare("Q", types=["UniqueIntID"])
    m.observe("P", ["7", "x"]).target("Q", [7])
    with pytest.raises(so.InputError) as caught:
        m.infer()
    assert caught.value.diagnostics[0].code == "type-mismatch" and caught.value.diagnostics[0].line == 2


@pytest.mark.parametrize("data, error", [
    ([("a", "b", "c", "d")], "2 columns"),
    ([("a", "b"), ("c",)], "row 1"),
    ({"a": ["x"], "b": ["y", "z"]}, "different lengths"),
    (np.zeros((2, 2, 2)), "two dimensions"),
    ({"a": ["x"], "b": ["y"], "c": ["much"]}, "truth"),
])
def test_rows_that_do_not_fit_are_refused_where_they_are_given(data, error):
    with pytest.raises(ValueError, match=error):
        so.Model("1: P(A, B)").target("P", data)


def test_unknown_names_are_refused():
    m = so.Model("1: P(A)")
    with pytest.raises(KeyError, match="Nobody"):
        m.observe("Nobody", ["a"])
    with pytest.raises(ValueError, match="phase"):
        m.target("P", ["a"], phase="later")
    with pytest.raises(KeyError, match="has no targets"):
        m.target("P", ["a"]).infer()["R"]
    with pytest.raises(so.InputError):
        so.read("/no/such/model.json")
    assert m.infer()["p"].shape == (1, 2)  # case does not matter


def test_warnings_are_warnings():
    m = so.Model("1: P(A) -> Q(A)\n 1: !Q(A)").observe("P", ["a"]).target("Q", ["a"]).truth("Q", ["a", "b"])
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        m.learn(loss="squared_error", epochs=1)
    assert all(issubclass(one.category, so.SoritesWarning) for one in told)
    assert any("truth without a target" in str(one.message) for one in told)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        m.infer()  # each is told once
