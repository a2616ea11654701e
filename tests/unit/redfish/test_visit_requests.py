"""What one visit asks of a BMC: each document once before anything is changed, and again only what was changed."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from aiohttp import web

from rackwright.base.tasks import nothing, together
from rackwright.model.access import Secret
from rackwright.model.resource import MachineAccount
from rackwright.redfish import apply, crawl, inventory
from rackwright.redfish.accounts import AccountSecrets
from rackwright.redfish.client import Client
from rackwright.redfish.crawler import Documents
from rackwright.redfish.plan import Plate
from rackwright.redfish.resources.service_root import SERVICE_ROOT
from rackwright.twin.bmc.handler import Handler

from . import trees
from .conftest import PORT, anyone, desired_machine, machine
from .test_client import _against

ADDRESS = f"127.0.0.11:{PORT}"


def test_a_visit_that_changes_everything(serve: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    requests: list[str] = []
    answer = Handler._dispatch

    async def counted(handler: Handler, node: str, request: web.Request) -> web.Response:
        requests.append(f"{request.method} {request.path}")
        return await answer(handler, node, request)

    monkeypatch.setattr(Handler, "_dispatch", counted)
    live, access = serve(machine(dialect="viking", power_state="Off"))
    account = MachineAccount(user="monitor", role="ReadOnly", password_env="MONITOR", password_mark="m1")
    declared = desired_machine(bios={"ControlIommu": "Enable"}, firmware={"CPLDMB_0": "1"}, accounts=[account])
    secrets = AccountSecrets({"monitor": Secret("first-password")}, ["monitor"])
    log: list[str] = []
    asyncio.run(apply.bring_machine(declared, access, log.append, accept=anyone, secrets=secrets))
    assert len(log) == 4, "attribute, account, boot from the network, power"
    assert live.machine("train-001").accounts
    changed = next(at for at, request in enumerate(requests) if request.startswith("PATCH"))
    before, after = Counter(requests[:changed]), Counter(requests[changed:])
    assert set(before.values()) == {1}, "each document is read once"
    assert {path: after[path] for path in after if path.startswith("GET")} == {
        "GET /redfish/v1/Systems": 1, "GET /redfish/v1/Systems/DGX": 1, "GET /redfish/v1/Systems/DGX/Bios": 1,
        "GET /redfish/v1/AccountService/Accounts": 1,
    }, "the new account is tried, and what was changed is read back"  # fmt: skip
    requests.clear()
    asyncio.run(apply.bring_machine(declared, access, log.append, accept=anyone, boot_is_new=False))
    again = Counter(requests)
    assert [path for path in again if "Registries" in path or path.endswith(("Roles", "/SD"))] == [], "nothing differs"
    assert set(again.values()) == {1}


@pytest.mark.parametrize("name", ["dell", "hpe", "lenovo", "nvidia_viking", "supermicro"])
def test_what_a_design_is_compared_with_needs_no_ports(name: str) -> None:
    tree = trees.recorded(name)

    async def read() -> tuple[Documents, Documents]:
        async with trees.serving(tree) as address, Client(address, trees.ACCESS) as client:
            return await crawl.crawl_compared(client), await crawl.crawl_machine(client)

    compared, every = asyncio.run(read())
    ours, complete = inventory.parse_machine(compared), inventory.parse_machine(every)
    assert len(compared) < len(every)
    for facts in (
        lambda record: Plate(record.manufacturer, record.model),
        lambda record: (record.serial, record.bios_version, record.bmc_version, record.power_state),
        lambda record: (record.cpu_count, record.memory_gib, record.gpu_models, len(record.nic_ports)),
    ):
        assert facts(ours) == facts(complete)


@pytest.mark.parametrize("complete", [True, False])
def test_the_root_of_before_the_log_in_is_gone_by_where_it_shows_everything(complete: bool) -> None:
    requested: list[str] = []
    names = ("Systems", "Chassis", "Managers", "AccountService", "UpdateService", "Registries")
    part: dict[str, Any] = {"SessionService": {"@odata.id": "/redfish/v1/SessionService"}}
    every_service = part | {name: {"@odata.id": f"/redfish/v1/{name}"} for name in names}

    async def reply(request: web.Request) -> web.Response:
        if request.method != "GET":
            return web.json_response({}, status=201, headers={"X-Auth-Token": "t", "Location": "/redfish/v1/S/1"})
        requested.append(request.path)
        return web.json_response(every_service if complete or request.headers.get("X-Auth-Token") else part)

    async def twice(client: Client) -> Any:
        return await client.root(), await client.root()

    assert asyncio.run(_against(reply, twice)) == (every_service, every_service)
    assert requested == [SERVICE_ROOT] * (1 if complete else 2)


def test_what_runs_together_ends_before_its_first_error_is_raised() -> None:
    ended: list[int] = []

    async def work(number: int) -> None:
        await asyncio.sleep(0)
        ended.append(number)
        if number < 2:
            raise ValueError(str(number))

    with pytest.raises(ValueError, match="0"):
        asyncio.run(together(work(0), work(1), nothing(), work(2)))  # type: ignore[arg-type]
    assert ended == [0, 1, 2]
