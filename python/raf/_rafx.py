# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The file of an executable, .rafx: a zip whose entries are stored as they are, described in docs/aot.md. Nothing in a file is believed before it was compared."""

from __future__ import annotations

import hashlib
import io
import json
import os
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ._arrays import Array, dtype_of
from ._files import write as write_file
from .errors import RuntimeError, bullets

FORMAT = 2
SCHEMA = Path(__file__).parent / "rafx.schema.json"
_MANIFEST, _VALUES = "manifest.json", "values.safetensors"
_DATE = (1980, 1, 1, 0, 0, 0)  # the same contents are the same file


@dataclass
class Contents:
    """What a file holds. `manifest` is without the lists of files, which are made when it is written."""

    manifest: dict[str, Any]
    objects: list[bytes]
    values: dict[str, Array]
    images: list[tuple[dict[str, str], bytes]] = field(default_factory=list)


def write(path: str | os.PathLike[str], contents: Contents) -> None:
    """Writes the file at once or not at all. Raises raf.RuntimeError when it cannot be written."""
    from safetensors.numpy import save

    files: dict[str, bytes] = {}
    host = [f"host/{i}.o" for i in range(len(contents.objects))]
    files.update(zip(host, contents.objects))
    images = [{**about, "file": f"images/{i}.{about['kind']}"} for i, (about, _) in enumerate(contents.images)]
    files.update(zip((image["file"] for image in images), (data for _, data in contents.images)))
    # Optimizer states before the first step are a large part of a file that holds them.
    zeros = {name for name, array in contents.values.items() if not array.reshape(-1).view(np.uint8).any()}
    files[_VALUES] = save({name: array for name, array in contents.values.items() if name not in zeros})
    listed = {name: {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()} for name, data in files.items()}
    manifest = {"format": FORMAT, **contents.manifest, "host": host, "images": images, "values": _VALUES, "zeros": sorted(zeros), "files": listed}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as file:
        for name, data in {_MANIFEST: json.dumps(manifest, indent=1).encode(), **files}.items():
            file.writestr(zipfile.ZipInfo(name, _DATE), data)
    write_file(path, buffer.getvalue())


def read(path: str | os.PathLike[str]) -> Contents:
    """Reads a file. Raises raf.RuntimeError with the reason if it is not there, damaged, or of another version."""
    name = os.fspath(path)
    if not os.path.isfile(name):
        raise RuntimeError(f"there is no file {name!r}")
    try:
        with zipfile.ZipFile(name) as file:
            return _read(name, file)
    except zipfile.BadZipFile as error:
        raise RuntimeError(f"{name!r} is no executable of RAF, or damaged: {error}") from None
    except (OSError, EOFError, NotImplementedError, ValueError, KeyError) as error:
        raise RuntimeError(f"{name!r} cannot be read: {error}") from None


def _read(name: str, file: zipfile.ZipFile) -> Contents:
    from safetensors import SafetensorError

    def entry(part: str) -> bytes:
        try:
            info = file.getinfo(part)
        except KeyError:
            raise RuntimeError(f"{name!r} is no executable of RAF, or damaged: it has no {part}") from None
        if info.compress_type != zipfile.ZIP_STORED or info.flag_bits & 1:
            raise RuntimeError(f"{name!r} is damaged: {part} is compressed or encrypted")
        return file.read(info)

    try:
        manifest = json.loads(entry(_MANIFEST))
    except (ValueError, RecursionError):
        raise RuntimeError(f"{name!r} is damaged: {_MANIFEST} is no JSON") from None
    version = manifest.get("format") if isinstance(manifest, dict) else None
    if version != FORMAT:
        raise RuntimeError(f"{name!r} has format {version!r}, and this version of RAF reads format {FORMAT}: compile the model again")
    if found := problems(manifest, json.loads(SCHEMA.read_text())):
        raise RuntimeError(bullets(f"{name!r} is damaged: {_MANIFEST} is not what it should be", found[:5]))

    def checked(part: str) -> bytes:
        expected, data = manifest["files"].get(part), entry(part)
        if expected is None or expected["bytes"] != len(data) or expected["sha256"] != hashlib.sha256(data).hexdigest():
            raise RuntimeError(f"{name!r} is damaged: {part} is not what {_MANIFEST} says")
        return data

    try:
        values = _values(checked(manifest["values"]))
    except (SafetensorError, ValueError, TypeError) as error:
        raise RuntimeError(f"{name!r} is damaged: {manifest['values']}: {error}") from None
    images = [({k: v for k, v in image.items() if k != "file"}, checked(image["file"])) for image in manifest["images"]]
    return Contents(manifest, [checked(part) for part in manifest["host"]], values, images)


#: The numpy types of safetensors' names, for those that programs have; safetensors.numpy knows no bfloat16.
_DTYPES = {
    "F16": "f16", "BF16": "bf16", "F32": "f32", "F64": "f64", "BOOL": "i1",
    "I8": "i8", "I16": "i16", "I32": "i32", "I64": "i64", "U8": "ui8", "U16": "ui16", "U32": "ui32", "U64": "ui64",
}  # fmt: skip


def _values(data: bytes) -> dict[str, Array]:
    """The arrays of a safetensors file. Raises ValueError for types that no program has."""
    from safetensors import deserialize

    values: dict[str, Array] = {}
    for name, tensor in deserialize(data):
        if tensor["dtype"] not in _DTYPES:
            raise ValueError(f"{name!r} is of the unknown type {tensor['dtype']}; known: {', '.join(_DTYPES)}")
        values[name] = np.ndarray(tensor["shape"], dtype_of(_DTYPES[tensor["dtype"]]), tensor["data"])
    return values


_TYPES: dict[str, tuple[type, ...]] = {"object": (dict,), "array": (list,), "string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,), "null": (type(None),)}


def problems(value: Any, schema: Mapping[str, Any], where: str = "$") -> list[str]:
    """How a value of JSON differs from a schema, a line each, for the keywords of JSON Schema that rafx.schema.json uses: type, enum, minimum, maximum, required, properties,
    items, additionalProperties."""
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(isinstance(value, _TYPES[k]) and not (isinstance(value, bool) and k != "boolean") for k in kinds):
        return [f"{where}: expected {' or '.join(kinds)}, got {type(value).__name__}"]
    if "enum" in schema and value not in schema["enum"]:
        return [f"{where}: expected one of {', '.join(map(repr, schema['enum']))}, got {value!r}"]
    found: list[str] = []
    if "minimum" in schema and isinstance(value, (int, float)) and value < schema["minimum"]:
        found.append(f"{where}: expected at least {schema['minimum']}, got {value}")
    if "maximum" in schema and isinstance(value, (int, float)) and value > schema["maximum"]:
        found.append(f"{where}: expected at most {schema['maximum']}, got {value}")
    if isinstance(value, dict):
        found += [f"{where}: {key!r} is missing" for key in schema.get("required", []) if key not in value]
        for key, part in value.items():
            rule = schema.get("properties", {}).get(key, schema.get("additionalProperties"))
            if isinstance(rule, Mapping):
                found += problems(part, rule, f"{where}.{key}")
    if isinstance(value, list) and isinstance(schema.get("items"), Mapping):
        for i, part in enumerate(value):
            found += problems(part, schema["items"], f"{where}[{i}]")
    return found
