# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From every form in which StableHLO is kept to its generic text, which raf-opt reads. All but that text itself needs jaxlib, which runs in a process of its own."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Union

from ..errors import ImportError
from .signature import located

Input = Union[str, bytes, "os.PathLike[str]"]

_WORKER = Path(__file__).with_name("_worker.py")
_GENERIC = re.compile(r'(?:\s|//[^\n]*\n|#[\w.$-]+\s*=[^\n]*\n|![\w.$-]+\s*=[^\n]*\n)*"builtin\.module"\s*\(')
#: More than any useful program, less than what makes a machine swap.
_SIZE_LIMIT = 1 << 31


@dataclass(frozen=True)
class Source:
    """A program as it was given: its form, its bytes, and the name of its file for messages."""

    kind: str
    data: bytes
    name: str


@dataclass(frozen=True)
class Program:
    """A module in generic form, and what a jax.export file says about it."""

    text: str
    about: dict[str, Any] = field(default_factory=dict)


def open_source(source: Input) -> Source:
    """What `source` is: a path, the contents of a file, or text."""
    name = "<text>"
    if isinstance(source, os.PathLike) or isinstance(source, str) and not re.search(r"[\n{(]", source):
        name = os.fspath(source)
        try:
            if os.path.getsize(name) > _SIZE_LIMIT:
                raise ImportError(f"{name}: the file has more than {_SIZE_LIMIT >> 30} GiB")
            source = Path(name).read_bytes()
        except (OSError, ValueError) as error:
            raise ImportError(f"cannot read {name!r}: {getattr(error, 'strerror', None) or error}") from None
    elif not isinstance(source, str):
        if not isinstance(source, (bytes, bytearray, memoryview)):
            raise ImportError(f"expected StableHLO as a path, text or bytes, got {type(source).__name__}")
        name, source = "<bytes>", bytes(source)
    data = source.encode() if isinstance(source, str) else bytes(source)
    if not data.strip():
        raise ImportError(f"{name}: the program is empty")
    if data.startswith(b"ML\xefR"):
        # The number of the bytecode's version, then the producer.
        return Source("portable" if b"StableHLO_v" in data[4:24] else "bytecode", data, name)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return Source("export", data, name)
    if "\0" in text:
        return Source("export", data, name)
    return Source("generic" if _GENERIC.match(text) else "text", data, name)


def read(source: Source, types: Sequence[str] | None = None) -> Program:
    """The generic text; with `types`, after the dynamic shapes were refined to these types of the arguments."""
    if source.kind == "generic" and types is None:
        return Program(source.data.decode())
    need("jaxlib", source.name)
    if source.kind == "export":
        need("jax", source.name)
    kind = "text" if source.kind == "generic" else source.kind
    request = json.dumps({"kind": kind, "types": types}).encode() + b"\n" + source.data
    # The paths of this process, since it may have found jaxlib in one that no variable names.
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p), "JAX_PLATFORMS": "cpu"}
    done = subprocess.run([sys.executable, str(_WORKER)], input=request, capture_output=True, env=environment, check=False)
    head, _, body = done.stdout.partition(b"\n")
    try:
        answer: dict[str, Any] = json.loads(head)
    except ValueError:
        said = [line for line in done.stderr.decode(errors="replace").splitlines() if line.strip()]
        reason = next((line for line in said if "ERROR" in line or "ssertion" in line), said[-1] if said else f"it ended with {done.returncode}")
        raise ImportError(f"{source.name}: {_FORMS[source.kind]} that jaxlib cannot read: {reason.strip()}") from None
    if "error" in answer:
        problems = [located(source.name, d) for d in answer["diagnostics"]]
        if not problems:
            problems = [f"{source.name}: {_FORMS[source.kind]} that jaxlib does not accept: {_first_lines(answer['message'])}"]
        raise ImportError("\n".join(problems), problems)
    return Program(innermost(body.decode()), answer)


def innermost(text: str) -> str:
    """The module with each call stack that is a location cut to its innermost frame, the line of the user's program: JAX notes the frames of all callers."""
    return re.sub(r"callsite\((#loc\d*) at #loc\d*\)", r"\1", text)


_FORMS = {
    "generic": "MLIR text", "text": "StableHLO text", "bytecode": "MLIR bytecode", "portable": "a StableHLO artifact",
    "export": "not text and not MLIR bytecode, so taken as a jax.export file"}


def _first_lines(message: str) -> str:
    lines = [line for line in message.strip().splitlines() if line.strip()]
    return "\n".join(lines[:8]) or "no reason given"


def need(package: str, what: str) -> None:
    """Raises unless the optional package is installed."""
    if importlib.util.find_spec(package) is None:
        raise ImportError(f"{what}: this form of StableHLO is read with {package}, which is not installed: pip install 'raf-compiler[stablehlo]'")
