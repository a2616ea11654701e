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
from tests.kills.trials import Trials, Undisturbed, prepare
from tests.kills.verbs import VERBS

IN_SERVICE = "isolate --run"
"""The verb that needs nodes to which Slurm gives tests."""
IN_ONE = 3
"""Kills in one workspace, one after the other, before a run that comes to its end: the next run may be killed, too."""
MACHINES_SHARE = 5
"""One kill of so many is of verbs that ask machines: such a trial takes as long as some others together."""


@dataclass(frozen=True)
class Chosen:
    """Which kills are played, and where they are kept."""

    seed: int
    steps: tuple[int, ...] = ()
    """Instead of those that the seed draws."""
    record: Path | None = None
    in_service: bool = False
    """Whether this is a twin whose nodes Slurm gives tests already."""

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
        if IN_SERVICE in verbs and not chosen.in_service:
            bring_into_service(folder / "onboarding")
        trials = {verb: Trials(VERBS[verb], begins[VERBS[verb].begin], folder) for verb in verbs}
        undisturbed = {verb: of_verb.undisturbed() for verb, of_verb in trials.items()}
        shares = shared_out(kills, {verb: run.operations for verb, run in undisturbed.items()})
        for verb, share in shares.items():
            counts[verb] = play_verb(
                trials[verb], undisturbed[verb], share, Kept(chosen.record, verb, chosen.seed), chosen
            )
    return counts


def shared_out(kills: int, operations: dict[str, int]) -> dict[str, int]:
    """Kills of each verb: as many of each, and no more than it has operations; the others get what it leaves."""
    shares: dict[str, int] = {}
    for number, verb in enumerate(sorted(operations, key=lambda name: operations[name])):
        shares[verb] = min(operations[verb], (kills - sum(shares.values())) // (len(operations) - number))
    return shares


def play_verb(trials: Trials, undisturbed: Undisturbed, kills: int, earlier: Kept, chosen: Chosen) -> dict[str, Any]:
    """Kills of one verb, before operations that are drawn."""
    last: int = earlier.kills[0]["operations"] if earlier.kills else undisturbed.operations
    drawn = random.Random(chosen.seed).sample(range(1, last + 1), last)  # the same ones first, however many are played
    steps = chosen.steps or drawn[len(earlier.kills) : kills]
    for chain in (steps[start : start + IN_ONE] for start in range(0, len(steps), IN_ONE)):
        earlier.add(chain, last, trials.problems(chain, undisturbed))
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
    parser.add_argument("--in-service", action="store_true", help="inside a twin whose nodes are in service already")
    args = parser.parse_args()
    steps = tuple(int(step) for step in args.steps.split(",") if step)
    chosen = Chosen(args.seed, steps, args.kept and args.kept.absolute(), args.in_service)
    ended = play_all(args.kills, args.verbs.split(","), chosen)
    print(json.dumps(ended, indent=1))
    sys.exit(any(of_verb["problems"] for of_verb in ended.values()))
