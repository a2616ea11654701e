"""Plays verbs that are killed at random moments, and then run again: ``make kills`` (KILLS=500).

With ``--kept FILE`` each kill is kept as it ends, and the same command again goes on after them. A process that has used Polars cannot be forked (its threads do not come along), so that this one only imports and forks.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rackwright.twin.hosts import namespaces
from tests.kills.kept import Kept
from tests.kills.machines import bring_into_service, play_inside
from tests.kills.trials import Trials, prepare
from tests.kills.verbs import VERBS

IN_SERVICE = "isolate --run"
"""The verb that needs nodes to which Slurm gives tests."""
MACHINES_SHARE = 5
"""One kill of so many is of verbs that ask machines: such a trial takes as long as some others together."""


@dataclass(frozen=True)
class Chosen:
    """Which kills are played, and where they are kept."""

    seed: int
    steps: tuple[int, ...] = ()
    """Instead of those that the seed draws."""
    record: Path | None = None

    def words(self) -> list[str]:
        """Of a command that plays the same."""
        steps = ["--steps", ",".join(map(str, self.steps))] if self.steps else []
        return ["--seed", str(self.seed), *steps, *(["--kept", str(self.record)] if self.record else [])]


def play_all(kills: int, verbs: list[str], chosen: Chosen) -> dict[str, Any]:
    """Kills, spread over the verbs: operations, kills and problems of each. Those that ask machines are played inside a twin."""
    asking = [verb for verb in verbs if VERBS[verb].machines]
    if not asking or namespaces.inside(os.environ):
        return play(kills, verbs, chosen)
    remaining = [verb for verb in verbs if verb not in asking]
    of_machines = kills // MACHINES_SHARE if remaining else kills
    words = ["--kills", str(of_machines), "--verbs", ",".join(asking), *chosen.words()]
    return (play(kills - of_machines, remaining, chosen) if remaining else {}) | play_inside(words)


def play(kills: int, verbs: list[str], chosen: Chosen) -> dict[str, Any]:
    """As `play_all`, all of them here."""
    counts: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="rackwright-kills-") as name:
        folder = Path(name)
        begins = prepare(folder, {VERBS[verb].begin for verb in verbs})
        if IN_SERVICE in verbs:
            bring_into_service(folder / "onboarding")
        for number, verb in enumerate(verbs):
            trials = Trials(VERBS[verb], begins[VERBS[verb].begin], folder)
            share = kills // len(verbs) + (number < kills % len(verbs))
            counts[verb] = play_verb(verb, trials, share, chosen)
    return counts


def play_verb(name: str, trials: Trials, kills: int, chosen: Chosen) -> dict[str, Any]:
    """Kills of one verb, before operations that are drawn."""
    earlier = Kept(chosen.record, name, chosen.seed)
    if not chosen.steps and len(earlier.kills) >= kills:
        return earlier.counts()
    undisturbed = trials.undisturbed()
    last = undisturbed.operations
    drawn = random.Random(chosen.seed).sample(range(1, last + 1), min(kills, last))
    for step in chosen.steps or drawn[len(earlier.kills) :]:
        earlier.add(step, last, trials.problems(step, undisturbed))
    return earlier.counts()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.kills")
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--verbs", default=",".join(VERBS), help=f"of {', '.join(VERBS)}")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", default="", help="kill before these operations instead of those that the seed draws")
    parser.add_argument(
        "--kept", type=Path, help="file to which each kill is added; the same command again goes on after them"
    )
    args = parser.parse_args()
    steps = tuple(int(step) for step in args.steps.split(",") if step)
    ended = play_all(args.kills, args.verbs.split(","), Chosen(args.seed, steps, args.kept and args.kept.absolute()))
    print(json.dumps(ended, indent=1))
    sys.exit(any(of_verb["problems"] for of_verb in ended.values()))
