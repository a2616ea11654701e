"""Verbs that ask machines are played inside a twin, with two of its nodes in service of its Slurm."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.handovers import NODES, SITE

CONTROLLER = "slurm-01"


def play_inside(words: Sequence[str]) -> dict[str, Any]:
    """What ``python -m tests.kills`` with `words` says inside a twin that is started for it."""
    with tempfile.TemporaryDirectory(prefix="rackwright-kills-") as work:
        played = [sys.executable, "-m", "tests.kills", *words]
        twin = _rackwright("twin", "--nodes", str(len(NODES)), "--work", work, "--", *played)
        ended = subprocess.run(twin, stdout=subprocess.PIPE, text=True, check=False)
    start = ended.stdout.find("\n{\n") + 1
    counts: dict[str, Any] = json.loads(ended.stdout[start:])
    return counts


def bring_into_service(work: Path) -> None:
    """Onboard the nodes of this twin, and let Slurm start tests on them."""
    names = ",".join([CONTROLLER, *NODES])
    onboarded = _rackwright("onboard", "--work", str(work), "--nodes", names, "--reboot", "--drain-hook", "true")
    subprocess.run(onboarded, stdout=sys.stderr, check=True)
    resumed = ["ssh", CONTROLLER, "scontrol", "update", f"nodename={','.join(NODES)}", "state=resume"]
    subprocess.run(resumed, stdout=sys.stderr, check=True)


def _rackwright(verb: str, *words: str) -> list[str]:
    return [sys.executable, "-m", "rackwright", verb, SITE, *words]
