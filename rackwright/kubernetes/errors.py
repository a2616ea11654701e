"""Refusals of the API server as sentences: the owner of a field, what is not served, why it cannot be reached."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rackwright.base.errors import OutsideError


class ClusterError(OutsideError):
    """The API server refused, or did not answer."""


class ConflictError(ClusterError):
    """Others own fields that would be written."""


class OwnedElsewhereError(ClusterError):
    """An object exists, and is not ours."""


def refusal(title: str, code: int, status: Mapping[str, Any]) -> ClusterError:
    """The error for a status object of the API server about the object `title`."""
    message = str(status.get("message") or f"HTTP {code}").strip()
    causes = (status.get("details") or {}).get("causes") or []
    owners = [cause for cause in causes if cause.get("reason") == "FieldManagerConflict"]
    if owners:
        return ConflictError(f"{title}: {_conflicts(owners)}; give the field up there, or leave it out of the site")
    if code == 401:
        return ClusterError(f"{title}: the API server does not accept the account of the kubeconfig: log in again")
    if code == 403:
        return ClusterError(f"{title}: {message}; use a kubeconfig whose account may do it")
    return ClusterError(f"{title}: {message}")


def _conflicts(causes: list[Mapping[str, Any]]) -> str:
    words = []
    for cause in causes:
        # conflict with "kubectl-edit" using v1 at 2026-11-25T..., or without the time
        parts = str(cause.get("message", "")).split('"')
        words.append(f"{str(cause.get('field', '')).lstrip('.')} belongs to {parts[1] if len(parts) > 1 else 'others'}")
    return ", ".join(words)


def unreachable(server: str, reason: str) -> ClusterError:
    """The error for an API server that does not answer."""
    return ClusterError(
        f"the API server {server} cannot be reached ({reason}): check that it runs, and the address in the kubeconfig"
    )
