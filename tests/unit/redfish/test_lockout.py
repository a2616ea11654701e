"""A wrong password is sent so rarely that no BMC locks its account, and a locked one lets nobody in until the lockout ends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import pytest

from rackwright.base.errors import OutsideError
from rackwright.model.access import Secret
from rackwright.redfish import apply
from rackwright.twin.bmc import dialects
from rackwright.twin.bmc.actions import RequestRefused
from rackwright.twin.bmc.lockout import Lockouts

from .conftest import PASSWORD, desired_machine, machine

ADDRESS = desired_machine().bmc_address
LOCKING = [name for name in dialects.names() if dialects.load(name).lockout]


@pytest.mark.parametrize("name", LOCKING)
def test_many_visits_of_one_run_lock_nothing(name: str, serve: Callable[..., Any]) -> None:
    _, access = serve(machine(dialect=name), password="wrong")
    for _ in range(4):
        with pytest.raises(OutsideError, match=r"refused the account.*it may have locked the account"):
            asyncio.run(apply.read_machine(ADDRESS, access))
    corrected = replace(access, bmc_password=Secret(PASSWORD))
    assert asyncio.run(apply.read_machine(ADDRESS, corrected)).identity.serial


def test_one_that_is_locked_takes_no_password(serve: Callable[..., Any]) -> None:
    _, access = serve(machine(dialect="supermicro"))
    wrong = [replace(access, bmc_password=Secret("wrong"), refused={}) for _ in range(3)]
    for run in wrong[:2]:
        with pytest.raises(OutsideError, match="refused the account"):
            asyncio.run(apply.read_machine(ADDRESS, run))
    assert asyncio.run(apply.read_machine(ADDRESS, access)).identity.serial, "a run sends a wrong password once"
    for run in wrong:
        run.refused.clear()
        with pytest.raises(OutsideError):
            asyncio.run(apply.read_machine(ADDRESS, run))
    with pytest.raises(OutsideError, match="wait for the end of its lockout"):
        asyncio.run(apply.read_machine(ADDRESS, access))


@pytest.mark.parametrize(("seconds", "let_in"), [(29.0, False), (30.0, True)])
def test_a_lockout_ends_by_itself(seconds: float, *, let_in: bool) -> None:
    now = [100.0]
    lockouts, dialect = Lockouts(lambda: now[0]), dialects.load("supermicro")
    for _ in range(3):
        with pytest.raises(RequestRefused):
            lockouts.judge("train-001", dialect, accepted=False)
    now[0] += seconds
    with nullcontext() if let_in else pytest.raises(RequestRefused):
        lockouts.judge("train-001", dialect, accepted=True)
    lockouts.judge("train-002", dialect, accepted=True)
