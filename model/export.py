#!/usr/bin/env python3
"""Write the weights as `crates/embed` reads them: `export.py DATA.npz TRAINED.npz... MODEL.bin [AGREEMENT.json]`.

Several trained tables of one start are averaged. The format is in README.md.
"""
import json
import struct
import sys

import numpy

from text import Tokenizer, beginning

MAGIC, NAME, MAX_BYTES = b"PTLNEMB1", "portolan-static-1", 4096


def write_model(path, vocabulary, rows, weights, boost):
    scale = numpy.maximum(numpy.abs(rows).max(1), 1e-12) / 127
    quantised = numpy.clip(numpy.rint(rows / scale[:, None]), -127, 127).astype(numpy.int8)
    weights = (numpy.exp(weights.reshape(2, -1)) * scale).astype("<f4")
    header = json.dumps({"name": NAME, "dim": rows.shape[1], "vocabulary": len(vocabulary), "bigrams": 0,
                         "boost": float(numpy.float32(boost)), "max_bytes": MAX_BYTES}).encode()
    entries = "".join(entry + "\n" for entry in vocabulary).encode()
    with open(path, "wb") as out:
        out.write(MAGIC + struct.pack("<I", len(header)) + header + struct.pack("<I", len(entries)) + entries)
        out.write(weights[0].tobytes() + weights[1].tobytes() + quantised.tobytes())


def read_model(path):
    data = open(path, "rb").read()
    assert data[:8] == MAGIC
    length, = struct.unpack_from("<I", data, 8)
    header = json.loads(data[12:12 + length])
    at = 12 + length
    length, = struct.unpack_from("<I", data, at)
    vocabulary = data[at + 4:at + 4 + length].decode().split("\n")[:-1]
    at += 4 + length
    n, dim = header["vocabulary"] + header["bigrams"], header["dim"]
    weights = numpy.frombuffer(data, "<f4", 2 * n, at).reshape(2, n)
    rows = numpy.frombuffer(data, numpy.int8, n * dim, at + 8 * n).reshape(n, dim)
    return {"header": header, "vocabulary": vocabulary, "weights": weights, "rows": rows}


def encoder_of(model, data):
    """Vectors of packed texts, by the int8 rows."""
    rows = model["rows"].astype(numpy.float32)
    boost = model["header"]["boost"]

    def vectors(bags):
        out = numpy.zeros((len(bags), rows.shape[1]), numpy.float32)
        for place, at in enumerate(bags):
            tokens, counts = data.bag(at)
            weights = model["weights"][data.sides[at]][tokens] * (1 + numpy.log(numpy.maximum(counts & 127, 1))) * (1 + boost * (counts >> 7))
            out[place] = weights.astype(numpy.float32) @ rows[tokens]
        return out / numpy.maximum(numpy.linalg.norm(out, axis=1, keepdims=True), 1e-9)
    return vectors


def encode(model, tokenizer, side, head, body):
    """The sum before it is normalised, and the tokens in order."""
    cut = model["header"]["max_bytes"]
    of_head, of_body = tokenizer.tokens(beginning(head, cut)), tokenizer.tokens(beginning(body, cut))
    tokens = of_head + of_body
    total = numpy.zeros(model["rows"].shape[1], numpy.float64)
    for token in dict.fromkeys(tokens):
        factor = float(model["weights"][side][token]) * (1 + numpy.log(tokens.count(token)))
        total += factor * (1 + model["header"]["boost"] * (token in of_head)) * model["rows"][token]
    return tokens, total


QUERIES = ["", "how are retries limited", "where is the HTTP server started", "parseHTTPRequest", "snake_case_name", "SCREAMING_SNAKE_CASE",
           "naïve café", "Größe der Datei ändern", "ÉtéFrançais", "漢字 and kana かな", "пример кода", "x86_64 utf8 sha256 1234 12345",
           "IDs of URLs", "getURLForID", "qwzxvkjh", "supercalifragilisticexpialidocious", "a b c", "!!! ??? ...", "iOS eBay McDonald",
           "retry retry retry", "a" * 65 + " word", "don't stop", "emoji 🎉 party", "tab\tand\nnewline", "ﬁnd ligature", "İstanbul", "straße", "combining e\u0301 mark",
           "read a file line by line", "what happens when the connection is closed"]
CODES = [("fn parse_header(line: &str) -> Option<Header>", "fn parse_header(line: &str) -> Option<Header> {\n    let (name, value) = line.split_once(':')?;\n    Some(Header { name, value })\n}"),
         ("", "x = 1"), ("main", ""), ("", ""),
         ("def retry(times)", "def retry(times):\n    for attempt in range(times):\n        try:\n            return call()\n        except OSError:\n            sleep(2 ** attempt)\n"),
         ("func (s *Server) ListenAndServeTLS(certFile, keyFile string) error", "func (s *Server) ListenAndServeTLS(certFile, keyFile string) error {\n\treturn s.serve(certFile)\n}"),
         ("class ÜberKlasse", "class ÜberKlasse { größe() { return this.größe; } }"),
         ("XMLHttpRequest", "var request = new XMLHttpRequest(); request.open('GET', url);"),
         ("select", "SELECT id, name FROM users WHERE id = ?"),
         ("long", "word other " * 1000)]


def agreement(path, model):
    tokenizer = Tokenizer(model["vocabulary"])
    cases = []
    for side, head, body in [(0, "", query) for query in QUERIES] + [(1, head, body) for head, body in CODES]:
        tokens, total = encode(model, tokenizer, side, head, body)
        norm = float(numpy.linalg.norm(total))
        text = {"query": body} if side == 0 else {"head": head, "body": body}
        cases.append({**text, "tokens": tokens, "norm": norm, "first": [float(x) for x in total[:16]],
                      "normalised": [float(x) / norm if norm else 0. for x in total[:16]]})
    with open(path, "w") as out:
        out.write("[\n" + ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases) + "\n]\n")


def main():
    data, *trained, path = [argument for argument in sys.argv[1:] if not argument.endswith(".json")]
    vocabulary = numpy.load(data)["vocabulary"].tobytes().decode().split("\n")
    tables = [numpy.load(table) for table in trained]
    mean = lambda name, *by: numpy.mean([table[name].astype(numpy.float32) * (table[by[0]] if by else 1) for table in tables], axis=0)
    write_model(path, vocabulary, mean("rows", "scale"), mean("weights"), mean("boost"))
    if sys.argv[-1].endswith(".json"):
        agreement(sys.argv[-1], read_model(path))


if __name__ == "__main__":
    main()
