"""Every method against the command line's result on the same model."""

import copy
import json
import pickle
import re
import warnings

import numpy as np
import pytest
from conftest import LIKES, LIVED, PAIRS, RULES, run, values_by_atom

import sorites as so

pytestmark = pytest.mark.filterwarnings("ignore::sorites.SoritesWarning")


def cli_values(path, *flags):
    document = run("infer", path, "--json", "--values", *flags)
    return {tuple(one["arguments"]): one["value"] for one in document["values"]}, document


def written_values(folder):
    lines = (folder / "KNOWS.txt").read_text().splitlines()
    return {tuple(line.split("\t")[:-1]): float(line.split("\t")[-1]) for line in lines}


def test_infer_gives_the_values_and_the_certificate_of_the_command(model, model_file, tmp_path):
    document = run("infer", model_file, "--json", "--gap", "1e-9", "--output", tmp_path / "cli")
    expected = written_values(tmp_path / "cli")
    for m in (model, so.read(model_file)):
        r = m.infer(gap=1e-9)
        assert values_by_atom(r, "Knows") == pytest.approx(expected, abs=1e-5)
        assert r.status == document["status"] == "optimal"
        assert r.objective == pytest.approx(document["objective"], rel=1e-8)
        assert r.bound == pytest.approx(document["lower_bound"], rel=1e-6)
        assert r.gap <= 1e-9 and r.violation == document["max_violation"] and r.conflict == []


def test_rules_of_a_result_are_those_of_the_command(model, model_file):
    document = run("infer", model_file, "--json", "--gap", "1e-9")
    found = model.infer(gap=1e-9).rules
    assert len(found) == len(document["rules"]) == 4
    for one, expected in zip(found, document["rules"]):
        assert one["terms"] == expected["terms"]
        assert one["energy"] == pytest.approx(expected["energy"], abs=1e-4)


def test_saved_values_are_those_that_the_command_writes(model, model_file, tmp_path):
    run("infer", model_file, "--gap", "1e-9", "--output", tmp_path / "cli")
    model.infer(gap=1e-9).save(tmp_path / "python")
    assert written_values(tmp_path / "python") == pytest.approx(written_values(tmp_path / "cli"), abs=1e-5)


def test_explain_says_what_the_command_says(model, model_file):
    document = run("explain", model_file, "Knows('ann', 'bob')", "--json", "--gap", "1e-9")
    found = model.infer(gap=1e-9).explain("Knows('ann', 'bob')")
    one, expected = found.atoms[0], document["atoms"][0]
    assert one["atom"] == expected["atom"]
    assert [e["ground_rule"] for e in one["up"]] == [e["ground_rule"] for e in expected["up"]]
    assert one["force_up"] == pytest.approx(expected["force_up"], abs=1e-4)
    rule = model.infer().explain(rules=[1]).rules[0]
    assert rule["rule"] == 1 and rule["worst_groundings"]


def test_evaluate_gives_the_metrics_of_the_command(model, model_file, tmp_path):
    run("infer", model_file, "--gap", "1e-9", "--output", tmp_path / "out")
    expected = run("eval", model_file, "--results", tmp_path / "out", "--json")["metrics"]
    r = model.infer(gap=1e-9)
    assert r.evaluate()["KNOWS"] == pytest.approx(expected["KNOWS"], abs=1e-5)
    more = run("eval", model_file, "--results", tmp_path / "out", "--json", "--evaluator", "ContinuousEvaluator")
    assert r.evaluate("ContinuousEvaluator")["KNOWS"] == pytest.approx(more["metrics"]["KNOWS"], abs=1e-5)


def test_a_model_without_evaluations_is_evaluated_by_the_usual_ones():
    m = so.Model("1: P(X) -> Q(X)   0.1: !Q(X)").observe("P", ["a", "b"]).target("Q", ["a", "b", "c"])
    m.truth("Q", [("a", 1), ("b", 1), ("c", 0)])
    assert m.infer().evaluate()["Q"]["auroc"] == pytest.approx(1.0)


def test_estimate_forecasts_what_the_command_forecasts(model, model_file):
    document = run("estimate", model_file, "--json")
    found = model.estimate()
    assert found.terms == document["terms"] and found.fits
    assert [one["terms"] for one in found.rules] == [one["terms"] for one in document["rules"]]
    assert "ground rules" in repr(found)


def test_ground_counts_what_the_command_counts(model, model_file):
    document = run("ground", model_file, "--json", "--count-all")
    assert model.ground().rules[0]["satisfied"] is None
    found = model.ground(count_all=True)
    assert found.terms == document["terms"] and found.atoms == document["atoms"]
    assert [one["satisfied"] for one in found.rules] == [one["satisfied"] for one in document["rules"]]
    assert "ground rules" in repr(found)


def test_check_finds_what_the_command_finds(model, model_file):
    document = run("check", model_file, "--json")
    found = model.check()
    assert found and found.ok and list(found.phases) == [one["phase"] for one in document["phases"]]
    assert found.phases["infer"]["rows"] == document["phases"][0]["rows"]
    assert list(model.check("learn").phases) == ["learn"]
    assert "no mistakes" in repr(found)


def test_check_lists_mistakes_of_data_that_other_calls_raise(model):
    model.observe("Likes", [("ann", "tea", 7.0)])
    found = model.check()
    assert not found and found.diagnostics[0]["code"] == "value-range" and "there are mistakes" in repr(found)
    with pytest.raises(so.Error):
        model.infer()


def test_learn_finds_the_weights_of_the_command(model, model_file, tmp_path):
    flags = ["--loss", "squared_error", "--epochs", "20", "--gap", "1e-7"]
    expected = run("learn", model_file, "--json", *flags)
    log = model.learn(loss="squared_error", epochs=20, gap=1e-7)
    assert len(log.history) == len(expected["history"])
    assert [one["weight"] for one in log.rules] == pytest.approx(
        [one["weight"] for one in expected["rules"]], rel=1e-3)
    assert [one["weight"] for one in model.rules] == pytest.approx([one["weight"] for one in log.rules])
    assert list(log.frame["epoch"]) == [one["epoch"] for one in log.history]


def test_a_saved_model_runs_on_the_command_line(model, tmp_path):
    model.learn(loss="squared_error", epochs=5)
    model.save(tmp_path / "learned.json")
    assert (tmp_path / "learned.Knows.targets.csv").exists()
    expected = values_by_atom(model.infer(gap=1e-9), "Knows")
    run("infer", tmp_path / "learned.json", "--gap", "1e-9", "--output", tmp_path / "out")
    assert written_values(tmp_path / "out") == pytest.approx(expected, abs=1e-5)
    again = so.read(tmp_path / "learned.json")
    assert values_by_atom(again.infer(gap=1e-9), "Knows") == pytest.approx(expected, abs=1e-5)
    assert [one["weight"] for one in again.rules] == [one["weight"] for one in model.rules]
    model.save(tmp_path / "learned.rules")
    assert "Knows" in (tmp_path / "learned.rules").read_text()


def test_learn_writes_the_files_that_it_is_asked_for(model, tmp_path):
    model.learn(loss="squared_error", epochs=2, output=str(tmp_path / "m.json"), log=str(tmp_path / "l.csv"),
                plot=str(tmp_path / "p.svg"))
    assert all((tmp_path / name).exists() for name in ("m.json", "l.csv", "p.svg"))
    assert so.read(tmp_path / "m.json").infer().status == "optimal"


def test_an_update_gives_what_a_model_of_the_new_data_gives(model):
    model.infer(gap=1e-9)
    model.update("Lived", add=[("ann", "rome")], remove=[("bob", "oslo")])
    updated = values_by_atom(model.infer(gap=1e-9), "Knows")
    rows = [row for row in LIVED if row != ("bob", "oslo")] + [("ann", "rome")]
    fresh = so.Model(RULES).observe("Lived", rows).observe("Likes", LIKES).target("Knows", PAIRS)
    assert updated == pytest.approx(values_by_atom(fresh.infer(gap=1e-9), "Knows"), abs=1e-5)


def test_updates_of_the_same_atoms_take_no_more_and_more_memory(model):
    for i in range(10_000):
        model.update("Likes", add=[("ann", "tea", 1.0 - 0.5 * (i % 2))])
    assert len(model._changes) < 2500
    assert values_by_atom(copy.copy(model).infer(gap=1e-9), "Knows") == pytest.approx(
        values_by_atom(model.infer(gap=1e-9), "Knows"), abs=1e-5)


def test_a_copy_has_what_updates_changed():
    model = so.Model(RULES, options={"inference.on_missing_target": "skip"}).target("Knows", PAIRS)
    model.observe("Lived", LIVED).observe("Likes", LIKES).infer()
    model.update("Lived", add=[("eve", "oslo"), ("ann", "rome")])
    model.update("Lived", remove=[("eve", "oslo"), ("bob", "oslo")])
    model.update("Likes", add=[("ann", "tea", 0.2)])
    model.update("Likes", add=[("ann", "tea", 0.9)])
    model.update("Knows", add=[("cid", "bob", 1.0)])
    model.update("Knows", remove=[("cid", "bob")])
    model.update("Knows", add=[("cid", "bob")], partition="target")
    expected = values_by_atom(model.infer(gap=1e-9), "Knows")
    for other in (copy.copy(model), pickle.loads(pickle.dumps(model))):
        assert values_by_atom(other.infer(gap=1e-9), "Knows") == pytest.approx(expected, abs=1e-5)
        assert len(other._changes) == 4  # of the one that came and went nothing is left


def test_a_copy_has_not_what_was_moved_and_then_removed():
    model = so.Model(RULES, options={"inference.on_missing_target": "skip"}).target("Knows", PAIRS)
    model.observe("Knows", [("ann", "dan", 0.5)]).observe("Lived", LIVED).observe("Likes", LIKES).infer()
    target, observed = PAIRS[0], ("ann", "dan")
    model.update("Knows", add=[(*target, 1.0)])
    model.update("Knows", remove=[target])
    model.update("Knows", add=[observed], partition="target")
    model.update("Knows", remove=[observed], partition="target")
    expected = values_by_atom(model.infer(gap=1e-9), "Knows")
    assert target not in expected and observed not in expected
    for other in (copy.copy(model), pickle.loads(pickle.dumps(model))):
        assert values_by_atom(other.infer(gap=1e-9), "Knows") == pytest.approx(expected, abs=1e-5)
        knows = {one["name"]: one for one in other.predicates}["Knows"]
        assert knows == {one["name"]: one for one in model.predicates}["Knows"]


def test_targets_can_be_updated(model):
    model = so.Model(RULES, options={"inference.on_missing_target": "skip"}).target("Knows", PAIRS)
    model.observe("Lived", LIVED).observe("Likes", LIKES).infer()
    model.update("Knows", remove=[("ann", "bob")], partition="target")
    model.update("Knows", add=[("eve", "bob")], partition="target")
    with pytest.raises(ValueError):
        model.update("Knows", add=[("x", "y")], partition="truth")
    found = values_by_atom(model.infer(), "Knows")
    assert ("ann", "bob") not in found and ("eve", "bob") in found


def test_learning_sees_what_was_updated(model):
    model.infer()
    model.update("Lived", remove=LIVED)
    log = model.learn(loss="squared_error", epochs=1)
    assert log.rules[0]["terms"] == 0


def test_a_weight_that_is_set_counts(model):
    model.set_weight(4, 0.0)
    assert model.rules[3]["weight"] == 0.0
    with pytest.raises(IndexError):
        model.set_weight(5, 1.0)
    first = so.Model(RULES.replace(" 2: !Knows", " 0: !Knows"))
    first.observe("Lived", LIVED).observe("Likes", LIKES).target("Knows", PAIRS)
    assert model.infer(gap=1e-9).objective == pytest.approx(first.infer(gap=1e-9).objective, abs=1e-7)


def test_data_that_comes_later_is_seen(model):
    before = len(model.infer()["Knows"])
    model.target("Knows", [("eve", "ann")])
    model.observe("Lived", [("eve", "oslo")])
    r = model.infer(on_missing_target="skip")
    assert len(r["Knows"]) == before + 1


def test_results_stay_when_the_model_goes_on(model):
    first = model.infer(gap=1e-9)
    expected = values_by_atom(first, "Knows")
    kept = model.infer(gap=1e-9)
    model.update("Lived", remove=LIVED)
    after = model.infer()
    assert values_by_atom(kept, "Knows") == pytest.approx(expected, abs=1e-6)
    assert kept.status == "optimal" and values_by_atom(after, "Knows") != pytest.approx(expected, abs=1e-2)
    with pytest.raises(RuntimeError, match="gone on"):
        kept.explain("Knows('ann', 'bob')")
    assert after.explain("Knows('ann', 'bob')").atoms


def test_models_and_results_can_be_pickled_and_copied(model, model_file):
    model.learn(loss="squared_error", epochs=5)
    model.update("Lived", remove=[("bob", "oslo")])
    r = model.infer(gap=1e-9)
    expected = values_by_atom(r, "Knows")
    for other in (pickle.loads(pickle.dumps(model)), copy.copy(model), copy.deepcopy(model)):
        assert values_by_atom(other.infer(gap=1e-9), "Knows") == pytest.approx(expected, abs=1e-5)
    kept = pickle.loads(pickle.dumps(r))
    assert values_by_atom(kept, "Knows") == expected and kept.status == r.status
    read = so.read(model_file)
    read.learn(loss="squared_error", epochs=2)
    again = pickle.loads(pickle.dumps(read))
    assert [one["weight"] for one in again.rules] == [one["weight"] for one in read.rules]


def test_copies_have_weights_per_constant(tmp_path):
    document = {"language": "mln", "semantics": "markov-logic", "predicates": {
        "Has": {"types": ["person", "word"], "world": "closed", "observations": [["a", "x"], ["b", "y"], ["c", "x"]]},
        "T": {"types": ["person"], "targets": [["a"], ["b"], ["c"]], "truth": [["a", 1], ["b", 0], ["c", 1]]}},
        "rules": ["0.5 Has(p, +w) => T(p)", "0.1 !T(p)"]}
    (tmp_path / "words.json").write_text(json.dumps(document))
    model = so.read(tmp_path / "words.json")
    model.learn(epochs=5)
    model.set_weight(2, 0.25)
    expected = values_by_atom(model.infer(), "T")
    assert expected[("a",)] != pytest.approx(expected[("b",)], abs=1e-3)
    for other in (copy.copy(model), copy.deepcopy(model), pickle.loads(pickle.dumps(copy.copy(model)))):
        assert values_by_atom(other.infer(), "T") == pytest.approx(expected, abs=1e-6)


def test_rules_of_a_copy_have_their_numbers():
    model = so.Model("1: F(A) -> D(A) ^2\n2: F(A) -> D(A) ^2\n0.5: !D(A) ^2")  # the second one is skipped
    model.observe("F", ["a", "b"]).target("D", ["a", "b"]).truth("D", [("a", 1.0), ("b", 0.5)])
    model.learn(epochs=2)
    other = copy.copy(model)
    assert [(one["rule"], one["weight"]) for one in other.rules] == [(one["rule"], one["weight"]) for one in model.rules]
    assert [one["rule"] for one in other.rules] == [1, 3]


def test_a_copy_does_not_change_the_first(model):
    other = copy.copy(model)
    other.update("Lived", remove=LIVED)
    assert values_by_atom(model.infer(), "Knows") != values_by_atom(other.infer(), "Knows")


def test_semantics_and_options_are_those_of_the_command(sources):
    path = sources / "examples/smokers/model.json"
    expected = run("infer", path, "--json", "--semantics", "markov-logic")
    found = so.read(path, semantics="markov-logic").infer()
    assert found.report["free_energy"] == pytest.approx(expected["free_energy"])
    m = so.Model("1: P(X)", options={"meanfield.tolerance": 1e-6}, semantics="markov-logic").target("P", ["a"])
    assert m.infer()["P"]["value"][0] == pytest.approx(1 / (1 + np.exp(-1.0)), abs=1e-4)


def test_a_model_of_markov_logic_is_read(tmp_path):
    (tmp_path / "m.mln").write_text("smokes(person)\nfriend(person, person)\n1.5 friend(x,y) ^ smokes(x) => smokes(y)\n")
    (tmp_path / "m.db").write_text("friend(Ann, Bob)\nsmokes(Ann)\n")
    m = so.read(tmp_path / "m.mln", tmp_path / "m.db")
    document = run("infer", tmp_path / "m.mln", "--data", tmp_path / "m.db", "--json")
    r = m.infer()
    assert r.status == document["status"]
    assert {name.lower() for name in r} == {"smokes", "friend"} or "smokes" in {n.lower() for n in r}


def test_keywords_are_the_flags_of_the_command(model):
    from sorites._names import INFER_OPTIONS, LEARN_OPTIONS
    others = {"help", "data", "semantics", "phase", "set", "memory_limit", "json", "quiet", "color",  # of every command
              "from_snapshot", "warm_start", "output", "values", "save_state", "energies",
              "resume", "log", "plot", "no_eval"}
    for command, known in (("infer", INFER_OPTIONS), ("learn", LEARN_OPTIONS)):
        help_text = run(command, "--help").stdout
        for name in known:
            assert "--" + name.replace("_", "-") in help_text, (command, name)
        flags = {flag.replace("-", "_") for flag in re.findall(r"^ +--([a-z-]+)", help_text, re.M)}
        assert flags - others == set(known), command
    with pytest.raises(TypeError, match="gapp"):
        model.infer(gapp=1)
    with pytest.raises(so.InputError, match="inference.gab"):
        model.infer(options={"inference.gab": 1})


def test_infer_takes_method_and_samples(model):
    markov = so.Model("1: P(A) -> Q(A)", semantics="markov-logic").observe("P", ["a"]).target("Q", ["a"])
    exact = markov.infer(method="exact")
    assert exact.report["solver"]["name"] == "exact"
    sampled = markov.infer(method="gibbs", samples=50)
    assert sampled.report["solver"]["name"] == "gibbs"
    assert 0 < sampled.report["solver"]["iterations"] < 1000  # of all chains, 8000 by default
    with pytest.raises(so.InputError, match="means nothing"):
        markov.infer(method="exact", samples=50)


def test_numbers_that_json_lacks_are_told_by_option(model):
    with pytest.raises(so.InputError, match="`inference.regularization` takes"):
        model.infer(regularization=float("nan"))
    assert model.infer(time_limit=float("inf")).status == "optimal"
    with pytest.raises(so.Error, match="`seconds` takes a number"):
        model.estimate(seconds=float("nan"))


def test_update_changes_several_predicates_at_once():
    rules = "1: P(A) -> Q(A) ^2   1: Q(A) -> P(A) ^2   0.5: !P(A) ^2   0.7: S(A) -> P(A) ^2"
    m = so.Model(rules).observe("S", ["a", "d"]).target("P", ["a", "d"]).target("Q", ["a", "d"])
    m.infer()
    with pytest.raises(so.Error):
        m.update("P", add=["e"], partition="target")  # rules need Q('e') as well
    m.update({"P": ["e"], "Q": ["e"]}, partition="target")
    fresh = so.Model(rules).observe("S", ["a", "d"]).target("P", ["a", "d", "e"]).target("Q", ["a", "d", "e"])
    assert m.infer(gap=1e-9).objective == pytest.approx(fresh.infer(gap=1e-9).objective)
    m.update({"S": ["f"], "P": ["f"], "Q": ["f"]}, remove={"S": ["a"], "P": ["e"], "Q": ["e"]},
             partition={"P": "target", "Q": "target"})
    assert {row[0] for row in values_by_atom(m.infer(), "P")} == {"a", "d", "f"}
    assert {row[0] for row in values_by_atom(copy.copy(m).infer(), "P")} == {"a", "d", "f"}
    with pytest.raises(TypeError, match="dict"):
        m.update({"P": ["g"]}, add=["g"])
    with pytest.raises(ValueError, match="partition"):
        m.update({"P": ["g"]}, partition={"P": "truth"})


def test_options_of_one_call_do_not_hold_for_the_next(model):
    assert model.infer(max_iterations=1, solver="admm").report["solver"]["iterations"] <= 1
    assert model.infer(gap=1e-9).gap <= 1e-9


def test_a_state_is_a_start(model, tmp_path):
    r = model.infer(gap=1e-9)
    r.save_state(tmp_path / "state")
    again = copy.copy(model).infer(warm_start=str(tmp_path / "state"), gap=1e-9)
    assert again.objective == pytest.approx(r.objective, abs=1e-8)


def test_a_contradiction_is_told():
    m = so.Model("P(X) = 1 .\n P(X) = 0 .").target("P", ["a"])
    r = m.infer()
    assert r.status == "infeasible" and len(r.conflict) == 2


def test_predicates_say_what_there_is(model):
    found = {one["name"]: one for one in model.predicates}
    assert found["Lived"]["observed"] == len(LIVED) and found["Knows"]["targets"] == len(PAIRS)


def test_truth_of_one_phase_is_for_that_phase(model_file):
    m = so.Model("1: P(X) -> Q(X)   1: !Q(X)")
    m.observe("P", ["a", "b"], phase="learn").observe("P", ["c"], phase="infer")
    m.target("Q", ["a", "b"], phase="learn").truth("Q", ["a", "b"], phase="learn")
    m.target("Q", ["c"], phase="infer")
    m.learn(loss="squared_error", epochs=20)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert list(m.infer()["Q"].iloc[:, 0]) == ["c"]


def test_classes_and_other_members_of_model_files_can_be_declared():
    m = so.Model("1: Edge(A, B) & Label(A, C) -> Label(B, C)").declare("Label", classes=["red", "blue"])
    m.observe("Edge", [("a", "b")]).observe("Label", [("a", "red")]).target("Label", [("b", "red"), ("b", "blue")])
    found = values_by_atom(m.infer(gap=1e-8), "Label")
    assert found[("b", "red")] == pytest.approx(1.0, abs=1e-4)


def test_a_model_of_json_has_one_shape(model):
    assert json.dumps(model.infer().report)
