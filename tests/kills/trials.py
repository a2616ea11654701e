"""Runs a verb that is killed before one of its operations, then runs it again, and compares with what there was before and without a kill."""

from __future__ import annotations

import argparse
import importlib
import os
import pickle
import shutil
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from rackwright import judge
from rackwright.cli import site
from rackwright.cli.main import main
from rackwright.collect.collector import library
from rackwright.judge.load import checks
from tests import handovers
from tests.kills.operations import call_before_each, kill_before
from tests.kills.verbs import KilledVerb

COLLECTED = datetime(2026, 11, 21, 9, tzinfo=UTC)
UNFINISHED = (".new", ".draft")
"""Ends of names that a writer gives to what it has begun."""
STAGES = (
    "alembic.command", "rackwright.cli.accept.gate", "rackwright.cli.handover.attest", "rackwright.flow.pipeline",
    "rackwright.flow.signed_bundle", "rackwright.report.files", "rackwright.report.pdf.document",
)  # fmt: skip
"""What verbs import."""


def warm() -> None:
    """Import and read once what each forked process would: a quarter of a verb. Nothing here may start a thread, as a design does: it is not there after a fork."""
    for name in STAGES:
        importlib.import_module(name)
    threads = len(list(Path("/proc/self/task").iterdir()))
    loaded = site.load(argparse.Namespace(site=handovers.SITE))
    library()
    checks()
    judge.load_limits(roots=loaded.catalog.roots)
    assert len(list(Path("/proc/self/task").iterdir())) == threads


def forked(act: Callable[[], Any], log: Path) -> tuple[int, Any]:
    """Do `act` in a process of its own: its exit status (negative: the signal), and what it returned."""
    answer, question = os.pipe()
    child = os.fork()
    if not child:
        code = 70
        try:
            os.close(answer)
            file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(file, 1)
            os.dup2(file, 2)
            with os.fdopen(question, "wb") as stream:
                pickle.dump(act(), stream)
            code = 0
        except BaseException:  # the child must not come back into the caller
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    os.close(question)
    with os.fdopen(answer, "rb") as stream:
        data = stream.read()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return code, pickle.loads(data) if data and not code else None


def run_verb(argv: list[str], work: Path) -> int:
    """The exit code of a verb that asks no machine, an hour after the evidence was collected."""
    with pytest.MonkeyPatch.context() as patched:
        handovers.outside(patched)
        patched.setenv("RACKWRIGHT_SIGNING_KEY", str(work / "key"))
        return main(argv)


def prepare(folder: Path, begins: set[str]) -> dict[str, Path]:
    """The workspaces that verbs begin with."""
    warm()
    empty, evidence, signed = folder / "empty", folder / "evidence", folder / "signed"
    empty.mkdir()
    if begins == {"empty"}:
        return {"empty": empty}

    def fill() -> None:
        handovers.fill(evidence / "evidence", COLLECTED)
        assert main(["keygen", str(evidence / "key")]) == 0
        shutil.copytree(evidence, signed)
        assert run_verb(
            ["gate", handovers.SITE, "--work", str(signed), "--nodes", ",".join(handovers.NODES), "--sign"], signed
        ) in (0, 1)

    code, _ = forked(fill, folder / "log")
    assert code == 0, (folder / "log").read_text()
    return {"empty": empty, "evidence": evidence, "signed": signed}


@dataclass(frozen=True)
class Undisturbed:
    """A run without a kill."""

    exit_code: int
    operations: int
    result: object


class Trials:
    """Kills of one verb."""

    def __init__(self, verb: KilledVerb, begin: Path, folder: Path) -> None:
        self.verb, self.begin, self.work, self.log = verb, begin, folder / "work", folder / "log"

    def undisturbed(self) -> Undisturbed:
        """A run without a kill."""
        self._fresh()

        def count_operations() -> tuple[int, int]:
            steps: list[str] = []
            call_before_each(steps.append)
            return self._run(), len(steps)

        ended, counted = forked(count_operations, self.log)
        assert ended == 0, self.log.read_text()
        return Undisturbed(*counted, self._result())

    def problems(self, steps: Sequence[int], undisturbed: Undisturbed) -> list[str]:
        """What is wrong after runs that were killed before these operations, one after the other, and after another run."""
        before = self._fresh()
        problems: list[str] = []
        for step in steps:
            forked(partial(self._killed, step), self.log)
            problems += [f"lost or changed: {name}" for name in _lost(before, self.work)]
        ended, code = forked(self._run, self.log)
        if (ended, code) != (0, undisturbed.exit_code):
            return [*problems, f"the next run ended with {code}, not {undisturbed.exit_code}:\n{self.log.read_text()}"]
        if (result := self._result()) != undisturbed.result:
            problems.append(f"another result: {result}, not {undisturbed.result}")
        problems += [f"lost or changed by the next run: {name}" for name in _lost(before, self.work)]
        problems += [
            f"not cleared away: {path.relative_to(self.work)}"
            for path in self.work.rglob("*")
            if _unfinished(path.name)
        ]
        return [*problems, *self._audit()]

    def _killed(self, step: int) -> None:
        kill_before(step)
        self._run()

    def _run(self) -> int:
        argv = self.verb.argv(self.work)
        return main(argv) if self.verb.machines else run_verb(argv, self.work)

    def _audit(self) -> list[str]:
        if not (self.work / "ledger.db").exists():
            return []
        ended = forked(lambda: main(["audit", handovers.SITE, "--work", str(self.work)]), self.log)
        return [] if ended == (0, 0) else [f"audit: {self.log.read_text()}"]

    def _result(self) -> object:
        ended, result = forked(lambda: self.verb.result(self.work), self.log)
        return self.log.read_text() if ended else result

    def _fresh(self) -> dict[str, bytes]:
        """A workspace as it is before the verb; its files that must last."""
        shutil.rmtree(self.work, ignore_errors=True)
        shutil.copytree(self.begin, self.work)
        files = {path.relative_to(self.work): path for path in self.work.rglob("*") if path.is_file()}
        return {str(name): path.read_bytes() for name, path in files.items() if _lasting(name)}


def _unfinished(name: str) -> bool:
    return name.endswith(UNFINISHED) or name.startswith(".unfinished")


def _lasting(path: Path) -> bool:
    """Evidence and bundles; reports and caches are written anew, and `audit` reads the ledger."""
    return (
        path.parts[0] in ("evidence", "handover", "key", "key.pub")
        and "cache" not in path.parts
        and path.name not in ("lock", ".lock")
    )


def _lost(before: dict[str, bytes], work: Path) -> list[str]:
    """Files that are gone, or no longer begin as they were."""
    return [
        name
        for name, content in before.items()
        if not (work / name).is_file() or not (work / name).read_bytes().startswith(content)
    ]
