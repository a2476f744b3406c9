"""What tests share: the program of the command line and a small model in both its forms."""

import json
import os
import pathlib
import subprocess

import pytest

import sorites as so
from sorites._library import library_path

RULES = """20: Lived(A, L) & Lived(B, L) & (A != B) -> Knows(A, B) ^2
 5: Likes(A, X) & Likes(B, X) & (A != B) -> Knows(A, B) ^2
 8: Knows(A, B) & Knows(B, C) & (A != C) -> Knows(A, C)
 2: !Knows(A, B)"""
PEOPLE = ["ann", "bob", "cid", "dee"]
LIVED = [("ann", "oslo"), ("bob", "oslo"), ("cid", "rome"), ("dee", "rome"), ("bob", "rome")]
LIKES = [("ann", "tea", 0.7), ("cid", "tea", 1.0), ("dee", "chess", 0.4), ("bob", "chess", 0.9)]
PAIRS = [(a, b) for a in PEOPLE for b in PEOPLE if a != b]
TRUTH = [(a, b, float((a, b) in {("ann", "bob"), ("bob", "ann"), ("cid", "dee"), ("dee", "cid")}))
         for a, b in PAIRS]


def program():
    """The program that came with the library, or one that SORITES_PROGRAM names."""
    return os.environ.get("SORITES_PROGRAM") or str(library_path().parent / "sorites")


def run(*arguments, check=True):
    """What the command line says: the JSON document of a command."""
    done = subprocess.run([program(), *map(str, arguments)], capture_output=True, text=True, check=False)
    if check and done.returncode not in (0, 1):
        raise AssertionError(f"{arguments}: {done.stderr}")
    return json.loads(done.stdout) if "--json" in arguments else done


@pytest.fixture
def model():
    m = so.Model(RULES).declare("Knows", evaluations=["DiscreteEvaluator", "AUCEvaluator"])
    m.observe("Lived", LIVED).observe("Likes", LIKES)
    return m.target("Knows", PAIRS).truth("Knows", TRUTH)


@pytest.fixture
def model_file(tmp_path):
    """The same as a model file, with its data in files."""
    for name, rows in {"lived": LIVED, "likes": LIKES, "pairs": PAIRS, "truth": TRUTH}.items():
        (tmp_path / f"{name}.tsv").write_text("".join("\t".join(map(str, row)) + "\n" for row in rows))
    (tmp_path / "model.json").write_text(json.dumps({
        "predicates": {
            "Lived/2": {"observations": ["lived.tsv"]},
            "Likes/2": {"observations": ["likes.tsv"]},
            "Knows/2": {"targets": ["pairs.tsv"], "truth": ["truth.tsv"],
                        "evaluations": ["DiscreteEvaluator", "AUCEvaluator"]},
        },
        "rules": [line.strip() for line in RULES.splitlines()],
    }))
    return tmp_path / "model.json"


@pytest.fixture
def sources():
    """The folder of the sources, for examples; tests that need it are skipped without."""
    folder = os.environ.get("SORITES_SOURCES")
    if not folder:
        pytest.skip("SORITES_SOURCES does not name the sources")
    return pathlib.Path(folder)


def values_by_atom(result, predicate):
    """(arguments) -> value."""
    columns = list(result.columns(predicate).values())
    return {row[:-1]: row[-1] for row in zip(*[column.tolist() for column in columns])}
