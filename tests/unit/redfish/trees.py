"""BMCs that answer from a tree of documents, and the findings of the checks of a BMC."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from aiohttp import web

from rackwright import catalog, judge
from rackwright.collect import collector
from rackwright.model.access import Access, Secret
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.bmc import BmcEvidence
from rackwright.model.lazy_finding import worded
from rackwright.model.server import Psus, ServerPort
from rackwright.model.verdict import Finding
from rackwright.redfish import crawl
from rackwright.redfish.client import Client, RequestLimits
from rackwright.redfish.unread import READ_AT
from rackwright.twin.bmc.documents import NOW
from tests import build, hurried

CASES = Path(__file__).parents[2] / "cases" / "redfish"
ACCESS = Access("root", Path("key"), Path("known_hosts"), "admin", Secret("hunter2"), None)
Tree = dict[str, Any]


@cache
def recorded(name: str) -> Tree:
    """The documents of a published machine, read when the clock of its own BMC says."""
    tree: Tree = json.loads(gzip.decompress((CASES / f"{name}.json.gz").read_bytes()))
    bmc = next(
        document
        for document in tree.values()
        if "/Managers/" in document.get("@odata.id", "") and "DateTime" in document
    )
    return tree | {READ_AT: {"managers": datetime.fromisoformat(bmc["DateTime"]).isoformat(timespec="seconds")}}


def changed(base: Any, change: Any) -> Any:
    """`base` with `change` merged into it; entries of a list are changed by their place."""
    if isinstance(base, list) and isinstance(change, Mapping):
        return [changed(entry, change[at]) if at in change else entry for at, entry in enumerate(base)]
    if isinstance(base, Mapping) and isinstance(change, Mapping):
        return {**base, **{key: changed(base.get(key), value) for key, value in change.items()}}
    return change


@asynccontextmanager
async def serving(tree: Tree, answers: Mapping[str, Any] | None = None) -> Any:
    """The address of a server that answers from `tree`; `answers` are functions of a request by path, for documents that fail."""
    documents = {path.rstrip("/"): document for path, document in tree.items()}

    async def handler(request: web.Request) -> web.StreamResponse:
        if request.method == "POST":
            return web.json_response(
                {}, status=201, headers={"X-Auth-Token": "t", "Location": "/redfish/v1/Sessions/1"}
            )
        if request.method == "DELETE":
            return web.Response(status=204)
        path = request.path.rstrip("/")
        if answers and path in answers:
            return await answers[path](request)
        document = documents.get(path)
        if document is None:
            return web.json_response({}, status=404)
        if "$expand" in request.query and "Members" in document:
            members = [documents.get(member["@odata.id"].rstrip("/"), member) for member in document["Members"]]
            document = {**document, "Members": members}
        return web.json_response(document)

    runner = web.ServerRunner(web.Server(handler), shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


def read(
    tree: Tree, answers: Mapping[str, Any] | None = None, limits: RequestLimits | None = None, seconds: float = 60.0
) -> Tree:
    """What our client reads of a BMC that answers from `tree`, at the time that this says."""
    at = datetime.fromisoformat(tree.get(READ_AT, {"managers": NOW.isoformat()})["managers"])

    async def run() -> Tree:
        async with serving(tree, answers) as address, Client(address, ACCESS, limits) as client:
            return await crawl.crawl_machine(client, with_readings=True, seconds=seconds, now=lambda: at)

    return hurried.run(run())


def evidence(documents: Tree) -> BmcEvidence:
    """The record that the collector makes of `documents`."""
    record = collector.library()["bmc"].parse(json.dumps(documents))
    assert isinstance(record, BmcEvidence)
    return record


def findings(record: BmcEvidence, expectation: Expectation) -> Iterator[tuple[str, Finding]]:
    """Every check of one BMC that applies, by its name."""
    for name, check in judge.load_checks().items():
        if (
            isinstance(check, Check)
            and check.reads is BmcEvidence
            and name.startswith("bmc.")
            and check.applies(expectation)
        ):
            yield name, worded(check.judge(expectation, record))


def expected(server: Mapping[str, Any], since: str) -> Expectation:
    """What a machine was bought with: a server of the catalog (`like`) but for the other facts, or the facts themselves."""
    facts = dict(server)
    if like := facts.pop("like", ""):
        fields = {**dict(catalog.load().servers[like]), **facts}
    else:
        names = [f"port{number}" for number in range(facts.pop("ports"))]
        port = ServerPort(role="inband", count=len(names), gbps=100, names=names, adapter="any")
        fields = {
            **facts,
            "psus": Psus(**facts["psus"]),
            "ports": [port],
            "liquid": None,
            "bmc": None,
            "cpu_sockets": 2,
        }
    count = fields["accelerators"]
    base = build.expectation(server=fields, place={"accelerators": count} | ({} if count else {"accelerator": None}))
    return replace(base, log_since=since)
