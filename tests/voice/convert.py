"""Writes a Whisper model as the server reads it, from a folder that CTranslate2 (so faster-whisper, too) reads.

    python convert.py FROM TO [--bits 7|8|32]

FROM holds model.bin, config.json and vocabulary.json or vocabulary.txt. TO gets

- encoder.onnx: `mel` [1, 80, frames] to `cross_k{n}` [1, heads, 64, frames/2] and `cross_v{n}` [1, heads, frames/2, 64],
  what each layer of the decoder looks at;
- decoder.onnx: `tokens` [1, count], those and `past_k{n}`, `past_v{n}` [1, heads, before, 64] to the `logits` [1, pieces] of
  what comes next, and `present_k{n}`, `present_v{n}`, which are the next step's past. Its metadata says what it never says;
- tokens.txt: a piece a line, in GPT-2's alphabet of bytes;
- SHA256SUMS, as sha256sum writes them.

With 7 and with 8 bits (the files are called encoder.int8.onnx and decoder.int8.onnx) matrices are whole numbers with a scale
for each column, and what they are multiplied with is rounded as it comes. With 7, sums of two products stay within 16 bits,
which processors without VNNI need: with 8 their results are wrong now and then. What is heard is as good.
"""

import argparse
import hashlib
import json
import struct
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

HEAD = 64
INPUT, OUTPUT = 80, 1500


class Weights:
    """The tensors of a model.bin: names, shapes, kinds and bytes one after the other, then other names for some of them."""

    KINDS = (np.float32, np.int8, np.int16, np.int32, np.float16)

    def __init__(self, path):
        self._file = open(path, "rb")
        version = self._number("I")
        if version != 6:
            raise SystemExit(f"{path}: format {version} is not known; 6 is")
        self.spec = self._text()
        if self.spec != "WhisperSpec":
            raise SystemExit(f"{path} holds {self.spec!r} and no Whisper")
        self._number("I")
        self.tensors = {}
        for _ in range(self._number("I")):
            name = self._text()
            shape = [self._number("I") for _ in range(self._number("B"))]
            kind = self.KINDS[self._number("B")]
            self.tensors[name] = np.frombuffer(self._file.read(self._number("I")), kind).reshape(shape)
        for _ in range(self._number("I")):
            name = self._text()
            self.tensors[name] = self.tensors[self._text()]

    def _number(self, kind):
        return struct.unpack("<" + kind, self._file.read(struct.calcsize("<" + kind)))[0]

    def _text(self):
        return self._file.read(self._number("H")).rstrip(b"\0").decode()

    def __getitem__(self, name):
        tensor = self.tensors[name]
        if tensor.dtype not in (np.float16, np.float32):
            raise SystemExit(f"{name} is of {tensor.dtype}: convert a model of float16 or float32")
        return tensor.astype(np.float32)

    def layers(self, side):
        return len({name.split("/")[1] for name in self.tensors if name.startswith(f"{side}/layer_")} - {"layer_norm"})


class Graph:
    """A graph that is written node by node; each call gives the name of its output."""

    def __init__(self, weights, bits):
        self.weights, self.bits = weights, bits
        self.nodes, self.constants, self.inputs, self.outputs = [], {}, [], []
        self.rounded = {}

    def constant(self, name, values):
        if name not in self.constants:
            self.constants[name] = numpy_helper.from_array(np.asarray(values, order="C"), name)
        return name

    def whole(self, *values):
        return self.constant("whole_" + "_".join(map(str, values)), np.array(values, np.int64))

    def add(self, kind, *inputs, outputs=1, **attributes):
        names = [f"{kind}_{len(self.nodes)}_{n}" for n in range(outputs)]
        self.nodes.append(helper.make_node(kind, inputs, names, **attributes))
        return names[0] if outputs == 1 else names

    def input(self, name, kind, shape):
        self.inputs.append(helper.make_tensor_value_info(name, kind, shape))
        return name

    def output(self, name, value, shape):
        self.nodes.append(helper.make_node("Identity", [value], [name]))
        self.outputs.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, shape))

    def times(self, x, name, matrix):
        """x times a constant matrix, [in, out]."""
        if self.bits == 32:
            return self.add("MatMul", x, self.constant(name, matrix))
        whole, scale = rounded(matrix, 0, self.bits)
        # What goes into several matrices is rounded once.
        if x not in self.rounded:
            self.rounded[x] = self.add("DynamicQuantizeLinear", x, outputs=3)
        x_whole, x_scale, x_zero = self.rounded[x]
        sums = self.add("MatMulInteger", x_whole, self.constant(f"{name}:whole", whole), x_zero)
        scales = self.add("Mul", x_scale, self.constant(f"{name}:scale", scale))
        return self.add("Mul", self.add("Cast", sums, to=TensorProto.FLOAT), scales)

    def linear(self, x, name, scale=None):
        """A layer with its bias; its outputs times `scale`, if one is given."""
        matrix, bias = self.weights[name + "/weight"].T, self.weights[name + "/bias"]
        if scale is not None:
            matrix, bias = matrix * scale, bias * scale
        return self.add("Add", self.times(x, name, matrix), self.constant(name + ":bias", bias))

    def norm(self, x, name):
        gamma, beta = (self.constant(f"{name}:{part}", self.weights[f"{name}/{part}"]) for part in ("gamma", "beta"))
        return self.add("LayerNormalization", x, gamma, beta, axis=-1, epsilon=1e-5)

    def gelu(self, x):
        half, one = self.constant("half", np.float32(0.5)), self.constant("one", np.float32(1))
        erf = self.add("Erf", self.add("Div", x, self.constant("root", np.float32(2**0.5))))
        return self.add("Mul", self.add("Mul", x, self.add("Add", erf, one)), half)

    def heads(self, x, order=(0, 2, 1, 3)):
        """[1, count, width] to [1, heads, count, 64], or in another order."""
        return self.add("Transpose", self.add("Reshape", x, self.whole(0, 0, -1, HEAD)), perm=order)

    def parts(self, x, count):
        width = self.weights["encoder/conv1/weight"].shape[0]
        return self.add("Split", x, self.whole(*[width] * count), outputs=count, axis=2)

    def attend(self, query, key, value, mask=None):
        """`key` is turned already; the query was scaled with its weights."""
        scores = self.add("MatMul", query, key)
        if mask:
            scores = self.add("Add", scores, mask)
        seen = self.add("MatMul", self.add("Softmax", scores, axis=-1), value)
        return self.add("Reshape", self.add("Transpose", seen, perm=(0, 2, 1, 3)), self.whole(0, 0, -1))

    def forward(self, x, name):
        inner = self.gelu(self.linear(self.norm(x, f"{name}/ffn/layer_norm"), f"{name}/ffn/linear_0"))
        return self.add("Add", x, self.linear(inner, f"{name}/ffn/linear_1"))

    def model(self, metadata):
        graph = helper.make_graph(self.nodes, "whisper", self.inputs, self.outputs, list(self.constants.values()))
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9, producer_name="handset")
        helper.set_model_props(model, metadata)
        onnx.checker.check_model(model)
        return model


def rounded(matrix, axis, bits):
    """A matrix as whole numbers, with the scale of each column (axis 0) or row (axis 1)."""
    most = 2 ** (bits - 1) - 1
    scale = np.maximum(np.abs(matrix).max(axis=axis, keepdims=True), 1e-8) / most
    return np.rint(matrix / scale).astype(np.int8), scale.astype(np.float32)


def query_scale(width, of):
    """Of the fused query, key and value (or the query alone) the query is made smaller: what attention divides by."""
    scale = np.ones(width * of, np.float32)
    scale[:width] = HEAD**-0.5
    return scale


def encoder(weights, bits):
    graph = Graph(weights, bits)
    width = weights["encoder/conv1/weight"].shape[0]
    x = graph.input("mel", TensorProto.FLOAT, [1, INPUT, "frames"])
    for name, step in (("conv1", 1), ("conv2", 2)):
        kernel, bias = (graph.constant(f"{name}:{part}", weights[f"encoder/{name}/{part}"]) for part in ("weight", "bias"))
        x = graph.gelu(graph.add("Conv", x, kernel, bias, kernel_shape=[3], pads=[1, 1], strides=[step]))
    x = graph.add("Transpose", x, perm=(0, 2, 1))
    count = graph.add("Slice", graph.add("Shape", x), graph.whole(1), graph.whole(2))
    places = graph.constant("places", weights["encoder/position_encodings/encodings"])
    x = graph.add("Add", x, graph.add("Slice", places, graph.whole(0), count, graph.whole(0)))
    for layer in range(weights.layers("encoder")):
        name = f"encoder/layer_{layer}"
        y = graph.norm(x, f"{name}/self_attention/layer_norm")
        fused = graph.linear(y, f"{name}/self_attention/linear_0", query_scale(width, 3))
        query, key, value = graph.parts(fused, 3)
        y = graph.attend(graph.heads(query), graph.heads(key, (0, 2, 3, 1)), graph.heads(value))
        x = graph.add("Add", x, graph.linear(y, f"{name}/self_attention/linear_1"))
        x = graph.forward(x, name)
    x = graph.norm(x, "encoder/layer_norm")
    for layer in range(weights.layers("decoder")):
        key, value = graph.parts(graph.linear(x, f"decoder/layer_{layer}/attention/linear_1"), 2)
        graph.output(f"cross_k{layer}", graph.heads(key, (0, 2, 3, 1)), [1, width // HEAD, HEAD, "seen"])
        graph.output(f"cross_v{layer}", graph.heads(value), [1, width // HEAD, "seen", HEAD])
    return graph.model({})


def decoder(weights, bits, metadata):
    graph = Graph(weights, bits)
    pieces = weights["decoder/embeddings/weight"]
    width, heads = pieces.shape[1], pieces.shape[1] // HEAD
    tokens = graph.input("tokens", TensorProto.INT64, [1, "count"])
    layers = weights.layers("decoder")
    pasts = [
        [graph.input(f"past_{part}{layer}", TensorProto.FLOAT, [1, heads, "before", HEAD]) for part in "kv"]
        for layer in range(layers)
    ]
    count = graph.add("Slice", graph.add("Shape", tokens), graph.whole(1), graph.whole(2))
    before = graph.add("Slice", graph.add("Shape", pasts[0][0]), graph.whole(2), graph.whole(3))
    total = graph.add("Add", before, count)
    if bits == 32:
        x = graph.add("Gather", graph.constant("pieces", pieces), tokens)
    else:
        whole, scale = rounded(pieces, 1, bits)
        x = graph.add("Cast", graph.add("Gather", graph.constant("pieces:whole", whole), tokens), to=TensorProto.FLOAT)
        x = graph.add("Mul", x, graph.add("Gather", graph.constant("pieces:scale", scale), tokens))
    places = graph.constant("places", weights["decoder/position_encodings/encodings"])
    x = graph.add("Add", x, graph.add("Slice", places, before, total, graph.whole(0)))
    # Nothing looks at what comes after it.
    low = numpy_helper.from_array(np.array([-1e9], np.float32))
    mask = graph.add("ConstantOfShape", graph.add("Concat", count, total, axis=0), value=low)
    next_one = graph.add("Squeeze", graph.add("Add", before, graph.whole(1)), graph.whole(0))
    mask = graph.add("Trilu", mask, next_one, upper=1)
    for layer in range(layers):
        name = f"decoder/layer_{layer}"
        y = graph.norm(x, f"{name}/self_attention/layer_norm")
        fused = graph.linear(y, f"{name}/self_attention/linear_0", query_scale(width, 3))
        query, key, value = graph.parts(fused, 3)
        key, value = (
            graph.add("Concat", past, graph.heads(new), axis=2) for past, new in zip(pasts[layer], (key, value))
        )
        graph.output(f"present_k{layer}", key, [1, heads, "total", HEAD])
        graph.output(f"present_v{layer}", value, [1, heads, "total", HEAD])
        y = graph.attend(graph.heads(query), graph.add("Transpose", key, perm=(0, 1, 3, 2)), value, mask)
        x = graph.add("Add", x, graph.linear(y, f"{name}/self_attention/linear_1"))
        y = graph.norm(x, f"{name}/attention/layer_norm")
        query = graph.heads(graph.linear(y, f"{name}/attention/linear_0", query_scale(width, 1)))
        key = graph.input(f"cross_k{layer}", TensorProto.FLOAT, [1, heads, HEAD, "seen"])
        value = graph.input(f"cross_v{layer}", TensorProto.FLOAT, [1, heads, "seen", HEAD])
        y = graph.attend(query, key, value)
        x = graph.add("Add", x, graph.linear(y, f"{name}/attention/linear_2"))
        x = graph.forward(x, name)
    x = graph.norm(graph.add("Gather", x, graph.constant("last", np.int64(-1)), axis=1), "decoder/layer_norm")
    graph.output("logits", graph.times(x, "projection", pieces.T), [1, pieces.shape[0]])
    return graph.model(metadata)


def vocabulary(folder, count):
    listed = folder / "vocabulary.json"
    if listed.exists():
        pieces = json.loads(listed.read_text("utf-8"))
    else:
        pieces = (folder / "vocabulary.txt").read_text("utf-8").split("\n")
    if len(pieces) < count:
        raise SystemExit(f"{folder} has {len(pieces)} pieces, and its model {count}")
    return pieces[:count]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("source", metavar="FROM", type=Path)
    arguments.add_argument("target", metavar="TO", type=Path)
    arguments.add_argument("--bits", type=int, choices=(7, 8, 32), default=7)
    given = arguments.parse_args()
    weights = Weights(given.source / "model.bin")
    if weights["encoder/conv1/weight"].shape[1] != INPUT or len(weights["encoder/position_encodings/encodings"]) != OUTPUT:
        raise SystemExit("only models of 80 bands are read: not large-v3 and what came of it")
    count = weights["decoder/embeddings/weight"].shape[0]
    pieces = vocabulary(given.source, count)
    config = json.loads((given.source / "config.json").read_text("utf-8"))
    listed = lambda name: ",".join(str(piece) for piece in config.get(name) or [] if 0 <= piece < count)
    metadata = {
        # The English ones have one piece less, and take no language.
        "multilingual": str(int(count >= 51865)),
        "never": listed("suppress_ids"),
        "never_first": listed("suppress_ids_begin"),
        "licence": "MIT (OpenAI's weights)",
    }
    given.target.mkdir(parents=True, exist_ok=True)
    end = ".onnx" if given.bits == 32 else ".int8.onnx"
    onnx.save(encoder(weights, given.bits), given.target / f"encoder{end}")
    onnx.save(decoder(weights, given.bits, metadata), given.target / f"decoder{end}")
    (given.target / "tokens.txt").write_text("\n".join(pieces) + "\n", "utf-8")
    sums = []
    for name in (f"decoder{end}", f"encoder{end}", "tokens.txt"):
        with open(given.target / name, "rb") as file:
            sums.append(f"{hashlib.file_digest(file, 'sha256').hexdigest()}  {name}\n")
    (given.target / "SHA256SUMS").write_text("".join(sums))


if __name__ == "__main__":
    main()
