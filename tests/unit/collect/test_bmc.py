import asyncio
import json
from pathlib import Path

import pytest
from aiohttp import web

from rackwright.collect import collector
from rackwright.collect.output import Ask
from rackwright.collect.transports import bmc
from rackwright.model.access import Access, Secret
from rackwright.redfish import inventory
from tests import hurried
from tests.patience import PATIENCE

ACCESS = Access("root", Path("key"), Path("known_hosts"), "admin", Secret("hunter2"), None)
ASK = Ask("bmc", PATIENCE)
DOCUMENTS = {
    "/redfish/v1/": {"@odata.id": "/redfish/v1/", "Systems": {"@odata.id": "/redfish/v1/Systems"}},
    "/redfish/v1/Systems": {"@odata.id": "/redfish/v1/Systems", "Members": [{"@odata.id": "/redfish/v1/Systems/1"}]},
    "/redfish/v1/Systems/1": {"@odata.id": "/redfish/v1/Systems/1", "Model": "DGXH100", "PowerState": "On"},
}


async def healthy(request):
    if request.method == "POST":
        return web.json_response({}, status=201, headers={"X-Auth-Token": "t", "Location": "/redfish/v1/Sessions/1"})
    if request.method == "DELETE":
        return web.Response(status=204)
    document = DOCUMENTS.get(request.path)
    return web.json_response(document) if document else web.Response(status=404)


async def refuses(request):
    return web.Response(status=401)


async def hangs(request):
    await asyncio.sleep(PATIENCE)
    return web.Response()


async def talks_nonsense(request):
    if request.method == "POST":
        return await healthy(request)
    return web.json_response({"Systems": "not a link", "Chassis": 7})


def ask_bmcs(ask=ASK, **handlers):
    """Every handler behind a server of its own, all asked at once; plus one address where nothing listens."""

    async def run():
        runners, addresses = [], {"dead": "http://127.0.0.1:1"}
        for node, handler in handlers.items():
            runner = web.ServerRunner(web.Server(handler), shutdown_timeout=0.1)
            await runner.setup()
            site = web.TCPSite(runner, "127.0.0.1", 0)
            await site.start()
            addresses[node] = f"http://127.0.0.1:{runner.addresses[0][1]}"
            runners.append(runner)
        outputs = [output async for output in bmc.ask_bmcs(addresses, ask, ACCESS)]
        for runner in runners:
            await runner.cleanup()
        return outputs

    return hurried.run(run())


def test_documents_are_kept_as_they_were_read_and_others_fail_alone():
    outputs = {output.node: output for output in ask_bmcs(good=healthy, locked=refuses, odd=talks_nonsense)}
    stuck = {output.node: output for output in ask_bmcs(Ask("bmc", 0.5), good=healthy, stuck=hangs)}
    assert {*stuck} == {"good", "stuck", "dead"}
    outputs["stuck"] = stuck["stuck"]

    good = outputs["good"]
    assert (good.error, good.rc, good.collector) == ("", 0, "bmc")
    assert inventory.parse_machine(json.loads(good.stdout)).model == "DGXH100"
    assert set(json.loads(good.stdout)) == {*DOCUMENTS, "read_at"}

    assert "refused the account (HTTP 401)" in outputs["locked"].error
    assert "within 0.5 s" in outputs["stuck"].error
    assert "cannot be reached" in outputs["dead"].error
    with pytest.raises(collector.ParseError, match="computer system"):
        collector.library()["bmc"].parse(outputs["odd"].stdout.decode())
    for node in ("locked", "stuck", "dead"):
        assert (outputs[node].rc, outputs[node].stdout) == (None, b"")
        assert "\n" not in outputs[node].error
        assert "hunter2" not in outputs[node].error
