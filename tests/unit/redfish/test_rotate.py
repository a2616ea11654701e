"""An account is given to a BMC only where the declared one is refused, and the result is tried."""

from __future__ import annotations

import asyncio
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from rackwright.base.errors import OutsideError
from rackwright.model.access import Access, BmcLogin, Secret
from rackwright.redfish.rotate import rotate

ACCOUNTS = "/redfish/v1/AccountService/Accounts"
FACTORY = BmcLogin("root", Secret("0penBmc"))


class Service:
    """A BMC without sessions and with accounts: user -> password; `deaf` takes a new password and does not set it."""

    def __init__(self, *, deaf: bool = False) -> None:
        self.accounts = {"root": "0penBmc"}
        self.changes: list[str] = []
        self.deaf = deaf

    async def __call__(self, request: web.Request) -> web.Response:
        root = {"Systems": _link("/redfish/v1/Systems"), "AccountService": _link("/redfish/v1/AccountService")}
        if request.path == "/redfish/v1/":
            return web.json_response(root)
        user, _, password = (
            b64decode(request.headers.get("Authorization", "Basic ").split(" ")[1]).decode().partition(":")
        )
        if self.accounts.get(user) != password:
            return web.json_response({}, status=401)
        if request.method in ("PATCH", "POST"):
            return await self._change(request)
        documents: dict[str, Any] = {
            "/redfish/v1/Systems": {"Members": []},
            "/redfish/v1/AccountService": {"Accounts": _link(ACCOUNTS)},
            ACCOUNTS: {"Members": [_link(f"{ACCOUNTS}/{number}") for number in range(len(self.accounts))]},
            **{f"{ACCOUNTS}/{number}": {"UserName": name} for number, name in enumerate(self.accounts)},
        }
        return web.json_response(documents[request.path])

    async def _change(self, request: web.Request) -> web.Response:
        body = await request.json()
        name = body.get("UserName") or list(self.accounts)[int(request.path.rpartition("/")[2])]
        self.changes.append(f"{request.method} {name}")
        if not self.deaf:
            self.accounts[name] = body["Password"]
        return web.json_response({}, status=201 if request.method == "POST" else 200)


def _link(path: str) -> dict[str, str]:
    return {"@odata.id": path}


def _rotated(service: Service, user: str, password: str) -> str:
    async def run() -> str:
        runner = web.ServerRunner(web.Server(service), shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        access = Access("", Path("/dev/null"), Path("/dev/null"), user, Secret(password), None)
        try:
            return await rotate(f"http://127.0.0.1:{runner.addresses[0][1]}", access, FACTORY)
        finally:
            await runner.cleanup()

    return asyncio.run(run())


def test_the_password_of_the_factory_account_is_changed_once() -> None:
    service = Service()
    assert "the password is set of root" in _rotated(service, "root", "new secret")
    assert "let in already" in _rotated(service, "root", "new secret")
    assert (service.changes, service.accounts) == (["PATCH root"], {"root": "new secret"})


def test_an_account_of_another_name_is_made() -> None:
    service = Service()
    assert "the account is made of rackwright" in _rotated(service, "rackwright", "new secret")
    assert service.accounts == {"root": "0penBmc", "rackwright": "new secret"}


def test_a_password_that_is_not_set_is_said() -> None:
    with pytest.raises(OutsideError, match="took the new password of root and refuses it") as refused:
        _rotated(Service(deaf=True), "root", "new secret")
    assert "new secret" not in str(refused.value)
