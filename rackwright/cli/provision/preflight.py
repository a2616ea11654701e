"""``rackwright preflight SITE``: probes what a bring-up needs from where it runs, and prints what is in its way."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from rackwright.base.durable_file import replace_file
from rackwright.base.errors import ExitCode, UsageError
from rackwright.cli import access, output, site
from rackwright.cli.progress import StepProgress
from rackwright.model.hostlist import fold_hosts
from rackwright.preflight import STAGES

if TYPE_CHECKING:
    from rackwright.model.resource import MachineIdentity
    from rackwright.preflight import Asking, Probe, ProbeResult
    from rackwright.spec import LoadedSite

RESULTS = "results.json"
STEP = "Probe what the site needs"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE, the nodes, and up to which stage."""
    site.add_site(parser)
    site.add_nodes(parser)
    site.add_work(parser)
    meaning = "probe what this stage and those before it need: up needs BMCs, names, clocks and a shared ledger; onboard also the mirror, the API server, SSH with root's rights and the network of each host, and the switches where control.ssh.switch_user is declared; accept also the Slurm controllers"
    parser.add_argument("--before", choices=STAGES, default="onboard", help=f"{meaning} (default onboard)")
    parser.add_argument(
        "--pin-bmcs",
        action="store_true",
        help="first record the certificates of BMCs that have none in control.bmc.pins_file",
    )
    parser.add_argument(
        "--set-bmc-accounts",
        action="store_true",
        help="first give BMCs that refuse their declared account this account, by the one that they came with",
    )
    parser.add_argument(
        "--record-machines",
        action="store_true",
        help="first record serial number and UUID of machines that have no line in control.bmc.identities_file",
    )
    output.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Probe, store the results, print; 1 if a probe failed."""
    from rackwright import preflight  # paramiko and aiohttp take time that a wrong call need not wait

    loaded = site.load(args)
    design = site.expand(loaded)
    chosen = set(site.nodes(args, design))
    nodes = [node for node in design.nodes() if node.name in chosen]
    folder = site.claim_workspace(args, loaded.site).folder("preflight")
    if args.pin_bmcs:
        from rackwright.cli.provision import bmc_pins

        path = access.bmc_file(loaded.site.control.bmc.pins_file, loaded.path)
        output.print_lines(bmc_pins.record(path, (node.bmc_address for node in nodes)))
    if args.set_bmc_accounts:
        from rackwright.cli.provision import bmc_accounts

        reached = access.from_site(loaded.site, near=loaded.path)
        output.print_lines(bmc_accounts.declare(loaded.site.control.bmc, reached, (node.bmc_address for node in nodes)))
    if args.record_machines:
        from rackwright.cli.provision import machine_identities

        path, reached = (
            access.bmc_file(loaded.site.control.bmc.identities_file, loaded.path),
            access.from_site(loaded.site, near=loaded.path),
        )
        output.print_lines(machine_identities.record(path, nodes, reached))
    planned = preflight.probes(
        design, nodes, _asking(loaded, access.identities(design, loaded.path)), STAGES[: STAGES.index(args.before) + 1]
    )
    results = asyncio.run(_results(planned, quiet=args.format == "json"))
    earlier = _passed_before(folder / RESULTS)
    # What was not probed this time keeps its last result: a run of two nodes must not hide what was known of the others.
    now = datetime.now(UTC).isoformat(timespec="seconds")
    passed = earlier | {result.key: now for result in results if result.outcome != "fail"}
    replace_file(folder / RESULTS, json.dumps({"passed": passed}, indent=1))
    failures = [result for result in results if result.outcome == "fail"]
    if args.format == "json":
        output.emit({"probes": [{**asdict(result), "passed_before": earlier.get(result.key)} for result in results]})
    else:
        output.print_lines(_lines(results, earlier))
    return ExitCode.PROBLEMS if failures else ExitCode.PASS


def _asking(loaded: LoadedSite, machines: Mapping[str, MachineIdentity]) -> Asking:
    from rackwright.onboard.kubeadm import CA_ENV
    from rackwright.preflight import Asking

    cluster_ca = Path(os.environ[CA_ENV]) if os.environ.get(CA_ENV) else None
    ledger = os.environ.get("RACKWRIGHT_LEDGER", "")
    try:
        return Asking(
            access.from_site(loaded.site, near=loaded.path), ledger=ledger, cluster_ca=cluster_ca, machines=machines
        )
    except UsageError as missing:
        return Asking(access.to_hosts(loaded.site), str(missing), ledger, cluster_ca)


async def _results(planned: Sequence[Probe], *, quiet: bool) -> list[ProbeResult]:
    from rackwright.preflight import run_probes

    order = {f"{probe.name} {probe.subject}": number for number, probe in enumerate(planned)}
    results: list[ProbeResult] = []
    with StepProgress([STEP], quiet=quiet) as progress:
        progress.start(STEP, len(planned))
        async for result in run_probes(planned):
            progress.advance(result.key)
            results.append(result)
        failures = sum(result.outcome == "fail" for result in results)
        progress.end(
            STEP, "failed" if failures else "done", f"{len(results) - failures} of {len(results)} probes passed"
        )
    return sorted(results, key=lambda result: order[result.key])


def _passed_before(path: Path) -> dict[str, str]:
    """Probe -> when it passed last; empty before the first run, and where the file cannot be read."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        return {str(key): str(time) for key, time in json.loads(path.read_text(encoding="utf-8"))["passed"].items()}
    return {}


def _lines(results: Sequence[ProbeResult], earlier: Mapping[str, str]) -> Iterator[str]:
    """A line per kind of probe, and below it what a person has to do or should know: once for all machines of which it is true."""
    counts = Counter((result.probe, result.outcome) for result in results)
    for probe in dict.fromkeys(result.probe for result in results):
        of_probe = [result for result in results if result.probe == probe]
        yield f"{probe:<22} {len(of_probe) - counts[probe, 'fail']} of {len(of_probe)} passed"
        subjects: dict[str, list[str]] = defaultdict(list)
        for result in of_probe:
            if result.outcome != "pass":
                since = earlier.get(result.key) if result.outcome == "fail" else None
                subjects[f"{result.text} (it passed {since})" if since else result.text].append(result.subject)
        for text, of_text in subjects.items():
            yield f"  {text}" if text.startswith(of_text[0]) else f"  {fold_hosts(of_text)}: {text}"
