"""The accounts of BMCs as a site declares them, each with a mark of its password: a digest under a key that never leaves the workspace."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path

from rackwright.base.durable_file import secret_file
from rackwright.base.errors import OutsideError
from rackwright.model.control import DeclaredAccount
from rackwright.model.resource import MachineAccount

KEY_BYTES = 32


def marked(accounts: Sequence[DeclaredAccount], environment: Mapping[str, str], key_file: Path) -> list[MachineAccount]:
    """`accounts` as machines have them. Another password gives another mark; a lost key gives other marks as well, and passwords are set again.

    OutsideError with all variables of `environment` that are not set.
    """
    needed = {account.name: account.password_env or "" for account in accounts if account.enabled}
    if missing := sorted({name for name in needed.values() if not environment.get(name)}):
        raise OutsideError(
            f"passwords of control.bmc.accounts are not set: export {' and '.join(missing)}, then run again"
        )
    key = secret_file(key_file, lambda: secrets.token_bytes(KEY_BYTES)) if needed else b""
    return [
        MachineAccount(
            user=account.name, role=account.role, enabled=account.enabled, password_env=account.password_env or "",
            password_mark=_mark(key, account.name, environment[needed[account.name]]) if account.enabled else "",
        )
        for account in accounts
    ]  # fmt: skip


def _mark(key: bytes, user: str, password: str) -> str:
    return hmac.new(key, f"{user}\0{password}".encode(), hashlib.sha256).hexdigest()[:32]
