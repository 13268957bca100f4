#!/usr/bin/env python3
"""Train the table: `train.py DATA.npz OUT [NAME=VALUE ...] [-- NAME=VALUE ... ]`, several settings one after the other.

Symmetric InfoNCE over batches that are made of groups from one package each, so that a batch has its hard negatives in
itself. Prints the scores of each setting as a line of JSON and writes OUT/NAME.npz for those that have a `name`.
"""
import json
import os
import sys
import time

import numpy
import torch
import torch.nn.functional as F

from evaluate import Data, report

GENRES = ["doc", "paragraph", "question", "masked", "name", "test", "file", "chunk", "halves", "readme", "twin", "joined"]
DEFAULT = dict(name="", seed=1, soup=4, dim=256, epochs=3, batch=4096, group=512, lr=2e-3, warm=.02, decay=0., average=0.,
               dropout=.05, query_dropout=.05, smoothing=.1, start=.15, a=3e-2, sigma=.5, share=1.,
               doc=1., paragraph=.5, question=.7, masked=.15, name_=.3, test=1., file=1., chunk=1., halves=.8, readme=1., twin=1., joined=.7)


class Table(torch.nn.Module):
    def __init__(self, config, frequency):
        super().__init__()
        n = len(frequency)
        self.rows = torch.nn.Parameter(torch.randn(n, config["dim"]) * config["sigma"] / config["dim"] ** .5)
        share = frequency / frequency.sum()
        weight = numpy.log(config["a"] / (config["a"] + share))
        self.weights = torch.nn.Parameter(torch.tensor(numpy.stack([weight, weight]), dtype=torch.float32).reshape(-1))
        self.boost = torch.nn.Parameter(torch.tensor(1.))
        self.scale = torch.nn.Parameter(torch.tensor(float(numpy.log(1 / config["start"]))))
        self.n = n

    def forward(self, tokens, counts, offsets, sides, drop=0.):
        times = 1 + torch.log((counts & 127).float())
        in_head = (counts >> 7).float()
        weights = torch.exp(self.weights[tokens + sides * self.n]) * times * (1 + self.boost * in_head)
        if drop:
            weights = weights * (torch.rand_like(weights) >= drop)
        summed = F.embedding_bag(tokens, self.rows, offsets, mode="sum", per_sample_weights=weights)
        return F.normalize(summed, dim=1, eps=1e-6)


class Texts:
    """Bags of tokens on the device."""

    def __init__(self, data, device):
        self.device = device
        self.tokens = torch.from_numpy(data.tokens.astype(numpy.int32)).to(device)
        self.counts = torch.from_numpy(data.counts).to(device)
        self.starts = torch.from_numpy(data.starts).to(device)
        self.lengths = torch.from_numpy(data.lengths).to(device)
        self.sides = torch.from_numpy(data.sides).to(device)

    def of(self, bags):
        lengths = self.lengths[bags]
        ends = torch.cumsum(lengths, 0)
        offsets = ends - lengths
        within = torch.arange(int(ends[-1]), device=self.device) - torch.repeat_interleave(offsets, lengths)
        at = torch.repeat_interleave(self.starts[bags], lengths) + within
        sides = torch.repeat_interleave(self.sides[bags].long(), lengths)
        return self.tokens[at].long(), self.counts[at].int(), offsets, sides


def batches(pairs, config, rng):
    """An epoch: pairs drawn by the weight of their genre, in groups of one package, groups in any order."""
    weight = numpy.array([config["name_" if genre == "name" else genre] for genre in GENRES]) * config["share"]
    drawn = pairs[rng.random(len(pairs)) < weight[pairs[:, 1]]]
    drawn = drawn[rng.permutation(len(drawn))]
    drawn = drawn[numpy.argsort(drawn[:, 0], kind="stable")]
    size = config["group"]
    # Groups do not mix packages: the rest of a package makes a smaller one.
    _, begins, n = numpy.unique(drawn[:, 0], return_index=True, return_counts=True)
    groups = [range(begin + at, min(begin + at + size, begin + count)) for begin, count in zip(begins, n) for at in range(0, count, size)]
    order = numpy.concatenate([numpy.arange(groups[at].start, groups[at].stop) for at in rng.permutation(len(groups))])
    drawn = drawn[order]
    return [drawn[at:at + config["batch"]] for at in range(0, len(drawn) - config["batch"] // 2, config["batch"])]


def train(data, texts, config, order=0):
    torch.manual_seed(config["seed"])
    device = texts.device
    table = Table(config, data.frequency).to(device)
    torch.manual_seed(config["seed"] + 1000 * order)
    rng = numpy.random.default_rng(config["seed"] + 1000 * order)
    slow = [table.weights, table.boost, table.scale]
    optimizer = torch.optim.AdamW([{"params": [table.rows], "weight_decay": config["decay"]}, {"params": slow, "weight_decay": 0.}],
                                  lr=config["lr"], betas=(.9, .98))
    steps = len(batches(data.pairs, config, numpy.random.default_rng(config["seed"]))) * config["epochs"]
    warm = max(1, int(steps * config["warm"]))
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min((step + 1) / warm, max(0., (steps - step) / max(1, steps - warm))))
    average, n_average = None, 0
    step = 0
    for epoch in range(int(config["epochs"])):
        for batch in batches(data.pairs, config, rng):
            batch = torch.from_numpy(batch).to(device)
            queries = table(*texts.of(batch[:, 2]), drop=config["query_dropout"])
            codes = table(*texts.of(batch[:, 3]), drop=config["dropout"])
            scores = queries @ codes.T * table.scale.exp().clamp(max=200)
            same = (batch[:, 3][:, None] == batch[:, 3][None]) | (batch[:, 2][:, None] == batch[:, 2][None])
            same.fill_diagonal_(False)
            scores = scores.masked_fill(same, -1e4)
            right = torch.arange(len(batch), device=device)
            loss = (F.cross_entropy(scores, right, label_smoothing=config["smoothing"])
                    + F.cross_entropy(scores.T, right, label_smoothing=config["smoothing"])) / 2
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            schedule.step()
            step += 1
            if config["average"] and step > steps * (1 - config["average"]):
                state = {name: value.detach().clone() for name, value in table.state_dict().items()}
                if average is None:
                    average = state
                else:
                    for name in average:
                        average[name] += (state[name] - average[name]) / (n_average + 1)
                n_average += 1
    if average:
        table.load_state_dict(average)
    return table, loss.item(), step


def vectors_of(table, texts):
    def vectors(bags):
        with torch.no_grad():
            parts = [table(*texts.of(torch.tensor(bags[at:at + 4096], device=texts.device))) for at in range(0, len(bags), 4096)]
        return torch.cat(parts).cpu().numpy()
    return vectors


def main():
    path, out = sys.argv[1:3]
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.backends.cuda.matmul.allow_tf32 = True
    data = Data(path)
    texts = Texts(data, device)
    runs, common = [[]], []
    for argument in sys.argv[3:]:
        if argument == "--":
            runs.append([])
        else:
            runs[-1].append(argument)
    # What stands before the first `--` is common to all.
    if len(runs) > 1:
        common, runs = runs[0], runs[1:]
    for run in runs:
        config = dict(DEFAULT)
        for argument in common + run:
            name, value = argument.split("=")
            config[name] = type(DEFAULT[name])(float(value)) if not isinstance(DEFAULT[name], str) else value
        begin = time.time()
        # One start, several orders of the data: the mean of what comes out is better than each.
        table, loss, steps = train(data, texts, config)
        state = table.state_dict()
        for order in range(1, config["soup"]):
            other = train(data, texts, config, order)[0].state_dict()
            state = {name: value + (other[name] - value) / (order + 1) for name, value in state.items()}
        table.load_state_dict(state)
        seconds = time.time() - begin
        scores = report(data, vectors_of(table, texts))
        changed = {name: value for name, value in config.items() if value != DEFAULT[name]}
        line = {**changed, "loss": round(loss, 3), "steps": steps, "seconds": round(seconds, 1), "eval_s": round(time.time() - begin - seconds, 1), "boost": round(float(table.boost), 2),
                "scale": round(float(table.scale.exp()), 1), **{name: round(value, 4) for name, value in scores.items()}}
        short = ("mrr_dense", "hard_dense", "mrr_both", "twins", "dense_all", "dense_all_path", "both_all_path", "dense_semantic_path", "dense_architecture_path", "dense_symbol_path")
        print(changed, line["loss"], line["steps"], line["seconds"], *(f"{name}={line.get(name, 0):.4f}" for name in short), flush=True)
        with open(os.path.join(out, "runs.jsonl"), "a") as log:
            log.write(json.dumps(line) + "\n")
        if config["name"]:
            rows = table.rows.detach().cpu().numpy()
            scale = numpy.maximum(numpy.abs(rows).max(1, keepdims=True), 1e-12) / 127
            numpy.savez(os.path.join(out, config["name"] + ".npz"), rows=numpy.rint(rows / scale).astype(numpy.int8), scale=scale,
                        weights=table.weights.detach().cpu().numpy().astype(numpy.float32),
                        boost=float(table.boost), config=json.dumps(config))


if __name__ == "__main__":
    main()
