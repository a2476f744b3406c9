"""Rules as text, with one of the spellings that the language has, drawn at random."""
from program import And, Atom, Comparison, Forall, Iff, Implies, Not, Or, Quantified, Sum, Summed, Variable


def number(value):
    text = repr(float(value))
    return text[:-2] if text.endswith(".0") else text


class RuleWriter:
    def __init__(self, random):
        self.random = random

    def rule(self, rule):
        body = self.sum(rule.body) if isinstance(rule.body, Sum) else self.formula(rule.body)
        filters = "".join(f" {{{name}: {self.formula(condition)}}}"
                          for name, condition in (rule.body.filters if isinstance(rule.body, Sum) else ()))
        if rule.weight is None:
            return f"{body} .{filters}"
        exponent = " ^2" if rule.squared else self.random.choice(["", "", " ^1"])
        return f"{number(rule.weight)}: {body}{exponent}{filters}"

    def term(self, term):
        if isinstance(term, Variable):
            return term.name
        if isinstance(term, Summed):
            return "+" + term.name
        text = str(term).replace("\\", "\\\\")
        if self.random.random() < 0.3:
            return '"' + text.replace('"', '\\"') + '"'
        return "'" + text.replace("'", "\\'") + "'"

    def atom(self, atom):
        name = self.random.choice([atom.predicate, atom.predicate, atom.predicate.upper()])
        return f"{name}({', '.join(self.term(a) for a in atom.arguments)})"

    def comparison(self, comparison):
        spellings = {"==": ["=="], "!=": ["!=", "!=", "~=", "-"], "%": ["%", "^"]}[comparison.operator]
        return f"({self.term(comparison.left)} {self.random.choice(spellings)} {self.term(comparison.right)})"

    def formula(self, formula):
        """Without brackets around it."""
        choice = self.random.choice
        if isinstance(formula, Atom):
            return self.atom(formula)
        if isinstance(formula, Comparison):
            return self.comparison(formula)
        if isinstance(formula, Not):
            return choice("!~") + self.part(formula.operand)
        if isinstance(formula, (And, Or)):
            sign = choice([" & ", " && "] if isinstance(formula, And) else [" | ", " || "])
            return sign.join(self.part(operand) for operand in formula.operands)
        if isinstance(formula, Implies):
            body, head = self.side(formula.body), self.side(formula.head)
            if choice("yyyn") == "n" and not isinstance(formula.head, Quantified):
                return head + choice([" <- ", " << "]) + body
            return body + choice([" -> ", " >> "]) + head
        if isinstance(formula, Iff):
            return self.part(formula.left) + choice([" <-> ", " <=> "]) + self.part(formula.right)
        if isinstance(formula, Forall):
            return f"forall {formula.variable.name}: {self.formula(formula.formula)}"
        return self.quantified(formula)

    def quantified(self, formula):
        literal = ("!" if formula.negated else "") + self.atom(formula.atom)
        guards = " & ".join(self.part(guard) for guard in formula.guards)
        join = " & " if formula.kind == "exists" else " -> "
        word = self.random.choice([formula.kind, formula.kind.upper()])
        return f"{word} {formula.variable.name}: {guards + join if guards else ''}{literal}"

    def side(self, formula):
        """Of an implication: `&` and `|` bind tighter, and a quantifier may end a rule."""
        return self.formula(formula) if isinstance(formula, (And, Or, Not, Quantified)) and not has_quantifier(formula) \
            else self.part(formula)

    def part(self, formula):
        text = self.formula(formula)
        return text if isinstance(formula, (Atom, Comparison, Not)) else f"({text})"

    def sum(self, rule):
        left = self.summands(rule.left)
        if left.startswith("-"):  # it would go on with the rule before it
            left = f"({left})"
        for comparison in rule.comparisons:
            left += " + " + self.comparison(comparison)
        return f"{left} {rule.relation} {self.summands(rule.right)}"

    def summands(self, summands):
        text = ""
        for summand in summands:
            coefficient = summand.coefficient
            negative = coefficient[0] == "number" and coefficient[1] < 0 and text
            if negative:
                coefficient = ("number", -coefficient[1])
            text += (" - " if negative else " + " if text else "") + self.summand(coefficient, summand.atom)
        return text

    def summand(self, coefficient, atom):
        if atom is None:
            return self.coefficient(coefficient)
        if coefficient == ("number", 1.0) and self.random.random() < 0.8:
            return self.atom(atom)
        if coefficient[0] == "number" and coefficient[1] > 0 and self.random.random() < 0.3:
            return f"{number(coefficient[1])} {self.atom(atom)}"
        if coefficient[0] == "/" and coefficient[1] == ("number", 1.0):
            return f"{self.atom(atom)} / {self.coefficient(coefficient[2])}"
        return f"{self.coefficient(coefficient)} * {self.atom(atom)}"

    def coefficient(self, coefficient):
        operator = coefficient[0]
        if operator == "number":
            return number(coefficient[1])
        if operator == "count":
            return f"|{coefficient[1]}|"
        left, right = (self.coefficient(c) for c in coefficient[1:])
        if operator in ("max", "min"):
            opening, closing = self.random.choice(["[]", "()"])
            return f"@{operator.capitalize()}{opening}{left}, {right}{closing}"
        return f"({left} {operator} {right})"


def has_quantifier(formula):
    if isinstance(formula, (Quantified, Forall)):
        return True
    if isinstance(formula, Not):
        return has_quantifier(formula.operand)
    return isinstance(formula, (And, Or)) and any(has_quantifier(operand) for operand in formula.operands)
