"""The controllers of rack PDUs, power shelves and CDUs of the twin, asked by the client that asks real ones."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from aiohttp import web

from rackwright.collect import collector
from rackwright.collect.output import Ask
from rackwright.collect.transports import bmc
from rackwright.model.access import Access, Secret
from rackwright.twin import faults, tools
from rackwright.twin.bmc.handler import BmcAccount, Handler
from rackwright.twin.bmc.server import BmcServer
from rackwright.twin.hardware import state
from rackwright.twin.hardware.live import Live
from tests import build
from tests.ports import free_port

ACCESS = Access("root", Path("key"), Path("known_hosts"), "admin", Secret("hunter2"), None)
UNITS = [
    ("rack_pdu", "train-r01-A1-pdu", build.site_design),
    ("power_shelf", "train-r01-shelf1", build.cooled_design),
    ("cdu", "hall-1-xdu1350-01", build.cooled_design),
]


def documents(design, there, name):
    try:
        return json.loads(tools.equipment(design, there, name))
    except tools.Silent:
        return None


async def ask_controller(design, there, kind, name, access):
    plant = {name: partial(documents, design, there, name)}
    handler = Handler(Live(there), {"127.0.0.1": name}, BmcAccount("admin", Secret("hunter2")), plant)
    runner = web.AppRunner(handler.application())
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    question = Ask(kind, 5.0, library=collector.library()[kind].library)
    try:
        port = runner.addresses[0][1]
        return [answer async for answer in bmc.ask_bmcs({name: f"http://127.0.0.1:{port}"}, question, access)]
    finally:
        await runner.cleanup()


@pytest.mark.parametrize(("kind", "name", "site"), UNITS)
def test_what_the_walk_reads_is_what_the_twin_shows(kind, name, site) -> None:
    there = state.build(site(), ["train-001"])
    [output] = asyncio.run(ask_controller(site(), there, kind, name, ACCESS))
    assert (output.node, output.error) == (name, "")
    parse = collector.library()[kind].parse
    assert parse(output.stdout.decode()) == parse(tools.equipment(site(), there, name).decode())


def test_a_wrong_password_is_refused() -> None:
    wrong = Access("root", Path("key"), Path("known_hosts"), "admin", Secret("wrong"), None)
    there = state.build(build.site_design(), ["train-001"])
    [output] = asyncio.run(ask_controller(build.site_design(), there, "rack_pdu", "train-r01-A1-pdu", wrong))
    assert "refused the account" in output.error


def test_a_silent_controller_is_an_error_of_its_own() -> None:
    there = state.build(build.site_design(), ["train-001"])
    broken = faults.load_faults()["pdu-silent"].apply(there, ["train-001"])
    [output] = asyncio.run(ask_controller(build.site_design(), broken, "rack_pdu", "train-r01-B1-pdu", ACCESS))
    assert "HTTP 503" in output.error


def test_the_shelves_of_a_rack_answer_over_tls_each_at_its_own_address(tmp_path) -> None:
    """As a twin with hosts serves them: by one server, beside the BMC of a node, with certificates of the site's CA."""
    design = build.cooled_design()
    there = state.build(design, ["train-001"])
    broken = faults.load_faults()["shelf-feed-dead"].apply(there, ["train-001"])
    shelves = [name for name, unit in there.plant.units.items() if unit.kind == "power_shelf"]
    addresses = {name: f"127.0.0.{number}" for number, name in enumerate(["train-001", *shelves], 1)}
    port = free_port()
    plant = {name: partial(documents, design, broken, name) for name in shelves}
    account = BmcAccount("admin", Secret("hunter2"))
    server = BmcServer(Live(broken), addresses, account, tmp_path, port, plant, addresses.values())
    server.start()
    access = replace(ACCESS, bmc_ca=server.ca_file)
    question = Ask("power_shelf", 60.0, library=collector.library()["power_shelf"].library)

    async def answers():
        reached = {name: f"https://{addresses[name]}:{port}" for name in shelves}
        return {output.node: output async for output in bmc.ask_bmcs(reached, question, access)}

    try:
        outputs = asyncio.run(answers())
    finally:
        server.stop()
    assert [outputs[name].error for name in shelves] == [""] * len(shelves)
    parse = collector.library()["power_shelf"].parse
    readings = [parse(outputs[name].stdout.decode()) for name in shelves]
    inlets = {
        name: {circuit.health for circuit in reading.mains} for name, reading in zip(shelves, readings, strict=True)
    }
    assert {name for name, health in inlets.items() if health == {"Critical"}} == {shelves[1]}
    assert [reading.watts for reading in readings if reading.watts == 0] == [0.0]
