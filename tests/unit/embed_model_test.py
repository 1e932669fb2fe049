#!/usr/bin/env python3
"""Tests of scripts/embed.py with a model in ONNX format; exit 77, skipped, without onnxruntime.

The model is a tiny one with a known answer, made here: its vector of token i is table[i] plus the
mean over all tokens of the text. SL_REQUIRE_EMBEDDER=1 turns the skip into a failure.
"""

import random
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from embedding_tests import Folder, TOLERANCE, WIDTH, run_with  # noqa: E402


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


if __name__ == "__main__":
    sys.exit(run_with(["numpy", "onnxruntime", "tokenizers"], Model))
