# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A stand-in for the compiler core, for tests of what Python does around it: one two-layer net, computed with numpy through the same addresses."""

import ctypes
import json
import re

import numpy as np

import raf
from raf.model import Model, Specialized, TensorSpec

FEATURES, HIDDEN, CLASSES = 6, 8, 3


class Source:
    def __init__(self):
        self.exported = {}

    def build(self, model, shapes):
        rows = shapes["x"][0]
        asm = json.dumps({"rows": rows, "frozen": sorted(model.frozen)}).encode()
        return Specialized(asm, (TensorSpec("x", np.dtype(np.float32), shapes["x"]),), (TensorSpec("scores", np.dtype(np.float32), (rows, CLASSES)),))

    def export(self, model, path, arrays):
        self.exported[str(path)] = {k: v.copy() for k, v in arrays.items()}


def model(batch="N", seed=0, hidden=HIDDEN):
    rng = np.random.default_rng(seed)
    params = {
        "fc1.weight": rng.normal(size=(FEATURES, hidden)).astype(np.float32),
        "fc1.bias": np.zeros(hidden, np.float32),
        "fc2.weight": rng.normal(size=(hidden, CLASSES)).astype(np.float32),
    }
    buffers = {"mean": np.zeros(FEATURES, np.float32)}
    f32 = np.dtype(np.float32)
    return Model("net", [TensorSpec("x", f32, (batch, FEATURES))], [TensorSpec("scores", f32, (batch, CLASSES))], params, buffers, Source())


def view(address, dtype, shape):
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    return np.frombuffer((ctypes.c_char * size).from_address(address), dtype).reshape(shape)


NUMPY = {"f32": np.float32, "i64": np.int64, "i32": np.int32, "i1": np.bool_}


class Executable:
    """`plan` is the manifest with what the pipeline said."""

    def __init__(self, plan):
        self.plan = plan
        self.manifest = json.dumps(plan)
        self.bound = {}
        self.binds = 0
        self.runs = 0

    @classmethod
    def compile(cls, module, options):
        Core.compiled += 1
        return cls({**json.loads(module), "options": json.loads(options)})

    @classmethod
    def deserialize(cls, data):
        if not data.startswith(b"FAKE"):
            raise raf.CompileError("no executable")
        Core.loaded += 1
        return cls(json.loads(data[4:]))

    def serialize(self):
        return b"FAKE" + self.manifest.encode()

    def bind(self, index, address):
        self.binds += 1
        arrays = self.plan["args"] + [r for r in self.plan["results"] if r["alias"] is None]
        self.bound[arrays[index]["name"]] = view(address, NUMPY[arrays[index]["dtype"]], arrays[index]["shape"])

    def run(self):
        b = self.bound
        training = self.plan["optimizer"] is not None
        kept = {a["name"]: b[a["name"]].copy() for a in self.plan["args"] if a["role"] in ("param", "buffer", "state")}
        self.step(b, training)
        if "finite" in b:
            b["finite"][...] = np.isfinite(b["loss"]) and np.isfinite(b["lr"]) and (self.plan["guard"] == "loss" or all(np.isfinite(g).all() for g in self.grads.values()))
            for name, array in ({} if b["finite"] else kept).items():
                b[name][...] = array
        self.runs += 1

    def step(self, b, training):
        x = b["x"]
        hidden = np.maximum(x @ b["fc1.weight"] + b["fc1.bias"], 0)
        mask = np.float32(1)
        if training:
            generator = np.random.Generator(np.random.Philox(key=np.array([b["seed"], b["step"]], np.uint64)))
            mask = (generator.random(hidden.shape) < 0.9).astype(np.float32)
            b["mean"][...] = 0.9 * b["mean"] + 0.1 * x.mean(0)
        scores = (hidden * mask) @ b["fc2.weight"]
        if "scores" in b:
            b["scores"][...] = scores
        if "loss" not in b:
            return
        shifted = scores - scores.max(1, keepdims=True)
        p = np.exp(shifted) / np.exp(shifted).sum(1, keepdims=True)
        labels = b["target"]
        b["loss"][...] = -np.log(p[np.arange(len(x)), labels]).mean()
        if not training:
            return
        d = p.copy()
        d[np.arange(len(x)), labels] -= 1
        d /= len(x)
        dh = (d @ b["fc2.weight"].T) * mask * (hidden > 0)
        self.grads = grads = {"fc1.weight": x.T @ dh, "fc1.bias": dh.sum(0), "fc2.weight": (hidden * mask).T @ d}
        for name, grad in grads.items():
            if name in self.plan["frozen"]:
                continue
            if self.plan["momentum"]:
                b[f"velocity:{name}"][...] = self.plan["momentum"] * b[f"velocity:{name}"] + grad
                grad = b[f"velocity:{name}"]
            b[name][...] -= b["lr"] * grad


class Core:
    Executable = Executable
    compiled = loaded = 0
    hidden = HIDDEN

    @classmethod
    def run_pipeline(cls, asm, text):
        source = json.loads(asm)
        options = dict(re.findall(r"([\w-]+)=([\w.\-]+)", text))
        rows, hidden = source["rows"], cls.hidden
        params = {"fc1.weight": [FEATURES, hidden], "fc1.bias": [hidden], "fc2.weight": [hidden, CLASSES]}

        def arg(name, role, dtype, shape):
            return {"name": name, "role": role, "dtype": dtype, "shape": shape}

        args = [arg("x", "input", "f32", [rows, FEATURES])]
        args += [arg(n, "param", "f32", s) for n, s in params.items()] + [arg("mean", "buffer", "f32", [FEATURES])]
        args += [arg("seed", "seed", "i64", []), arg("step", "step", "i64", [])]
        results = [{"name": "scores", "dtype": "f32", "shape": [rows, CLASSES], "alias": None}]
        if "loss" in options:
            args.append(arg("target", "target", options["target-type"], [rows]))
            results = [{"name": "loss", "dtype": "f32", "shape": [], "alias": None}, *(results if options.get("keep-outputs") == "true" else [])]
        momentum = float(options.get("momentum", 0))
        if "optimizer" in options:
            if momentum:
                args += [arg(f"velocity:{n}", "state", "f32", s) for n, s in params.items() if n not in source["frozen"]]
            args.append(arg("lr", "lr", "f32", []))
            results += [{"name": f"new:{a['name']}", "dtype": "f32", "shape": a["shape"], "alias": i} for i, a in enumerate(args) if a["role"] == "param"]
            if options.get("guard", "none") != "none":
                results.append({"name": "finite", "dtype": "i1", "shape": [], "alias": None})
        plan = {"args": args, "results": results, "frozen": source["frozen"], "optimizer": options.get("optimizer"), "momentum": momentum,
                "guard": options.get("guard"), "memory": {"arena": 64}, "pipeline": text}  # fmt: skip
        return json.dumps(plan)


def data(samples=40, seed=1):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(samples, FEATURES)).astype(np.float32)
    y = (x @ rng.normal(size=(FEATURES, CLASSES))).argmax(1).astype(np.int64)
    return x, y
