"""The accounts that a site declares on its BMCs, beside the one that it logs in with: made, changed, disabled. Those that nobody declared are named, and left.

A BMC tells nothing of a password: it is set when an account is made, and when its mark in the design changed. Schemas: https://redfish.dmtf.org/schemas/v1/ManagerAccount.v1_12_1.json,
AccountService.v1_15_1.json. BMCs with a fixed number of accounts list the free ones with an empty name (NVIDIA/libredfish c094c9e, tests/mockups/dell; Ansible community.general, redfish_utils, add_user_via_patch).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

from rackwright.base.errors import OutsideError
from rackwright.model.access import Access, BmcLogin, Secret
from rackwright.model.resource import Machine, MachineAccount
from rackwright.redfish.client import Client
from rackwright.redfish.crawler import SECONDS, Crawl
from rackwright.redfish.reply import BmcError
from rackwright.redfish.resources.links import link, links
from rackwright.redfish.resources.service_root import SERVICE_ROOT
from rackwright.redfish.resources.text_members import word
from rackwright.redfish.rotate import is_admitted

MOST = 256
"""Accounts that are requested one by one."""
INTERNAL = "HostInterfaceAdministrator"
"""Role of the account by which the BMC and its own host speak (NVIDIA/libredfish c094c9e, tests/mockups/nvidia_viking)."""


class BmcUser(NamedTuple):
    """One account as the BMC shows it."""

    path: str
    name: str
    role: str
    enabled: bool | None
    """None: its BMC does not say (iLO)."""
    locked: bool
    internal: bool
    """Made by the BMC itself for its host."""


class AccountsView(NamedTuple):
    """All accounts of a BMC."""

    listing: str
    roles: frozenset[str]
    """Names of the roles that it has; empty: it does not say."""
    users: Sequence[BmcUser]
    fixed: bool
    """Whether the BMC has a fixed number of accounts, which are there before they have a name."""
    free: Sequence[str]
    """Paths of those that wait for a name."""
    login: str
    """The account that this was read with."""

    def find(self, name: str) -> BmcUser | None:
        """The account called `name`."""
        return next((user for user in self.users if user.name == name), None)


class AccountSecrets(NamedTuple):
    """What may be set in this run."""

    passwords: Mapping[str, Secret] = MappingProxyType({})
    """By account."""
    changed: Collection[str] = ()
    """Accounts whose password is set although they are there."""


async def read_accounts(
    client: Client, declared: Sequence[MachineAccount], before: AccountsView | None = None
) -> AccountsView | None:
    """The accounts of the BMC; None where it shows none. Roles are read where any of `declared` is missing or has another; those `before` were in the same visit."""
    listing, roles_at = (before.listing, "") if before else await _places(client)
    if not listing:
        return None
    crawl = Crawl(client, {SERVICE_ROOT: await client.root()}, seconds=SECONDS, most=MOST)
    await crawl.collection(listing)
    for path, reason in crawl.lost.items():
        raise BmcError(
            f"BMC {client.address} does not show its accounts ({path}: {reason}): look at its own log", reason
        )
    if listing not in crawl.documents:
        return None
    paths = links(crawl.documents[listing], "Members")
    users = [_user(path, crawl.documents[path]) for path in paths if path in crawl.documents]
    empty = [user.path for user in users if not user.name]
    free = [path for path in empty if not path.endswith("/1")]  # which iDRAC keeps for itself
    view = AccountsView(listing, frozenset(), [user for user in users if user.name], bool(empty), free, client.user)
    if before or not roles_at or not any(drift(declared, view)):
        return view
    roles = links(await client.get_optional(roles_at) or {}, "Members")
    return view._replace(roles=frozenset(path.rstrip("/").rpartition("/")[2] for path in roles))


async def _places(client: Client) -> tuple[str, str]:
    """Where accounts are listed, and where roles are; empty where they are not."""
    path = link(await client.root(), "AccountService")
    service = await client.get_optional(path) if path else None
    return link(service or {}, "Accounts"), link(service or {}, "Roles")


def _user(path: str, document: Mapping[str, Any]) -> BmcUser:
    enabled, role = document.get("Enabled"), word(document, "RoleId")
    internal = document.get("HostBootstrapAccount") is True or role == INTERNAL
    state = enabled if isinstance(enabled, bool) else None
    return BmcUser(path, word(document, "UserName"), role, state, document.get("Locked") is True, internal)


def require_settable(declared: Machine, view: AccountsView | None) -> None:
    """OutsideError with everything why the BMC cannot have the accounts as `declared`; nothing was changed then."""
    if reasons := list(_obstacles(declared, view)):
        raise OutsideError(f"the accounts of the BMC of {declared.name} cannot be set: {'; '.join(reasons)}")


def _obstacles(declared: Machine, view: AccountsView | None) -> Iterator[str]:
    if view is None:
        yield "it shows no AccountService: update its firmware, or set them in its own interface"
        return
    missing = [account for account in declared.accounts if account.enabled and not view.find(account.user)]
    if view.fixed and len(missing) > len(view.free):
        yield f"{len(missing)} are missing and {len(view.free)} free: delete some in its own interface"
    for account in declared.accounts:
        user = view.find(account.user)
        if account.user == view.login:
            yield f"{account.user} is the account that rackwright itself logs in with: leave it out of control.bmc.accounts"
        if view.roles and account.role not in view.roles:
            yield f"it has the roles {', '.join(sorted(view.roles))}, and no {account.role} for {account.user}"
        if user and user.enabled is None and not account.enabled:
            yield f"it does not say whether {account.user} is enabled, and cannot disable it: delete it in its own interface"


def drift(declared: Sequence[MachineAccount], view: AccountsView) -> Iterator[str]:
    """A sentence for each account that a run would change."""
    for account in declared:
        user = view.find(account.user)
        if user is None:
            if account.enabled:
                yield f"BMC account {account.user} is missing, the design says {account.role}"
            continue
        if user.role != account.role:
            yield f"BMC account {account.user} is {user.role or 'without a role'}, the design says {account.role}"
        if user.enabled is not None and user.enabled != account.enabled:
            yield f"BMC account {account.user} is {_state(enabled=user.enabled)}, the design says {_state(enabled=account.enabled)}"


def strangers(declared: Sequence[MachineAccount], view: AccountsView) -> Iterator[str]:
    """A sentence for each account that lets somebody in and that the site does not declare, and for each declared one that is locked."""
    names = {account.user for account in declared} | {view.login}
    for user in view.users:
        if user.name not in names and user.enabled is not False and not user.internal:
            yield f"BMC account {user.name} ({user.role}) is not declared: nothing removes it, declare it in control.bmc.accounts or delete it"
        if user.name in names and user.locked:
            yield f"BMC account {user.name} is locked after wrong passwords: somebody uses an old one"


async def bring_accounts(
    client: Client,
    access: Access,
    declared: Machine,
    view: AccountsView,
    secrets: AccountSecrets,
    log: Callable[[str], None],
) -> None:
    """Make and change accounts, `view` being allowed; `log` gets one sentence per change. Each password that was set is tried once: a second wrong try may lock the account."""
    free, set_now = iter(view.free), []
    says_enabled = any(user.enabled is not None for user in view.users)
    for account in declared.accounts:
        user, password = view.find(account.user), secrets.passwords.get(account.user, Secret("")).reveal()
        if user is None and account.enabled:
            body: dict[str, Any] = {"UserName": account.user, "Password": password, "RoleId": account.role}
            body |= {"Enabled": True} if says_enabled else {}
            if path := next(free, ""):
                await client.patch(path, body)
            else:
                await client.post(view.listing, body)
            log(f"BMC account {account.user} is made ({account.role})")
        elif user and (change := _change(user, account, password, secrets)):
            await client.patch(user.path, change)
            log(f"BMC account {account.user}: {', '.join(_phrases(change))}")
        if user is None or account.user in secrets.changed:
            set_now += [account] if account.enabled else []
    for account in set_now:
        await _require_admitted(client, access, account, secrets)


def _change(user: BmcUser, account: MachineAccount, password: str, secrets: AccountSecrets) -> dict[str, Any]:
    role = {"RoleId": account.role} if user.role != account.role else {}
    enabled = {"Enabled": account.enabled} if user.enabled not in (None, account.enabled) else {}
    renewed = {"Password": password} if account.enabled and account.user in secrets.changed else {}
    return {**role, **enabled, **renewed}


def _phrases(change: Mapping[str, Any]) -> Iterator[str]:
    if "RoleId" in change:
        yield f"its role is {change['RoleId']}"
    if "Enabled" in change:
        yield f"it is {_state(enabled=change['Enabled'])}"
    if "Password" in change:
        yield "its password is set"


def _state(*, enabled: bool) -> str:
    return "enabled" if enabled else "disabled"


async def _require_admitted(client: Client, access: Access, account: MachineAccount, secrets: AccountSecrets) -> None:
    address = client.address
    login = BmcLogin(account.user, secrets.passwords[account.user])
    if not await is_admitted(address, replace(access, bmc_accounts={address: login}, refused={}), client):
        raise OutsideError(
            f"BMC {address} took the password of {account.user} and refuses it: look at its password rules (length, characters), and set another"
        )
