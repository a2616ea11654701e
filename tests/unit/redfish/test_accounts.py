"""Accounts of BMCs are made, changed and disabled as each maker's BMC takes it; what nobody declared is named and left."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rackwright.base.errors import OutsideError
from rackwright.model.access import BmcLogin, Secret
from rackwright.model.control import DeclaredAccount
from rackwright.model.resource import MachineAccount
from rackwright.provision.bmc_accounts import marked
from rackwright.redfish import provider, wire
from rackwright.redfish.provider import Machines
from rackwright.twin.bmc import dialects
from rackwright.twin.hardware.parts.account import AccountState

from .conftest import PASSWORD, desired_machine, machine

FIRST, SECOND = "first-password", "second-password"


def _account(role: str = "ReadOnly", mark: str = "m1", **more: Any) -> MachineAccount:
    return MachineAccount(user="monitor", role=role, password_env="MONITOR", password_mark=mark, **more)  # type: ignore[arg-type]


class Bmcs:
    """Brings one machine to declared accounts, run after run, as the provider does."""

    def __init__(self, authority: Path) -> None:
        self.authority, self.log, self.state = authority, list[str](), dict[str, Any]()

    def run(self, *accounts: MachineAccount, password: str = FIRST) -> dict[str, Any]:
        environment = {
            "RACKWRIGHT_BMC_USER": "admin", "RACKWRIGHT_BMC_PASSWORD": PASSWORD, "RACKWRIGHT_BMC_CA": str(self.authority),
            "MONITOR": password,
        }  # fmt: skip
        machines, inputs = Machines(environment), wire.to_wire(desired_machine(accounts=list(accounts)))
        self.log.clear()

        work = (
            machines.update(self.state, inputs, self.log.append)
            if self.state
            else machines.create(inputs, self.log.append)
        )
        self.state = asyncio.run(work)
        assert json.dumps(self.state).find(password) < 0, "no password in the state"
        return self.state

    def changes(self) -> list[str]:
        return [line.removeprefix("BMC account monitor") for line in self.log if "account" in line]


@pytest.mark.parametrize("name", [name for name in dialects.names() if name not in {"ibmc", "ieit"}])
def test_an_account_is_made_changed_and_disabled(name: str, serve: Callable[..., Any]) -> None:
    live, access = serve(machine(dialect=name))
    bmcs = Bmcs(access.bmc_ca)

    def on_bmc() -> tuple[str, bool]:
        (account,) = live.machine("train-001").accounts
        return account.role, account.enabled

    assert bmcs.run(_account())["accountDrift"] == []
    assert (bmcs.changes(), on_bmc()) == ([" is made (ReadOnly)"], ("ReadOnly", True))
    assert "monitor" not in " ".join(bmcs.state["mismatches"])
    bmcs.run(_account())
    assert bmcs.changes() == [], "what is so already is left alone"
    bmcs.run(_account("Operator", "m2"), password=SECOND)
    assert bmcs.changes() == [": its role is Operator, its password is set"]
    assert live.machine("train-001").accounts[0].accepts("monitor", SECOND)
    if dialects.load(name).accounts.enabled:
        bmcs.run(_account("Operator", "", enabled=False))
        assert (bmcs.changes(), on_bmc()) == ([": it is disabled"], ("Operator", False))
    else:
        with pytest.raises(OutsideError, match="does not say whether monitor is enabled, and cannot disable it"):
            bmcs.run(_account("Operator", "", enabled=False))


def test_what_nobody_declared_is_named_and_left(serve: Callable[..., Any]) -> None:
    strangers = (AccountState("4", "contractor", "Administrator"), AccountState("5", "old", "Operator", enabled=False))
    host = AccountState("6", "S6AmJsX9", "HostInterfaceAdministrator")
    live, access = serve(machine(dialect="viking", accounts=(*strangers, host)))
    bmcs = Bmcs(access.bmc_ca)
    mismatches = " ".join(bmcs.run(_account())["mismatches"])
    assert "BMC account contractor (Administrator) is not declared: nothing removes it" in mismatches
    assert not {"old", "S6AmJsX9", "admin"} & set(mismatches.split())
    assert {account.user for account in live.machine("train-001").accounts} >= {"contractor", "old", "S6AmJsX9"}
    bmcs.run()
    assert "contractor" not in " ".join(bmcs.state["mismatches"]), "a site that declares none has none looked at"


def test_a_drift_is_seen_and_put_right(serve: Callable[..., Any]) -> None:
    live, access = serve(machine(dialect="idrac"))
    bmcs = Bmcs(access.bmc_ca)
    state = bmcs.run(_account())
    demoted = AccountState("3", "monitor", "Administrator", "x")
    live.change("train-001", lambda now: replace(now, accounts=(demoted,)))
    inputs = wire.to_wire(desired_machine(accounts=[_account()]))
    environment = {
        "RACKWRIGHT_BMC_USER": "admin",
        "RACKWRIGHT_BMC_PASSWORD": PASSWORD,
        "RACKWRIGHT_BMC_CA": str(bmcs.authority),
    }
    _, observed = asyncio.run(Machines(environment).read("", "train-001", inputs, state))
    assert observed["accountDrift"] == ["BMC account monitor is Administrator, the design says ReadOnly"]
    assert provider.differs(observed, inputs).drifted == ["accountDrift"]
    changed = wire.to_wire(desired_machine(accounts=[_account(mark="m2")]))
    assert provider.differs(state, changed).changed == ["accounts"]
    assert provider.changed_paths("accounts", state, changed) == ["accounts.monitor"]


def test_what_the_bmc_cannot_have_is_refused_before_anything_is_done(serve: Callable[..., Any]) -> None:
    full = tuple(AccountState(str(number), f"user{number}", "ReadOnly") for number in range(4, 17))
    _, access = serve(machine(dialect="idrac", accounts=full), machine("train-002"))
    bmcs = Bmcs(access.bmc_ca)
    login = _account().model_copy(update={"user": "admin"})
    with pytest.raises(OutsideError, match="admin is the account that rackwright itself"):
        bmcs.run(login)
    with pytest.raises(OutsideError, match="export MONITOR, then run again"):
        bmcs.run(_account(), password="")
    others = [_account().model_copy(update={"user": f"new{number}"}) for number in range(2)]
    with pytest.raises(OutsideError, match="2 are missing and 1 free: delete some"):
        bmcs.run(*others)


def test_a_password_that_the_bmc_takes_and_refuses_is_tried_once(
    serve: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, access = serve(machine(dialect="supermicro"))
    tried: list[BmcLogin] = []

    async def refused(address: str, tried_with: Any, beside: Any) -> bool:
        tried.append(tried_with.bmc_account(address))
        return False

    monkeypatch.setattr("rackwright.redfish.accounts.is_admitted", refused)
    with pytest.raises(OutsideError, match="took the password of monitor and refuses it: look at its password rules"):
        Bmcs(access.bmc_ca).run(_account())
    assert [login.user for login in tried] == ["monitor"]


def test_a_mark_follows_the_password_and_tells_nothing_of_it(tmp_path: Path) -> None:
    declared = [
        DeclaredAccount(name="monitor", role="ReadOnly", password_env="MONITOR"),
        DeclaredAccount(name="old", role="Operator", enabled=False),
    ]
    key = tmp_path / "secrets" / "bmc-accounts.key"
    first, same, changed = (marked(declared, {"MONITOR": word}, key) for word in (FIRST, FIRST, SECOND))
    assert first == same
    assert first[0].password_mark != changed[0].password_mark
    assert (first[1].password_env, first[1].password_mark) == ("", "")
    assert key.stat().st_mode & 0o77 == 0
    key.unlink()
    assert marked(declared, {"MONITOR": FIRST}, key)[0].password_mark != first[0].password_mark
    with pytest.raises(OutsideError, match=r"passwords of control\.bmc\.accounts are not set: export MONITOR"):
        marked(declared, {}, key)
    assert Secret(FIRST).reveal() not in repr(first)
