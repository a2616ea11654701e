"""Files with secrets that roles copy to hosts: where they lie on this machine, made on first use.

In: a design and the workspace. Out: name -> path, for `plan.inventory`; only paths enter the inventory. Cut here because which
secrets a site needs follows from its schedulers.
"""

from __future__ import annotations

from pathlib import Path

from rackwright.model.design import Design
from rackwright.onboard import munge
from rackwright.workspace import Workspace


def secret_files(design: Design, workspace: Workspace) -> dict[str, Path]:
    """``munge_key`` where the site has Slurm. OutsideError when a file that is there is no key."""
    return {"munge_key": munge.key(workspace)} if design.site.control.slurm else {}
