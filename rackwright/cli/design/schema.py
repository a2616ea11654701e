"""``rackwright schema``: prints the JSON Schema of site.yaml, for editors."""

from __future__ import annotations

import argparse

from rackwright import spec
from rackwright.base.errors import ExitCode
from rackwright.cli import output


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Only the format, which is always JSON."""
    output.add_format(parser)


def run(args: argparse.Namespace) -> int:  # noqa: ARG001 - every verb has the same shape
    """Print the schema."""
    output.emit(spec.schema())
    return ExitCode.PASS
