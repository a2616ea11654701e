"""Answer files for installers, one folder per machine, for machines that another system boots. These machines do not report back."""

from __future__ import annotations

from rackwright.export.export_request import ExportRequest
from rackwright.export.file import ExportFile
from rackwright.install import answers, render
from rackwright.model.design import Design


def export(design: Design, request: ExportRequest) -> list[ExportFile]:
    """The answer files of every declared machine, or of the named pools. Raises `ProblemsError` for machines that cannot be installed."""
    chosen = [
        node.name
        for node in design.nodes()
        if (node.pool in request.pools if request.pools else node.name in request.machines)
    ]
    files = []
    for install in answers.plan(design, chosen, request.machines, {}):
        for name, template in render.names(design.roots, install.image.method).items():
            if name not in (render.BOOT_SCRIPT, render.SYSTEM_SCRIPT):
                files.append(ExportFile(f"{install.hostname}/{name}", (render.text(install, template),), 1))
    return files
