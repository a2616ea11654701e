"""Every command that the README shows is one that the program takes: verbs and options of an older version are found."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

import pytest

from rackwright.cli.main import PHASE_OF, load_verb

README = Path(__file__).resolve().parents[2] / "README.md"


def commands() -> list[list[str]]:
    """What stands behind `rackwright` in indented lines, and on their other side of `&&`; optional parts are left out."""
    lines = [line for line in README.read_text(encoding="utf-8").splitlines() if line.startswith("    rackwright ")]
    parts = [part for line in lines for part in line.split("&&")]
    return [shlex.split(part, comments=True)[1:] for part in parts]


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_the_program_takes_it(words: list[str]) -> None:
    verb, *rest = words[: words.index("--")] if "--" in words else words
    assert verb in PHASE_OF
    parser = argparse.ArgumentParser(prog=verb)
    load_verb(verb).add_arguments(parser)
    assert parser.parse_args(rest)


def test_there_are_some() -> None:
    assert {"collect", "burnin", "isolate", "judge", "gate", "verify", "waive", "repair", "limits"} <= {
        words[0] for words in commands()
    }
