#!/usr/bin/env python3
"""Makes the data of this example: papers with words and topics, and links between them.

    examples/citation/make_data.py [FOLDER]      writes FOLDER/data (default: beside this file)

The papers are made up: each has some words of its topic, some of other topics, and mostly cites papers of its own topic.
`write` writes papers of any origin in the same form.
"""
import pathlib
import random
import struct
import sys

TOPICS, PAPERS, WORDS, LABELS_PER_TOPIC = 4, 300, 80, 5


def write(folder, words, num_words, topics, links, split):
    """Writes the files that model.json names.

    words: per paper, the numbers of its words. topics: per paper, from 0; None if it has none. links: pairs of papers.
    split: per paper, "train", "val", "test" or anything else.
    """
    data = pathlib.Path(folder) / "data"
    data.mkdir(parents=True, exist_ok=True)
    write_array(data / "words.npy", words, num_words)
    lines(data / "links.tsv", links)
    count = max(topic for topic in topics if topic is not None) + 1
    for name, part in (("labels", "train"), ("validation", "val"), ("test", "test")):
        chosen = [paper for paper, topic in enumerate(topics) if split[paper] == part and topic is not None]
        lines(data / f"{name}.tsv", [(p, t, int(topics[p] == t)) for p in chosen for t in range(count)])
    papers = range(len(words))
    lines(data / "targets_learn.tsv", [(p, t) for p in papers for t in range(count)])
    lines(data / "targets.tsv", [(p, t) for p in papers if split[p] != "train" for t in range(count)])


def lines(path, rows):
    path.write_text("".join("\t".join(map(str, row)) + "\n" for row in rows))


def write_array(path, words, num_words):
    """A NumPy array of bytes: 1 where a paper (row) has a word (column)."""
    header = f"{{'descr': '|u1', 'fortran_order': False, 'shape': ({len(words)}, {num_words}), }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    with path.open("wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        for row in words:
            cells = bytearray(num_words)
            for word in row:
                cells[word] = 1
            file.write(cells)


def make_papers(seed=1):
    rng = random.Random(seed)
    topics = [paper % TOPICS for paper in range(PAPERS)]
    rng.shuffle(topics)
    own = WORDS // TOPICS
    words = []
    for topic in topics:
        from_topic = [topic * own + rng.randrange(own) for _ in range(4)]
        words.append(sorted({*from_topic, *(rng.randrange(WORDS) for _ in range(8))}))
    links = set()
    while len(links) < 2 * PAPERS:
        paper, other = rng.randrange(PAPERS), rng.randrange(PAPERS)
        if paper < other and (topics[paper] == topics[other] or rng.random() < 0.1):
            links.add((paper, other))
    split = split_of(topics, rng)
    return words, topics, sorted(links), split


def split_of(topics, rng):
    """Some labelled papers of each topic, the rest by halves to validate and to test."""
    split = ["val" if rng.random() < 0.5 else "test" for _ in topics]
    for topic in range(max(topics) + 1):
        members = [paper for paper, t in enumerate(topics) if t == topic]
        for paper in rng.sample(members, LABELS_PER_TOPIC):
            split[paper] = "train"
    return split


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent
    words, topics, links, split = make_papers()
    write(folder, words, WORDS, topics, links, split)
    print(f"{folder / 'data'}: {len(words)} papers, {len(links)} links, {split.count('train')} labels")


if __name__ == "__main__":
    main()
