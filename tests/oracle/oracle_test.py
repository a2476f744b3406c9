#!/usr/bin/python3 -B
"""usage: oracle_test.py PROGRAM: the oracle finds what is wrong. Its own parts are held against examples worked out by
hand, and answers that were right are made wrong, each in one way."""
import copy
import itertools
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
try:
    import bindings
    import checks
    import outside
    from grounder import Term, ground
    from oracle import Case, Sorites
    from program import (Atom, And, Comparison, Implies, Not, Predicate, Program, Quantified, Rule, Sum, Summand, Summed,
                         Variable)
except ImportError as error:
    print(f"skipped: {error} (apt-get install python3-scipy python3-cvxopt)")
    sys.exit(77)

PROGRAM = sys.argv.pop(1) if len(sys.argv) > 1 else str(HERE.parent.parent / "build/sorites")
A, B, Y = Variable("A"), Variable("B"), Variable("Y")
ONE = ("number", 1.0)


def likes_and_knows(*rules):
    """a likes b by half, b likes c; whether a knows b, and b knows c, is asked."""
    program = Program()
    program.predicates = {"Likes": Predicate("Likes", ("text", "text")),
                          "Knows": Predicate("Knows", ("text", "text"), open=True)}
    program.observed = {"Likes": {("a", "b"): 0.5, ("b", "c"): 1.0}, "Knows": {("c", "a"): 0.25}}
    program.targets = {"Likes": [], "Knows": [("a", "b"), ("b", "c")]}
    program.rules = list(rules)
    return program


def terms_of(body, weight=1.0):
    return {(t.kind, t.offset, tuple(sorted((a[1:], c) for a, c in t.coefficients.items())))
            for t in ground(likes_and_knows(Rule(body, weight, False)), True).terms}


class GrounderTest(unittest.TestCase):
    def test_an_implication_has_the_distance_of_its_clause(self):
        self.assertEqual(terms_of(Implies(Atom("Likes", (A, B)), Atom("Knows", (A, B)))),
                         {("hinge", 0.5, ((("a", "b"), -1.0),)), ("hinge", 1.0, ((("b", "c"), -1.0),))})

    def test_variables_of_the_head_alone_take_targets(self):
        self.assertEqual(terms_of(Atom("Knows", (A, B))),
                         {("hinge", 1.0, ((("a", "b"), -1.0),)), ("hinge", 1.0, ((("b", "c"), -1.0),))})

    def test_comparisons_restrict_groundings(self):
        body = And((Atom("Knows", (A, B)), Comparison("==", A, "b")))
        self.assertEqual(terms_of(Not(body)), {("hinge", 0.0, ((("b", "c"), 1.0),))})

    def test_a_sum_takes_the_atoms_that_pass_its_filter(self):
        body = Sum((Summand(("/", ONE, ("count", "X")), Atom("Knows", (Summed("X"), Summed("Z")))),), ">=",
                   (Summand(ONE),), (), (("X", Comparison("!=", Variable("X"), "a")),))
        # b knows c is asked for, c knows a is 0.25: their mean is at least 1
        self.assertEqual(terms_of(body, None), {("at_most", 0.875, ((("b", "c"), -0.5),))})

    def test_for_some_is_a_sum_over_all_constants(self):
        body = Implies(Atom("Likes", (A, B)), Quantified("exists", Y, (), Atom("Knows", (A, Y)), False))
        self.assertEqual(terms_of(body),
                         {("hinge", 0.5, ((("a", "b"), -1.0),)), ("hinge", 1.0, ((("b", "c"), -1.0),))})


class OutsideTest(unittest.TestCase):
    def test_finds_the_least_on_a_grid(self):
        terms = [Term(0, "squared", 3.0, {"x": -1.0, "y": -1.0}, 1.5), Term(0, "squared", 1.0, {"x": 1.0}, -0.2),
                 Term(0, "hinge", 0.5, {"y": 1.0}, 0.0), Term(0, "at_most", 0.0, {"x": 1.0, "y": -1.0}, 0.0)]
        for integer in (set(), {"x"}, {"x", "y"}):
            found = outside.solve(terms, integer)
            steps = {v: [0.0, 1.0] if v in integer else [i / 400 for i in range(401)] for v in "xy"}
            points = ({"x": x, "y": y} for x, y in itertools.product(steps["x"], steps["y"]))
            best = min(sum(t.cost(p) for t in terms) for p in points if all(t.violation(p) == 0 for t in terms))
            self.assertLessEqual(found.upper, best + 1e-9)
            self.assertGreater(found.upper, best - 1e-3)
            self.assertAlmostEqual(found.lower, found.upper, places=6)

    def test_tells_a_contradiction(self):
        terms = [Term(0, "at_most", 0.0, {"x": 1.0}, -0.4), Term(0, "at_most", 0.0, {"x": -1.0}, 0.5)]
        self.assertIsNone(outside.solve(terms, set()))

    def test_asks_again_where_highs_contradicts_itself(self):
        """HiGHS of SciPy 1.10 says that no integers keep these terms, of which none is hard."""
        sums = {"k1": 2.0, "k2": 2.0, "t": -1.0}
        terms = [Term(0, "squared", 0.25, {"u": -1.0}, 1.0), Term(0, "squared", 0.25, sums, -1.0),
                 Term(0, "squared", 0.25, {atom: -c for atom, c in sums.items()}, 1.0),
                 Term(1, "hinge", 2.0, {"u": 1.0, "g": 1.0, "k2": -1.0}, -1.0),
                 Term(1, "hinge", 2.0, {"v": 1.0, "g": 1.0, "k2": -1.0}, -1.0)]
        atoms = ["g", "k1", "k2", "t", "u", "v"]
        points = (dict(zip(atoms, point)) for point in itertools.product([0.0, 1.0], repeat=len(atoms)))
        best = min(sum(term.cost(point) for term in terms) for point in points)
        found = outside.solve(terms, set(atoms))
        self.assertAlmostEqual(found.lower, best, places=6)
        self.assertAlmostEqual(found.upper, best, places=6)


def shift(document):
    """One value is off by a hundredth."""
    for row in document["values"]:
        row["value"] += -0.01 if row["value"] > 0.5 else 0.01


MUTATIONS = {
    "objective too small": lambda d: d.update(objective=d["objective"] - 1e-4 * max(1.0, d["objective"])),
    "objective too large": lambda d: d.update(objective=d["objective"] + 1e-4 * max(1.0, d["objective"])),
    "bound too large": lambda d: d.update(lower_bound=d["objective"] + 1e-4 * max(1.0, d["objective"])),
    "infeasible": lambda d: d.update(status="infeasible"),
    "values off": shift,
    "a value too few": lambda d: d["values"].pop(),
    "a term too many": lambda d: d["rules"][0].update(terms=d["rules"][0]["terms"] + 1),
    "violation hidden": lambda d: d.update(max_violation=d["max_violation"] + 1e-3),
}


class AnswersTest(unittest.TestCase):
    def test_every_wrong_answer_is_told(self):
        sorites, tried = Sorites(PROGRAM), 0
        for seed in range(1000, 1040):
            with tempfile.TemporaryDirectory() as folder:
                case = Case(seed, folder)
                code, document = sorites(case.command)
            if case.refused or case.optimum is None or document.get("status") != "optimal":
                continue
            if sum(len(t.coefficients) for t in case.ground.terms) == 0:
                continue
            tried += 1
            self.assertEqual(checks.complaints(case.program, case.ground, case.optimum, (code, document)), [], seed)
            for name, mutate in MUTATIONS.items():
                wrong = copy.deepcopy(document)
                mutate(wrong)
                answer = (checks.EXIT[wrong["status"]], wrong)
                if name == "values off" and not self.matters(case, wrong):
                    continue
                self.assertNotEqual(checks.complaints(case.program, case.ground, case.optimum, answer), [],
                                    f"seed {seed}: {name} is not told")
        self.assertGreater(tried, 10)

    @staticmethod
    def matters(case, document):
        """Whether the values cost something else than was said."""
        values = {}
        for row in document["values"]:
            types = case.program.predicates[row["predicate"]].types
            arguments = tuple(int(a) if k == "integer" else a for a, k in zip(row["arguments"], types))
            values[(row["predicate"],) + arguments] = row["value"]
        cost = sum(t.cost(values) for t in case.ground.terms)
        return abs(cost - document["objective"] * document["weight_scale"]) > 1e-6 * max(1.0, cost)

    def test_an_answer_to_a_contradiction_is_told(self):
        program = likes_and_knows()
        document = {"status": "optimal", "rules": []}
        contradiction = checks.complaints(program, ground(program, True), None, (0, document))
        self.assertEqual(contradiction, ["optimal, though the hard rules contradict each other"])

    def test_a_crash_is_told(self):
        program = likes_and_knows()
        self.assertNotEqual(checks.complaints(program, ground(program, True), None, (-11, {"error": ""})), [])


# Takes the weight of the last rule for 5 % more than it is.
BROKEN = """#!/usr/bin/python3
import json, subprocess, sys
for path in sys.argv:
    if path.endswith(("model.json", "model.yaml")):
        model = json.load(open(path))
        weight, colon, rule = model["rules"][-1].partition(": ")
        if weight.replace(".", "").isdigit():
            model["rules"][-1] = str(float(weight) * 1.05) + colon + rule
            json.dump(model, open(path, "w"))
sys.exit(subprocess.run([PROGRAM] + sys.argv[1:]).returncode)
"""


class BrokenProgramTest(unittest.TestCase):
    def test_a_program_that_misreads_a_weight_is_found_out_with_its_seeds(self):
        with tempfile.TemporaryDirectory() as folder:
            broken = pathlib.Path(folder, "broken")
            broken.write_text(BROKEN.replace("PROGRAM", repr(PROGRAM)))
            broken.chmod(broken.stat().st_mode | stat.S_IXUSR)
            done = subprocess.run([str(HERE / "run"), "--program", str(broken), "--count", "10"], capture_output=True,
                                  text=True)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"[1-9] wrong: seeds \d")

    def test_a_ground_rule_too_few_or_too_many_is_found_out(self):
        for change in (lambda lines: lines[:-1], lambda lines: lines + lines[-1:]):
            def sorites(arguments):
                code, document = Sorites(PROGRAM)(arguments)
                path = pathlib.Path(arguments[-1])
                lines = path.read_text().splitlines(keepends=True)
                path.write_text("".join(change(lines)))
                return code, document
            with tempfile.TemporaryDirectory() as folder:
                self.assertEqual(bindings.examine(3, Sorites(PROGRAM), folder), [])
                self.assertNotEqual(bindings.examine(3, sorites, folder), [])


if __name__ == "__main__":
    unittest.main()
