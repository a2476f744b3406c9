"""Regularised inference against its definition: min nu'(D + eps I)nu + c'nu over nu = (targets, slacks), with a slack
per weighted ground rule (Dickens et al. 2024a, eq. 13), written out and solved by the interior point of CVXOPT."""
import math

import numpy

import checks
import grounder
import outside
from model_files import ModelFiles
from oracle import SOLVERS, Case
from random_program import RandomProgram

STRENGTHS = (100.0, 10.0, 1.0, 0.1, 0.01)  # of table 13


class RegularizedCase(Case):
    """As Case, without integer atoms. The minimiser is unique, so that values are compared too."""

    def prepare(self, weights):
        program = RandomProgram(self.seed, weights)
        program.integer = 0.0
        self.program = program.make()
        self.eps = self.random.choice(STRENGTHS)
        self.on_missing, self.refused = "zero", False
        self.ground = grounder.ground(self.program, missing_is_zero=True)
        # Descent along one term at a time is only roughly optimal; it is not asked.
        solvers = [s for s in SOLVERS if s not in ("stochastic-gradient", "integer")]
        self.solver = solvers[self.seed % len(solvers)]
        self.optimum = self.solve()
        self.model = ModelFiles(self.program, self.folder, self.random).write()
        self.command = ["infer", *self.model, *self.flags(), "--regularization", str(self.eps)]

    def solve(self):
        """(objective, values); None if the hard rules contradict each other."""
        problem = outside.Problem(self.ground.terms, set())
        if not problem.atoms:
            return 0.0, {}
        if outside.linear_program(problem, [[] for _ in problem.squared]) is None:
            return None
        point = outside.quadratic_program(problem, None, self.eps)
        if point is None:
            raise outside.NotSolved("CVXOPT found no point")
        values = problem.values(point)
        return self.cost(problem.soft, values), values

    def cost(self, soft, values):
        """Targets in no ground rule are 0."""
        slacks = [max(0.0, term.residual(values)) for term in soft]
        squares = sum(s * s for s in slacks) + sum(v * v for v in values.values())
        return sum(term.cost(values) for term in soft) + self.eps * squares

    def examine(self, sorites):
        code, document = sorites(self.command)
        if document is None or "status" not in document:
            return [f"no result: exit code {code}, {document}"], "none"
        status = document["status"]
        if self.optimum is None:
            return (["optimal, though hard rules contradict each other"] if status == "optimal" else []), status
        if status != "optimal":  # only some always get there
            exact = self.solver in ("auto", "interior-point")
            return ([f"{self.solver} ends with status {status}"] if exact else []), status
        return self.disagreements(document), status

    def disagreements(self, document):
        optimum, values = self.optimum
        objective = document["objective"] * document["weight_scale"]
        allowed = checks.GAP * max(1.0, objective) + 1e-7 + 1e3 * document["max_violation"]
        found = []
        if abs(objective - optimum) > allowed:
            found.append(f"the objective is {objective}, eq. 13 gives {optimum}")
        given = {}
        for row in document["values"]:
            types = self.program.predicates[row["predicate"]].types
            arguments = tuple(int(a) if kind == "integer" else a for a, kind in zip(row["arguments"], types))
            given[(row["predicate"],) + arguments] = row["value"]
        # The objective grows by eps |y - y*|^2 at least.
        near = math.sqrt(2.0 * allowed / self.eps)
        distance = numpy.linalg.norm([value - values.get(atom, 0.0) for atom, value in given.items()])
        if distance > near:
            found.append(f"values are {distance} from those of eq. 13, {given} for {values}")
        return found
