"""Every command that README and documentation show is one that the program takes: verbs and options of an older version are found."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from rackwright.cli.main import PHASE_OF, load_verb

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def commands() -> list[list[str]]:
    """The words after `rackwright` in indented lines, and on both sides of `&&`."""
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    lines = [line for line in text.splitlines() if line.startswith("    rackwright ")]
    parts = [part for line in lines for part in line.split("&&")]
    return [shlex.split(part, comments=True)[1:] for part in parts]


def test_the_program_takes_every_command() -> None:
    for words in commands():
        verb, *rest = words[: words.index("--")] if "--" in words else words
        assert verb in PHASE_OF
        parser = argparse.ArgumentParser(prog=verb)
        load_verb(verb).add_arguments(parser)
        assert parser.parse_args(rest), words


def test_there_are_some() -> None:
    assert {"collect", "burnin", "isolate", "judge", "gate", "verify", "waive", "repair", "limits"} <= {
        words[0] for words in commands()
    }
