"""How machines are reached: keys, accounts, trust. Built by the command from the site and the environment, and passed down.

The twin builds its own `Access`, so that a rehearsal makes the same calls as a real bring-up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from rackwright.base import elevation


class Secret:
    """A value that is never printed, logged or serialised; only `reveal` returns it."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """The value itself, for the call that needs it."""
        return self._value

    def __repr__(self) -> str:
        return "Secret(…)"

    __str__ = __repr__

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("a Secret is never serialised")


@dataclass(frozen=True)
class BmcLogin:
    """The account of one BMC."""

    user: str
    password: Secret = field(repr=False)


@dataclass(frozen=True)
class Access:
    """Everything needed to reach hosts and BMCs of one site."""

    ssh_user: str
    ssh_key: Path
    known_hosts: Path
    bmc_user: str
    bmc_password: Secret = field(repr=False)
    bmc_ca: Path | None
    """CA file the BMC certificates must chain to; None means the system's own."""
    collect_user: str = ""
    """Account that evidence is collected with; `ssh_user` when empty."""
    limited: bool = False
    """Whether sudo lets `ssh_user` run single commands at most: it then keeps its own rights otherwise."""
    mirror_key: str = ""
    """SHA-256 of the only key that hosts accept from the package mirror; empty: none is pinned."""
    rpm_keys: str = ""
    """SHA-256 of the file with the keys that hosts accept rpm packages by; empty: none is pinned."""
    repository_signers: tuple[str, ...] = ()
    """Fingerprints of the keys that sign the repositories of vendors in place of their own, where somebody signs them anew."""
    bmc_pins: Mapping[str, str] = field(default_factory=dict, hash=False)
    """By BMC address: SHA-256 of the certificate that it must show, whoever signed it."""
    bmc_accounts: Mapping[str, BmcLogin] = field(default_factory=dict, repr=False, hash=False)
    """By BMC address: its own account, instead of `bmc_user`."""
    refused: dict[tuple[str, BmcLogin], str] = field(default_factory=dict, repr=False, compare=False, hash=False)
    """Accounts that a BMC has refused, with its words: none of them is sent to it again, because some lock an account after the third wrong password."""

    def bmc_account(self, address: str) -> BmcLogin:
        """The account of the BMC at `address`."""
        return self.bmc_accounts.get(address) or BmcLogin(self.bmc_user, self.bmc_password)

    def to_collect(self) -> Access:
        """The same access, logging in with the account for collecting evidence where the site declares one."""
        if self.collect_user in ("", self.ssh_user):
            return self
        return replace(self, ssh_user=self.collect_user, limited=True)

    def as_root(self, words: Sequence[str]) -> list[str]:
        """`words` as a command that runs as root; unchanged for the account for collecting evidence, which has no such right."""
        return [*words] if self.limited else elevation.as_root(self.ssh_user, words)
