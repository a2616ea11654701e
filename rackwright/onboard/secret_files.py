"""Files with secrets that roles copy to hosts: where they lie on this machine, made on first use."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from rackwright.base.workspace import Workspace
from rackwright.model.design import Design
from rackwright.onboard import kubeadm, munge


def secret_files(design: Design, workspace: Workspace, environment: Mapping[str, str] = os.environ) -> dict[str, Path]:
    """``munge_key`` where the site has Slurm, ``kubeadm_token`` where it has Kubernetes and a token was given.

    OutsideError when a file that is there is no key, ProblemsError when what the environment holds is no token.
    """
    control = design.site.control
    files = {"munge_key": munge.munge_key(workspace)} if control.slurm else {}
    return files | (kubeadm.kubeadm_files(control.kubernetes, workspace, environment) if control.kubernetes else {})
