"""What notebooks and terminals show."""

import doctest
import importlib
import pkgutil
import xml.etree.ElementTree as xml

import pytest

import sorites as so

pytestmark = pytest.mark.filterwarnings("ignore::sorites.SoritesWarning")
MODULES = [name for _, name, _ in pkgutil.walk_packages(so.__path__, "sorites.") if "__main__" not in name]


@pytest.mark.parametrize("name", ["sorites", *MODULES])
def test_examples_of_docstrings_run(name):
    if name == "sorites.torch":
        pytest.importorskip("torch")
    if "pslpython" in name:
        pytest.importorskip("pandas")
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_every_public_name_has_a_docstring():
    for name in so.__all__:
        one = getattr(so, name)
        if isinstance(one, type) or callable(one):
            assert one.__doc__, name
            members = vars(one) if isinstance(one, type) else {}
            for member, value in members.items():
                if not member.startswith("_") and callable(value) and not isinstance(value, type):
                    assert value.__doc__, f"{name}.{member}"


def as_xml(html):
    return xml.fromstring(f"<div>{html}</div>")


def test_results_show_values_rules_and_conflicts(model):
    r = model.infer()
    shown = as_xml(r._repr_html_())
    assert "optimal" in "".join(shown.itertext()) and "Knows" in r._repr_html_()
    assert len(shown.findall(".//tr")) > 10 and "and 2 more" in r._repr_html_()
    assert repr(r).startswith("Result(optimal, objective")
    assert "20" in as_xml(model._repr_html_()).find(".//tbody")[0][1].text or "Lived" in model._repr_html_()
    conflict = so.Model("P(X) = 1 .  P(X) = 0 .").target("P", ["<a & b>"]).infer()
    assert "contradict" in conflict._repr_html_() and as_xml(conflict._repr_html_()) is not None


def test_explanations_show_forces(model):
    found = model.infer().explain("Knows('ann', 'bob')", rules=[1])
    shown = as_xml(found._repr_html_())
    assert shown.findall(".//{http://www.w3.org/2000/svg}rect")
    assert "Knows('ann', 'bob') =" in repr(found) and "rule 1" in repr(found)


def test_learning_shows_curves(model):
    log = model.learn(loss="squared_error", epochs=5)
    shown = as_xml(log._repr_html_())
    assert shown.findall(".//{http://www.w3.org/2000/svg}polyline")
    assert "5 epochs" in repr(log) or "epochs" in repr(log)


def test_the_estimate_shows_rules(model):
    assert as_xml(model.estimate()._repr_html_()).findall(".//tr")
    assert list(model.rules.frame["rule"]) == [1, 2, 3, 4]


def test_what_is_rounded_to_nothing_has_no_sign():
    from sorites._display import shown
    assert shown(-0.00001, "+.4f") == "0.0000" and shown(-0.0, ".4g") == "0"
    assert shown(-0.5, "+.4f") == "-0.5000" and shown(0.5, "+.4f") == "+0.5000"
