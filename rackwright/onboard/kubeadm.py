"""The bootstrap token with which nodes join a Kubernetes cluster: from the environment into a file that roles read.

A token that is not given any more leaves no file behind.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from rackwright.base.durable_file import replace_file
from rackwright.base.errors import Problem, ProblemsError
from rackwright.base.workspace import Workspace
from rackwright.model.control import Kubernetes

TOKEN = re.compile(r"[a-z0-9]{6}\.[a-z0-9]{16}")
"""Kubernetes documentation, authenticating with bootstrap tokens, token format (read 2026-11-21)."""
CA_ENV = "RACKWRIGHT_KUBERNETES_CA"
"""File with the CA of a cluster that stands in for the site's own: a twin's."""


def kubeadm_files(kubernetes: Kubernetes, workspace: Workspace, environment: Mapping[str, str]) -> dict[str, Path]:
    """``kubeadm_token``, and ``kubernetes_ca`` where another cluster stands in; only those that were given.

    Nodes that have joined need no token, so none is required here. ProblemsError if the token is malformed; the
    token itself is not in it.
    """
    path = workspace.folder("secrets") / "kubeadm.token"
    token = environment.get(kubernetes.token_env, "").strip()
    if token and not TOKEN.fullmatch(token):
        raise ProblemsError([_no_token(kubernetes.token_env)])
    files = {"kubernetes_ca": Path(environment[CA_ENV])} if environment.get(CA_ENV) else {}
    if not token:
        path.unlink(missing_ok=True)
        return files
    replace_file(path, f"{token}\n", 0o600)
    return {**files, "kubeadm_token": path}


def _no_token(variable: str) -> Problem:
    return Problem(
        place="environment",
        path=variable,
        message="this is no bootstrap token of Kubernetes",
        expected="6 and 16 small letters and digits with a dot between them",
        found="something else (not shown)",
        next_step="run `kubeadm token create` on the control plane and give what it prints",
        code="onboard.bad_token",
    )
