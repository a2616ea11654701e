"""Faults of a simulated BMC that affect any request: it is busy, has locked the account, or refuses changes for their entity tag."""

from __future__ import annotations

from dataclasses import replace
from http import HTTPStatus

from rackwright.twin.bmc.actions import RequestRefused
from rackwright.twin.hardware.live import Live
from rackwright.twin.hardware.state import TwinMachine


def meet(live: Live, node: str, method: str) -> None:
    """Raise RequestRefused for a request that the BMC of `node` refuses without reading it."""
    trouble = live.machine(node).trouble
    if trouble.busy:
        live.change(node, _less_busy)
        raise RequestRefused(
            HTTPStatus.SERVICE_UNAVAILABLE, "The service is not available.", "ServiceTemporarilyUnavailable"
        )
    if trouble.locked and method != "GET":
        raise RequestRefused(HTTPStatus.UNAUTHORIZED, "The account is locked.", "AccountLocked")
    if trouble.stale_tags and method == "PATCH":
        live.change(node, _fresher)
        raise RequestRefused(
            HTTPStatus.PRECONDITION_FAILED, "The ETag supplied did not match the current one.", "PreconditionFailed"
        )


def _less_busy(machine: TwinMachine) -> TwinMachine:
    return replace(machine, trouble=replace(machine.trouble, busy=max(0, machine.trouble.busy - 1)))


def _fresher(machine: TwinMachine) -> TwinMachine:
    return replace(machine, trouble=replace(machine.trouble, stale_tags=max(0, machine.trouble.stale_tags - 1)))
