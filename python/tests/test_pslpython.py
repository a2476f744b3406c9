"""The calls of pslpython, against Sorites itself."""

import subprocess
import sys
import textwrap

import pytest

pandas = pytest.importorskip("pandas")

import sorites as so  # noqa: E402
import sorites.pslpython as pslpython  # noqa: E402
from sorites.pslpython.model import Model, ModelError  # noqa: E402
from sorites.pslpython.partition import Partition  # noqa: E402
from sorites.pslpython.predicate import Predicate, PredicateError  # noqa: E402
from sorites.pslpython.rule import Rule, RuleError  # noqa: E402

LIVED = [["ann", "oslo"], ["bob", "oslo"], ["cid", "rome"]]
PAIRS = [["ann", "bob"], ["bob", "ann"], ["ann", "cid"]]


def acquaintances(predicate=Predicate):
    lived = predicate("Lived", size=2).add_data(Partition.OBSERVATIONS, LIVED)
    knows = predicate("Knows", size=2).add_data(Partition.TARGETS, PAIRS)
    knows.add_truth_data(pandas.DataFrame([["ann", "bob", 1], ["bob", "ann", 1], ["ann", "cid", 0]]))
    model = Model("acquaintances").add_predicate(lived).add_predicate(knows)
    model.add_rule(Rule("20: Lived(A, L) & Lived(B, L) & (A != B) -> Knows(A, B) ^2"))
    return model.add_rule(Rule("!Knows(A, B)", weight=5.0, squared=True))


def test_inference_gives_frames_by_predicate():
    model = acquaintances()
    found = model.infer()
    (predicate, frame), = found.items()
    assert predicate is model.get_predicate("knows") and list(frame) == [0, 1, "truth"]
    assert frame["truth"].round(2).tolist() == [0.8, 0.8, 0.0] and frame[0].tolist() == ["ann", "bob", "ann"]


@pytest.mark.filterwarnings("ignore::sorites.SoritesWarning")
def test_learning_changes_the_weights_of_the_rules():
    model = acquaintances()
    before = [rule.weight() for rule in model.get_rules()]
    assert model.learn(psl_options={"gradientdescent.numsteps": 20}) is model
    after = [rule.weight() for rule in model.get_rules()]
    assert after != before and after[0] / after[1] > before[0] / before[1]


def test_integers_stay_integers():
    types = [Predicate.ArgType.UNIQUE_INT_ID]
    p = Predicate("P", arg_types=types).add_observed_data([[1], [2]])
    q = Predicate("Q", arg_types=types).add_target_data([[1], [2], [3]])
    model = Model().add_predicate(p).add_predicate(q).add_rule(Rule("1: P(A) -> Q(A)")).add_rule(Rule("1: !Q(A) ^2"))
    assert model.infer()[q][0].tolist() == [1, 2, 3]


def test_the_calls_of_version_2_are_taken():
    lived = Predicate("Lived", True, size=2).add_data(Partition.OBSERVATIONS, LIVED)
    knows = Predicate("Knows", closed=False, size=2).add_data_row(Partition.TARGETS, ["ann", "bob"])
    knows.add_data_row(Partition.TARGETS, ["bob", "ann"], 0.5)
    model = Model("old").add_predicate(lived).add_predicate(knows)
    model.add_rule(Rule("20: Lived(A, L) & Lived(B, L) & (A != B) -> Knows(A, B) ^2"))
    with pytest.warns(so.SoritesWarning, match="jvm_options"):
        found = model.infer(additional_cli_options=["-D", "inference.gap=1e-6", "--int-ids"], psl_config={},
                            jvm_options=["-Xmx4G"], cleanup_temp=False)
    assert lived.closed() and len(found[knows]) == 2
    found = model.infer("", [], {"inference.gap": 1e-5}, ["-Xmx4G"])  # told once
    assert len(found[knows]) == 2
    with pytest.raises(TypeError, match="no_such"):
        model.infer(no_such=1)


def test_files_are_read_with_their_separator_and_header(tmp_path):
    (tmp_path / "a.csv").write_text("who,where\nann,oslo\n\"bob\",rome\n")
    found = Predicate("P", size=2).add_data_file(Partition.OBSERVATIONS, tmp_path / "a.csv", has_header=True, delim=",")
    assert found.data()[Partition.OBSERVATIONS][0].tolist() == ["ann", '"bob"']
    with pytest.raises(PredicateError, match="no file of rows"):
        Predicate("P", size=5).add_data_file(Partition.OBSERVATIONS, tmp_path / "a.csv", delim=",")


@pytest.mark.parametrize("text, arguments, printed", [
    ("1: A(X) -> B(X)", {}, "1.000000: A(X) -> B(X)"),
    ("0.5: A(X) -> B(X) ^2", {}, "0.500000: A(X) -> B(X) ^2"),
    ("A(X) -> B(X) .", {}, "A(X) -> B(X) ."),
    ("A(X) -> B(X)", {"weighted": False}, "A(X) -> B(X) ."),
    ("A(X) -> B(X)", {"weight": 2, "squared": True}, "2.000000: A(X) -> B(X) ^2"),
])
def test_rules_are_read_and_printed(text, arguments, printed):
    assert str(Rule(text, **arguments)) == printed
    assert Rule(text, **arguments).to_string(1).replace("00000", "") == printed.replace("00000", "")


@pytest.mark.parametrize("text, arguments", [
    ("A(X) -> B(X)", {}), ("1: A(X) .", {}), ("A(X) .", {"weighted": True}), ("1: A(X)", {"weight": 2}),
    ("1: A(X) ^2", {"squared": False}), ("A(X) ^2 .", {}), ("-1: A(X)", {}), ("A(X) .", {"squared": True}),
])
def test_rules_that_contradict_themselves_are_refused(text, arguments):
    with pytest.raises(RuleError):
        Rule(text, **arguments)


@pytest.mark.parametrize("arguments", [
    {}, {"size": 0}, {"size": 2, "arg_types": [Predicate.ArgType.INT]}, {"arg_types": ["Integer"]},
])
def test_predicates_that_make_no_sense_are_refused(arguments):
    with pytest.raises(PredicateError):
        Predicate("P", **arguments)


def test_mistakes_are_errors():
    with pytest.raises(ModelError):
        Model().infer()
    model = Model().add_predicate(Predicate("P", size=1))
    with pytest.raises(PredicateError):
        model.add_predicate(Predicate("p", size=2))
    with pytest.raises(PredicateError):
        Predicate("P", size=2).add_target_data([["a"]])
    with pytest.raises(PredicateError):
        Predicate("P", size=1).add_data("targets", [["a"]])


def test_programs_that_import_pslpython_run_as_they_are(tmp_path):
    (tmp_path / "program.py").write_text(textwrap.dedent("""
        from pslpython.model import Model
        from pslpython.partition import Partition
        from pslpython.predicate import Predicate
        from pslpython.rule import Rule
        a = Predicate("A", size=1); a.add_data(Partition.TARGETS, [["x"]])
        m = Model("m"); m.add_predicate(a); m.add_rule(Rule("1: A(X) ^2"))
        print(m.infer()[a]["truth"].round(3).tolist())
    """))
    done = subprocess.run([sys.executable, "-m", "sorites.pslpython", str(tmp_path / "program.py")],
                          capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[1.0]", done.stderr
    assert pslpython.Model is Model
