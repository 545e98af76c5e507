"""The other side of `vectors`: chromadb with the same vectors, and onnxruntime with the same model and texts.

usage: vectors_peer.py embed MODEL TOKENIZER TEXTS
       vectors_peer.py search VECTORS QUERIES FOLDER
"""

import json
import sys
import time

import numpy

DIMENSIONS = 384
BATCH = 5000


def resident():
    with open("/proc/self/status") as status:
        return int(status.read().split("VmRSS:")[1].split()[0]) * 1024


def embed(model, tokenizer, texts):
    import onnxruntime
    import tokenizers

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    words = tokenizers.Tokenizer.from_file(tokenizer)
    words.no_padding()
    words.enable_truncation(256)
    times, vectors = [], []
    for text in json.load(open(texts)):
        begun = time.perf_counter()
        ids = numpy.array([words.encode(text).ids], dtype=numpy.int64)
        inputs = {"input_ids": ids, "attention_mask": numpy.ones_like(ids), "token_type_ids": numpy.zeros_like(ids)}
        vector = session.run(None, inputs)[0][0].mean(0)
        vector /= numpy.linalg.norm(vector)
        times.append((time.perf_counter() - begun) * 1e3)
        vectors.append(vector.tolist())
    print(json.dumps({"times": times, "vectors": vectors}))


def search(vectors, queries, folder):
    import chromadb

    vectors = numpy.memmap(vectors, dtype="f4", mode="r").reshape(-1, DIMENSIONS)
    queries = numpy.fromfile(queries, dtype="f4").reshape(-1, DIMENSIONS)
    client = chromadb.PersistentClient(folder)
    collection = client.create_collection("memories", metadata={"hnsw:space": "cosine"}, embedding_function=None)
    before, spent = resident(), 0.0
    for start in range(0, len(vectors), BATCH):
        batch = numpy.array(vectors[start : start + BATCH])
        ids = [str(start + at) for at in range(len(batch))]
        begun = time.perf_counter()
        collection.add(ids=ids, embeddings=batch)
        spent += time.perf_counter() - begun
    grown = resident() - before
    times, found = [], []
    for query in queries:
        begun = time.perf_counter()
        answer = collection.query(query_embeddings=query[None], n_results=10, include=["distances"])
        times.append((time.perf_counter() - begun) * 1e3)
        found.append([int(name) for name in answer["ids"][0]])
    print(json.dumps({"insert": spent, "memory": grown, "times": times, "found": found}))


{"embed": embed, "search": search}[sys.argv[1]](*sys.argv[2:])
