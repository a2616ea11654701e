"""Each document of a BMC stands or falls alone: what rests on one that does not come is inconclusive and says so, all else is judged as before."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from aiohttp import web

from rackwright.model.lazy_finding import worded
from rackwright.model.verdict import Outcome
from rackwright.redfish.client import RequestLimits

from . import trees

TREE = "supermicro"
CHASSIS = "/redfish/v1/Chassis/1"
SERVER = {
    "manufacturer": "Supermicro", "model": "SYS-821GE-TNHR", "peak_watts": 10000, "psus": {"count": 8, "watts_each": 3000, "needed": 4},
    "accelerators": 8, "memory_gib": 2048, "ports": 11, "max_supply_air_celsius": 35,
}  # fmt: skip
LIMITS = RequestLimits(attempts=1)
Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]


async def _broken(_: web.Request) -> web.StreamResponse:
    return web.json_response({"error": {"message": "Internal error"}}, status=500)


async def _hangs(_: web.Request) -> web.StreamResponse:
    await asyncio.sleep(2 * LIMITS.read_seconds)
    return web.json_response({})


async def _cut(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Length": "4000", "Content-Type": "application/json"})
    await response.prepare(request)
    await response.write(b'{"Id": "Thermal", ')
    assert request.transport is not None
    request.transport.close()
    return response


async def _odd(_: web.Request) -> web.StreamResponse:
    return web.json_response({"Id": "Thermal", "Status": "OK", "Temperatures": []})


def _outcomes(documents: trees.Tree) -> dict[str, tuple[Outcome, str]]:
    expectation = trees.expected(SERVER, "2023-09-01")
    return {
        name: (finding.outcome, finding.says)
        for name, finding in trees.findings(trees.evidence(documents), expectation)
    }


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (_broken, "HTTP 500"),
        (_hangs, "no answer in time"),
        (_cut, "answer broken off"),
        (_odd, "Status is text, expected an object"),
    ],
)
@pytest.mark.parametrize(
    ("path", "inconclusive"),
    [
        (f"{CHASSIS}/Thermal", {"bmc.sensors", "bmc.fans", "bmc.inlet_temperature"}),
        (f"{CHASSIS}/Power", {"bmc.psus", "bmc.psu_input", "bmc.psu_redundancy", "bmc.power_draw", "bmc.power_cap"}),
        (f"{CHASSIS}/PCIeDevices/GPU3", {"bmc.gpus"}),
        ("/redfish/v1/Systems/1/LogServices/Log1/Entries", {"bmc.sel"}),
        (f"{CHASSIS}/NetworkAdapters/4", {"bmc.nics"}),
    ],
)
def test_what_rests_on_it_is_inconclusive(answer: Answer, reason: str, path: str, inconclusive: set[str]) -> None:
    healthy = _outcomes(trees.recorded(TREE))
    collection = path.rpartition("/")[0]
    answers = {collection: _unexpanded(collection), path: answer}
    after = _outcomes(trees.read(trees.recorded(TREE), answers, LIMITS))
    differing = {name for name, outcome in after.items() if outcome[0] is not healthy[name][0]}
    assert differing == {name for name in inconclusive if healthy[name][0] is not Outcome.INCONCLUSIVE}
    for name in inconclusive:
        assert after[name][0] is Outcome.INCONCLUSIVE
        assert f"{path} ({reason})" in after[name][1]


def _unexpanded(path: str) -> Answer:
    """The collection at `path` with links alone, as from a BMC that advertises ``$expand`` and does not do it."""

    async def answer(request: web.Request) -> web.StreamResponse:
        document = trees.recorded(TREE).get(path)
        if document is None or "$expand" in request.query:
            return web.json_response({}, status=501 if document else 404)
        return web.json_response(document)

    return answer


def test_a_system_that_is_not_read_leaves_the_rest_of_the_machine() -> None:
    documents = trees.read(
        trees.recorded(TREE),
        {"/redfish/v1/Systems/1": _broken, "/redfish/v1/Systems": _unexpanded("/redfish/v1/Systems")},
        LIMITS,
    )
    outcomes = _outcomes(documents)
    assert outcomes["bmc.model"][0] is outcomes["bmc.health"][0] is outcomes["bmc.power"][0] is Outcome.INCONCLUSIVE
    assert outcomes["bmc.fans"][0] is outcomes["bmc.psus"][0] is Outcome.PASS


def test_a_bmc_that_answers_no_more_is_not_waited_for_document_by_document() -> None:
    paths = [path for path in trees.recorded(TREE) if path.startswith(f"{CHASSIS}/")]
    documents = trees.read(trees.recorded(TREE), dict.fromkeys(paths, _hangs), LIMITS)
    reasons = list(documents["unread"].values())
    assert reasons.count("no answer in time") <= 3 * LIMITS.connections
    assert "not asked for: the BMC answers no more" in reasons


def test_a_walk_ends_when_its_time_is_over() -> None:
    documents = trees.read(trees.recorded(TREE), seconds=-1.0)
    assert all(reason.startswith("not asked for: ") for reason in documents["unread"].values())


def test_missing_status_is_unknown_and_not_unhealthy() -> None:
    tree = trees.changed(trees.recorded(TREE), {f"{CHASSIS}/Power": {"PowerSupplies": {3: {"Status": None}}}})
    record = trees.evidence(tree)
    assert record.psus_ok == 7
    check = dict(trees.findings(record, trees.expected(SERVER, "2023-09-01")))["bmc.psus"]
    assert worded(check).outcome is Outcome.INCONCLUSIVE
