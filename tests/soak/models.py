"""Models for the trials: small ones that start quickly, and one large enough to be hit while it works."""
import gzip
import json
import pathlib
import random
import shutil
import struct


def friends(folder, people, seed=1, packed=False):
    """Who smokes, given who are friends: learning and inference. Returns the path of the model file."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(seed)
    ending = ".tsv.gz" if packed else ".tsv"

    def write(name, lines):
        data = "".join(line + "\n" for line in lines).encode()
        (folder / (name + ending)).write_bytes(gzip.compress(data) if packed else data)
        return name + ending

    def phase(name):
        names = [f"{name}{i}" for i in range(people)]
        truth = {person: rng.random() < 0.5 for person in names}
        pairs = {(rng.choice(names), rng.choice(names)) for _ in range(4 * people)}
        asked = [person for i, person in enumerate(names) if i % 4 != 0]
        return {"friends": write(f"{name}_friends", ["\t".join(pair) for pair in sorted(pairs)]),
                "known": write(f"{name}_known", [f"{p}\t{float(truth[p])}" for i, p in enumerate(names) if i % 4 == 0]),
                "targets": write(f"{name}_targets", asked),
                "truth": write(f"{name}_truth", [f"{p}\t{float(truth[p])}" for p in asked])}

    files = {name: phase(name) for name in ("learn", "infer")}

    def both(key):
        return {name: [files[name][key]] for name in files}

    model = {"predicates": {"Friend/2": {"observations": both("friends")},
                            "Smokes/1": {"observations": both("known"), "targets": both("targets"),
                                         "truth": both("truth"), "evaluations": ["DiscreteEvaluator"]}},
             "rules": ["2: Friend(A, B) & Smokes(A) -> Smokes(B) ^2", "1: Friend(A, B) & Smokes(B) -> Smokes(A)",
                       "1: Friend(A, B) & Friend(B, C) & Smokes(A) -> Smokes(C) ^2", "1: !Smokes(A) ^2",
                       "Friend(A, B) & Friend(B, A) & Smokes(A) -> Smokes(B) ."]}
    path = folder / "model.json"
    path.write_text(json.dumps(model, indent=1))
    return path


def scripted(folder):
    """A network of TorchScript, layers.pt: four features, 128 neurons, two classes. torch.jit.script wrote it, of
    `return torch.matmul(torch.tanh(torch.matmul(x, self.first)), self.second)`."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    rows, rng = 20, random.Random(3)
    shutil.copy(pathlib.Path(__file__).resolve().parent / "layers.pt", folder)
    head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, 4), }}".ljust(117) + "\n"
    (folder / "features.npy").write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode()
                                          + struct.pack(f"<{4 * rows}f", *(rng.uniform(-1, 1) for _ in range(4 * rows))))
    (folder / "entities.tsv").write_text("".join(f"e{i}\t{i}\n" for i in range(rows)))
    options = {"network": "torchscript", "module": "layers.pt", "features": "features.npy", "entities": "entities.tsv",
               "class-size": 2}
    model = {"predicates": {"Side/2": {"type": "DeepPredicate", "options": options},
                            "Left/1": {"targets": [[f"e{i}"] for i in range(rows)]}},
             "rules": ["1: Side(A, '0') = Left(A) ^2", "0.5: !Left(A)"]}
    (folder / "model.json").write_text(json.dumps(model))
    return folder / "model.json"


def example(name, folder):
    """A copy of a folder of examples/."""
    source = pathlib.Path(__file__).resolve().parents[2] / "examples" / name
    target = pathlib.Path(folder) / name
    shutil.copytree(source, target, dirs_exist_ok=True)
    return target
