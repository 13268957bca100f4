#!/usr/bin/env python3
"""Measure a model: `evaluate.py DATA.npz MODEL.bin`. What is measured is in README.md."""
import collections
import json
import math
import sys

import numpy

try:
    import snowballstemmer
except ImportError:
    snowballstemmer = None


class Data:
    """What `pack.py` has written."""

    def __init__(self, path):
        given = numpy.load(path)
        self.tokens, self.counts = given["tokens"], given["counts"]
        self.lengths, self.sides = given["lengths"].astype(numpy.int64), given["sides"]
        self.starts = numpy.cumsum(self.lengths) - self.lengths
        self.pairs, self.frequency = given["pairs"].astype(numpy.int64), given["frequency"]
        self.vocabulary = given["vocabulary"].tobytes().decode().split("\n")
        self.tests = json.loads(given["tests"].tobytes().decode())
        self.lexical = {}
        # What the lexical baseline takes for the same word.
        self.stems = numpy.arange(len(self.vocabulary))
        if snowballstemmer:
            stems = {}
            found = snowballstemmer.stemmer("english").stemWords(self.vocabulary)
            self.stems = numpy.array([stems.setdefault(stem, len(stems)) for stem in found])

    def bag(self, at):
        place = slice(self.starts[at], self.starts[at] + self.lengths[at])
        return self.tokens[place], self.counts[place]


def bm25(data, queries, documents):
    """Lexical scores do not change while models are compared."""
    key = (queries[0], len(queries), documents[0], len(documents))
    if key not in data.lexical:
        data.lexical[key] = bm25_scores(data, queries, documents).astype(numpy.float32)
    return data.lexical[key]


def bm25_scores(data, queries, documents, k1=1.2, b=.75):
    """Scores of every document for every query; what is in the head counts three times."""
    postings = collections.defaultdict(list)
    lengths = numpy.zeros(len(documents))
    for at, document in enumerate(documents):
        tokens, counts = data.bag(document)
        times = (counts & 127).astype(float) + 2. * (counts >> 7)
        lengths[at] = times.sum()
        stems = data.stems[tokens]
        different, place = numpy.unique(stems, return_inverse=True)
        for token, time in zip(different.tolist(), numpy.bincount(place, times)):
            postings[token].append((at, time))
    norm = k1 * (1 - b + b * lengths / max(lengths.mean(), 1))
    scores = numpy.zeros((len(queries), len(documents)))
    for row, query in enumerate(queries):
        tokens, _ = data.bag(query)
        for token in set(data.stems[tokens].tolist()):
            found = postings.get(token)
            if found:
                at = numpy.array([place for place, _ in found])
                time = numpy.array([time for _, time in found])
                idf = math.log(1 + (len(documents) - len(found) + .5) / (len(found) + .5))
                scores[row, at] += idf * time * (k1 + 1) / (time + norm[at])
    return scores


def normalised(scores):
    low, high = scores.min(1, keepdims=True), scores.max(1, keepdims=True)
    return (scores - low) / numpy.maximum(high - low, 1e-9)


def ranks(scores, right):
    """Ties count against us by half."""
    mine = scores[numpy.arange(len(right)), right][:, None]
    return 1 + (scores > mine).sum(1) + ((scores == mine).sum(1) - 1) / 2


def reciprocal(rank):
    return numpy.where(rank <= 10, 1 / rank, 0.)


def functions(data, vectors, weight=.2):
    """A sentence of documentation -> its function, among those of the package."""
    rows = []
    for test in data.tests["tests"]:
        if len(test["queries"]) < 10:
            continue
        queries = [query[0] for query in test["queries"]]
        right = numpy.array([query[1] for query in test["queries"]])
        hard = numpy.array([query[2] for query in test["queries"]])
        lexical = bm25(data, queries, test["functions"])
        dense = vectors(queries) @ vectors(test["functions"]).T
        both = weight * normalised(lexical) + (1 - weight) * normalised(dense)
        rows.append((test["name"], test["lang"], len(queries), [reciprocal(ranks(scores, right)) for scores in (lexical, dense, both)], hard))
    return rows


def ndcg(order, targets, k=10):
    got = sum(1 / math.log2(place + 2) for place, file in enumerate(order[:k]) if file in targets)
    return got / sum(1 / math.log2(place + 2) for place in range(min(k, len(targets))))


def search(data, vectors, which=1, weight=.2):
    """Questions about repositories -> files, each as good as its best chunk; `which` 2: with the path's words in the head."""
    results = collections.defaultdict(lambda: collections.defaultdict(list))
    for repo in data.tests["search"]:
        files = numpy.array([chunk[0] for chunk in repo["chunks"]])
        documents = [chunk[which] for chunk in repo["chunks"]]
        queries = [query[0] for query in repo["queries"]]
        lexical = bm25(data, queries, documents)
        dense = vectors(queries) @ vectors(documents).T
        both = weight * normalised(lexical) + (1 - weight) * normalised(dense)
        for name, scores in (("bm25", lexical), ("dense", dense), ("both", both)):
            best = numpy.full((len(queries), repo["n_files"]), -9.)
            for row in range(len(queries)):
                numpy.maximum.at(best[row], files, scores[row])
            for row, (_, category, targets) in enumerate(repo["queries"]):
                order = numpy.argsort(-best[row], kind="stable")[:10].tolist()
                results[name][category].append((repo["repo"], ndcg(order, set(targets))))
    return results


def by_repository(pairs):
    of = collections.defaultdict(list)
    for repo, value in pairs:
        of[repo].append(value)
    return float(numpy.mean([numpy.mean(values) for values in of.values()])) if of else float("nan")


def twins(data, vectors):
    """A function -> its namesake in another package, names masked."""
    if not data.tests["twins"]:
        return float("nan"), float("nan")
    one, two = (vectors([twin[side] for twin in data.tests["twins"]]) for side in (0, 1))
    lexical = bm25(data, [twin[0] for twin in data.tests["twins"]], [twin[1] for twin in data.tests["twins"]])
    right = numpy.arange(len(one))
    return float(reciprocal(ranks(one @ two.T, right)).mean()), float(reciprocal(ranks(lexical, right)).mean())


def report(data, vectors, details=False):
    """All of it, as one flat dictionary."""
    found = {}
    rows = functions(data, vectors)
    for at, name in enumerate(("bm25", "dense", "both")):
        found[f"mrr_{name}"] = float(numpy.mean([row[3][at].mean() for row in rows]))
        found[f"hard_{name}"] = float(numpy.concatenate([row[3][at][row[4]] for row in rows]).mean())
    languages = collections.defaultdict(list)
    for row in rows:
        languages[row[1]].append([scores.mean() for scores in row[3]])
    if details:
        found["packages"] = {row[0]: [row[1], row[2]] + [round(float(scores.mean()), 3) for scores in row[3]] for row in rows}
        found["languages"] = {lang: [round(float(x), 3) for x in numpy.mean(values, 0)] for lang, values in sorted(languages.items())}
    found["twins"], found["twins_bm25"] = twins(data, vectors)
    for which, suffix in ((1, ""), (2, "_path")):
        for name, categories in search(data, vectors, which).items():
            for category, pairs in sorted(categories.items()):
                found[f"{name}_{category}{suffix}"] = float(numpy.mean([value for _, value in pairs]))
            found[f"{name}_all{suffix}"] = by_repository([pair for pairs in categories.values() for pair in pairs])
    return found


def main():
    from export import read_model, encoder_of
    data = Data(sys.argv[1])
    model = read_model(sys.argv[2])
    assert model["vocabulary"] == data.vocabulary, "packed with another vocabulary"
    print(json.dumps(report(data, encoder_of(model, data), details=True), indent=1))


if __name__ == "__main__":
    main()
