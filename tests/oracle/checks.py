"""What the program said of a model, held against what the oracle knows."""
GAP, VIOLATION = 1e-6, 1e-7
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
    return found + bounds(optimum, document) + values(program, ground, document)


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


def bounds(optimum, document):
    scale = document["weight_scale"]
    objective, bound = document["objective"] * scale, document["lower_bound"]
    unit = max(1.0, abs(optimum.upper))
    found = []
    # A bound is proved by multipliers, to rounding, however bad the answer is.
    if bound is not None and bound * scale > optimum.upper + 1e-7 * unit:
        found.append(f"the bound {bound * scale} lies above the optimum {optimum.upper}")
    # A point that breaks hard rules a little may cost a little less.
    allowed = 1e-6 * unit + 1e3 * scale * document["max_violation"]
    if objective < optimum.lower - allowed:
        found.append(f"the objective {objective} lies below the optimum {optimum.lower}")
    if document["status"] == "optimal":
        # The gap is relative to the cost, but for small ones; one huge weight does not make all costs small.
        if objective > optimum.upper + GAP * max(abs(objective), 0.01 * min(scale, 100.0)) + 1e-7 * unit:
            found.append(f"optimal with objective {objective}, the optimum is {optimum.upper}")
        if document["max_violation"] > VIOLATION:
            found.append(f"optimal with a violation of {document['max_violation']}")
    return found


def values(program, ground, document):
    """The values give the objective and keep the hard rules, and are those of the targets."""
    given = {}
    for row in document["values"]:
        types = program.predicates[row["predicate"]].types
        arguments = tuple(int(a) if kind == "integer" else a for a, kind in zip(row["arguments"], types))
        given[(row["predicate"],) + arguments] = row["value"]
    targets = {(name,) + row for name, rows in program.targets.items() for row in rows}
    if set(given) != targets:
        return [f"values of {sorted(map(str, set(given) ^ targets))} are missing or too many"]
    found = [f"{atom} = {value}" for atom, value in given.items() if not -1e-9 <= value <= 1 + 1e-9]
    if document["status"] == "optimal":
        found += [f"{atom} = {value} is an integer atom" for atom, value in given.items()
                  if program.predicates[atom[0]].integer and min(abs(value), abs(1 - value)) > 1e-6]
    objective = document["objective"] * document["weight_scale"]
    cost = sum(term.cost(given) for term in ground.terms)
    if abs(cost - objective) > 1e-7 * max(1.0, abs(cost)):
        found.append(f"the values cost {cost}, the objective is {objective}")
    violation = max((term.violation(given) for term in ground.terms), default=0.0)
    if abs(violation - document["max_violation"]) > 1e-7:
        found.append(f"the values break a hard rule by {violation}, max_violation is {document['max_violation']}")
    return found
