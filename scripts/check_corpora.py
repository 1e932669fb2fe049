#!/usr/bin/env python3
"""Checks the corpora of configs/corpora/ and measures how their embeddings are spread.

    scripts/check_corpora.py [FOLDER]      check a folder (default: the tree's); exit 1 on a fault
    scripts/check_corpora.py --self-test   prove that each rule can fail

A fault is one line: FILE: what is wrong. The rules: ids run from 0; no text is empty or there
twice; every field is there; queries ask for what their corpus has; each NAME.hashed.npy is float16
of one row for each line, of length 1, is what embed.py makes of NAME.jsonl, bit for bit, and is the
file whose SHA-256 README.md gives.
"""

import hashlib
import json
import math
import re
import struct
import sys
import tempfile
from pathlib import Path

import check_script
import embed

# Half a unit in the last place of float16, relative: the length of a rounded vector of length 1 is
# off by no more.
NORM_TOLERANCE = 2.0 ** -11
# Corpus, the field that its queries ask for, and all fields of a memory and of a query.
CORPORA = {
    "activities": ("activity", {"id": int, "text": str, "activity": str, "object": str},
                   {"id": int, "text": str, "activity": str}),
    "household": ("class", {"id": int, "text": str, "class": str, "object": str, "region": str},
                  {"id": int, "text": str, "class": str, "answers": list}),
}


def read_lines(path, fields):
    """The records of a file, and its faults."""
    try:
        records = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    except (OSError, ValueError) as error:
        return [], [f"{path.name}: cannot be read: {error}"]
    faults, seen = [], set()
    for row, record in enumerate(records):
        where = f"{path.name}:{row + 1}"
        if not isinstance(record, dict) or {
                name: type(value) for name, value in record.items()} != fields:
            return [], [f"{where}: must have the fields {', '.join(fields)} and no others"]
        if record["id"] != row:
            faults.append(f"{where}: id {record['id']} must be {row}")
        if any(not value.strip() for value in record.values() if isinstance(value, str)):
            faults.append(f"{where}: a field is empty")
        text = " ".join(record["text"].lower().split())
        if text in seen:
            faults.append(f"{where}: the text is there twice")
        seen.add(text)
    return records, faults if records else [f"{path.name}: holds no records"]


def check_queries(name, memories, queries):
    """Queries that ask for what is not there, or have wrong answers."""
    topic = CORPORA[name][0]
    topics = {memory[topic] for memory in memories}
    for query in queries:
        where = f"{name}_queries.jsonl:{query['id'] + 1}"
        if query[topic] not in topics:
            yield f"{where}: no memory has the {topic} {query[topic]!r}"
        answers = query.get("answers", [0])
        if not answers or answers != sorted(set(answers)):
            yield f"{where}: answers must be ids, ascending"
        elif "answers" in query and any(
                not 0 <= answer < len(memories) or memories[answer][topic] != query[topic]
                for answer in answers):
            yield f"{where}: an answer is of another {topic}"


def read_rows(path):
    """The rows of a .npy of float16 of embed.WIDTH columns, as tuples of floats."""
    data = path.read_bytes()
    num_rows = (len(data) - 128) // (2 * embed.WIDTH)
    if num_rows < 1 or data != embed.npy_bytes(data[128:]):
        raise ValueError(f"is no float16 [num_rows, {embed.WIDTH}] as embed.py writes it")
    return list(struct.iter_unpack(f"<{embed.WIDTH}e", data[128:]))


def check_embeddings(path, texts, readme):
    """The rows of an embedding, and its faults."""
    try:
        rows = read_rows(path)
    except (OSError, ValueError) as error:
        return [], [f"{path.name}: {error}"]
    faults = []
    if len(rows) != len(texts):
        faults.append(f"{path.name}: has {len(rows)} rows for {len(texts)} texts")
    for row, values in enumerate(rows):
        # Not a number fails too.
        if not abs(math.sqrt(sum(value * value for value in values)) - 1) <= NORM_TOLERANCE:
            faults.append(f"{path.name}: row {row} is not of length 1")
    if path.read_bytes() != embed.npy_bytes(embed.embed_hashed(texts, path)[0]):
        faults.append(f"{path.name}: is not what embed.py --hashed makes of the texts")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if f"`{path.name}` | `{digest}`" not in readme:
        faults.append(f"{path.name}: README.md does not give its SHA-256, {digest}")
    return rows, faults


def check_corpus(folder, name, readme):
    """Faults of a corpus and its queries; with none, also (records, rows) of both."""
    _, memory_fields, query_fields = CORPORA[name]
    faults, parts = [], []
    for stem, fields in ((name, memory_fields), (f"{name}_queries", query_fields)):
        records, found = read_lines(folder / f"{stem}.jsonl", fields)
        rows = []
        if not found:
            rows, found = check_embeddings(
                folder / f"{stem}.hashed.npy", [record["text"] for record in records], readme)
        faults += found
        parts.append((records, rows))
    if not faults:
        faults += check_queries(name, parts[0][0], parts[1][0])
    return faults, parts


def check_folder(folder):
    """Faults of all corpora, and for each corpus without one (records, rows) twice."""
    folder = Path(folder)
    try:
        readme = (folder / "README.md").read_text("utf-8")
    except (OSError, ValueError) as error:
        return [f"README.md: cannot be read: {error}"], {}
    faults, sound = [], {}
    for name in CORPORA:
        found, parts = check_corpus(folder, name, readme)
        faults += found
        if not found:
            sound[name] = parts
    known = {f"{stem}{suffix}" for name in CORPORA for stem in (name, f"{name}_queries")
             for suffix in (".jsonl", ".hashed.npy")}
    faults += [f"{path.name}: belongs to no corpus of check_corpora.py"
               for path in sorted(folder.iterdir())
               if re.search(r"\.(jsonl|npy)$", path.name) and path.name not in known]
    return faults, sound


def spread(name, parts):
    """How near to their query the memories of its topic lie, and all others."""
    topic = CORPORA[name][0]
    (memories, rows), (queries, query_rows) = parts
    groups = {True: [], False: []}
    for query, query_row in zip(queries, query_rows):
        for same in groups:
            groups[same].append([
                sum(a * b for a, b in zip(query_row, row))
                for memory, row in zip(memories, rows) if (memory[topic] == query[topic]) == same])
    means = {same: sum(map(sum, lists)) / sum(map(len, lists)) for same, lists in groups.items()}
    # Around the mean of each query: pooled over queries.
    deviations = {
        same: math.sqrt(sum((value - sum(values) / len(values)) ** 2
                            for values in lists for value in values)
                        / sum(len(values) - 1 for values in lists))
        for same, lists in groups.items()}
    return (f"{name}: {len(memories)} memories, {len(queries)} queries; cosine to the query within "
            f"its {topic} {means[True]:.3f} (sd {deviations[True]:.3f}), to others "
            f"{means[False]:.3f} (sd {deviations[False]:.3f}), "
            f"gap {means[True] - means[False]:.3f}")


def edited_line(row, **changes):
    """An edit of a file of records: fields of one line replaced, or with None taken away."""
    def edit(data):
        lines = data.decode("utf-8").splitlines()
        record = {**json.loads(lines[row]), **changes}
        lines[row] = json.dumps({name: value for name, value in record.items()
                                 if value is not None})
        return "\n".join(lines).encode("utf-8") + b"\n"
    return edit


def edited_rows(edit):
    """An edit of an embedding: its float16 values replaced."""
    return lambda data: embed.npy_bytes(edit(data[128:]))


# (file, edit, words of the fault): each alone must be reported.
BREACHES = [
    ("activities.jsonl", lambda data: b"", "holds no records"),
    ("activities.jsonl", lambda data: data + b"{\n", "cannot be read"),
    ("activities.jsonl", edited_line(3, id=4), "id 4 must be 3"),
    ("activities.jsonl", edited_line(3, id="3"), "must have the fields"),
    ("activities.jsonl", edited_line(3, object=None), "must have the fields"),
    ("activities.jsonl", edited_line(3, colour="red"), "must have the fields"),
    ("activities.jsonl", edited_line(3, object=" "), "a field is empty"),
    ("activities.jsonl", edited_line(
        3, text="  priya pressed the double espresso button and waited with her cup under the "
                "SPOUT."), "there twice"),
    ("activities.jsonl", edited_line(3, text="Quite another text."), "not what embed.py"),
    ("activities_queries.jsonl", edited_line(0, activity="flying"), "no memory has the activity"),
    ("household_queries.jsonl", edited_line(0, answers=[]), "answers must be ids"),
    ("household_queries.jsonl", edited_line(0, answers=[1, 0]), "answers must be ids"),
    ("household_queries.jsonl", edited_line(0, answers=[0, 239]), "an answer is of another class"),
    ("household_queries.jsonl", edited_line(0, answers=[240]), "an answer is of another class"),
    ("household.hashed.npy", lambda data: data[:-2], "is no float16"),
    ("household.hashed.npy", lambda data: data.replace(b"<f2", b"<f4"), "is no float16"),
    ("household.hashed.npy", edited_rows(lambda rows: rows[:-768]), "has 239 rows for 240 texts"),
    ("household.hashed.npy", edited_rows(lambda rows: bytes(768) + rows[768:]), "row 0 is not of"),
    ("household.hashed.npy", edited_rows(lambda rows: rows[:-2] + b"\xff\x7f"), "row 239 is not"),
    ("household.hashed.npy", edited_rows(lambda rows: rows[768:] + rows[:768]), "not what embed"),
    ("README.md", lambda data: data.replace(b"0", b"1"), "does not give its SHA-256"),
    ("README.md", lambda data: b"\xff", "README.md: cannot be read"),
    ("stray.npy", lambda data: b"", "belongs to no corpus"),
]


def self_test(folder):
    """Failures of the check itself: a planted breach that it misses."""
    failures = []
    files = {path.name: path.read_bytes() for path in Path(folder).iterdir() if path.is_file()}
    for name, edit, words in BREACHES:
        with tempfile.TemporaryDirectory() as copy:
            for file, data in {**files, name: edit(files.get(name, b""))}.items():
                (Path(copy) / file).write_bytes(data)
            faults, _ = check_folder(copy)
            if not any(words in fault for fault in faults):
                failures.append(f"{name}: expected '{words}': {faults}")
    return failures


FOLDER = Path(__file__).resolve().parent.parent / "configs" / "corpora"


def check(folder):
    """The faults; prints what the sound corpora look like."""
    faults, sound = check_folder(folder or FOLDER)
    for name, parts in sound.items():
        print(spread(name, parts))
    return faults


if __name__ == "__main__":
    check_script.run(sys.modules[__name__], check, lambda: self_test(FOLDER), len(BREACHES), "corpus check: {} faults")
