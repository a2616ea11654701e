"""Plays verbs that are killed at random moments, and then run again: ``make kills`` (KILLS=500).

A process that has used Polars cannot be forked (its threads do not come along), so that this one only imports and forks.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

from rackwright.twin.hosts import namespaces
from tests.kills.machines import bring_into_service, play_inside
from tests.kills.trials import Trials, prepare
from tests.kills.verbs import VERBS

IN_SERVICE = "isolate --run"
"""The verb that needs nodes to which Slurm gives tests."""
MACHINES_SHARE = 5
"""One kill of so many is of verbs that ask machines: such a trial takes as long as some others together."""


def play_all(kills: int, verbs: list[str], seed: int) -> dict[str, Any]:
    """Kills, spread over the verbs: operations, kills and problems of each. Those that ask machines are played inside a twin."""
    asking = [verb for verb in verbs if VERBS[verb].machines]
    if not asking or namespaces.inside(os.environ):
        return play(kills, verbs, seed)
    remaining = [verb for verb in verbs if verb not in asking]
    of_machines = kills // MACHINES_SHARE if remaining else kills
    words = ["--kills", str(of_machines), "--verbs", ",".join(asking), "--seed", str(seed)]
    return (play(kills - of_machines, remaining, seed) if remaining else {}) | play_inside(words)


def play(kills: int, verbs: list[str], seed: int) -> dict[str, Any]:
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
            counts[verb] = play_verb(verb, trials, share, random.Random(seed))
    return counts


def play_verb(name: str, trials: Trials, kills: int, chance: random.Random) -> dict[str, Any]:
    """Kills of one verb, before operations that are drawn."""
    undisturbed = trials.undisturbed()
    last = undisturbed.operations
    steps = chance.sample(range(1, last + 1), min(kills, last))
    problems: dict[int, list[str]] = {}
    for number, step in enumerate(steps, 1):
        if of_kill := trials.problems(step, undisturbed):
            problems[step] = of_kill
        ending = "; ".join(of_kill) or "nothing lost"
        print(f"{name} {number}/{len(steps)}: killed before operation {step} of {last}: {ending}", file=sys.stderr)
    return {"operations": last, "kills": len(steps), "problems": problems}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.kills")
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--verbs", default=",".join(VERBS), help=f"of {', '.join(VERBS)}")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    ended = play_all(args.kills, args.verbs.split(","), args.seed)
    print(json.dumps(ended, indent=1))
    sys.exit(any(of_verb["problems"] for of_verb in ended.values()))
