"""``rackwright isolate SITE``: plans the search for faulty nodes, rails, cables, switches and pairs, simulates it, runs it, or evaluates readings.

Without an option, or with ``--plan``, prints what the screens cover, with proof, and the cost of the search; no machine is
touched. ``--simulate`` runs the search on named faults; ``--readings`` evaluates stored readings and prints the next tests.
Exits 1 if something is faulty, open, untested or uncovered.
"""

from __future__ import annotations

import argparse
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rackwright.base.durable_file import replace_file
from rackwright.base.errors import ExitCode, OutsideError, UsageError
from rackwright.cli import output, site
from rackwright.cli.accept import isolate_text
from rackwright.cli.accept.isolate_options import add_arguments, check_options
from rackwright.cli.progress import StepProgress
from rackwright.model.times import second_text

if TYPE_CHECKING:
    from rackwright.isolate.isolation import Isolation
    from rackwright.isolate.setup import IsolationSetup

__all__ = ["add_arguments", "run"]

PLAYS = 8
"""Simulated searches per number of faults, on a fleet of `FEW` nodes."""
FEW = 512
LEAST_PLAYS = 2
LOSS = 0.3
"""Default loss of a fault in a simulation."""


def run(args: argparse.Namespace) -> int:
    """Set up the wiring, then plan, simulate, run or evaluate."""
    check_options(args)
    from rackwright import judge
    from rackwright.isolate import setup  # heavy; --help does not need it

    if args.run:
        return _run(args)
    design = site.expand(site.load(args))
    only = site.nodes(args, design) if args.nodes else None
    ready = setup.set_up(
        design,
        judge.limits_in_force(design, datetime.now(UTC).date()),
        fabric=args.fabric or "",
        only=only,
        routes=_routes(args.routes),
        expected=args.expected,
        soak=args.soak,
        seed=args.seed,
    )
    if args.simulate:
        return _simulate(args, ready)
    if args.readings:
        return _decide(args, ready)
    return _plan(args, ready)


def _plan(args: argparse.Namespace, ready: IsolationSetup) -> int:
    from rackwright.isolate import cost, lines
    from rackwright.isolate.verdict import proof_as_dict

    count = ready.atoms.count
    plays = args.plays or max(LEAST_PLAYS, min(PLAYS, PLAYS * FEW // count))
    with StepProgress(["price"]) as bar:
        bar.start(
            "price",
            total=1
            + plays * (len([count_of_faults for count_of_faults in cost.FAULTS if count_of_faults <= count]) - 1),
        )
        prices = cost.predict_cost(
            ready.atoms, ready.settings, ready.screens, plays,
            rails=not args.no_rails, each=lambda faults: bar.advance(f"{faults} faulty"),
        )  # fmt: skip
    rounds = [
        lines.dump_trials(at, count_of_faults, ready.atoms.wiring)
        for at, count_of_faults in enumerate(ready.screens.rounds, start=1)
    ]
    _write(args.out, [line for count_of_faults in rounds for line in count_of_faults])
    covered = ready.screens.proof
    if args.format == "json":
        price = [isolate_text.price(count_of_faults) for count_of_faults in prices]
        output.emit(
            {**isolate_text.wiring_summary(ready), "rounds": rounds, "coverage": proof_as_dict(covered), "cost": price}
        )
    else:
        output.print_lines(isolate_text.plan(ready, prices, args.minutes))
    return ExitCode.PASS if covered.complete else ExitCode.PROBLEMS


def _simulate(args: argparse.Namespace, ready: IsolationSetup) -> int:
    from rackwright.isolate import lines
    from rackwright.isolate.conduct import conduct_isolation
    from rackwright.isolate.isolation import Isolation
    from rackwright.isolate.play import SimulatedTester

    wiring = ready.atoms.wiring
    faults = {ready.atoms.find(name): loss for name, loss in map(_loss, filter(None, args.faults.split(",")))}
    silent = [ready.atoms.node(name) for name in filter(None, args.silent.split(","))]
    play = SimulatedTester(
        ready.atoms, faults, ready.settings.search.noise, seed=args.seed, rails=not args.no_rails, silent=silent
    )
    isolation = Isolation(ready.atoms, ready.settings, ready.screens, seed=args.seed)
    with StepProgress(["simulate"]) as bar:
        bar.start("simulate")
        conduct_isolation(
            isolation, play, args.minutes, lambda at, trials: bar.advance(f"round {at}: {len(trials)} tests")
        )
    _write(args.out, [
        line for at, results in enumerate(isolation.history, start=1) for line in lines.dump_results(at, results, wiring)
    ])  # fmt: skip
    return _print_verdict(args, isolation, [])


def _decide(args: argparse.Namespace, ready: IsolationSetup) -> int:
    from rackwright.isolate import lines
    from rackwright.isolate.isolation import Isolation

    wiring = ready.atoms.wiring
    isolation = Isolation(ready.atoms, ready.settings, ready.screens, seed=args.seed)
    for results in lines.load_trials(_read(args.readings), args.readings, wiring):
        isolation.take(results)
    following = lines.dump_trials(isolation.rounds + 1, isolation.next_round(), wiring)
    _write(args.out, following)
    return _print_verdict(args, isolation, following)


def _run(args: argparse.Namespace) -> int:
    """Run the search on machines. Nodes that take jobs are left out; readings are in the evidence store."""
    from rackwright import collect, judge
    from rackwright.cli import site_job
    from rackwright.cli.accept.isolate_run import MachineTester, collectors, require_pair
    from rackwright.flow import isolation_results, load_tests
    from rackwright.isolate import lines, setup
    from rackwright.isolate.conclude import conclude_isolation
    from rackwright.isolate.conduct import conduct_isolation
    from rackwright.isolate.isolation import Isolation
    from rackwright.judge.expect import expectations

    with site_job.job(args, "isolate", via=args.via) as job, load_tests.exclusive_nodes(job, job.candidates) as loaded:
        busy = loaded if args.unscheduled else load_tests.unable_nodes(job, job.candidates, args.via) | loaded
        only = [name for name in job.nodes if name not in busy]
        for node, why in busy.items():
            job.watch.note(f"{node} left alone: {why}")
        require_pair(job.candidates, busy)
        limits = judge.limits_in_force(job.design, job.now().date())
        ready = setup.set_up(
            job.design, limits, fabric=args.fabric or "", only=only, routes=_routes(args.routes), expected=args.expected,
            soak=args.soak, seed=args.seed,
        )  # fmt: skip
        names = ready.atoms.wiring.nodes
        collected = dict.fromkeys(names, second_text(job.now()))
        owed = {
            expectation.node.name: expectation
            for expectation in expectations(job.design, map(job.design.node, names), limits, collected)
        }
        isolation = Isolation(ready.atoms, ready.settings, ready.screens, seed=args.seed)
        with collect.open_rounds(
            job.design, names, collectors(job.design, names), load_tests.launcher(job, load_tests.Reach(args.via, args.image, args.namespace)),
            job.evidence_store(), on_event=job.watch.advance, asked_by=job.run,
        ) as testing:  # fmt: skip
            machines = MachineTester(job.design, ready.atoms, owed, testing)
            conduct_isolation(
                isolation, machines, args.minutes,
                lambda at, trials: job.watch.note(f"round {at}: {len(trials)} tests"),
            )  # fmt: skip
            result = isolation_results.result_of(
                conclude_isolation(isolation), ready.atoms.wiring.fabric, job.run, job.now()
            )
            testing.conclude(result.model_dump())
    _write(args.out, [
        line for at, results in enumerate(isolation.history, start=1)
        for line in lines.dump_results(at, results, ready.atoms.wiring)
    ])  # fmt: skip
    return _print_verdict(args, isolation, [])


def _print_verdict(args: argparse.Namespace, isolation: Isolation, following: list[dict[str, Any]]) -> int:
    from rackwright.isolate.conclude import conclude_isolation

    verdict = conclude_isolation(isolation)
    if args.format == "json":
        output.emit({**verdict.as_dict(), "next": following})
    else:
        output.print_lines([*isolate_text.verdict(verdict), *isolate_text.next_tests(following)])
    return ExitCode.PASS if verdict.clean else ExitCode.PROBLEMS


def _loss(word: str) -> tuple[str, float]:
    name, _, loss = word.partition("=")
    try:
        share = float(loss) if loss else LOSS
    except ValueError:
        share = 0.0
    if not 0 < share <= 1:
        raise UsageError(f"--faults {word}: a loss is a share above 0, up to 1")
    return name, share


def _routes(name: str | None) -> dict[str, dict[str, str]] | None:
    if not name:
        return None
    try:
        data: dict[str, dict[str, str]] = json.loads(_read(name))
    except ValueError as error:
        raise UsageError(f"--routes {name}: is no JSON ({error})") from error
    rows = data.values() if isinstance(data, dict) else [None]
    if not all(isinstance(row, dict) and all(isinstance(cable, str) for cable in row.values()) for row in rows):
        raise UsageError(f'--routes {name}: write {{"switch": {{"leaf of the destination": "cable"}}}}')
    return data


def _read(name: str) -> str:
    try:
        return Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise OutsideError(f"{name} cannot be read: {getattr(error, 'strerror', None) or 'it is no text'}") from error


def _write(name: str | None, rows: list[dict[str, Any]]) -> None:
    if not name:
        return
    try:
        replace_file(Path(name), "".join(f"{json.dumps(row)}\n" for row in rows))
    except OSError as error:
        raise OutsideError(f"{name} cannot be written: {error.strerror}; name another file with --out") from error
