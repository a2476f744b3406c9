"""Layers: gradients against differences, samples side by side, labels, Markov logic."""

import copy
import pickle

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import sorites as so  # noqa: E402
from sorites.torch import HingeLayer, LogicLayer, energy, perceptron  # noqa: E402

RULES = """1.5: Seen(X) -> Is(X) ^2
0.7: Next(X, Y) & Is(X) -> Is(Y) ^2
0.4: !Is(X) ^2"""


def chain(rules=RULES):
    m = so.Model(rules).observe("Seen", ["a", "b"]).observe("Next", [("a", "b"), ("b", "c")])
    return m.target("Is", ["a", "b", "c"])


def doubles(*numbers):
    return torch.tensor(numbers, dtype=torch.float64, requires_grad=True)


def test_values_are_those_of_inference():
    x = torch.tensor([[0.9, 0.3], [0.2, 0.7]])
    found = HingeLayer(chain(), ["Seen"], ["Is"], regularization=1e-9)(x)
    assert found.dtype == x.dtype and found.shape == (2, 3)
    for row, seen in zip(found.tolist(), x.tolist()):
        m = so.Model(RULES).observe("Seen", [("a", seen[0]), ("b", seen[1])])
        m.observe("Next", [("a", "b"), ("b", "c")]).target("Is", ["a", "b", "c"])
        assert row == pytest.approx(m.infer(gap=1e-10)["Is"]["value"].tolist(), abs=1e-4)


def test_gradcheck_of_values_in_inputs_and_weights():
    layer = HingeLayer(chain(RULES + "\nIs('a') >= 0.05 ."), ["Seen"], ["Is"], regularization=1e-3, smoothing=1e-9,
                       gap=1e-13)
    x = doubles([0.9, 0.3], [0.6, 0.8])

    def function(inputs, weights):
        held = layer.weights
        del layer._parameters["weights"]
        layer.weights = weights
        result = layer(inputs)
        del layer.weights
        layer.weights = held
        return result

    weights = layer.weights.detach().clone().requires_grad_(True)
    assert torch.autograd.gradcheck(function, (x, weights), eps=1e-4, atol=1e-4, rtol=1e-3)


def test_gradcheck_of_losses_of_labels():
    layer = HingeLayer(chain(), ["Seen"], ["Is"], learn_weights=False, gap=1e-13)
    labels = {"Is": torch.tensor([[1.0, float("nan"), 0.0], [0.0, 1.0, float("nan")]])}
    x = doubles([0.9, 0.3], [0.6, 0.8])
    for loss in (layer.energy, layer.perceptron):
        assert torch.autograd.gradcheck(lambda one: loss(one, labels=labels), (x,), eps=1e-4, atol=1e-4)
        assert (loss(x, labels=labels) >= -1e-9).all()
    assert energy(layer, x, labels=labels).item() == pytest.approx(layer.energy(x, labels=labels).mean().item())
    assert perceptron(layer, x, labels=labels).item() >= -1e-9


def test_slopes_in_weights_differ_by_sample():
    layer = HingeLayer(chain(), ["Seen"], ["Is"], gap=1e-13)
    labels = {"Is": np.array([[1.0, 1.0, 0.0], [0.0, 1.0, 0.0]])}
    x = doubles([0.9, 0.3], [0.6, 0.8])
    (layer.energy(x, labels=labels) * torch.tensor([1.0, 3.0])).sum().backward()
    both = layer.weights.grad.clone()
    one, other = [], []
    for k, into in ((0, one), (1, other)):
        layer.weights.grad = None
        layer.energy(x[k:k + 1], labels={"Is": labels["Is"][k:k + 1]}, ids=[k]).sum().backward()
        into.append(layer.weights.grad.clone())
    assert torch.allclose(both, one[0] + 3 * other[0], atol=1e-6)


def test_a_network_learns_through_the_layer():
    torch.manual_seed(0)
    layer = HingeLayer(chain(), ["Seen"], ["Is"])
    network = torch.nn.Sequential(torch.nn.Linear(4, 2), torch.nn.Sigmoid())
    x, wanted = torch.randn(8, 4), torch.tensor([0.6, 0.1, 0.05]).repeat(8, 1)
    optimizer = torch.optim.Adam([*network.parameters(), *layer.parameters()], lr=0.05)
    losses = []
    for _ in range(60):
        optimizer.zero_grad()
        loss = ((layer(network(x)) - wanted) ** 2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.2 * losses[0]


def test_a_sample_without_an_answer_spares_the_others():
    m = so.Model("1: !Is(X) ^2\nIs(X) + Seen(X) <= 1 .\nIs(X) >= 0.5 .").observe("Seen", ["a"]).target("Is", ["a"])
    layer = HingeLayer(m, ["Seen"], ["Is"])
    x = doubles([0.4], [0.9], [0.1])
    found = layer(x)
    assert layer.failed.tolist() == [False, True, False] and torch.isnan(found[1, 0])
    found[[0, 2]].sum().backward()
    assert torch.isfinite(x.grad).all() and x.grad[1, 0] == 0


def test_several_inputs_and_outputs_have_their_own_tensors():
    m = so.Model("1: A(X) -> P(X) ^2  1: B(X) -> Q(X) ^2  0.5: !P(X) ^2  0.25: !Q(X) ^2  0.1: P(X) -> Q(X) ^2")
    m.observe("A", ["x", "y"]).observe("B", ["x"]).target("P", ["x", "y"]).target("Q", ["x", "y"])
    layer = HingeLayer(m, ["B", "A"], ["Q", "P"])
    q, p = layer(torch.tensor([[0.0], [1.0]]), torch.tensor([[1.0, 0.5], [1.0, 0.5]]))
    assert q.shape == p.shape == (2, 2) and q[1, 0] > q[0, 0] and p[0, 0] > p[0, 1]
    with pytest.raises(ValueError, match="inputs B, A"):
        layer(torch.zeros(1, 1))
    with pytest.raises(ValueError, match="numbers per sample"):
        layer(torch.zeros(1, 2), torch.zeros(1, 2))
    with pytest.raises(KeyError, match="Nobody"):
        HingeLayer(m, ["A"], ["Nobody"])


def test_samples_start_where_they_ended():
    layer = HingeLayer(chain(), ["Seen"], ["Is"])
    x = torch.rand(6, 2, dtype=torch.float64)
    first = layer(x, ids=[3, 1, 4, 15, 9, 2])
    again = layer(x.flip(0), ids=[2, 9, 15, 4, 1, 3]).flip(0)
    assert torch.allclose(first, again, atol=1e-6)
    with pytest.raises(ValueError, match="ids"):
        layer(x, ids=[1])
    with pytest.raises(so.Error, match="twice"):
        layer(x, ids=[1] * 6)


FORMULAS = """1.5: Friend(X, Y) & Smokes(X) -> Smokes(Y)
0.5: !Smokes(X)"""


def test_a_logic_layer_is_mean_field_and_its_gradients_are_right():
    layer = LogicLayer(FORMULAS, {"who": 3}, iterations=4, facts={"Friend": [(0, 1), (1, 2)]})
    assert layer.predicates == ["Smokes"] and layer.weights.shape == (2,)
    unaries = doubles([0.5, -0.2, 0.1], [1.0, 0.3, -0.4])
    assert torch.autograd.gradcheck(layer, (unaries,), eps=1e-5, atol=1e-5)
    layer(unaries).sum().backward()
    slope = layer.weights.grad[0].item()
    with torch.no_grad():
        values = []
        for change in (1e-4, -2e-4):
            layer.weights[0] += change
            values.append(layer(unaries).sum().item())
    assert slope == pytest.approx((values[0] - values[1]) / 2e-4, abs=1e-4)


def test_a_logic_layer_infers_what_the_model_infers():
    m = so.Model(FORMULAS, semantics="markov-logic", domains={"who": ["0", "1", "2"]},
                 options={"meanfield.updates": "plain", "meanfield.iterations": "4", "meanfield.tolerance": "0"})
    m.declare("Friend", types=["who", "who"]).declare("Smokes", types=["who"], world="open")
    m.observe("Friend", [(0, 1), (1, 2)])
    found = {row[0]: row[1] for row in zip(*m.infer().columns("Smokes").values())}
    layer = LogicLayer(FORMULAS, {"who": 3}, iterations=4, facts={"Friend": [(0, 1), (1, 2)]})
    odds = layer(torch.zeros(1, 3, dtype=torch.float64))[0]
    assert torch.sigmoid(odds).tolist() == pytest.approx([found[str(k)] for k in range(3)], abs=1e-5)


def test_a_logic_layer_takes_matrices():
    layer = LogicLayer("2: Same(X, Y) & Same(Y, Z) -> Same(X, Z)", {"mention": 4})
    found = layer(torch.randn(3, 4, 4))
    assert found.shape == (3, 4, 4)
    with pytest.raises(ValueError, match="4, 4"):
        layer(torch.zeros(3, 4))
    with pytest.raises(ValueError, match="several domains"):
        LogicLayer("1: P(X)", {"a": 2, "b": 3})


def test_the_model_of_a_layer_can_be_copied():
    layer = HingeLayer(chain(), ["Seen"], ["Is"])
    assert pickle.loads(pickle.dumps(copy.copy(layer.model)))._predicates["Seen"]["type"] == "DeepPredicate"


def test_a_weight_that_fell_to_nothing_can_come_back():
    layer = HingeLayer(chain(), ["Seen"], ["Is"])
    with torch.no_grad():
        layer.weights[1] = -3.0
    layer(torch.tensor([[0.9, 0.3]])).sum().backward()
    assert 0 < layer.weights[1].item() < 1e-5 and abs(layer.weights.grad[1].item()) > 1e-3
