"""What the program said of a model, held against what the oracle knows."""
import sys

GAP, VIOLATION = 1e-6, 1e-7
EPSILON = sys.float_info.epsilon
EXIT = {"optimal": 0, "infeasible": 3}


def complaints(program, ground, optimum, answer):
    """A list of sentences; empty if the answer is right. `answer` is (exit code, JSON document); `optimum` is None if
    the hard rules contradict each other."""
    code, document = answer
    if document is None or "status" not in document:
        return [f"no result: exit code {code}, {document}"]
    status = document["status"]
    if code != EXIT.get(status, 1):
        return [f"status {status} with exit code {code}"]
    found = counts(program, ground, document)
    if optimum is None:
        return found + ([] if status != "optimal" else ["optimal, though the hard rules contradict each other"])
    if status == "infeasible":
        return found + [f"infeasible, though {optimum.values} keeps the hard rules, at a cost of {optimum.upper}"]
    given = given_values(program, document)
    targets = {(name,) + row for name, rows in program.targets.items() for row in rows}
    if set(given) != targets:
        return found + [f"values of {sorted(map(str, set(given) ^ targets))} are missing or too many"]
    return found + bounds(optimum, ground, given, document) + values(program, ground, given, document)


def is_decided(document):
    return document["status"] in EXIT


def counts(program, ground, document):
    found = []
    for number, rule in enumerate(document["rules"]):
        expected = sum(term.rule == number for term in ground.terms)
        if rule["terms"] != expected:
            found.append(f"rule {number + 1} has {rule['terms']} terms, should be {expected}: {program.rules[number].text}")
    if len(document["rules"]) != len(program.rules):
        found.append(f"{len(document['rules'])} rules, should be {len(program.rules)}")
    return found


def rounding(terms, values):
    """What rounding errors of residuals alone may cost: nobody can do better with numbers of 53 bits."""
    total = 0.0
    for term in terms:
        size = abs(term.offset) + sum(abs(c * values[atom]) for atom, c in term.coefficients.items())
        error, distance = 4 * EPSILON * size, max(0.0, term.residual(values))
        slope = {"hinge": 1.0, "squared": 2.0 * distance + error}.get(term.kind, 0.0)
        total += term.weight * slope * error
    return total


def soft_weights(terms):
    return [term.weight for term in terms if term.kind in ("hinge", "squared") and term.weight > 0.0] or [1.0]


def smallest_objective(terms, scale):
    """What less counts as in relative gaps (docs/inference.md). Weights near 1 are not divided by the largest."""
    weights = soft_weights(terms)
    return 0.01 * min(max(scale, 2.0 * max(weights)), 1000.0 * min(weights))


def bounds(optimum, ground, given, document):
    scale = document["weight_scale"]
    objective, bound = document["objective"] * scale, document["lower_bound"]
    unit, noise = max(1.0, abs(optimum.upper)), rounding(ground.terms, given)
    found = []
    # A bound is proved by multipliers, to rounding, however bad the answer is.
    if bound is not None and bound * scale > optimum.upper + 1e-7 * unit + noise:
        found.append(f"the bound {bound * scale} lies above the optimum {optimum.upper}")
    # A point that breaks hard rules a little may cost a little less.
    allowed = 1e-6 * unit + 1e3 * scale * document["max_violation"] + noise
    if objective < optimum.lower - allowed:
        found.append(f"the objective {objective} lies below the optimum {optimum.lower}")
    if document["status"] == "optimal":
        allowed = GAP * max(abs(objective), smallest_objective(ground.terms, scale)) + 1e-7 * unit + noise
        if objective > optimum.upper + allowed:
            found.append(f"optimal with objective {objective}, the optimum is {optimum.upper}")
        if document["max_violation"] > VIOLATION:
            found.append(f"optimal with a violation of {document['max_violation']}")
        found += parts(optimum, ground, given, scale)
    return found


def parts(optimum, ground, given, scale):
    """Parts that share no atom are each as good as the whole, in their own unit (docs/inference.md)."""
    found, sizes = [], []
    for part in optimum.parts:
        cost = sum(term.cost(given) for term in part.terms)
        sizes.append((max(soft_weights(part.terms)), cost, max(cost, part.upper)))
    smallest = smallest_objective(ground.terms, scale)
    for part, (largest, cost, _) in zip(optimum.parts, sizes):
        seen = sum(size * min(1.0, largest / other) for other, _, size in sizes)
        allowed = GAP * max(seen, smallest) + 1e-7 * max(part.upper, min(soft_weights(part.terms)))
        if cost > part.upper + allowed + rounding(part.terms, given):
            found.append(f"optimal, but {sorted(map(str, part.values))} cost {cost}, could cost {part.upper}")
    return found


def given_values(program, document):
    given = {}
    for row in document["values"]:
        types = program.predicates[row["predicate"]].types
        arguments = tuple(int(a) if kind == "integer" else a for a, kind in zip(row["arguments"], types))
        given[(row["predicate"],) + arguments] = row["value"]
    return given


def values(program, ground, given, document):
    """The values are within bounds, give the objective and keep the hard rules."""
    found = [f"{atom} = {value}" for atom, value in given.items() if not -1e-9 <= value <= 1 + 1e-9]
    if document["status"] == "optimal":
        found += [f"{atom} = {value} is an integer atom" for atom, value in given.items()
                  if program.predicates[atom[0]].integer and min(abs(value), abs(1 - value)) > 1e-6]
    objective = document["objective"] * document["weight_scale"]
    cost = sum(term.cost(given) for term in ground.terms)
    if abs(cost - objective) > 1e-7 * max(1.0, abs(cost)) + rounding(ground.terms, given):
        found.append(f"the values cost {cost}, the objective is {objective}")
    violation = max((term.violation(given) for term in ground.terms), default=0.0)
    if abs(violation - document["max_violation"]) > 1e-7:
        found.append(f"the values break a hard rule by {violation}, max_violation is {document['max_violation']}")
    return found
