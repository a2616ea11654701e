"""BMCs that answer to harm whoever asks. Each costs its own reading: the healthy one beside it is read as if it were alone."""

from __future__ import annotations

import asyncio
import gzip
import json
import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest
from aiohttp import web

from rackwright.base import foreign
from rackwright.collect.output import Ask
from rackwright.collect.transports import bmc
from rackwright.model.access import Access, Secret
from rackwright.redfish.client import RequestLimits
from rackwright.redfish.crawl_readings import PAGES
from rackwright.redfish.readings import MORE
from tests import hurried

ACCESS = Access("root", Path("key"), Path("known_hosts"), "admin", Secret("hunter2"), None)
ROOT = {"Systems": {"@odata.id": "/redfish/v1/Systems"}, "Chassis": {"@odata.id": "/redfish/v1/Chassis"}}
SYSTEM = {"LogServices": {"@odata.id": "/redfish/v1/Logs"}, "Processors": {"@odata.id": "/redfish/v1/Processors"}}
HEALTHY = {
    "/redfish/v1/": ROOT,
    "/redfish/v1/Systems": {"Members": [{"@odata.id": "/redfish/v1/Systems/1"}]},
    "/redfish/v1/Systems/1": SYSTEM,
    "/redfish/v1/Logs": {"Members": [{"@odata.id": "/redfish/v1/Logs/SEL"}]},
    "/redfish/v1/Logs/SEL": {"Id": "SEL", "Entries": {"@odata.id": "/redfish/v1/Logs/SEL/Entries"}},
    "/redfish/v1/Logs/SEL/Entries": {"Members": []},
}
LIMITS = RequestLimits(
    attempts=1,
    document=foreign.ForeignLimit("test", bytes=1 << 20, depth=64, values=100_000),
    visit=foreign.ForeignLimit("test", bytes=4 << 20, values=400_000, documents=200),
)


def visited(answers, limits=LIMITS, *, hostile_fails=True):
    """Outputs of a BMC that answers some paths with `answers`, and of a healthy one that is read at the same time."""

    def serving(documents):
        async def handler(request):
            if request.method == "POST":
                return web.json_response({}, status=201, headers={"X-Auth-Token": "t"})
            answer = documents.get(request.path_qs, documents.get(request.path))
            if callable(answer):
                return await answer(request)
            return web.json_response(answer) if answer is not None else web.Response(status=404)

        return handler

    async def run():
        runners, addresses = [], {}
        for node, documents in (("hostile", {**HEALTHY, **answers}), ("healthy", HEALTHY)):
            runner = web.ServerRunner(web.Server(serving(documents)), shutdown_timeout=0.1)
            await runner.setup()
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            addresses[node] = f"http://127.0.0.1:{runner.addresses[0][1]}"
            runners.append(runner)
        outputs = [output async for output in bmc.ask_bmcs(addresses, Ask("bmc", 10.0), ACCESS, limits)]
        for runner in runners:
            await runner.cleanup()
        return {output.node: output for output in outputs}

    outputs = hurried.run(run())
    assert (outputs["healthy"].error, json.loads(outputs["healthy"].stdout).keys()) == ("", {*HEALTHY, "read_at"})
    assert (outputs["hostile"].rc is None) == hostile_fails
    return outputs["hostile"]


def test_a_gzip_bomb_is_read_up_to_the_limit():
    bomb = gzip.compress(b'{"Id": "' + b" " * (64 << 20) + b'"}', 1)

    async def answer(_request):
        return web.Response(body=bomb, headers={"Content-Encoding": "gzip", "Content-Type": "application/json"})

    tracemalloc.start()
    output = visited({"/redfish/v1/Systems/1": answer})
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "answered /redfish/v1/Systems/1 with more than 1 MiB: it is faulty or hostile" in output.error
    assert most < 16 << 20, "of 64 MiB"
    assert output.stdout.startswith(b'{"Id": "  '), "its beginning is evidence"
    assert len(output.stdout) == foreign.limit("beginning").bytes


@pytest.mark.parametrize(
    ("document", "words"),
    [
        (b'{"a":' * 5000 + b"1" + b"}" * 5000, "nests deeper than 64 levels"),
        (b'{"a": "\\"[[", "b":' + b"[" * 100 + b"]" * 100 + b"}", "nests deeper than 64 levels"),
        (b'{"Members": [' + b"1," * 200_000 + b"1]}", "more than 100,000 values"),
    ],
    ids=["deep JSON", "deep JSON behind brackets in a text", "many values"],
)
def test_a_document_that_is_no_sane_one(document, words):
    async def answer(_request):
        return web.Response(body=document, content_type="application/json")

    assert words in visited({"/redfish/v1/Systems/1": answer}).error


def test_a_million_members_are_not_asked_for():
    requested = []

    async def member(request):
        requested.append(request.path)
        return web.json_response({})

    members = [{"@odata.id": f"/m/{number}"} for number in range(20_000)]
    output = visited({"/redfish/v1/Processors": {"Members": members}, "/m/0": member})
    assert "answered /redfish/v1/Processors with links to more than 200 documents" in output.error
    assert requested == []


def test_a_collection_that_names_a_member_again_and_again():
    requested = []

    async def member(request):
        requested.append(request.path)
        return web.json_response({"Id": "x" * (1 << 20)})

    visited({"/redfish/v1/Processors": {"Members": [{"@odata.id": "/m/0"}] * 5000}, "/m/0": member})
    assert requested == ["/m/0"]


def test_documents_that_are_small_alone_and_too_much_together():
    members = [{"@odata.id": f"/m/{number}"} for number in range(50)]
    large = {f"/m/{number}": {"Id": "x" * 200_000} for number in range(50)}
    output = visited({"/redfish/v1/Processors": {"Members": members}, **large})
    assert "documents of more than 4 MiB together" in output.error


def test_pages_that_lead_in_a_circle():
    page = {"Members": [], "Members@odata.nextLink": "/redfish/v1/Logs/SEL/Entries?$skip=1"}
    paths = ("/redfish/v1/Logs/SEL/Entries", "/redfish/v1/Logs/SEL/Entries?$skip=1")
    output = visited(dict.fromkeys(paths, page))
    assert "answered /redfish/v1/Logs/SEL/Entries?$skip=1 with pages that lead in a circle" in output.error


def test_pages_without_end():
    requested = []

    async def page(request):
        requested.append(int(request.query.get("$skip", 0)))
        where = f"/redfish/v1/Logs/SEL/Entries?$skip={requested[-1] + 1}"
        return web.json_response({"Members": [], "Members@odata.nextLink": where})

    output = visited({"/redfish/v1/Logs/SEL/Entries": page}, hostile_fails=False)
    assert requested == list(range(PAGES + 1))
    assert MORE in json.loads(output.stdout)["/redfish/v1/Logs/SEL/Entries"], "the checks see that there are more"


def dripping(seconds):
    async def answer(request):
        response = web.StreamResponse(headers={"Content-Type": "application/json"})
        await response.prepare(request)
        for _ in range(1000):
            await response.write(b" ")
            await asyncio.sleep(seconds)
        return response

    return answer


def lost(answers, limits=LIMITS):
    """Why the one document that answers otherwise was not read; everything else of the BMC was."""
    output = visited(answers, limits, hostile_fails=False)
    return json.loads(output.stdout)["unread"]["/redfish/v1/Systems/1"]


def test_a_byte_at_a_time_ends_with_the_time_of_the_request():
    reason = lost({"/redfish/v1/Systems/1": dripping(4)})
    assert reason == "no answer in time"


def test_bytes_that_are_no_text_are_no_document():
    async def answer(_request):
        return web.Response(body=b"\xff" * 100, content_type="application/json")

    assert lost({"/redfish/v1/Systems/1": answer}) == "no JSON object"


def test_many_slow_documents_end_with_the_time_of_the_visit():
    async def slow(_request):
        await asyncio.sleep(4)
        return web.json_response({})

    members = [{"@odata.id": f"/m/{number}"} for number in range(150)]
    answers = {"/redfish/v1/Processors": {"Members": members}, **{path["@odata.id"]: slow for path in members}}
    limits = replace(LIMITS, connections=1, visit=replace(LIMITS.visit, seconds=20))
    output = visited(answers, limits)
    assert "documents that take more than 20 s together" in output.error


def test_a_redirect_is_not_followed():
    requested = []

    async def elsewhere(request):
        requested.append(request.path)
        return web.json_response({})

    async def redirect(_request):
        raise web.HTTPFound("/elsewhere")

    assert lost({"/redfish/v1/Systems/1": redirect, "/elsewhere": elsewhere}) == "no JSON object"
    assert requested == []


def test_headers_without_end():
    async def answer(_request):
        return web.Response(headers={f"X-{number}": "x" * 1000 for number in range(1000)})

    assert lost({"/redfish/v1/Systems/1": answer}) == "ClientResponseError"
