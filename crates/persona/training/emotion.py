"""Learns the emotion of a sentence, and writes src/emotion/weights.bin and src/emotion/compared.json.

    python3 -m pip install numpy scipy onnxruntime tokenizers
    python3 crates/persona/training/emotion.py DATA MODELS [CACHE]

DATA has goemotions-ekman-train.tsv and goemotions-ekman-dev.tsv (text, label ids, id); MODELS is the folder that
`cargo xtask run` puts the embedding models in; CACHE keeps the embeddings, which take most of the time.

The data is GoEmotions (Demszky et al. 2020, Apache-2.0) in Ekman's grouping. Weights, biases, temperature and
thresholds come from the train part alone. Some choices were made with the dev part in sight, so its numbers are a
little kind: RARE_CLASSES, that beginnings of words count, that the heads are learned after the words and not along with
them, and that HOLD_VECTORS was looked at again (its value, and which beginnings, are from train). Only the folds are
drawn at random, by a fixed seed.
"""

import json
import struct
import sys
from pathlib import Path

import numpy as np
from scipy import sparse
from scipy.optimize import minimize

from embed import embeddings
from reading import Reading, marks
from sentences import COMPARED, SAID, SEEDS

LABELS = ["anger", "disgust", "fear", "joy", "neutral", "sadness", "surprise"]
EMOTIONS = ["joy", "sadness", "anger", "disgust", "surprise", "fear", "neutral"]
NEUTRAL = EMOTIONS.index("neutral")
SOURCE = Path(__file__).resolve().parent.parent / "src" / "emotion"

MOST_MARKS = 24_000  # 264 KB
RAREST = 3  # a mark that fewer sentences have teaches nothing
USUAL, DAMPING = 30, 0.4  # a sentence with many marks says each of them less loudly
RARE_CLASSES = 0.5  # the power of a class's rarity that weighs its sentences
SAID_WEIGHT = 2.0
HOLD_WORDS, HOLD_VECTORS = 15.0, 10.0
FOLDS = 4
ROUNDS = 70
HEADS = ["minilm", "wordllama"]


def read(path):
    rows = [line.rstrip("\n").split("\t") for line in path.open(encoding="utf-8")]
    gold = np.zeros((len(rows), 7))
    for row, (_, labels, _) in enumerate(rows):
        for label in labels.split(","):
            gold[row, EMOTIONS.index(LABELS[int(label)])] = 1
    return [row[0] for row in rows], gold


def said():
    pairs = [(text, name) for name, texts in SAID.items() for text in texts.replace("\n", "|").split("|")]
    gold = np.array([[name == emotion for emotion in EMOTIONS] for _, name in pairs], float)
    return [text for text, _ in pairs], gold


def matrix(found, vocabulary):
    """One row for a sentence. As in the program, only known marks count for its length."""
    known = [[vocabulary[mark] for mark in row if mark in vocabulary] for row in found]
    lengths = np.array([len(row) for row in known])
    values = np.repeat((np.maximum(lengths, 1) / USUAL) ** -DAMPING, lengths)
    ends = np.concatenate([[0], np.cumsum(lengths)])
    columns = np.array([column for row in known for column in row], int)
    return sparse.csr_matrix((values, columns, ends), shape=(len(found), len(vocabulary)))


def targets(gold, weight):
    """Shared evenly among a sentence's labels, then tilted towards rare classes; and how much a sentence weighs."""
    share = gold / gold.sum(1, keepdims=True)
    part = share.mean(0)
    rarity = part**-RARE_CLASSES
    tilted = share * rarity / (rarity @ part)
    return tilted / tilted.sum(1, keepdims=True), tilted.sum(1) * weight


def log_softmax(logits):
    logits = logits - logits.max(1, keepdims=True)
    return logits - np.log(np.exp(logits).sum(1, keepdims=True))


def minimum(shapes, loss):
    """The arrays of these shapes at which the loss is least; it tells its slope for each of them, too."""

    def parts(flat):
        ends = np.cumsum([np.prod(shape) for shape in shapes])
        return [part.reshape(shape) for part, shape in zip(np.split(flat, ends[:-1]), shapes)]

    def flat_loss(flat):
        total, slopes = loss(*parts(flat))
        return total, np.concatenate([slope.ravel() for slope in slopes])

    start = np.zeros(int(sum(np.prod(shape) for shape in shapes)))
    return parts(minimize(flat_loss, start, jac=True, method="L-BFGS-B", options={"maxiter": ROUNDS}).x)


def softmax_loss(logits, target, weight):
    logs = log_softmax(logits)
    return -(weight[:, None] * target * logs).sum(), weight[:, None] * (np.exp(logs) - target)


def learn_table(words, target, weight):
    turned = words.T.tocsr()

    def loss(table, bias):
        total, slope = softmax_loss(words @ table + bias, target, weight)
        return total + 0.5 * HOLD_WORDS * (table**2).sum(), [turned @ slope + HOLD_WORDS * table, slope.sum(0)]

    return minimum([(words.shape[1], 7), (7,)], loss)


def learn_words(found, target, weight):
    """Learns with all marks, keeps those that say most, and learns again with these."""
    marks_, times = np.unique(np.concatenate([np.array(row) for row in found]), return_counts=True)
    marks_, times = marks_[times >= RAREST], times[times >= RAREST]
    table, _ = learn_table(matrix(found, {int(mark): at for at, mark in enumerate(marks_)}), target, weight)
    strength = np.abs(table - table.mean(1, keepdims=True)).max(1) * times**0.25
    kept = np.sort(np.argsort(-strength, kind="stable")[:MOST_MARKS])
    vocabulary = {int(mark): at for at, mark in enumerate(marks_[kept])}
    return vocabulary, *learn_table(matrix(found, vocabulary), target, weight)


def learn_head(scores, vectors, target, weight):
    """How much the words' scores count beside the vectors, and the vectors' own table."""
    vectors = vectors.astype(float)

    def loss(share, table, bias):
        total, slope = softmax_loss(scores * share + vectors @ table + bias, target, weight)
        held = HOLD_VECTORS * table
        slopes = [np.array([(slope * scores).sum()]), vectors.T @ slope + held, slope.sum(0)]
        return total + 0.5 * (held * table).sum(), slopes

    return minimum([(1,), (vectors.shape[1], 7), (7,)], loss)


def f1(gold, guess):
    hits, all_ = (gold * guess).sum(0), gold.sum(0) + guess.sum(0)
    return float(np.mean(2 * hits / np.maximum(all_, 1)))


def one_hot(best):
    return np.eye(7)[best]


def measures(scores, gold, threshold):
    """Macro-F1 and accuracy of (a) sentences with one label, (b) all, any label being right; (c) F1 of all labels."""
    best = scores.argmax(1)
    single = gold.sum(1) == 1
    right = gold[np.arange(len(best)), best] > 0
    any_gold = np.where(right, best, gold.argmax(1))
    return [
        f1(gold[single], one_hot(best[single])),
        float(right[single].mean()),
        f1(one_hot(any_gold), one_hot(best)),
        float(right.mean()),
        f1(gold, scores > threshold),
    ]


def tune(scores, gold):
    """A bias for each class that serves macro-F1 and accuracy, the temperature, and the threshold for (c)."""
    single = gold.sum(1) == 1
    truth = one_hot(gold[single].argmax(1))

    def worth(bias):
        guess = one_hot((scores[single] + bias).argmax(1))
        return f1(truth, guess) + (truth * guess).sum() / len(truth) - 0.01 * (bias**2).sum()

    bias, step = np.zeros(7), 0.4
    while step > 0.04:
        steps = [bias + sign * step * np.eye(7)[at] for at in range(7) for sign in (-1, 1)]
        best = max(steps, key=worth)
        if worth(best) > worth(bias) + 1e-4:
            bias = best
        else:
            step /= 2
    share = gold / gold.sum(1, keepdims=True)
    sharpness = min(
        np.arange(0.5, 2.0, 0.02), key=lambda factor: -(share * log_softmax(factor * (scores + bias))).sum()
    )
    chances = np.exp(log_softmax(sharpness * (scores + bias)))
    threshold = max(np.arange(0.1, 0.6, 0.01), key=lambda least: f1(gold, chances > least))
    return bias, float(sharpness), float(threshold)


def whole_bytes(table):
    """Each class's column in 8 bits, and what one step of it is worth."""
    step = np.maximum(np.abs(table).max(0), 1e-6) / 127
    return np.round(table / step).astype(np.int8), step.astype("<f4")


class Model:
    """The weights as the program has them."""

    def __init__(self, vocabulary, table):
        self.vocabulary = vocabulary
        self.words, self.step = whole_bytes(table)
        self.heads = {}

    def add(self, name, share, table, bias, tuned):
        extra, sharpness, _ = tuned
        table, worth = whole_bytes(table) if len(table) else (table.astype(np.int8), np.zeros(7))
        numbers = (self.step * share * sharpness, (bias + extra) * sharpness, worth * sharpness)
        self.heads[name] = (*(each.astype("<f4") for each in numbers), table)

    def bytes(self):
        marks_ = sorted(self.vocabulary, key=self.vocabulary.get)
        out = [b"PGE1", struct.pack("<I", len(marks_)), np.array(marks_, ">u4").tobytes(), self.words.tobytes()]
        for words, bias, worth, table in self.heads.values():
            out += [struct.pack("<I", len(table)), words.tobytes(), bias.tobytes(), worth.tobytes(), table.tobytes()]
        return b"".join(out)

    def chances(self, found, name, vectors=None):
        words, bias, worth, table = self.heads[name]
        scores = (matrix(found, self.vocabulary) @ self.words.astype(float)) * words + bias
        if vectors is not None:
            scores = scores + (vectors @ table.astype(float)) * worth
        return np.exp(log_softmax(scores))


def baseline(texts):
    """The hand-made list."""
    lists = {name: set(words.split()) for name, words in SEEDS.items()}
    scores = np.zeros((len(texts), 7))
    for row, text in enumerate(texts):
        tokens = Reading(text).tokens
        for name, words in lists.items():
            scores[row, EMOTIONS.index(name)] = sum(token in words for token in tokens)
        scores[row, NEUTRAL] = 0.5
    return scores / scores.sum(1, keepdims=True)


def made_up(size, turn):
    """A vector by a formula that the program's test has too."""
    numbers = np.array([(at * 7919 + turn * 104729) % 2003 / 1001.5 - 1 for at in range(size)])
    return numbers / np.linalg.norm(numbers)


def compared(model):
    cases = []
    for turn, text in enumerate(COMPARED):
        for name in ["words", *HEADS]:
            size = len(model.heads[name][3])
            vector = made_up(size, turn)[None] if size else None
            chances = model.chances([marks(text)], name, vector)[0]
            cases.append({"text": text, "with": name, "turn": turn, "chances": [round(float(c), 4) for c in chances]})
    return cases


def main(data, models, cache=None):
    texts, gold = read(Path(data) / "goemotions-ekman-train.tsv")
    dev_texts, dev_gold = read(Path(data) / "goemotions-ekman-dev.tsv")
    own_texts, own_gold = said()
    vectors = {name: embeddings(name, texts + own_texts, models, cache, "train") for name in HEADS}
    dev_vectors = {name: embeddings(name, dev_texts, models, cache, "dev") for name in HEADS}

    count = len(texts)
    weight = np.concatenate([np.ones(count), np.full(len(own_texts), SAID_WEIGHT)])
    target, weight = targets(np.concatenate([gold, own_gold]), weight)
    found = [marks(text) for text in texts + own_texts]

    # What the words say of sentences that they were not learned from is what the heads learn with.
    fold = np.random.default_rng(7).integers(0, FOLDS, len(found))
    held = np.zeros((len(found), 7))
    for turn in range(FOLDS):
        inside, outside = np.flatnonzero(fold != turn), np.flatnonzero(fold == turn)
        known, table, bias = learn_words([found[row] for row in inside], target[inside], weight[inside])
        held[outside] = matrix([found[row] for row in outside], known) @ table + bias
        print(f"fold {turn + 1} of {FOLDS}", flush=True)
    vocabulary, table, bias = learn_words(found, target, weight)
    model = Model(vocabulary, table)
    tuned = {"words": tune(held[:count], gold)}
    model.add("words", 1.0, np.zeros((0, 7)), bias, tuned["words"])
    for name in HEADS:
        heads = np.zeros_like(held)
        for turn in range(2):
            half = np.arange(len(found)) % 2 == turn
            share, own, start = learn_head(held[half], vectors[name][half], target[half], weight[half])
            heads[~half] = held[~half] * share + vectors[name][~half] @ own + start
        tuned[name] = tune(heads[:count], gold)
        share, own, start = learn_head(held, vectors[name], target, weight)
        model.add(name, share, own, share * bias + start, tuned[name])

    print(f"{'on dev':22}(a) F1    acc.  (b) F1    acc.  (c) F1")

    def report(name, scores, threshold):
        print(f"{name:22}" + "  ".join(f"{number:6.3f}" for number in measures(scores, dev_gold, threshold)))

    report("hand-made list", baseline(dev_texts), 0.3)
    dev_found = [marks(text) for text in dev_texts]
    for name in HEADS:
        # The embeddings alone are a yardstick, and not in the program.
        _, own, start = learn_head(np.zeros_like(held), vectors[name], target, weight)
        report(f"{name} alone", np.exp(log_softmax(dev_vectors[name] @ own + start)), tuned[name][2])
    for name in ["words", *HEADS]:
        chances = model.chances(dev_found, name, dev_vectors.get(name))
        report("words alone" if name == "words" else f"words and {name}", chances, tuned[name][2])
        right = dev_gold[np.arange(len(chances)), chances.argmax(1)].mean()
        extra, sharpness, threshold = tuned[name]
        print(f"    bias {np.round(extra, 2)}, sharpness {sharpness:.2f}, threshold {threshold:.2f}")
        print(f"    mean certainty {chances.max(1).mean():.3f}, right {right:.3f}")

    (SOURCE / "weights.bin").write_bytes(model.bytes())
    lines = ",\n".join(json.dumps(case) for case in compared(model))
    (SOURCE / "compared.json").write_text(f"[\n{lines}\n]\n")
    print(f"{len(model.bytes())} bytes, {len(vocabulary)} marks")


if __name__ == "__main__":
    main(*sys.argv[1:])
