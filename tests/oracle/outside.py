"""The optimum of a ground program, by solvers that are none of ours: HiGHS (in SciPy) for linear and integer programs,
CVXOPT for the points at which squares are taken by their tangents.

A square is convex, so it lies above all of its tangents; with squares replaced by tangents, HiGHS gives a bound from
below that is valid whatever point they touch at, and is exact once they touch at the optimum. So nothing rests on
CVXOPT being right: what it gives is a point, and the gap between its cost and the bound says how good both are.
"""
from dataclasses import dataclass

import numpy
import scipy.optimize
import scipy.sparse

try:
    import cvxopt
    cvxopt.solvers.options.update(show_progress=False, abstol=1e-10, reltol=1e-10, feastol=1e-10, maxiters=100)
except ImportError:  # tangents alone do it, in more rounds
    cvxopt = None

CLOSE = 2e-8   # what counts as solved, relative to the cost
NEAR = 1e-5    # what will do if it gets no better: HiGHS takes 1e-6 for an integer
ROUNDS = 60


class NotSolved(Exception):
    """The oracle does not know."""


@dataclass
class Part:
    """Terms that share no atom with others."""
    terms: list
    lower: float
    upper: float
    values: dict  # with the cost `upper`


@dataclass
class Optimum:
    lower: float
    upper: float
    values: dict
    parts: list


class Problem:
    """minimise cost'(x, s) + the squares, with rows @ (x, s) between low and high, one s per weighted term."""

    def __init__(self, terms, integer_atoms):
        self.terms = terms
        self.atoms = sorted({atom for term in terms for atom in term.coefficients}, key=repr)
        self.column = {atom: i for i, atom in enumerate(self.atoms)}
        self.soft = [t for t in terms if t.kind in ("hinge", "squared")]
        self.hard = [t for t in terms if t.kind in ("at_most", "equal")]
        self.size = len(self.atoms) + len(self.soft)
        self.squared = [k for k, t in enumerate(self.soft) if t.kind == "squared"]
        self.integer = numpy.array([a in integer_atoms for a in self.atoms] + [False] * len(self.soft), dtype=int)
        # A squared term has its s as residual, and one more column, q, for what its tangents say of the square.
        self.rows, self.low, self.high = [], [], []
        for k, term in enumerate(self.soft):
            self.add_row(term, -1.0, len(self.atoms) + k)
        for term in self.hard:
            self.add_row(term)

    def add_row(self, term, slack=0.0, column=None):
        row = numpy.zeros(self.size)
        for atom, coefficient in term.coefficients.items():
            row[self.column[atom]] = coefficient
        if column is not None:
            row[column] = slack
        self.rows.append(row)
        self.high.append(-term.offset)
        self.low.append(-term.offset if term.kind == "equal" else -numpy.inf)

    def values(self, point):
        return {atom: float(min(1.0, max(0.0, point[i]))) for i, atom in enumerate(self.atoms)}

    def cost(self, point):
        values = self.values(point)
        return sum(term.cost(values) for term in self.soft)


def linear_program(problem, touching, fixed=None, presolve=True):
    """HiGHS's (bound, point) with squares as tangents that touch at the residuals `touching` (per square, a list)."""
    tangents = len(problem.squared)
    size = problem.size + tangents
    cost = numpy.zeros(size)
    for k, term in enumerate(problem.soft):
        if term.kind == "hinge":
            cost[len(problem.atoms) + k] = term.weight
    rows = [numpy.concatenate([row, numpy.zeros(tangents)]) for row in problem.rows]
    low, high = list(problem.low), list(problem.high)
    for j, k in enumerate(problem.squared):
        cost[problem.size + j] = problem.soft[k].weight
        for r in touching[j]:  # q >= 2 r s - r^2
            row = numpy.zeros(size)
            row[len(problem.atoms) + k], row[problem.size + j] = 2.0 * r, -1.0
            rows.append(row)
            low.append(-numpy.inf)
            high.append(r * r)
    upper = numpy.concatenate([numpy.ones(len(problem.atoms)), numpy.full(size - len(problem.atoms), numpy.inf)])
    lower = numpy.zeros(size)
    integer = numpy.concatenate([problem.integer, numpy.zeros(tangents, dtype=int)])
    if fixed is not None:
        mask = integer == 1
        lower[mask] = upper[mask] = fixed[mask]
        integer = numpy.zeros(size, dtype=int)
    constraints = scipy.optimize.LinearConstraint(scipy.sparse.csr_array(numpy.array(rows)), low, high) if rows else ()
    result = scipy.optimize.milp(cost, integrality=integer, bounds=scipy.optimize.Bounds(lower, upper),
                                 constraints=constraints, options={"mip_rel_gap": 0.0, "presolve": presolve})
    if result.status == 2:
        return None
    if result.status != 0:
        raise NotSolved(f"HiGHS: {result.message}")
    bound = result.mip_dual_bound if integer.any() and result.mip_dual_bound is not None else result.fun
    return bound, result.x


def quadratic_program(problem, fixed, eps=0.0):
    """CVXOPT's point, with integer atoms as `fixed`; None if it finds none. eps times the squares of atoms and slacks
    is added."""
    if cvxopt is None:
        return None
    size, atoms = problem.size, len(problem.atoms)
    quadratic, linear = 2.0 * eps * numpy.eye(size), numpy.zeros(size)
    for k, term in enumerate(problem.soft):
        if term.kind == "squared":
            quadratic[atoms + k, atoms + k] += 2.0 * term.weight
        else:
            linear[atoms + k] = term.weight
    upper = [row for row in problem.rows] + [-row for row, low in zip(problem.rows, problem.low) if low > -numpy.inf]
    right = list(problem.high) + [-low for low in problem.low if low > -numpy.inf]
    identity = numpy.eye(size)
    upper += list(-identity) + list(identity[:atoms])
    right += [0.0] * size + [1.0] * atoms
    if fixed is not None:
        for i in numpy.flatnonzero(problem.integer):
            upper += [identity[i], -identity[i]]
            right += [fixed[i], -fixed[i]]
    try:
        result = cvxopt.solvers.qp(cvxopt.matrix(quadratic), cvxopt.matrix(linear),
                                   cvxopt.matrix(numpy.array(upper)), cvxopt.matrix(numpy.array(right)))
    except (ValueError, ArithmeticError):
        return None
    return None if result["x"] is None else numpy.array(result["x"]).ravel()


def feasible(problem, point):
    values = problem.values(point)
    return all(term.violation(values) <= 1e-7 for term in problem.hard)


def split(terms):
    """Lists of terms that share no atom with those of others."""
    parent = {}

    def root(atom):
        while parent.setdefault(atom, atom) != atom:
            atom = parent[atom]
        return atom

    for term in terms:
        first, *others = map(root, term.coefficients)
        for other in others:
            parent[root(other)] = root(first)
    parts = {}
    for term in terms:
        parts.setdefault(root(next(iter(term.coefficients))), []).append(term)
    return list(parts.values())


def solve(terms, integer_atoms):
    """An Optimum; None if the hard terms contradict each other; raises NotSolved."""
    parts = []
    for own in split(terms):
        part = solve_part(own, integer_atoms)
        if part is None:
            return None
        parts.append(part)
    values = {atom: value for part in parts for atom, value in part.values.items()}
    return Optimum(sum(part.lower for part in parts), sum(part.upper for part in parts), values, parts)


def solve_part(terms, integer_atoms):
    """Once more without HiGHS's presolve where it contradicts itself: SciPy 1.10 has a version that does, of one program
    with integer atoms in thousands."""
    problem = Problem(terms, integer_atoms)
    for presolve in (True, False):
        part = bracket(problem, presolve)
        is_absurd = part is None and not problem.hard or part is not None and \
            part.lower > part.upper + NEAR * max(1.0, abs(part.upper))
        if part is None and presolve or is_absurd:
            continue
        return part
    raise NotSolved("HiGHS contradicts itself")


def bracket(problem, presolve):
    """A Part whose bounds are near each other; None if HiGHS says that the hard terms contradict each other."""
    touching = [[0.25, 1.0] for _ in problem.squared]
    best, best_point, lower, seen = numpy.inf, None, -numpy.inf, set()
    for _ in range(ROUNDS):
        found = linear_program(problem, touching, None, presolve)
        if found is None:
            return None
        lower = max(lower, found[0])
        point = found[1]
        candidates = [point]
        if problem.integer.any():
            point[:problem.size][problem.integer == 1] = numpy.round(point[:problem.size][problem.integer == 1])
            polished = linear_program(problem, touching, point, presolve)
            candidates = [polished[1]] if polished is not None else []
        choice = tuple(numpy.flatnonzero(problem.integer * point[:problem.size] > 0.5))
        if problem.squared and choice not in seen:
            seen.add(choice)
            inner = quadratic_program(problem, point if problem.integer.any() else None)
            candidates += [inner] if inner is not None else []
        for candidate in candidates:
            if feasible(problem, candidate) and problem.cost(candidate) < best:
                best, best_point = problem.cost(candidate), candidate
        if best - lower <= CLOSE * max(1.0, abs(best)):
            return Part(problem.terms, lower, best, problem.values(best_point))
        for candidate in candidates:
            values = problem.values(candidate)
            for j, k in enumerate(problem.squared):
                touching[j].append(max(0.0, problem.soft[k].residual(values)))
    if best - lower <= NEAR * max(1.0, abs(best)):
        return Part(problem.terms, lower, best, problem.values(best_point))
    raise NotSolved(f"a gap of {best - lower:.1e} is left between {lower} and {best}")
