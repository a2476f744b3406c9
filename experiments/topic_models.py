"""The extended models of cora and citeseer (Dickens et al., "Convex and Bilevel Optimization for Neural-Symbolic Inference
and Learning", 2024, appendix E.1.3): every rule is copied for every topic, and a link may make another topic more or
less likely.
"""
import json
import re

SAME_TOPIC = 1.0
OTHER_TOPIC = 0.01  # as large as the others, these rules would drown the links between equal topics
PRIOR = 0.001


def extended(num_topics):
    """A function that puts the extended rules into the text of a model."""
    return lambda text: with_rules(text, extended_rules(num_topics))


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


def with_rules(text, rules):
    """Puts other rules into the text of a model file, which may have lines of comment."""
    model = json.loads(re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE))
    model["rules"] = rules
    return json.dumps(model, indent=2) + "\n"
