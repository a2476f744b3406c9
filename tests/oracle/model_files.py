"""Writes a program as files that sorites reads: JSON or YAML with rows or data files, or rules and data apart."""
import csv
import gzip
import io
import json
import pathlib

from rule_text import number

TYPES = {"text": ["UniqueStringID", "String"], "integer": ["UniqueIntID", "Integer", "Long"]}


class ModelFiles:
    def __init__(self, program, folder, random):
        self.program, self.random = program, random
        self.folder = pathlib.Path(folder)

    def write(self):
        """The arguments of the command line that name the model."""
        integer = any(predicate.integer for predicate in self.program.predicates.values())
        if not integer and self.random.random() < 0.25:  # the older form has no options of predicates
            return self.write_apart()
        predicates = {f"{p.name}/{len(p.types)}": self.predicate(p) for p in self.program.predicates.values()}
        document = {"predicates": predicates, "rules": [rule.text for rule in self.program.rules]}
        # JSON is YAML, too.
        name = self.random.choice(["model.json", "model.json", "model.yaml"])
        text = json.dumps(document, indent=self.random.choice([None, 1]), ensure_ascii=False)
        (self.folder / name).write_text(text, encoding="utf-8")
        return [str(self.folder / name)]

    def predicate(self, predicate):
        value = {"types": [self.random.choice(TYPES[kind]) for kind in predicate.types]}
        if predicate.integer:
            value["options"] = {"integer": True}
        observed = [list(row) + [truth] for row, truth in self.program.observed[predicate.name].items()]
        targets = [list(row) for row in self.program.targets[predicate.name]]
        for partition, rows in (("observations", observed), ("targets", targets)):
            if rows:
                value[partition] = self.rows(f"{predicate.name}_{partition}", rows)
        if predicate.open and not targets:
            value["force-open"] = True
        return value

    def rows(self, name, rows):
        """Rows in the model file, in a file, or some here and some there."""
        cut = self.random.choice([0, 0, len(rows), len(rows) // 2])
        listed = [[a if isinstance(a, float) else str(a) for a in row] for row in rows[:cut]]
        return listed + ([self.data_file(name, rows[cut:])] if rows[cut:] else [])

    def data_file(self, name, rows):
        cells = [[number(a) if isinstance(a, float) else str(a) for a in row] for row in rows]
        ending = self.random.choice(["tsv", "txt", "csv", "tsv.gz", "csv.gz"])
        if "csv" in ending:
            out = io.StringIO()
            csv.writer(out, lineterminator="\n").writerows(cells)
            data = out.getvalue().encode()
        else:
            data = "".join("\t".join(row) + "\n" for row in cells).encode()
        path = self.folder / f"{name}.{ending}"
        path.write_bytes(gzip.compress(data, 1) if ending.endswith("gz") else data)
        return path.name

    def write_apart(self):
        """Rules in one file, predicates and data in another."""
        document = {"predicates": {}, "observations": {}, "targets": {}}
        for predicate in self.program.predicates.values():
            targets = [list(row) for row in self.program.targets[predicate.name]]
            observed = [list(row) + [truth] for row, truth in self.program.observed[predicate.name].items()]
            types = [self.random.choice(TYPES[kind]) for kind in predicate.types]
            document["predicates"][f"{predicate.name}/{len(types)}"] = \
                ["open" if predicate.open else "closed", {"types": types}]
            for partition, rows in (("observations", observed), ("targets", targets)):
                if rows:
                    document[partition][predicate.name] = self.data_file(f"{predicate.name}_{partition}", rows)
        (self.folder / "model.data").write_text(json.dumps(document), encoding="utf-8")
        (self.folder / "model.psl").write_text("\n".join(r.text for r in self.program.rules) + "\n", encoding="utf-8")
        return [str(self.folder / "model.psl"), "--data", str(self.folder / "model.data")]
