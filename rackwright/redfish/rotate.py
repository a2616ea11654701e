"""Gives a BMC the account that the site declares for it, by the account that it came with. Only on request."""

from __future__ import annotations

from dataclasses import replace

from rackwright.base.errors import OutsideError
from rackwright.model.access import Access, BmcLogin
from rackwright.redfish.client import Client
from rackwright.redfish.reply import UNAUTHORIZED, BmcError
from rackwright.redfish.resources.links import link, links
from rackwright.redfish.resources.text_members import word

ROLE = "Administrator"
"""Role of an account that is made (DSP0266, predefined roles)."""


async def rotate(address: str, access: Access, initial: BmcLogin) -> str:
    """Set the password of the declared account, or make that account where the BMC has none of its name; what was done, in words.

    Nothing is done where the declared account is let in. The initial account keeps its password where it has another name.
    OutsideError when neither is let in, or when the BMC does not do it.
    """
    declared = access.bmc_account(address)
    if await is_admitted(address, access):
        return f"{address}: the declared account is let in already"
    factory = replace(access, bmc_accounts={address: initial})
    async with Client(address, factory) as client:
        service = link(await client.root(), "AccountService")
        if not service:
            raise OutsideError(f"BMC {address} has no AccountService: set the account in its own interface")
        listing = link(await client.get(service), "Accounts")
        accounts = {path: await client.get(path) for path in links(await client.get(listing), "Members")}
        path = next((path for path, account in accounts.items() if word(account, "UserName") == declared.user), "")
        password = declared.password.reveal()
        if path:
            await client.patch(path, {"Password": password})
        else:
            await client.post(
                listing, {"UserName": declared.user, "Password": password, "RoleId": ROLE, "Enabled": True}
            )
    access.refused.pop((address, declared), None)
    if not await is_admitted(address, access):
        raise OutsideError(
            f"BMC {address} took the new password of {declared.user} and refuses it: look at its password rules"
        )
    return f"{address}: {'the password is set' if path else 'the account is made'} of {declared.user}"


async def is_admitted(address: str, access: Access, beside: Client | None = None) -> bool:
    """Whether the BMC lets the declared account read something that is protected; tried once. OutsideError for any other failure. `beside` as `Client`."""
    try:
        async with Client(address, access, beside=beside) as client:
            root = await client.root()
            await client.get(link(root, "Systems") or link(root, "Managers"))
    except BmcError as refused:
        if refused.reason == UNAUTHORIZED:
            return False
        raise
    return True
