from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from rackwright.base.errors import OutsideError
from rackwright.cli.provision import bmc_pins
from rackwright.model.access import Access, BmcLogin, Secret
from rackwright.redfish import apply, crawl
from rackwright.redfish.address import base_url
from rackwright.redfish.bmc_files import read_pins
from rackwright.redfish.client import SESSIONS, Client, RequestLimits
from rackwright.redfish.concurrency import PowerOns
from rackwright.redfish.resources.service_root import SERVICE_ROOT
from tests import hurried
from tests.patience import PATIENCE

from .conftest import PASSWORD, PORT, anyone, desired_machine, machine, read

ADDRESS = f"127.0.0.11:{PORT}"
QUICK = RequestLimits(connect_seconds=PATIENCE, read_seconds=PATIENCE, write_seconds=PATIENCE, backoff_seconds=0.01)
NOBODY = Access("", Path("/dev/null"), Path("/dev/null"), "admin", Secret("secret"), None)
Reply = Callable[[web.Request], Awaitable[web.StreamResponse]]


async def _sessions(access: Access) -> int:
    async with Client(ADDRESS, access) as client:
        return len((await client.get(SESSIONS))["Members"])


def test_sessions_are_closed(serve: Callable[..., Any]) -> None:
    _, access = serve(machine())
    for _ in range(3):
        asyncio.run(read(ADDRESS, access))
    assert asyncio.run(_sessions(access)) == 1, "only the one that asks"


def test_a_wrong_password_is_tried_once(serve: Callable[..., Any]) -> None:
    _, access = serve(machine(), password="wrong")
    with pytest.raises(OutsideError, match=rf"BMC {ADDRESS} refused the account \(HTTP 401\).*control\.bmc"):
        asyncio.run(read(ADDRESS, access))


def test_an_unknown_authority_is_refused(serve: Callable[..., Any]) -> None:
    _, access = serve(machine())
    with pytest.raises(OutsideError, match=r"certificate that is not trusted .*control\.bmc\.ca_file"):
        asyncio.run(read(ADDRESS, replace(access, bmc_ca=None)))


def test_certificates_are_recorded_at_first_use_and_compared_afterwards(
    serve: Callable[..., Any], tmp_path: Path
) -> None:
    _, access = serve(machine())
    path = tmp_path / "pins"
    lines = list(bmc_pins.record(path, [ADDRESS, "127.0.0.1:9"]))
    assert "1 certificates of BMCs are recorded" in lines[0]
    assert "127.0.0.1:9 showed no certificate" in lines[1]
    pinned = replace(access, bmc_ca=None, bmc_pins=read_pins(path))
    assert asyncio.run(read(ADDRESS, pinned))[1].model == "DGX H100"
    assert "0 certificates of BMCs are recorded" in next(iter(bmc_pins.record(path, [ADDRESS])))
    with pytest.raises(OutsideError, match=r"another certificate .*pins_file"):
        asyncio.run(read(ADDRESS, replace(pinned, bmc_pins={ADDRESS: "00" * 32})))


def test_a_bmc_with_an_account_of_its_own(serve: Callable[..., Any]) -> None:
    _, access = serve(machine(), password="wrong")
    single = replace(access, bmc_accounts={ADDRESS: BmcLogin("admin", Secret(PASSWORD))})
    assert asyncio.run(read(ADDRESS, single))[1].model == "DGX H100"


def test_a_certificate_for_another_address_is_refused(serve: Callable[..., Any]) -> None:
    _, access = serve(machine())
    with pytest.raises(OutsideError, match="not trusted"):
        asyncio.run(read(f"127.0.0.77:{PORT}", access))


class Starts(PowerOns):
    """Notes who takes a place."""

    racks: list[str] = []

    def place(self, rack: str) -> AbstractAsyncContextManager[None]:
        self.racks = [*self.racks, rack]
        return super().place(rack)


def test_bringing_a_machine_up_and_again(serve: Callable[..., Any]) -> None:
    live, access = serve(machine(power_state="Off"))
    log: list[str] = []
    starts = Starts({})

    async def bring() -> apply.ObservedMachine:
        return await apply.bring_machine(
            desired_machine(rack="train-r01"), access, log.append, accept=anyone, power_ons=starts
        )

    observed = asyncio.run(bring())
    assert log == ["boots from Pxe once", "is powered on (On)"]
    assert observed.system.power_state == "On"
    assert live.machine("train-001").boot_enabled == "Disabled", "used up by the boot"
    asyncio.run(bring())
    assert len(log) == 2
    assert starts.racks == ["train-r01"], "a machine that runs takes no place of its rack"


def test_a_machine_that_does_not_follow_is_said(serve: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    _, access = serve(machine(power_state="Off"))
    monkeypatch.setattr("rackwright.twin.bmc.actions.reset", lambda machine, body: [])
    with pytest.raises(OutsideError, match="train-001 is still Off 0 s after its BMC"):
        asyncio.run(
            apply.bring_machine(
                desired_machine(), access, print, accept=anyone, patience=apply.PowerStateDeadline(0.05, 0.01)
            )
        )


async def _against(reply: Reply, work: Callable[[Client], Awaitable[Any]], patience: RequestLimits = QUICK) -> Any:
    """Run `work` with a client of a small HTTP server that answers with `reply`."""
    application = web.Application()
    application.router.add_route("*", "/{path:.*}", reply)
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    try:
        async with Client(f"http://127.0.0.1:{port}", NOBODY, patience) as client:
            return await work(client)
    finally:
        await runner.cleanup()


@pytest.mark.parametrize("body", [{"name": "switch"}, {"Systems": {"@odata.id": "/redfish/v1/Systems"}}])
def test_a_stranger_that_shows_no_service_root_gets_no_account(
    body: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    methods: list[str] = []

    async def reply(request: web.Request) -> web.Response:
        methods.append(request.method)
        assert "Authorization" not in request.headers
        return web.json_response(body)

    async def nothing(_: Client) -> None:
        raise AssertionError("no log-in was expected")

    monkeypatch.setattr(f"{__name__}.Client", partial(Client, strangers=True))
    with pytest.raises(OutsideError, match="is no Redfish service: no account was sent to it"):
        asyncio.run(_against(reply, nothing))
    assert methods == ["GET"]


def test_a_busy_bmc_is_asked_again() -> None:
    requested: list[str] = []

    async def reply(request: web.Request) -> web.Response:
        requested.append(request.method)
        return web.json_response({"Name": "root"}, status=503 if len(requested) < 3 else 200)

    document = asyncio.run(_against(reply, lambda client: client.get(SERVICE_ROOT)))
    assert document == {"Name": "root"}
    assert requested == ["GET"] * 4, "twice busy, then to log in, then to read"


def test_a_bmc_that_stays_busy_is_given_up() -> None:
    requested: list[str] = []

    async def reply(request: web.Request) -> web.Response:
        requested.append(request.method)
        return web.json_response({}, status=404 if request.method == "POST" else 503)

    with pytest.raises(OutsideError, match="HTTP 503"):
        asyncio.run(_against(reply, lambda client: client.get(SERVICE_ROOT)))
    assert requested.count("GET") == QUICK.attempts


def test_without_a_session_service_the_account_goes_along() -> None:
    async def reply(request: web.Request) -> web.Response:
        if request.method == "POST":
            return web.json_response({}, status=404)
        return web.json_response({"given": request.headers.get("Authorization", "")})

    document = asyncio.run(_against(reply, lambda client: client.get(SERVICE_ROOT)))
    assert document["given"] == "Basic YWRtaW46c2VjcmV0"


def test_a_refused_account_is_not_tried_twice() -> None:
    requested: list[str] = []

    async def reply(request: web.Request) -> web.Response:
        requested.append(request.method)
        return web.json_response({}, status=401)

    with pytest.raises(OutsideError, match="refused the account"):
        asyncio.run(_against(reply, lambda client: client.get(SERVICE_ROOT)))
    assert requested == ["GET", "POST"]  # the service root, without the account


def _protected(requested: list[tuple[str, str]], session: int, basic: int) -> Reply:
    """A BMC that offers sessions and refuses them with the status `session`, and answers `basic` to the account with a request."""

    async def reply(request: web.Request) -> web.Response:
        requested.append((request.method, request.path))
        if request.path == SERVICE_ROOT:
            return web.json_response(
                {"Systems": {"@odata.id": "/redfish/v1/Systems"}, "Links": {"Sessions": {"@odata.id": "/s"}}}
            )
        if request.method == "POST":
            return web.json_response({}, status=session)
        return web.json_response({"Name": "Systems"}, status=basic if "Authorization" in request.headers else 401)

    return reply


def test_an_account_that_is_refused_a_session_and_taken_with_each_request() -> None:
    requested: list[tuple[str, str]] = []
    document = asyncio.run(_against(_protected(requested, 403, 200), lambda client: client.get("/redfish/v1/Systems")))
    assert document == {"Name": "Systems"}
    assert requested[:2] == [("GET", SERVICE_ROOT), ("POST", "/s")]


def test_an_account_that_is_refused_a_session_as_wrong_is_sent_once() -> None:
    requested: list[tuple[str, str]] = []
    with pytest.raises(OutsideError, match=r"refused the account \(HTTP 401\)"):
        asyncio.run(_against(_protected(requested, 401, 200), lambda client: client.get("/redfish/v1/Systems")))
    assert requested == [("GET", SERVICE_ROOT), ("POST", "/s")]


def test_an_account_goes_once_to_a_bmc_without_sessions() -> None:
    """Documents are read several at once; each would count as a wrong password."""
    accounts: list[str] = []

    async def reply(request: web.Request) -> web.Response:
        if request.path == SERVICE_ROOT:
            return web.json_response({"Systems": {"@odata.id": "/redfish/v1/Systems"}})
        accounts.append(request.headers.get("Authorization", ""))
        return web.json_response({}, status=401)

    with pytest.raises(OutsideError, match="refused the account"):
        asyncio.run(_against(reply, crawl.crawl_machine))
    assert len(accounts) == 1


@pytest.mark.parametrize(
    ("status", "message", "words"),
    [
        (403, "Base.1.18.PasswordChangeRequired", "wants the password of the account changed"),
        (403, "Base.1.18.InsufficientPrivilege", "give it the role ReadOnly"),
        (403, "", "give it the role ReadOnly"),
        (400, "Base.1.18.SessionLimitExceeded", "has no session left"),
        (401, "Base.1.18.AccountLocked", "has locked the account"),
    ],
)
def test_each_refusal_says_what_it_means(status: int, message: str, words: str) -> None:
    async def reply(request: web.Request) -> web.Response:
        if request.path == SERVICE_ROOT:
            return web.json_response({"Name": "Root Service"})
        return web.json_response({"error": {"@Message.ExtendedInfo": [{"MessageId": message}]}}, status=status)

    with pytest.raises(OutsideError, match=words) as refused:
        asyncio.run(_against(reply, lambda client: client.get("/redfish/v1/Systems")))
    assert ("password in the environment" in str(refused.value)) == (status == 401 and not message)


@pytest.mark.parametrize("root", [{"Links": {}}, {"Name": "Root Service"}])
def test_sessions_that_the_service_root_does_not_offer_are_no_refusal_of_the_account(root: dict[str, Any]) -> None:
    """Firmware without a session service answers 401 to whatever comes without an account."""
    accounts: list[str] = []

    async def reply(request: web.Request) -> web.Response:
        accounts.append(request.headers.get("Authorization", ""))
        if request.path == SERVICE_ROOT:
            return web.json_response(root)
        return web.json_response({"Name": "Systems"}, status=200 if accounts[-1] else 401)

    assert asyncio.run(_against(reply, lambda client: client.get("/redfish/v1/Systems"))) == {"Name": "Systems"}
    assert [bool(account) for account in accounts] == [False, True]


def test_a_silent_bmc_is_given_up_in_time() -> None:
    async def reply(request: web.Request) -> web.Response:
        if request.method == "GET":
            await asyncio.sleep(10 * PATIENCE)
        return web.json_response({}, status=404)

    with pytest.raises(OutsideError, match="did not answer GET /redfish/v1/ in time"):
        hurried.run(_against(reply, lambda client: client.get(SERVICE_ROOT)))


def test_one_that_never_lets_us_in_is_given_up_as_soon() -> None:
    async def reply(request: web.Request) -> web.Response:
        if request.method == "POST":
            await asyncio.sleep(PATIENCE)
        return web.json_response({"SessionService": {"@odata.id": "/redfish/v1/SessionService"}})

    with pytest.raises(OutsideError, match=f"did not answer POST {SESSIONS} in time"):
        hurried.run(
            _against(reply, lambda client: client.get(SERVICE_ROOT), replace(QUICK, read_seconds=PATIENCE / 10))
        )


@pytest.mark.parametrize("status", [412, 428])
def test_a_document_changed_by_somebody_else_is_read_again(status: int) -> None:
    tags: list[str | None] = []

    async def reply(request: web.Request) -> web.Response:
        if request.method == "PATCH":
            tags.append(request.headers.get("If-Match"))
            return web.Response(status=status if len(tags) == 1 else 204)
        return web.json_response({"@odata.etag": f'"{len(tags)}"'}, status=404 if request.method == "POST" else 200)

    asyncio.run(_against(reply, lambda client: client.patch("/redfish/v1/Systems/1", {})))
    assert tags == ['"0"', '"1"']


@pytest.mark.parametrize(
    "messages", [["The request completed successfully."], ["The request completed successfully.", "The lid is open."]]
)
def test_a_change_that_is_done_is_no_refusal_whatever_its_status(messages: list[str]) -> None:
    """KAYTUS answers changes that it has carried out with 400."""

    async def reply(request: web.Request) -> web.Response:
        error = {"error": {"@Message.ExtendedInfo": [{"Message": message} for message in messages]}}
        if request.method == "GET":
            return web.json_response({})
        return web.json_response(error, status=404 if request.url.path == SESSIONS else 400)

    async def change(client: Client) -> None:
        await client.patch("/redfish/v1/Systems/1", {})
        await client.post("/redfish/v1/x", {})

    if len(messages) == 1:
        asyncio.run(_against(reply, change))
    else:
        with pytest.raises(OutsideError, match="HTTP 400"):
            asyncio.run(_against(reply, change))


def test_the_words_of_the_bmc_are_passed_on() -> None:
    async def reply(request: web.Request) -> web.Response:
        error = {"error": {"@Message.ExtendedInfo": [{"Message": "The lid is open."}]}}
        return web.json_response(error, status=404 if request.url.path == SESSIONS else 400)

    with pytest.raises(OutsideError, match=r"HTTP 400, it answered: The lid is open\."):
        asyncio.run(_against(reply, lambda client: client.post("/redfish/v1/x", {})))


def test_what_is_not_json_is_said() -> None:
    async def reply(request: web.Request) -> web.Response:
        return web.Response(text="<html>", status=404 if request.method == "POST" else 200)

    with pytest.raises(OutsideError, match="did not answer /redfish/v1/ with a JSON object"):
        asyncio.run(_against(reply, lambda client: client.get(SERVICE_ROOT)))


def test_a_link_elsewhere_is_not_followed() -> None:
    async def reply(request: web.Request) -> web.Response:
        return web.json_response({}, status=404)

    with pytest.raises(OutsideError, match="leads elsewhere"):
        asyncio.run(_against(reply, lambda client: client.get("https://elsewhere.example/redfish")))


@pytest.mark.parametrize(
    ("address", "url"),
    [
        ("10.64.4.32", "https://10.64.4.32"),
        ("10.64.4.32:8443", "https://10.64.4.32:8443"),
        ("fd00::1", "https://[fd00::1]"),
        ("https://bmc.example/", "https://bmc.example"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000"),
    ],
)
def test_addresses(address: str, url: str) -> None:
    assert base_url(address) == url


@pytest.mark.parametrize("address", ["", "http://10.0.0.1", "ftp://10.0.0.1", "https://u:p@10.0.0.1", "10.0.0.1:none"])
def test_addresses_that_are_none(address: str) -> None:
    with pytest.raises(OutsideError):
        base_url(address)


def test_an_unreachable_bmc() -> None:
    with pytest.raises(OutsideError, match=r"BMC 127\.0\.0\.1:9 cannot be reached \(Connection refused\)"):
        asyncio.run(_open("127.0.0.1:9"))


async def _open(address: str) -> None:
    async with Client(address, NOBODY, QUICK):
        pass
