from __future__ import annotations

import json
import ssl
import urllib.error
import urllib.request
from base64 import b64encode
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rackwright.base.errors import OutsideError
from rackwright.model.access import Secret
from rackwright.twin.bmc.handler import MAX_SESSIONS, BmcAccount
from rackwright.twin.bmc.server import BmcServer
from rackwright.twin.hardware.live import Live
from rackwright.twin.hardware.state import Gpu, MachinePort, State, TwinMachine
from tests.ports import free_port

PORT = free_port()
ROOT = "/redfish/v1"
HOST = f"{ROOT}/Systems/Host"
RESET = f"{HOST}/Actions/ComputerSystem.Reset"


def _machine(node: str) -> TwinMachine:
    gpu = Gpu(0, "GPU-1", "s", "NVIDIA H100 80GB HBM3", "00000000:1b:00.0", "96", 1, 5, 16, (True,), 700)
    nics = (MachinePort("mlx5_0", "compute", "0xb83fd20312345678", "b8:3f:d2:00:00:01"),)
    return TwinMachine(
        node=node, role="accelerator", manufacturer="NVIDIA", model="DGX H100", serial=f"serial-of-{node}",
        bios_version="1", bmc_version="2", power_state="On", cpu_count=2, memory_gib=2048, gpus=(gpu,), nics=nics,
        psus_total=6, psus_ok=5, health="Warning",
    )  # fmt: skip


class Service:
    """Two BMCs and a bare HTTPS client that shares no code with ours."""

    def __init__(self, folder: Path) -> None:
        self.live = Live(State({name: _machine(name) for name in ("a", "b")}, ()))
        addresses = {"a": "127.0.0.21", "b": "127.0.0.22"}
        self.server = BmcServer(self.live, addresses, BmcAccount("admin", Secret("pw")), folder, PORT)
        self.server.start()
        self.trust = ssl.create_default_context(cafile=str(self.server.ca_file))

    def ask(
        self, method: str, path: str, body: Any = None, *, host: int = 21, headers: dict[str, str] | None = None,
        account: str = "admin:pw",
    ) -> tuple[int, dict[str, Any], dict[str, str]]:  # fmt: skip
        basic = {"Authorization": f"Basic {b64encode(account.encode()).decode()}"} if account else {}
        data = None if body is None else json.dumps(body).encode()
        url = f"https://127.0.0.{host}:{PORT}{path}"
        request = urllib.request.Request(url, data, {**basic, **(headers or {})}, method=method)
        try:
            with urllib.request.urlopen(request, context=self.trust) as reply:
                return reply.status, json.loads(reply.read() or "{}"), dict(reply.headers)
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read() or "{}"), dict(error.headers)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    service = Service(tmp_path)
    yield service
    service.server.stop()


def test_machines_are_told_apart_by_address(service: Service) -> None:
    assert service.ask("GET", HOST)[1]["SerialNumber"] == "serial-of-a"
    assert service.ask("GET", HOST, host=22)[1]["SerialNumber"] == "serial-of-b"


def test_every_link_leads_somewhere(service: Service) -> None:
    visited: set[str] = set()
    todo = [f"{ROOT}/"]
    while todo:
        path = todo.pop()
        if path in visited or "/Actions/" in path:
            continue
        visited.add(path)
        status, document, _ = service.ask("GET", path)
        assert status == 200, path
        todo += _links(document)
    assert len(visited) == 59


def _links(value: Any) -> list[str]:
    if isinstance(value, list):
        return [link for element in value for link in _links(element)]
    if isinstance(value, dict):
        links = [value["@odata.id"]] if "@odata.id" in value else []
        return links + [link for element in value.values() for link in _links(element)]
    return []


def test_only_the_root_is_open(service: Service) -> None:
    assert service.ask("GET", f"{ROOT}/", account="")[0] == 200
    status, document, _ = service.ask("GET", f"{ROOT}/Systems", account="")
    assert status == 401
    assert document["error"]["@Message.ExtendedInfo"][0]["Message"]
    assert service.ask("GET", f"{ROOT}/Systems", account="admin:wrong")[0] == 401
    assert service.ask("GET", f"{ROOT}/Systems", headers={"X-Auth-Token": "guessed"}, account="")[0] == 401


def test_sessions(service: Service) -> None:
    account = {"UserName": "admin", "Password": "pw"}
    path = f"{ROOT}/SessionService/Sessions"
    status, document, headers = service.ask("POST", path, account, account="")
    assert status == 201
    token = {"X-Auth-Token": headers["X-Auth-Token"]}
    assert service.ask("GET", HOST, headers=token, account="")[0] == 200
    assert service.ask("GET", HOST, headers=token, account="", host=22)[0] == 401, "a session of another BMC"
    assert service.ask("DELETE", document["@odata.id"], headers=token, account="")[0] == 204
    assert service.ask("GET", HOST, headers=token, account="")[0] == 401
    assert service.ask("POST", path, {**account, "Password": "x"}, account="")[0] == 401
    assert [service.ask("POST", path, account, account="")[0] for _ in range(MAX_SESSIONS + 1)][-2:] == [201, 503]


def test_the_refused_password_fault(service: Service) -> None:
    service.live.change("a", lambda machine: replace(machine, bmc_password_refused=True))
    assert service.ask("GET", HOST)[0] == 401
    assert service.ask("GET", HOST, host=22)[0] == 200


def test_faults_show(service: Service) -> None:
    status = service.ask("GET", HOST)[1]["Status"]
    assert status["HealthRollup"] == "Warning"
    supplies = f"{ROOT}/Chassis/Chassis/PowerSubsystem/PowerSupplies"
    _, listed, _ = service.ask("GET", f"{supplies}?$expand=.($levels=1)")
    assert [member["Status"]["Health"] for member in listed["Members"]] == ["OK"] * 5 + ["Critical"]
    fallen = replace(service.live.machine("a").gpus[0], present=False)
    service.live.change("a", lambda machine: replace(machine, gpus=(fallen,)))
    gpu = service.ask("GET", f"{ROOT}/Systems/HGX_Baseboard_0/Processors/GPU_SXM_1")[1]
    assert gpu["Status"]["Health"] == "Critical"


def test_boot_override_with_its_entity_tag(service: Service) -> None:
    _, _, headers = service.ask("GET", HOST)
    body = {"Boot": {"BootSourceOverrideEnabled": "Once", "BootSourceOverrideTarget": "Pxe"}}
    assert service.ask("PATCH", HOST, body, headers={"If-Match": '"stale"'})[0] == 412
    assert service.live.machine("a").boot_target == "None"
    assert service.ask("PATCH", HOST, body, headers={"If-Match": headers["ETag"]})[0] == 204
    assert (service.live.machine("a").boot_target, service.live.machine("a").boot_enabled) == ("Pxe", "Once")
    assert service.ask("PATCH", HOST, body, headers={"If-Match": headers["ETag"]})[0] == 412, "it has changed since"


@pytest.mark.parametrize(
    "body",
    [
        {"Boot": {"BootSourceOverrideTarget": "Floppy"}},
        {"Boot": {"BootSourceOverrideEnabled": "Sometimes"}},
        {"Boot": {"HttpBootUri": "x"}},
        {"AssetTag": "x"},
        [],
    ],
)
def test_writes_that_are_refused(service: Service, body: Any) -> None:
    before = service.live.machine("a")
    assert service.ask("PATCH", HOST, body)[0] == 400
    assert service.live.machine("a") is before


def test_power(service: Service) -> None:
    heard: list[tuple[str, bool]] = []
    service.live.on_power(lambda node, on: heard.append((node, on)))
    reset: Callable[[str], int] = lambda kind: service.ask("POST", RESET, {"ResetType": kind})[0]  # noqa: E731
    assert reset("On") == 204
    assert heard == [], "it was on"
    assert reset("GracefulShutdown") == 204
    assert reset("GracefulRestart") == 409
    service.live.change("a", lambda machine: replace(machine, boot_enabled="Once", boot_target="Pxe"))
    assert reset("On") == 204
    assert service.live.machine("a").boot_enabled == "Disabled"
    assert reset("ForceRestart") == 204
    assert heard == [("a", False), ("a", True), ("a", False), ("a", True)]
    assert reset("Explode") == 400
    assert service.live.machine("b").power_state == "On"


def test_what_is_not_there(service: Service) -> None:
    assert service.ask("GET", f"{ROOT}/Nothing")[0] == 404
    assert service.ask("DELETE", HOST)[0] == 405
    assert service.ask("GET", HOST, host=21, headers={"Authorization": "Basic !!"}, account="")[0] == 401


def test_a_taken_port_is_said(service: Service, tmp_path: Path) -> None:
    second = BmcServer(service.live, {"a": "127.0.0.21"}, BmcAccount("admin", Secret("pw")), tmp_path / "x", PORT)
    with pytest.raises(OutsideError, match="cannot listen on port"):
        second.start()


def test_the_key_is_private(service: Service, tmp_path: Path) -> None:
    assert (tmp_path / "bmc.key").stat().st_mode & 0o777 == 0o600
