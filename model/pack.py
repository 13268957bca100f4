#!/usr/bin/env python3
"""Choose the vocabulary and turn words into token ids: `pack.py DIR [--words N] [--pieces N]`: DIR/words.npz to DIR/data.npz."""
import argparse
import collections
import json
import os

import numpy

from text import LONGEST_PIECE, Tokenizer


def pieces_of(counts, n):
    """The most useful beginnings, middles and ends of words that have no entry of their own; all pairs of letters first."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    chosen = {a + b: 0 for a in letters for b in letters}
    found = collections.Counter()
    for word, count in counts.items():
        for length in range(2, LONGEST_PIECE + 1):
            for at in range(len(word) - length + 1):
                found[word[at:at + length]] += count * (length - 1)
    for piece, _ in sorted(found.items(), key=lambda item: (-item[1], item[0])):
        if len(chosen) >= n:
            break
        chosen[piece] = 0
    return list(chosen)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dir")
    parser.add_argument("--words", type=int, default=40000)
    parser.add_argument("--pieces", type=int, default=8000)
    parser.add_argument("--out", default="data.npz")
    parser.add_argument("--vocabulary", help="take that of this data.npz")
    args = parser.parse_args()
    given = numpy.load(os.path.join(args.dir, "words.npz"))
    words = open(os.path.join(args.dir, "words.txt"), encoding="utf-8").read().split("\n")[:-1]
    tests = json.load(open(os.path.join(args.dir, "tests.json")))
    bags = ids, counts, ends, sides, pairs = [given[name] for name in ("ids", "counts", "ends", "sides", "pairs")]
    starts = numpy.concatenate([[0], ends[:-1]]).astype(numpy.int64)
    lengths = ends.astype(numpy.int64) - starts

    trained = numpy.unique(pairs[:, 2:])
    is_trained = numpy.zeros(len(ends), bool)
    is_trained[trained] = True
    frequency = numpy.bincount(ids[numpy.repeat(is_trained, lengths)], minlength=len(words))
    order = numpy.argsort(-frequency, kind="stable")
    if args.vocabulary:
        return pack(args, numpy.load(args.vocabulary)["vocabulary"].tobytes().decode().split("\n"), words, tests, is_trained, *bags)
    chosen = [at for at in order[:args.words] if frequency[at] >= 3]
    rare = {words[at]: int(frequency[at]) for at in order[len(chosen):len(chosen) + 400_000] if frequency[at] and words[at].isalpha()}
    vocabulary = [words[at] for at in chosen] + ["##" + piece for piece in pieces_of(rare, args.pieces)]
    print(len(chosen), "words, the rarest", words[chosen[-1]], frequency[chosen[-1]], "times;", len(vocabulary), "entries")
    pack(args, vocabulary, words, tests, is_trained, *bags)


def pack(args, vocabulary, words, tests, is_trained, ids, counts, ends, sides, pairs):
    lengths = numpy.diff(ends.astype(numpy.int64), prepend=0)
    tokenizer = Tokenizer(vocabulary)
    tokens_of = [tokenizer.of_word(word) for word in words]
    n_tokens = numpy.array([len(tokens) for tokens in tokens_of])
    first = numpy.concatenate([[0], numpy.cumsum(n_tokens)])
    flat = numpy.array([token for tokens in tokens_of for token in tokens], numpy.int64)

    # Only what is trained or tested with.
    used = is_trained.copy()
    for test in tests["tests"]:
        used[[query[0] for query in test["queries"]]] = True
        used[test["functions"]] = True
    used[[bag for twin in tests["twins"] for bag in twin]] = True
    for repo in tests["search"]:
        used[[bag for chunk in repo["chunks"] for bag in chunk[1:]]] = True
        used[[query[0] for query in repo["queries"]]] = True
    place = numpy.cumsum(used) - 1
    keep = numpy.repeat(used, lengths)
    bag = numpy.repeat(place, lengths)[keep]
    word, count = ids[keep].astype(numpy.int64), counts[keep]
    n = n_tokens[word]
    bag, count = numpy.repeat(bag, n), numpy.repeat(count, n)
    within = numpy.arange(n.sum()) - numpy.repeat(numpy.cumsum(n) - n, n)
    token = flat[numpy.repeat(first[word], n) + within]
    # Pieces of two words may be the same token.
    key = bag * 65536 + token
    order = numpy.argsort(key, kind="stable")
    key, count = key[order], count[order]
    begins = numpy.flatnonzero(numpy.concatenate([[True], key[1:] != key[:-1]]))
    total = numpy.minimum(numpy.add.reduceat((count & 127).astype(numpy.int64), begins), 127)
    head = numpy.maximum.reduceat(count & 128, begins)
    key = key[begins]
    bag, token = key // 65536, (key % 65536).astype(numpy.uint16)
    bag_lengths = numpy.bincount(bag, minlength=int(used.sum())).astype(numpy.uint16)

    for test in tests["tests"]:
        test["queries"] = [[int(place[query[0]])] + query[1:] for query in test["queries"]]
        test["functions"] = place[test["functions"]].tolist()
    tests["twins"] = [[int(place[a]), int(place[b])] for a, b in tests["twins"]]
    for repo in tests["search"]:
        repo["chunks"] = [[file, int(place[a]), int(place[b])] for file, a, b in repo["chunks"]]
        repo["queries"] = [[int(place[query[0]])] + query[1:] for query in repo["queries"]]
    packed = pairs.copy()
    packed[:, 2:] = place[pairs[:, 2:].astype(numpy.int64)]
    numpy.savez(os.path.join(args.dir, args.out), tokens=token, counts=(total | head).astype(numpy.uint8), lengths=bag_lengths,
                sides=sides[used], pairs=packed, frequency=numpy.bincount(token[numpy.repeat(is_trained[used], bag_lengths)], minlength=len(vocabulary)),
                vocabulary=numpy.frombuffer("\n".join(vocabulary).encode(), numpy.uint8), tests=numpy.frombuffer(json.dumps(tests).encode(), numpy.uint8))
    print(len(packed), "pairs,", len(bag_lengths), "texts,", len(token), "tokens")


if __name__ == "__main__":
    main()
