"""A sentence as the learned model sees it. The twin of src/emotion/words.rs: change both, or neither."""

import functools

MOST_TOKENS = 400
NEGATED = 3
BEGINNINGS = (3, 4, 5, 6)

NEGATIONS = set(
    """not no never nobody nothing none neither nor cannot cant dont doesnt didnt isnt wasnt arent werent wont
    wouldnt couldnt shouldnt aint without hardly havent hasnt hadnt mustnt neednt nope barely scarcely nowhere
    noone""".split()
)

FACES = {
    ":)": ":)", ":-)": ":)", "(:": ":)", "=)": ":)", ":]": ":)", "x)": ":)",
    ":d": ":d", ":-d": ":d", "=d": ":d", "xd": ":d", ":'d": ":d",
    ";)": ";)", ";-)": ";)",
    ":(": ":(", ":-(": ":(", "):": ":(", "=(": ":(",
    ":'(": ":'(", "t_t": ":'(",
    ":/": ":/", ":-/": ":/", ":\\": ":/", ":|": ":|",
    ":o": ":o", ":-o": ":o", "o_o": ":o",
    ":p": ":p", ":-p": ":p", ":3": ":3",
    "<3": "<3", "</3": "</3", "^^": "^^", "^_^": "^^", ">:(": ">:(", "-_-": "-_-", "/s": "/s",
}  # fmt: skip

BLANKS = ("[name]", "[religion]")
STANDS_FOR = {"‘": "'", "’": "'", "…": "...", "。": ".", "！": "!", "？": "?"}


def within(letter, ranges):
    return any(first <= ord(letter) <= last for first, last in ranges)


@functools.cache
def is_letter(letter):
    return within(
        letter,
        [(0x61, 0x7A), (0x30, 0x39), (0xC0, 0x1FFF), (0x2C00, 0x2FFF), (0x3040, 0xD7FF)],
    )


@functools.cache
def is_picture(letter):
    return within(letter, [(0x2190, 0x2BFF), (0x1F000, 0x1F3FA), (0x1F400, 0x1FAFF)])


@functools.cache
def is_void(letter):
    return within(
        letter,
        [(0xAD, 0xAD), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0xFE00, 0xFE0F)]
        + [(0xFEFF, 0xFEFF), (0x1F3FB, 0x1F3FF)],
    )


@functools.cache
def is_space(letter):
    return within(
        letter,
        [(0, 0x20), (0x7F, 0xA0), (0x2000, 0x200A), (0x2028, 0x2029), (0x202F, 0x202F)]
        + [(0x205F, 0x205F), (0x3000, 0x3000)],
    )


def is_word(token):
    return is_letter(token[0]) or token[0] == "["


def small(text):
    """ASCII alone, so that no table of Unicode has a say."""
    return "".join(chr(ord(letter) + 32) if "A" <= letter <= "Z" else letter for letter in text)


class Reading:
    def __init__(self, sentence):
        self.tokens, self.loud, self.drawn_out = [], 0, False
        kept = (letter for letter in sentence if not is_void(letter))
        spaced = "".join(" " if is_space(letter) else STANDS_FOR.get(letter, letter) for letter in kept)
        for chunk in spaced.split(" "):
            if len(self.tokens) >= MOST_TOKENS:
                break
            self.take(chunk)
        del self.tokens[MOST_TOKENS:]

    def take(self, chunk):
        lower = small(chunk)
        if lower in FACES:
            self.tokens.append(FACES[lower])
            return
        at = 0
        while at < len(lower) and len(self.tokens) < MOST_TOKENS:
            at += self.token(lower[at:], chunk[at:])

    def token(self, lower, chunk):
        for blank in BLANKS:
            if lower.startswith(blank):
                self.tokens.append(blank)
                return len(blank)
        if is_letter(lower[0]):
            return self.word(lower, chunk)
        if lower[0] in "!?":
            length = len(lower) - len(lower.lstrip("!?"))
            cries = lower[:length].count("!")
            if cries == 0:
                self.tokens.append("?" if length == 1 else "??")
            elif cries == length:
                self.tokens.append("!" if length == 1 else "!!")
            else:
                self.tokens.append("?!")
            return length
        if lower[0] == ".":
            length = len(lower) - len(lower.lstrip("."))
            self.tokens.append("..." if length > 1 else ".")
            return length
        if lower[0] in ',;:"*#' or is_picture(lower[0]):
            self.tokens.append(lower[0])
        return 1

    def word(self, lower, chunk):
        word, length, letters, capitals = [], 0, 0, 0
        while length < len(lower):
            letter = lower[length]
            if is_letter(letter):
                letters += 1
                capitals += "A" <= chunk[length] <= "Z"
                if word[-2:] == [letter, letter] and not "0" <= letter <= "9":
                    self.drawn_out = True
                else:
                    word.append(letter)
            elif letter != "'" or not (length + 1 < len(lower) and is_letter(lower[length + 1])):
                break
            length += 1
        self.loud += capitals == letters and letters > 1
        number = all("0" <= letter <= "9" for letter in word)
        self.tokens.append("0" if number else "".join(word))
        return length


@functools.cache
def mark(text):
    """The 32-bit FNV-1a hash."""
    number = 0x811C9DC5
    for byte in text.encode("utf-8"):
        number = ((number ^ byte) * 0x01000193) & 0xFFFFFFFF
    return number


def marks(sentence):
    """The numbers of a sentence's words, word pairs and manner of writing, each once."""
    reading = Reading(sentence)
    tokens, loud = reading.tokens, reading.loud
    words = sum(is_word(token) for token in tokens)
    found = set(tokens)
    found.update(
        name
        for name, shows in [
            ("_caps", loud > 0),
            ("_caps2", loud > 1),
            ("_capsall", loud > 0 and loud * 10 >= words * 6),
            ("_long", reading.drawn_out),
        ]
        if shows
    )
    found.add("_n" + str(sum(words >= least for least in (3, 6, 11, 17))))
    framed = ["^", *tokens, "$"]
    found.update(f"{left} {right}" for left, right in zip(framed, framed[1:]))
    for token in tokens:
        if is_letter(token[0]):
            found.update("#" + token[:length] for length in BEGINNINGS if len(token) > length)
    left = 0
    for token in tokens:
        if not is_word(token):
            left = 0
        elif token in NEGATIONS:
            left = NEGATED
        elif left > 0:
            found.add("~" + token)
            left -= 1
    return sorted({mark(text) for text in found})
