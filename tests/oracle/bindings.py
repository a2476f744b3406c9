"""Ground rules by SQLite: a clause's bindings are a SELECT over one table per predicate, and what `sorites ground
--rules-out` writes must be these. Data are larger here than where all constants are tried for all variables."""
import collections
import pathlib
import random
import re
import sqlite3

from grounder import NOTHING, Unsuitable, binders_of, clauses, coefficient_value, signs, variables_of
from model_files import ModelFiles
from program import Rule, Sum, Variable
from random_program import RandomProgram

ATOM = re.compile(r"([A-Z]+)\('((?:[^'\\]|\\.)*(?:', '(?:[^'\\]|\\.)*)*)'\)")
ROWS = {1: 12, 2: 60, 3: 90}  # by arity
MOST_BINDINGS = 5000


class LargerProgram(RandomProgram):
    """Rules without sums over variables and without quantifiers, over more rows."""

    def __init__(self, seed):
        super().__init__(f"larger {seed}")
        self.texts = [f"t{i}" for i in range(15)] + ["x'y", "Zoë", "10", "9"]
        self.integers = [-3, 1, 2, 9, 10]
        self.integer, self.tables = 0.0, None

    def add_rows(self, program, predicate):
        for _ in range(ROWS[len(predicate.types)]):
            row = tuple(self.random.choice(self.pool(kind)) for kind in predicate.types)
            if program.value(predicate.name, row) is None:
                if predicate.open and self.chance(0.7):
                    program.targets[predicate.name].append(row)
                else:
                    program.observed[predicate.name][row] = self.random.choice([0.0, 1.0, 1.0, 0.5, 0.25])

    def add_rule(self, program):
        make = self.random.choice([self.implication] * 3 + [self.connectives, self.sum])
        rule = Rule(make(), 1.0 + len(program.rules), self.chance(0.5))
        rule.text = self.writer.rule(rule)
        self.tables = self.tables or Tables(program)
        try:
            count = sum(self.tables.count(query) for query in self.tables.queries(rule))
            if 0 < count <= MOST_BINDINGS and all(rule.body != other.body for other in program.rules):
                program.rules.append(rule)
        except Unsuitable:
            pass


def constant(value):
    """As SQL."""
    return str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"


class Query:
    """The bindings for which all atoms of `body` have a row, all of `binders` a target, and the comparisons are as
    said; rows of `head` are looked up."""

    def __init__(self, body, binders, head, conditions):
        self.atoms, self.num_body = body + binders + head, len(body)
        self.place, where, source, joined, columns = {}, [], ["(SELECT 1)"], [], []
        for number, atom in enumerate(body + binders):
            source.append(f'"{atom.predicate}" AS r{number}')
            for i, argument in enumerate(atom.arguments):
                if argument in self.place or not isinstance(argument, Variable):
                    where.append(f"r{number}.c{i} = {self.sql(argument)}")
                else:
                    self.place[argument] = f"r{number}.c{i}"
            if number >= len(body):
                where.append(f"r{number}.value IS NULL")
        for number, atom in enumerate(head, len(body) + len(binders)):
            matches = " AND ".join(f"r{number}.c{i} = {self.sql(a)}" for i, a in enumerate(atom.arguments))
            joined.append(f'LEFT JOIN "{atom.predicate}" AS r{number} ON {matches}')
        for comparison, wanted in conditions:
            operator = {"==": "=", "!=": "<>", "%": "<"}[comparison.operator]
            sides = comparison.left, comparison.right
            if not variables_of(sides):
                sides = map(str, sides)  # no variable tells a domain: what is quoted is text
            test = f" {operator} ".join(map(self.sql, sides))
            where.append(test if wanted else f"NOT ({test})")
        for number, atom in enumerate(self.atoms):
            columns += [f"r{number}.rowid", f"r{number}.value", *map(self.sql, atom.arguments)]
        self.columns = ", ".join(columns) or "1"
        self.tables = f"FROM {', '.join(source)} {' '.join(joined)}" + (f" WHERE {' AND '.join(where)}" if where else "")

    def sql(self, term):
        return self.place[term] if isinstance(term, Variable) else constant(term)


class Tables:
    """A program's data as tables: the arguments, and a value that targets have not."""

    def __init__(self, program):
        self.program = program
        self.database = sqlite3.connect(":memory:")
        for predicate in program.predicates.values():
            columns = "".join(f"c{i} {kind}, " for i, kind in enumerate(predicate.types))
            key = ", ".join(f"c{i}" for i in range(len(predicate.types)))
            self.database.execute(f'CREATE TABLE "{predicate.name}" ({columns} value REAL, UNIQUE ({key}))')
            marks = ", ".join("?" * (len(predicate.types) + 1))
            rows = [row + (value,) for row, value in program.observed[predicate.name].items()]
            rows += [row + (None,) for row in program.targets[predicate.name]]
            self.database.executemany(f'INSERT INTO "{predicate.name}" VALUES ({marks})', rows)

    def queries(self, rule):
        """One per clause, or one for a sum."""
        if isinstance(rule.body, Sum):
            atoms = [s.atom for s in rule.body.left + rule.body.right if s.atom]
            bound = set().union(*(variables_of(atom.arguments) for atom in atoms))
            if not all(variables_of((c.left, c.right)) <= bound for c in rule.body.comparisons):
                raise Unsuitable("a variable is bound by no atom")
            return [Query(atoms, [], [], [(c, True) for c in rule.body.comparisons])]
        found, universal = clauses(rule.body)
        return [self.clause_query(clause, universal) for clause in found]

    def clause_query(self, clause, universal):
        _, binders = binders_of(clause, universal, self.program.predicates)
        atoms = sorted(((what, negated) for kind, what, negated in clause if kind == "atom"), key=repr)
        body = [what for what, negated in atoms if negated]
        head = [what for what, negated in atoms if not negated and what not in binders]
        conditions = [(what, negated) for kind, what, negated in clause if kind == "comparison"]
        return Query(body, binders, head, conditions)

    def count(self, query):
        return self.database.execute(f"SELECT count(*) {query.tables}").fetchone()[0]

    def rows(self, query):
        """Per binding, a list of ((predicate, arguments...), its value, "target" or None), in the order of query.atoms."""
        for row in self.database.execute(f"SELECT {query.columns} {query.tables}"):
            position, atoms = 0, []
            for atom in query.atoms:
                there, value, *arguments = row[position:position + 2 + len(atom.arguments)]
                atoms.append(((atom.predicate, *arguments),
                              None if there is None else "target" if value is None else value))
                position += 2 + len(atom.arguments)
            yield atoms

    def ground_rules(self, rule):
        """A counter of what the rule says of targets: (relation, offset, ((atom, coefficient), ...)). Ground rules
        that cannot be violated, or need an atom that nobody listed, are left out."""
        found = collections.Counter()
        for query in self.queries(rule):
            if isinstance(rule.body, Sum):
                factors = [sign * coefficient_value(s.coefficient, {}) for summands, sign in
                           ((rule.body.left, 1.0), (rule.body.right, -1.0)) for s in summands if s.atom]
                start = sum(sign * coefficient_value(s.coefficient, {}) for summands, sign in
                            ((rule.body.left, 1.0), (rule.body.right, -1.0)) for s in summands if not s.atom)
                relation = rule.body.relation
            else:
                negated = query.num_body
                factors = [1.0] * negated + [-1.0] * (len(query.atoms) - negated)
                start, relation = 1.0 - negated, "<="
            for atoms in self.rows(query):
                if any(value is None and self.program.predicates[atom[0]].open for atom, value in atoms):
                    continue
                found.update(ground_rule(zip(atoms, factors), start, relation))
        return found


def ground_rule(parts, offset, relation):
    """[it], or [] if nothing can violate it."""
    coefficients = {}
    for (atom, value), factor in parts:
        if value == "target":
            coefficients[atom] = coefficients.get(atom, 0.0) + factor
        else:
            offset += factor * (value or 0.0)
    coefficients = {atom: c for atom, c in coefficients.items() if abs(c) > 1e-12}
    largest = [sign * offset + sum(max(0.0, sign * c) for c in coefficients.values())
               for sign in signs(["<=", ">="] if relation == "=" else [relation])]
    if not coefficients or max(largest) <= NOTHING:
        return []
    key = tuple(sorted(((atom, round(c, 9)) for atom, c in coefficients.items()), key=repr))
    return [(relation, round(offset, 9) + 0.0, key)]


def read_line(program, text):
    """A line of --rules-out in the form of ground_rule(), with observed atoms put in."""
    names = {name.upper(): predicate for name, predicate in program.predicates.items()}
    parts, offset, relation = [], 0.0, "<="
    for match in ATOM.finditer(text):
        predicate = names[match[1]]
        arguments = re.split(r"(?<!\\)', '", match[2])
        # A constant that no data has may be left out of the text: no row has it either.
        arguments = tuple(int(a or 77) if kind == "integer" else re.sub(r"\\(.)", r"\1", a)
                          for a, kind in zip(arguments, predicate.types))
        before = text[:match.start()]
        if text.startswith("( "):
            factor = 1.0 if before.endswith("~( ") else -1.0
            offset -= factor > 0
        else:
            factor = float(before.split()[-2])
        parts.append((((predicate.name, *arguments), program.value(predicate.name, arguments)), factor))
    if text.startswith("( "):
        offset += 1.0
    else:
        *_, relation, right = ATOM.sub("", text).split()
        offset = -float(right)
    return ground_rule(parts, offset, relation)


def examine(seed, sorites, folder):
    """Complaints about what `sorites ground` makes of a random program."""
    folder = pathlib.Path(folder)
    program = LargerProgram(seed).make()
    model = ModelFiles(program, folder, random.Random(f"bindings {seed}")).write()
    written = folder / "ground.tsv"
    code, document = sorites(["ground", *model, "--json", "--on-missing-target", "skip", "--rules-out", str(written)])
    if code != 0:
        return [f"exit code {code}: {document}"]
    largest = max(rule.weight for rule in program.rules)
    lines = collections.defaultdict(collections.Counter)
    for line in written.read_text(encoding="utf-8").splitlines()[1:]:
        weight, squared, text = line.split("\t")
        number = round(float(weight) * largest) - 1  # weights are 1, 2, 3, ...
        if (squared == "true") != program.rules[number].squared:
            return [f"`{line}` has the wrong exponent"]
        lines[number].update(read_line(program, text))
    tables, found = Tables(program), []
    for number, rule in enumerate(program.rules):
        expected = tables.ground_rules(rule)
        for what, difference in (("missing", expected - lines[number]), ("too many", lines[number] - expected)):
            for ground in list(difference)[:3]:
                found.append(f"{what}: {ground} of rule {number + 1}, {rule.text}")
    return found
