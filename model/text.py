"""Texts to words to token ids: the same rules as `crates/embed`, see README.md."""
import re

LONGEST_WORD, LONGEST_NUMBER, LONGEST_PIECE = 64, 4, 5
ASCII_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|(?<![0-9])[0-9]{1,4}(?![0-9])")


def words(text):
    if text.isascii():
        found = " ".join(ASCII_WORD.findall(text)).lower().split()
        if found and len(max(found, key=len)) > LONGEST_WORD:
            found = [word for word in found if len(word) <= LONGEST_WORD]
        return found
    found = unicode_words(text)
    return ["".join(c.lower() for c in word) if not word.isascii() else word.lower() for word in found
            if len(word) <= (LONGEST_NUMBER if word[0].isnumeric() and not word[0].isalpha() else LONGEST_WORD)]


def kind(c):
    if c.islower():
        return "l"
    if c.isupper():
        return "u"
    if c.isalpha():
        return "a"
    return "d" if c.isnumeric() else " "


def unicode_words(text):
    kinds = "".join(map(kind, text))
    # A run of letters ends before a hump; a letter without case is no hump.
    pattern = r"d+|[lua]+"
    for run in re.finditer(pattern, kinds):
        start, end = run.span()
        if kinds[start] != "d":
            for at in range(start + 1, end):
                before, last, this = (kinds[at - 2] if at - 2 >= start else " "), kinds[at - 1], kinds[at]
                if last == "l" and this == "u":
                    yield text[start:at]
                    start = at
                elif before == "u" and last == "u" and this == "l":
                    yield text[start:at - 1]
                    start = at - 1
        if start < end:
            yield text[start:end]


def beginning(text, max_bytes):
    """The first bytes, at the boundary of a character."""
    if len(text) * 4 <= max_bytes:
        return text
    return text.encode("utf-8", "replace")[:max_bytes].decode("utf-8", "ignore")


class Tokenizer:
    def __init__(self, vocabulary):
        self.vocabulary = vocabulary
        self.words = {entry: at for at, entry in enumerate(vocabulary) if not entry.startswith("##")}
        self.pieces = {entry[2:]: at for at, entry in enumerate(vocabulary) if entry.startswith("##")}
        self.known = {word: (at,) for word, at in self.words.items()}

    def of_word(self, word):
        found = self.known.get(word)
        if found is None:
            found, at = [], 0
            while at < len(word):
                for length in range(min(LONGEST_PIECE, len(word) - at), 1, -1):
                    piece = self.pieces.get(word[at:at + length])
                    if piece is not None:
                        found.append(piece)
                        at += length
                        break
                else:
                    at += 1
            found = tuple(found)
            if len(self.known) < 2_000_000:
                self.known[word] = found
        return found

    def tokens(self, text):
        return [token for word in words(text) for token in self.of_word(word)]


def fnv1a32(text):
    value = 0x811C9DC5
    for byte in text.encode():
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return value
