"""``rackwright rehearse SITE --fault-campaign``: every fault alone, random combinations, and a healthy site under many seeds.

No host is started:
states are judged as an acceptance would judge them (`twin.campaign`), by as many processes as there are processors.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rackwright.base.errors import ExitCode
from rackwright.cli import output, site
from rackwright.cli.progress import StepProgress

if TYPE_CHECKING:
    from rackwright.model.verdict import Verdict
    from rackwright.twin.campaign import Scene, SceneResult, Stage

NODES = 12
"""Accelerator nodes that are judged when nobody asks for more: enough peers are left when some are lost."""
SHOWN = 40
"""Sentences that a person is shown of what went wrong."""
AT_ONCE = 8
"""Scenes that a process takes at a time."""
_WORKER: dict[str, Any] = {}
"""What a process of the pool was begun with."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The campaign and how large it is."""
    campaign = parser.add_argument_group("fault campaign")
    campaign.add_argument("--fault-campaign", action="store_true", help="judge every fault of the twin, without hosts")
    campaign.add_argument(
        "--combinations", type=int, default=200, metavar="N", help="random combinations (default 200)"
    )
    campaign.add_argument("--seeds", type=int, default=100, metavar="N", help="healthy sites (default 100)")
    campaign.add_argument("--seed", type=int, default=0, metavar="N", help="what chance is drawn from (default 0)")
    campaign.add_argument("--matrix", metavar="FILE", help="write the matrix fault x check to FILE, as Markdown")


def run(args: argparse.Namespace) -> int:
    """Play all scenes, write the matrix, print what they showed; 1 when anything went otherwise than injected."""
    from rackwright.twin import campaign

    stage = _stage(args)
    played = _scenes(args, stage)
    with StepProgress([], quiet=args.format == "json") as progress:
        progress.start("campaign", len(played))
        shown = []
        for one in _shown(args, played):
            progress.advance(one.scene.name)
            shown.append(one)
    sheet = campaign.fault_sheet(stage.design.site.site, campaign.about(stage.design), shown, stage.place.absent)
    if args.matrix:
        Path(args.matrix).write_text(campaign.matrix([sheet], stage.checks), encoding="utf-8")
    wrong = [sentence for one in shown for sentence in one.wrong]
    if args.format == "json":
        output.emit(
            {**_counts(shown), "wrong": wrong, "checks": len(stage.checks), "sheet": sheet.model_dump(mode="json")}
        )
    else:
        rest = [f"... and {len(wrong) - SHOWN} more: --format json has all of them"] if len(wrong) > SHOWN else []
        print("\n".join([*wrong[:SHOWN], *rest, *_summary(shown, stage)]))
    return ExitCode.PROBLEMS if wrong else ExitCode.PASS


def _stage(args: argparse.Namespace) -> Stage:
    from rackwright.cli import site_job
    from rackwright.twin import campaign, faults

    design = site.expand(site.load(args))
    wanted = args.nodes or str(min(max(NODES, faults.most_nodes()), len(list(design.nodes("accelerator")))))
    asked = site.nodes(argparse.Namespace(nodes=wanted), design)
    nodes = tuple(name for name in asked if design.node(name).accelerators)
    return campaign.Stage(design, nodes, site_job.now())


def _shown(args: argparse.Namespace, played: Sequence[Scene]) -> Iterator[SceneResult]:
    """The scenes, assessed, in their order; processes are told a number, because a fault holds a function."""
    from rackwright.twin import campaign

    spawned = multiprocessing.get_context("spawn")  # a fork would copy the threads of Polars half
    with ProcessPoolExecutor(os.cpu_count(), mp_context=spawned, initializer=_begin, initargs=(args,)) as pool:
        for scene, red in zip(played, pool.map(_play, range(len(played)), chunksize=AT_ONCE), strict=True):
            yield campaign.assess(scene, red)


def _scenes(args: argparse.Namespace, stage: Stage) -> list[Scene]:
    from rackwright.twin import campaign

    known = stage.place.faults
    return campaign.scenes(
        stage.healthy, stage.nodes, known, combinations=args.combinations, seeds=args.seeds, seed=args.seed
    )


def _begin(args: argparse.Namespace) -> None:
    _WORKER["stage"] = stage = _stage(args)
    _WORKER["scenes"] = _scenes(args, stage)


def _play(number: int) -> list[Verdict]:
    from rackwright.twin import campaign

    return campaign.play(_WORKER["stage"], _WORKER["scenes"][number])


def _counts(shown: Sequence[SceneResult]) -> dict[str, int]:
    healthy = [one for one in shown if not one.scene.injected]
    faulty = [one for one in shown if one.scene.injected]
    return {
        "healthy": len(healthy), "false_alarms": sum(len(one.red) for one in healthy), "scenes": len(faulty),
        "faults": sum(len(one.scene.injected) for one in faulty), "missed": sum(len(one.missed) for one in faulty),
        "unnamed": sum(len(one.unnamed) for one in faulty), "stray": sum(len(one.stray) for one in faulty),
    }  # fmt: skip


def _summary(shown: Sequence[SceneResult], stage: Stage) -> list[str]:
    said = _counts(shown)
    healthy = f"{said['healthy']} healthy sites of {len(stage.nodes)} nodes and {len(stage.checks)} checks"
    faulty = f"{said['faults']} faults in {said['scenes']} scenes"
    without = f"{said['unnamed']} without the name of the object, {said['stray']} verdicts without a cause"
    left_out = Counter(stage.place.absent.values())
    return [
        *(f"left out: {count} {'fault' if count == 1 else 'faults'}, because {why}" for why, count in left_out.items()),
        f"{healthy}: {said['false_alarms']} verdicts other than pass",
        f"{faulty}: {said['missed']} missed, {without}",
    ]
