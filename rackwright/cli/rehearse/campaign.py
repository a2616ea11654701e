"""``rackwright rehearse SITE --fault-campaign``: every fault alone, random combinations, and a healthy site under many seeds.

No host is started: states are judged as in an acceptance (`twin.campaign`), by one process per processor; a single processor needs no
further process.
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

from rackwright.base.durable_file import replace_file
from rackwright.base.errors import ExitCode, UsageError
from rackwright.cli import output, site
from rackwright.cli.progress import StepProgress
from rackwright.model.times import second_text

if TYPE_CHECKING:
    from rackwright.model.verdict import Verdict
    from rackwright.twin.campaign import Scene, SceneResult, Stage

NODES = 12
"""Default number of judged accelerator nodes: enough peers remain when some fail."""
MAX_LINES = 40
"""Deviations that are printed."""
AT_ONCE = 8
"""Scenes that a process takes at a time."""
_WORKER: dict[str, Any] = {}
"""Initial state of a process of the pool."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The campaign and how large it is."""
    campaign = parser.add_argument_group("fault campaign")
    campaign.add_argument(
        "--fault-campaign",
        action="store_true",
        help="judge every fault of the twin, or those of --fault, without hosts",
    )
    campaign.add_argument(
        "--combinations", type=int, default=200, metavar="N", help="random combinations (default 200)"
    )
    campaign.add_argument("--seeds", type=int, default=100, metavar="N", help="healthy sites (default 100)")
    campaign.add_argument("--seed", type=int, default=0, metavar="N", help="random seed (default 0)")
    campaign.add_argument("--matrix", metavar="FILE", help="write the matrix fault x check to FILE, as Markdown")


def run(args: argparse.Namespace) -> int:
    """Play all scenes, write the matrix, print the results; 1 if any deviates from what was injected."""
    from rackwright.twin import campaign

    _check_faults(args.fault or [])
    stage = _stage(args)
    played = _scenes(args, stage)
    with StepProgress([], quiet=args.format == "json") as progress:
        progress.start("campaign", len(played))
        results = []
        for result in _assessed(args, stage, played):
            progress.advance(result.scene.name)
            results.append(result)
    sheet = campaign.fault_sheet(stage.design.site.site, campaign.about(stage.design), results, stage.place.absent)
    if args.matrix:
        replace_file(Path(args.matrix), campaign.matrix([sheet], stage.checks))
    wrong = [sentence for result in results for sentence in result.wrong]
    if args.format == "json":
        output.emit(
            {**_counts(results), "wrong": wrong, "checks": len(stage.checks), "sheet": sheet.model_dump(mode="json")}
        )
    else:
        omitted = (
            [f"... and {len(wrong) - MAX_LINES} more: --format json has all of them"] if len(wrong) > MAX_LINES else []
        )
        print("\n".join([*wrong[:MAX_LINES], *omitted, *_summary(results, stage)]))
    return ExitCode.PROBLEMS if wrong else ExitCode.PASS


def _check_faults(names: Sequence[str]) -> None:
    from rackwright.twin import faults

    unknown = sorted(set(names) - faults.load_faults().keys())
    if unknown:
        raise UsageError(
            f"--fault {unknown[0]}: there is no such fault; `rackwright rehearse --list-faults` lists them"
        )


def _stage(args: argparse.Namespace) -> Stage:
    from rackwright.cli import site_job
    from rackwright.twin import campaign, faults

    design = site.expand(site.load(args))
    count = args.nodes or str(min(max(NODES, faults.most_nodes()), len(list(design.nodes("accelerator")))))
    names = site.nodes(argparse.Namespace(nodes=count), design)
    nodes = tuple(name for name in names if design.node(name).accelerators)
    return campaign.Stage(design, nodes, second_text(site_job.now()))


def _assessed(args: argparse.Namespace, stage: Stage, played: Sequence[Scene]) -> Iterator[SceneResult]:
    """The assessed scenes, in order; processes receive a number, because a fault holds a function."""
    from rackwright.twin import campaign

    processes, site_gate = os.cpu_count() or 1, campaign.SiteGate(stage)
    if processes == 1:
        for scene in played:
            red = campaign.play(stage, scene)
            yield campaign.assess(scene, red, site_gate.decisions(red), site_gate.deciding)
        return
    spawned = multiprocessing.get_context("spawn")  # a fork would copy the threads of Polars half
    with ProcessPoolExecutor(processes, mp_context=spawned, initializer=_begin, initargs=(args,)) as pool:
        for scene, red in zip(played, pool.map(_play, range(len(played)), chunksize=AT_ONCE), strict=True):
            yield campaign.assess(scene, red, site_gate.decisions(red), site_gate.deciding)


def _scenes(args: argparse.Namespace, stage: Stage) -> list[Scene]:
    from rackwright.twin import campaign

    if args.fault:
        chosen = {name: fault for name, fault in stage.place.faults.items() if name in args.fault}
        return campaign.scenes(stage.healthy, stage.nodes, chosen, combinations=0, seeds=1, seed=args.seed)
    return campaign.scenes(
        stage.healthy, stage.nodes, stage.place.faults, combinations=args.combinations, seeds=args.seeds, seed=args.seed
    )


def _begin(args: argparse.Namespace) -> None:
    _WORKER["stage"] = stage = _stage(args)
    _WORKER["scenes"] = _scenes(args, stage)


def _play(number: int) -> list[Verdict]:
    from rackwright.twin import campaign

    return campaign.play(_WORKER["stage"], _WORKER["scenes"][number])


def _counts(results: Sequence[SceneResult]) -> dict[str, int]:
    healthy = [result for result in results if not result.scene.injected]
    faulty = [result for result in results if result.scene.injected]
    return {
        "healthy": len(healthy), "false_alarms": sum(len(result.red) for result in healthy), "scenes": len(faulty),
        "faults": sum(len(result.scene.injected) for result in faulty), "missed": sum(len(result.missed) for result in faulty),
        "unnamed": sum(len(result.unnamed) for result in faulty), "stray": sum(len(result.stray) for result in faulty),
        "accepted": sum(not result.kept_out for result in healthy), "let_in": sum(len(result.let_in) for result in faulty),
        "kept_out": sum(len(result.kept_out) for result in faulty),
    }  # fmt: skip


def _summary(results: Sequence[SceneResult], stage: Stage) -> list[str]:
    counts = _counts(results)
    healthy = f"{counts['healthy']} healthy sites of {len(stage.nodes)} nodes and {len(stage.checks)} checks"
    faulty = f"{counts['faults']} faults in {counts['scenes']} scenes"
    without = f"{counts['unnamed']} without the name of the object, {counts['stray']} verdicts without a cause"
    left_out = Counter(stage.place.absent.values())
    return [
        *(f"left out: {count} {'fault' if count == 1 else 'faults'}, because {why}" for why, count in left_out.items()),
        f"{healthy}: {counts['false_alarms']} verdicts other than pass, {counts['accepted']} accepted by the gate",
        f"{faulty}: {counts['missed']} missed, {without}",
        f"gate: {counts['let_in']} faulty nodes accepted, {counts['kept_out']} good nodes refused",
    ]
