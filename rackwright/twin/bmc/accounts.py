"""The AccountService of a simulated BMC: accounts that can be made, or a fixed number of them that wait for a name, as its dialect has it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from http import HTTPStatus
from typing import Any

from rackwright.twin.bmc.actions import RequestRefused
from rackwright.twin.bmc.dialect import Dialect, SpokenAccounts
from rackwright.twin.bmc.documents import ROOT, Document, build_collection
from rackwright.twin.hardware.parts.account import AccountState, password_digest
from rackwright.twin.hardware.state import TwinMachine

SERVICE = f"{ROOT}/AccountService"
ACCOUNTS = f"{SERVICE}/Accounts"
OWN = "admin"
"""The account that the twin itself is reached with."""
WRITABLE = {"UserName", "Password", "RoleId", "Enabled"}


def write_accounts(documents: dict[str, Document], machine: TwinMachine, dialect: Dialect | None) -> None:
    """Add accounts and roles of `machine`, and when an account is locked."""
    spoken = dialect.accounts if dialect else SpokenAccounts()
    lockout = dialect.lockout if dialect else None
    limits = (
        {"AccountLockoutThreshold": lockout.threshold, "AccountLockoutDuration": lockout.seconds} if lockout else {}
    )
    documents[f"{ROOT}/"]["AccountService"] = {"@odata.id": SERVICE}
    states = {state.id: state for state in (*_empty(spoken), _factory(spoken), *machine.accounts)}
    paths = [f"{ACCOUNTS}/{number}" for number in sorted(states, key=lambda word: (len(word), word))]
    roles = [f"{SERVICE}/Roles/{role}" for role in spoken.roles]
    documents[SERVICE] = {
        "@odata.id": SERVICE, "@odata.type": "#AccountService.v1_15_0.AccountService", "Id": "AccountService", "Name": "Account Service",
        **limits, "MinPasswordLength": spoken.shortest, "MaxPasswordLength": spoken.longest,
        "Accounts": {"@odata.id": ACCOUNTS}, "Roles": {"@odata.id": f"{SERVICE}/Roles"},
    }  # fmt: skip
    documents[ACCOUNTS] = build_collection(ACCOUNTS, "ManagerAccountCollection", paths)
    documents[f"{SERVICE}/Roles"] = build_collection(f"{SERVICE}/Roles", "RoleCollection", roles)
    for path in roles:
        role = path.rpartition("/")[2]
        documents[path] = {"@odata.id": path, "Id": role, "Name": "User Role", "RoleId": role, "IsPredefined": True}
    for state in states.values():
        documents[f"{ACCOUNTS}/{state.id}"] = _document(state, spoken)


def change_at(path: str, machine: TwinMachine, dialect: Dialect | None) -> Callable[..., TwinMachine] | None:
    """What a PATCH of `path` does to an account; None where it is none that can be changed."""
    spoken = dialect.accounts if dialect else SpokenAccounts()
    number = path.removeprefix(f"{ACCOUNTS}/")
    states = {state.id: state for state in (*_empty(spoken), *machine.accounts)}
    if not path.startswith(f"{ACCOUNTS}/") or number not in states:
        return None
    return partial(_changed, state=states[number], spoken=spoken)


def with_account(machine: TwinMachine, body: Mapping[str, Any], dialect: Dialect | None) -> TwinMachine:
    """The machine after a POST to its accounts. RequestRefused where its BMC has a fixed number of them."""
    spoken = dialect.accounts if dialect else SpokenAccounts()
    if spoken.slots:
        raise RequestRefused(HTTPStatus.METHOD_NOT_ALLOWED, "The operation is not supported for this resource.")
    if not body.get("UserName") or not body.get("Password") or not body.get("RoleId"):
        raise RequestRefused(HTTPStatus.BAD_REQUEST, "UserName, Password and RoleId are required to make an account.")
    numbers = {_factory(spoken).id, *(state.id for state in machine.accounts)}
    number = next(str(n) for n in range(spoken.first, spoken.first + 100) if str(n) not in numbers)
    state = AccountState(str(body["UserName"]) if spoken.by_name else number, "", "")
    return _changed(machine, body, state, spoken)


def accepts(machine: TwinMachine, user: object, password: object) -> bool:
    """Whether an account of the machine, beside the twin's own, lets `user` in."""
    return any(state.accepts(user, password) for state in machine.accounts)


def _changed(machine: TwinMachine, body: Mapping[str, Any], state: AccountState, spoken: SpokenAccounts) -> TwinMachine:
    allowed = WRITABLE if spoken.enabled else WRITABLE - {"Enabled"}
    if surplus := set(body) - allowed:
        raise RequestRefused(HTTPStatus.BAD_REQUEST, f"The property {min(surplus)} cannot be written.")
    user, role = str(body.get("UserName", state.user)), str(body.get("RoleId", state.role))
    names = {OWN, *(peer.user for peer in machine.accounts if peer.id != state.id)}
    if user in names or role not in spoken.roles:
        raise RequestRefused(
            HTTPStatus.BAD_REQUEST, f"The value {user}/{role} is not in the list of acceptable values."
        )
    password = body.get("Password")
    if password is not None and not spoken.shortest <= len(str(password)) <= spoken.longest:
        raise RequestRefused(
            HTTPStatus.BAD_REQUEST, f"The password needs {spoken.shortest} to {spoken.longest} characters."
        )
    digest = state.digest if password is None else password_digest(password)
    after = replace(state, user=user, role=role, digest=digest, enabled=bool(body.get("Enabled", state.enabled)))
    peers = [peer for peer in machine.accounts if peer.id != state.id]
    return replace(machine, accounts=(*peers, after))


def _factory(spoken: SpokenAccounts) -> AccountState:
    return AccountState(OWN if spoken.by_name else str(spoken.first), OWN, spoken.roles[0])


def _empty(spoken: SpokenAccounts) -> list[AccountState]:
    return [AccountState(str(number), "", "None", enabled=False) for number in range(1, spoken.slots + 1)]


def _document(state: AccountState, spoken: SpokenAccounts) -> Document:
    path = f"{ACCOUNTS}/{state.id}"
    enabled = {"Enabled": state.enabled} if spoken.enabled else {}
    return {
        "@odata.id": path, "@odata.type": "#ManagerAccount.v1_8_0.ManagerAccount", "Id": state.id, "Name": "User Account",
        "UserName": state.user, "Password": None, "RoleId": state.role, **enabled,
    }  # fmt: skip
