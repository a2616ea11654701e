"""Plays verbs that are killed at random moments, and then run again: ``make kills`` (KILLS=500).

A process that has used Polars cannot be forked (its threads do not come along), so that this one only imports and forks.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.kills.trials import Trials, prepare
from tests.kills.verbs import VERBS


def play(kills: int, verbs: list[str], seed: int) -> dict[str, Any]:
    """Kills, spread over the verbs: operations, kills and problems of each."""
    counts: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="rackwright-kills-") as name:
        folder = Path(name)
        begins = prepare(folder)
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
    ended = play(args.kills, args.verbs.split(","), args.seed)
    print(json.dumps(ended, indent=1))
    sys.exit(any(of_verb["problems"] for of_verb in ended.values()))
