#!/usr/bin/env python3
"""Makes pages of tokens in blocks, each a folder of Markov logic (docs/markov-logic.md).

A page has blocks of lines of tokens. A network that looks at two tokens would tell whether they belong to one block, and be less
sure the farther they are apart; here its scores are drawn: log-odds with noise, in the file `unaries`. The rules say that
belonging together is symmetric and transitive.
"""
import argparse
import math
import pathlib
import random

RULES = """{symmetry} coexist(a, b) => coexist(b, a)
{transitivity} coexist(a, b) ^ coexist(b, c) => coexist(a, c)
"""


def draw_page(rng, num_blocks):
    """Tokens as (block, x, y): columns of blocks, blocks of lines, lines of tokens."""
    tokens, x, y = [], 0, 0
    for block in range(num_blocks):
        lines, width = rng.randint(1, 4), rng.randint(2, 6)
        if y + lines > 14:
            x, y = x + 8, 0
        for line in range(lines):
            length = width if line + 1 < lines else rng.randint(1, width)
            tokens += [(block, x + column, y + line) for column in range(length)]
        y += lines + 1
    return tokens


def draw_score(rng, one, other, noise):
    """Log-odds that two tokens belong together."""
    distance = math.hypot(one[1] - other[1], one[2] - other[2])
    near = math.exp(-distance / 4)
    mean = 3.0 * near - 0.2 if one[0] == other[0] else -1.6 + 1.0 * near
    return rng.gauss(mean, noise)


def write_page(folder, tokens, noise, weights, rng):
    folder.mkdir(parents=True, exist_ok=True)
    names = [f"T{i}" for i in range(len(tokens))]
    pairs = [(i, j) for i in range(len(tokens)) for j in range(len(tokens))]
    (folder / "predicates").write_text("coexist(token, token)\n")
    (folder / "rules").write_text(RULES.format(symmetry=weights[0], transitivity=weights[1]))
    (folder / "facts").write_text("".join(f"coexist({name}, {name})\n" for name in names))
    apart = [(i, j) for i, j in pairs if i != j]
    sign = {pair: "" if tokens[pair[0]][0] == tokens[pair[1]][0] else "!" for pair in apart}
    (folder / "queries").write_text("".join(f"{sign[i, j]}coexist({names[i]}, {names[j]})\n" for i, j in apart))
    scores = ((i, j, draw_score(rng, tokens[i], tokens[j], noise)) for i, j in apart)
    (folder / "unaries").write_text("".join(f"coexist({names[i]}, {names[j]}) {score:.3f}\n" for i, j, score in scores))


def make_pages(folder, count, seed, num_blocks=10, noise=1.5, weights=(1.0, 0.3)):
    """Writes `count` pages, folder/page0 and so on; returns their folders."""
    folders = []
    for page in range(count):
        rng = random.Random(f"{seed} {page}")
        folders.append(pathlib.Path(folder) / f"page{page}")
        write_page(folders[-1], draw_page(rng, num_blocks), noise, weights, rng)
    return folders


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", help="where the pages go")
    parser.add_argument("--pages", type=int, default=1, metavar="N", help="how many (default: 1)")
    parser.add_argument("--blocks", type=int, default=10, metavar="N", help="blocks on a page (default: 10)")
    parser.add_argument("--noise", type=float, default=1.5, metavar="X", help="deviation of the scores (default: 1.5)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the random numbers (default: 0)")
    arguments = parser.parse_args()
    for folder in make_pages(arguments.folder, arguments.pages, arguments.seed, arguments.blocks, arguments.noise):
        print(folder)


if __name__ == "__main__":
    main()
