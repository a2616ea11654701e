"""The program that answers for simulated tools, run as a host of the twin runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rackwright.twin import guest

PROGRAM = """\
import sys
sys.path.insert(0, {path!r})
from guest import answer
answer.ANSWERS = {answers!r}
sys.exit(answer.main())
"""


@pytest.fixture
def host(tmp_path: Path):
    own, real = tmp_path / "own", tmp_path / "real"
    answers = tmp_path / "answers.json"
    said = {"stdout": "224 CPUs\n", "stderr": "a word\n", "rc": 3}
    answers.write_text(json.dumps({"tool -J": said, "tool '{}' +": {**said, "stdout": "found\n"}}))
    for folder in (own, real):
        folder.mkdir()
    start = f"#!{sys.executable}\n"
    body = PROGRAM.format(path=str(Path(guest.__file__).parents[1]), answers=str(answers))
    for name in ("tool", "alone"):
        (own / name).write_text(start + body)
        (own / name).chmod(0o755)
    (real / "tool").write_text("#!/bin/sh\necho real $*\n")
    (real / "tool").chmod(0o755)

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        path = f"{own}:{real}:/usr/bin:/bin"
        return subprocess.run(
            words,
            env={**os.environ, "PATH": path},
            executable=own / words[0],
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def test_a_known_command_line_gets_its_answer(host) -> None:
    done = host("tool", "-J")
    assert (done.stdout, done.stderr, done.returncode) == ("224 CPUs\n", "a word\n", 3)
    assert host("tool", "{}", "+").stdout == "found\n"


def test_other_words_go_to_the_real_tool_behind_it(host) -> None:
    done = host("tool", "--version")
    assert (done.stdout, done.returncode) == ("real --version\n", 0)


def test_where_there_is_no_real_tool_other_words_are_refused(host) -> None:
    done = host("alone", "--version")
    assert (done.stdout, done.returncode) == ("", 64)
    assert "the twin has no answer to alone --version" in done.stderr
