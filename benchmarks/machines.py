"""Brings machines behind slow BMCs to their declared state, and reads them again: ``python -m benchmarks.machines SITE COUNT``; as root, BMCs are on port 443.

`rackwright up` with its engine and plugin, against BMCs of the twin that take 0.2 s for each request, in a process of their own. All machines are switched off
when it begins. Processor seconds are printed beside the wall seconds: the processors may be shared.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from aiohttp import web

from rackwright import design, spec
from rackwright.base.garbage import collect_rarely
from rackwright.base.workspace import Workspace
from rackwright.model.access import Access, Secret
from rackwright.model.design import Design
from rackwright.provision.up import provision_machines
from rackwright.twin.bmc.handler import BmcAccount, Handler
from rackwright.twin.bmc.server import BmcServer
from rackwright.twin.hardware import state
from rackwright.twin.hardware.live import Live
from tests.ports import loopback_network

SECONDS_EACH = 0.2
START_SECONDS = 120.0
PASSWORD = "only-for-this-measurement"


def expanded(site: Path) -> Design:
    """The design of a site."""
    loaded = spec.load(site)
    return design.expand(loaded.site, loaded.catalog)


def on_loopback(site: Path, folder: Path) -> Path:
    """A copy of `site` whose addresses are of 127.0.0.0/8."""
    text = site.read_text(encoding="utf-8").replace(" 10.0.", f" {loopback_network()}.")
    copy = folder / "site.yaml"
    copy.write_text(text, encoding="utf-8")
    return copy


def serve(site: Path, names: list[str], folder: Path, calls: Any, ready: Any) -> None:
    """BMCs of the machines `names`, switched off, each request answered after `SECONDS_EACH`."""
    answer = Handler._dispatch

    async def slowly(handler: Handler, node: str, request: web.Request) -> web.Response:
        calls.value += 1
        await asyncio.sleep(SECONDS_EACH)
        return await answer(handler, node, request)

    Handler._dispatch = slowly  # type: ignore[method-assign]
    collect_rarely()  # so that the twin takes less of the processors that are measured
    plan = expanded(site)
    began = state.build(plan, names)
    live = Live(replace(began, machines={n: replace(m, power_state="Off") for n, m in began.machines.items()}))
    addresses = {name: plan.node(name).bmc_address for name in names}
    server = BmcServer(live, addresses, BmcAccount("admin", Secret(PASSWORD)), folder, listen=addresses.values())
    server.start()
    (folder / "ca").write_text(str(server.ca_file))
    ready.set()
    server._thread.join() if server._thread else None


def processor_seconds() -> float:
    """Of this process and of those it has waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(entry.ru_utime + entry.ru_stime for entry in used)


@dataclass(frozen=True)
class SlowBmcs:
    """Machines that are off, behind BMCs that run."""

    plan: Design
    names: list[str]
    access: Access
    calls: Any
    """Counts requests."""


@contextmanager
def slow_bmcs(site: Path, count: int, folder: Path) -> Iterator[SlowBmcs]:
    """BMCs of the first `count` accelerator nodes of `site`, in a process of their own that ends with the block."""
    folder.mkdir(parents=True)
    plan = expanded(site)
    names = [node.name for node in plan.nodes("accelerator")][:count]
    apart = multiprocessing.get_context("spawn")  # a design has started threads, which a fork does not bring along
    ready, calls = apart.Event(), apart.Value("l", 0)
    server = apart.Process(target=serve, args=(site, names, folder, calls, ready), daemon=True)
    server.start()
    try:
        if not ready.wait(START_SECONDS):
            raise SystemExit("the BMCs do not start")
        nowhere = Path(os.devnull)
        authority = Path((folder / "ca").read_text(encoding="utf-8"))
        yield SlowBmcs(plan, names, Access("root", nowhere, nowhere, "admin", Secret(PASSWORD), authority), calls)
    finally:
        server.terminate()
        server.join()


def measure(site: Path, count: int, folder: Path) -> dict[str, Any]:
    """Wall and processor seconds of the first run, of one that changes nothing, and of a refresh."""
    with slow_bmcs(site, count, folder / "bmc") as bmcs:
        figures: dict[str, Any] = {"machines": len(bmcs.names)}
        for step, verb in (("declared", "up"), ("same", "up"), ("refresh", "refresh")):
            begun, used, before = time.monotonic(), processor_seconds(), bmcs.calls.value
            result = provision_machines(
                bmcs.plan,
                bmcs.names,
                bmcs.access,
                Workspace(folder / "work"),
                site_path=site,
                verb=verb,  # type: ignore[arg-type]
            )
            figures[step] = {
                "seconds": round(time.monotonic() - begun, 1),
                "processor_seconds": round(processor_seconds() - used, 1),
                "requests": bmcs.calls.value - before,
                "on": sum(machine.outputs.get("powerState") == "On" for machine in result.machines.values()),
                "good": result.good,
            }
    return figures


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        copy = on_loopback(Path(sys.argv[1]).absolute(), Path(scratch))
        print(json.dumps(measure(copy, int(sys.argv[2]), Path(scratch))))
