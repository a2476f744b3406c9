"""The extended models of cora and citeseer (Dickens et al., "Convex and Bilevel Optimization for Neural-Symbolic Inference
and Learning", 2024, appendix E.1.3): every rule is copied for every topic, and a link may make another topic more or
less likely.
"""
from split_models import with_rules

# Many documents have no linked label, so that their topics tie: the metric must not depend on the order of topics, and
# ties are told from small differences only near the exact optimum (at gaps above 1e-12, solvers differ by up to 0.01).
FLAGS = (
    *("--set", "categoricalevaluator.representative=ACCURACY_EXPECTED"),
    *("--set", "inference.gap=1e-12", "--set", "inference.solver=interior-point"),  # of the evaluation
)
LEARNING_FLAGS = (*FLAGS, "--gap", "1e-4", "--solver", "auto")

SAME_TOPIC = 1.0
OTHER_TOPIC = 0.01  # as large as the others, these rules would drown the links between equal topics
PRIOR = 0.001


def extended(num_topics):
    """A function that puts the extended rules into the text of a model."""
    return lambda text: with_rules(text, lambda _: extended_rules(num_topics))


def extended_rules(num_topics):
    topics = range(1, num_topics + 1)
    rules = []
    for link in ("Link(A, B)", "Link(B, A)"):
        for topic in topics:
            for other in topics:
                weight = SAME_TOPIC if topic == other else OTHER_TOPIC
                body = f"HasCat(A, '{topic}') & {link} & (A != B)"
                rules.append(f"{weight}: {body} >> HasCat(B, '{other}') ^2")
                if topic != other:
                    rules.append(f"{weight}: {body} >> !HasCat(B, '{other}') ^2")
    rules += [f"{PRIOR}: !HasCat(A, '{topic}') ^2" for topic in topics]
    return rules + ["HasCat(A, +C) = 1 ."]
