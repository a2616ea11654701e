"""Runs one build: the source, whose digest is checked, unpacked into an empty folder, and its steps without a shell."""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
from pathlib import Path

from rackwright.base.errors import OutsideError
from rackwright.mirror.build.planning import PlannedBuild
from rackwright.mirror.programs import run_program

LAST_LINES = 12
"""Of a step that failed, printed; the rest is in its log."""


class RunningBuild:
    """A build in its folder below `work`, which nothing else is in."""

    def __init__(self, build: PlannedBuild, work: Path) -> None:
        self.build = build
        self.root = work / build.recipe.name
        self.log = work / f"{build.recipe.name}.log"
        self.time = 0
        """Seconds since 1970 that every file gets: the youngest file of the source."""

    @property
    def folder(self) -> Path:
        """The folder of the source."""
        return self.root / "source" / self.build.fill(self.build.recipe.folder)

    def run(self, archive: Path) -> None:
        """Unpack `archive` and run the steps. OutsideError when one fails, with its last words."""
        shutil.rmtree(self.root, ignore_errors=True)
        self._unpack(archive)
        (self.root / "home").mkdir()
        with self.log.open("wb") as log:
            for step in self.build.recipe.steps:
                command = [self.build.fill(word) for word in step]
                log.write(f"+ {' '.join(command)}\n".encode())
                log.flush()
                self._step(command, log.fileno())

    def environment(self) -> dict[str, str]:
        """Environment of a step: nothing of the user's own settings."""
        settings = {name: self.build.fill(text) for name, text in self.build.recipe.environment.items()}
        common = {"HOME": str(self.root / "home"), "LC_ALL": "C", "TZ": "UTC", "SOURCE_DATE_EPOCH": str(self.time)}
        return {"PATH": os.environ.get("PATH", os.defpath), **common, **settings}

    def _unpack(self, archive: Path) -> None:
        target = self.root / "source"
        target.mkdir(parents=True)
        try:
            with tarfile.open(archive) as source:
                self.time = int(max((member.mtime for member in source), default=0))
        except (tarfile.TarError, OSError, EOFError) as error:
            raise OutsideError(f"{archive}: no archive that can be unpacked ({error})") from error
        # Not by `tarfile`: what it refuses of an archive is no part of Python 3.11 before 3.11.4, and Debian 12 has 3.11.2.
        done = run_program(
            [
                "tar",
                "--extract",
                "--no-same-owner",
                "--no-same-permissions",
                f"--file={archive}",
                f"--directory={target}",
            ]
        )
        if done.returncode:
            raise OutsideError(f"{archive} cannot be unpacked: {done.stderr.decode(errors='replace').strip()}")
        if not self.folder.is_dir():
            raise OutsideError(f"{archive} has no folder {self.folder.name}: correct `folder` of the recipe")

    def _step(self, command: list[str], log: int) -> None:
        try:
            done = subprocess.run(
                command, cwd=self.folder, env=self.environment(), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                check=False,
            )  # fmt: skip
        except OSError as error:
            raise OutsideError(f"{self.build.name}: `{command[0]}` does not start: {error.strerror}") from error
        if done.returncode:
            last = self.log.read_text(errors="replace").splitlines()[-LAST_LINES:]
            raise OutsideError(
                f"{self.build.name}: `{' '.join(command)}` failed with {done.returncode}; nothing was published. The end of {self.log}:\n"
                + "\n".join(f"  {line}" for line in last)
            )
