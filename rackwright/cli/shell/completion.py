"""``rackwright completion SHELL``: prints the completion script of a shell."""

from __future__ import annotations

import argparse

import shtab

from rackwright.base.errors import ExitCode
from rackwright.cli.main import PHASES, load_verb

EXAMPLE = "rackwright completion bash > /etc/bash_completion.d/rackwright"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the verb."""
    parser.epilog = f"for example: {EXAMPLE}"
    parser.add_argument("shell", choices=shtab.SUPPORTED_SHELLS, help="the shell that will read the script")


def run(args: argparse.Namespace) -> int:
    """Print the script. It is generated from the options of every verb, so every verb's module is loaded."""
    parser = argparse.ArgumentParser(prog="rackwright")
    verbs = parser.add_subparsers()
    for summaries in PHASES.values():
        for verb, summary in summaries.items():
            load_verb(verb).add_arguments(verbs.add_parser(verb, help=summary))
    print(shtab.complete(parser, shell=args.shell))
    return ExitCode.PASS
