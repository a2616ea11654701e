"""A shell inside a running twin, for tests that look at its hosts."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.patience import PATIENCE

END = "-- end of command"


class Shell:
    """A shell inside a running twin."""

    def __init__(self, site: Path, work: Path, *arguments: str, before: Sequence[str] = ()) -> None:
        """`before` is a command that runs the twin's, as its last words."""
        command = [*before, sys.executable, "-m", "rackwright", "twin", str(site), "--work", str(work), *arguments]
        self.process = subprocess.Popen(
            [*command, "--", "bash"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.run("true")

    def run(self, command: str) -> tuple[int, str]:
        """Exit status and output of one command line."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(f"{{ {command}\n}} </dev/null 2>&1; rc=$?; echo; echo '{END}' $rc\n")
        self.process.stdin.flush()
        lines = []
        for line in self.process.stdout:
            if line.startswith(END):
                return int(line.split()[-1]), "".join(lines).rstrip("\n")
            lines.append(line)
        pytest.fail("the twin ended:\n" + "".join(lines))

    def say(self, command: str) -> str:
        """Output of a command line that must succeed."""
        code, output = self.run(command)
        assert code == 0, f"{command} ended with {code}:\n{output}"
        return output

    def end(self) -> int:
        assert self.process.stdin
        self.process.stdin.close()
        return self.process.wait(timeout=PATIENCE)
