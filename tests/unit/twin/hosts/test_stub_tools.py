"""The programs that answer for simulated tools, run as a host of the twin runs them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from rackwright.twin.hosts import stub_tools

SAID = {"stdout": "224 CPUs\n", "stderr": "a word\n", "rc": 3}
LINES = {
    "tool -J": SAID,
    "tool '{}' +": {**SAID, "stdout": "found\n"},
    "tool 'one word' '$HOME' '*'": {**SAID, "stderr": "", "rc": 0},
    "tool nothing": {"stdout": "", "stderr": "", "rc": 0},
    "alone -c 'it'\"'\"'s\nhere'": {**SAID, "stdout": ""},
}


@pytest.fixture
def host(tmp_path: Path):
    simulated, real, answers = tmp_path / "own", tmp_path / "real", tmp_path / "answers"
    for folder in (simulated, real, answers):
        folder.mkdir()
    for path, text in stub_tools.files(LINES, str(answers)).items():
        Path(path).write_text(text)
    for tool, program in stub_tools.programs(LINES, str(answers)).items():
        (simulated / tool).write_text(program)
        (simulated / tool).chmod(0o755)
    (real / "tool").write_text("#!/bin/sh\necho real $# $*\n")
    (real / "tool").chmod(0o755)

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        path = f"{simulated}:{real}:/usr/bin:/bin"
        return subprocess.run(
            words,
            env={**os.environ, "PATH": path},
            executable=simulated / words[0],
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def test_a_known_command_line_gets_its_answer(host) -> None:
    done = host("tool", "-J")
    assert (done.stdout, done.stderr, done.returncode) == ("224 CPUs\n", "a word\n", 3)
    assert host("tool", "{}", "+").stdout == "found\n"
    done = host("tool", "one word", "$HOME", "*")
    assert (done.stdout, done.stderr, done.returncode) == ("224 CPUs\n", "", 0)
    done = host("tool", "nothing")
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)
    done = host("alone", "-c", "it's\nhere")
    assert (done.stdout, done.stderr, done.returncode) == ("", "a word\n", 3)


def test_other_words_go_to_the_real_tool_behind_it(host) -> None:
    done = host("tool", "--version", "two words")
    assert (done.stdout, done.returncode) == ("real 2 --version two words\n", 0)


def test_words_are_told_apart_as_they_were_given(host) -> None:
    assert host("tool", "one", "word", "$HOME", "*").stdout.startswith("real 4 one word $HOME")


def test_where_there_is_no_real_tool_other_words_are_refused(host) -> None:
    done = host("alone", "--version")
    assert (done.stdout, done.returncode) == ("", 64)
    assert "the twin has no answer to alone --version" in done.stderr
