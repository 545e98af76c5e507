"""The vectors that crates/embedding gives a sentence, in the same two ways as there."""

from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer


def minilm(models):
    pieces = Tokenizer.from_file(str(models / "all-minilm-l6-v2.tokenizer.json"))
    pieces.no_padding()
    pieces.enable_truncation(256)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(models / "all-minilm-l6-v2.onnx"), options)

    def embed(text):
        """One text at a time: the numbers of an int8 model change with what else is in the batch."""
        ids = np.array([pieces.encode(text).ids], np.int64)
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        return session.run(None, inputs)[0][0].sum(0)

    return embed


def wordllama(models):
    pieces = Tokenizer.from_file(str(models / "wordllama-256.tokenizer.json"))
    file = (models / "wordllama-256.safetensors").read_bytes()
    length = int.from_bytes(file[:8], "little")
    table = np.frombuffer(file[8 + length :], np.float16).reshape(-1, 256).astype(np.float32)
    return lambda text: table[pieces.encode(text, add_special_tokens=False).ids].sum(0)


def embeddings(name, texts, models, cache, part):
    """One row of length one for each text. What CACHE already has is not computed again."""
    file = Path(cache) / f"{name}-{part}.npz" if cache else None
    known = {}
    if file and file.exists():
        kept = np.load(file)
        known = dict(zip(kept["texts"].tolist(), kept["rows"]))
    if any(text not in known for text in texts):
        embed = {"minilm": minilm, "wordllama": wordllama}[name](Path(models))
        for text in texts:
            if text not in known:
                row = embed(text)
                known[text] = row / max(float(np.linalg.norm(row)), 1e-12)
        if file:
            np.savez(file, texts=np.array(list(known)), rows=np.array(list(known.values()), np.float32))
    return np.array([known[text] for text in texts], np.float32)
