# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs what the pages in docs/ and README.md show. A comment before a fenced block says what the block is:

    <!-- file NAME -->              the block is written to NAME
    <!-- run -->                    the block (sh or python) is run; all blocks of a page share one folder
    <!-- run after SETUP.py -->     the same, after test/docs/SETUP.py (which python blocks see as if they went on from it)
    <!-- show FILE: A .. B | C -->  the block holds the lines of FILE from the first that matches A to the next that matches B, then the first that matches C
    <!-- from FILE -->              the block's lines are in that file of the tree, in this order; `...` stands for lines left out

`python test/docs/pages.py [PAGE ...]` writes the blocks of the last kind anew."""

import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WIDTH = 230
BLOCK = re.compile(r"^<!-- (file|run|show|from)\b ?([^\n]*?) ?-->\n```(\w*)\n(.*?)^```$", re.M | re.S)


class Failed(Exception):
    """A block that does not run, or a page that does not show what its commands write."""


def pages():
    return [p for p in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))] if BLOCK.search(p.read_text())]


def environment(folder):
    """Commands of this very package, under their usual names."""
    package = pathlib.Path(importlib.util.find_spec("raf").submodule_search_locations[0])
    commands = folder / "bin"
    commands.mkdir()
    for name, line in (("python", f'exec "{sys.executable}" "$@"'), ("raf", f'exec "{sys.executable}" -c "from raf.cli import main; main()" "$@"')):
        (commands / name).write_text(f"#!/bin/sh\n{line}\n")
        (commands / name).chmod(0o755)
    path = os.pathsep.join([str(commands), str(package / "bin"), os.environ.get("PATH", os.defpath)])
    return {**os.environ, "PATH": path, "RAF_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": os.pathsep.join([str(package.parent), os.environ.get("PYTHONPATH", "")])}


def run(language, text, setup, folder, env):
    before = (HERE / setup).read_text() if setup else ""
    if language == "python":
        command = ["python", "-c", before + text]
    else:
        if before:
            run("python", before, None, folder, env)
        command = ["bash", "-euo", "pipefail", "-c", text]
    done = subprocess.run(command, cwd=folder / "work", env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(f"{text}\nended with {done.returncode}:\n{done.stdout}{done.stderr}")


def excerpt(lines, ranges):
    """The chosen lines; what lies between two ranges, and the end of long lines, becomes `...`."""
    chosen, at = [], 0
    for part in ranges.split(" | "):
        first, _, last = part.partition(" .. ")
        start = next((i for i in range(at, len(lines)) if re.search(first, lines[i])), None)
        end = start if not last or start is None else next((i for i in range(start + 1, len(lines)) if re.search(last, lines[i])), None)
        if start is None or end is None:
            raise Failed(f"no line matches {first if start is None else last!r} in what the command wrote")
        if chosen and start > at:
            chosen.append(re.match(" *", lines[start]).group() + "...")
        chosen += lines[start:end + 1]
        at = end + 1
    shown = textwrap.dedent("\n".join(chosen)).splitlines()
    return [line if len(line) <= WIDTH else line[:WIDTH - 4].rstrip() + " ..." for line in shown]


def check_quote(body, file):
    lines = iter((ROOT / file).read_text().splitlines())
    for line in body.splitlines():
        if line.strip() not in ("", "...") and not any(candidate.strip() == line.strip() for candidate in lines):
            raise Failed(f"{file} has no line (after those before it):\n{line}")


def play(page):
    """Runs a page; returns its text with what its commands write now."""
    text = page.read_text()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "work").mkdir()
        env = environment(folder)

        def step(match):
            kind, argument, language, body = match.groups()
            if kind == "file":
                (folder / "work" / argument).write_text(body)
            elif kind == "from":
                check_quote(body, argument)
            elif kind == "run":
                run(language, body, argument.removeprefix("after ").strip() or None, folder, env)
            else:
                file, _, ranges = argument.partition(": ")
                lines = (folder / "work" / file).read_text().splitlines()
                new = "".join(f"{line}\n" for line in excerpt(lines, ranges))
                return f"<!-- show {argument} -->\n```{language}\n{new}```"
            return match.group()

        return BLOCK.sub(step, text)


def comparable(text):
    """Without what differs between machines (sizes of workspaces, offsets) and the numbers of values."""
    text = re.sub(r"^ *%\w+ = arith.constant \d+ : index\n", "", text, flags=re.M)
    text = re.sub(r"\(S\) +\d+ ", "(S) N ", text)
    return re.sub(r"\d{3,}", "N", re.sub(r"%\w+(#\d+)?|#map\d*", "%", text))


if __name__ == "__main__":
    for page in [pathlib.Path(a).resolve() for a in sys.argv[1:]] or pages():
        page.write_text(play(page))
