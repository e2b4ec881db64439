# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command `raf`."""

from __future__ import annotations

import os
import sys

import typer

from ..errors import Error
from . import compile, doctor, evaluate, example, inspect, profile, run, train
from ._common import errors

_HELP = """RAF compiles deep-learning training: train, evaluate, inspect and profile ONNX models, and compile them ahead of time.

[bold]Examples[/]

  raf train --example digits --export digits.onnx

  raf example digits here && raf train here/digits.onnx --data here/train.npz --val here/test.npz

  raf doctor
"""

app = typer.Typer(
    name="raf",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("train")(train.train)
app.command("eval")(evaluate.evaluate)
app.command("inspect")(inspect.inspect)
app.command("profile")(profile.profile)
app.command("compile")(compile.compile)
app.command("run")(run.run)
app.command("doctor")(doctor.doctor)
app.command("example")(example.example)


def _version(value: bool) -> None:
    if value:
        from .. import __version__

        print(f"raf {__version__}")
        raise typer.Exit


@app.callback()
def _root(version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Show the version and leave.")) -> None:
    pass


_root.__doc__ = _HELP


def main() -> None:
    """The entry point: errors become one message and an exit status, 1 for RAF's own, 130 for Ctrl-C, 143 for SIGTERM."""
    try:
        app(prog_name="raf")
    except Error as error:
        errors().print("[bold red]error:[/] ", end="")
        errors().print(str(error), markup=False, highlight=False, soft_wrap=True)
        sys.exit(1)
    except BrokenPipeError:
        # Whoever read the output has enough; Python must not complain about it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except Exception as error:
        if os.environ.get("RAF_DEBUG"):
            raise
        errors().print(f"internal error: {type(error).__name__}: {error}", markup=False, highlight=False)
        errors().print("This is a fault of RAF. RAF_DEBUG=1 shows where it happened.", highlight=False)
        sys.exit(70)
