"""The controllers of rack PDUs, power shelves and CDUs of the twin, asked by the client that asks real ones."""

from __future__ import annotations

import asyncio
import json
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
from rackwright.twin.hardware import state
from rackwright.twin.hardware.live import Live
from tests import build

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
