"""Configurations of the switches of routed Ethernet and of InfiniBand fabrics, in the language of the system that each runs."""

from __future__ import annotations

from rackwright.base.errors import ProblemsError
from rackwright.export import export_request
from rackwright.export.export_request import ExportRequest
from rackwright.export.file import ExportFile
from rackwright.export.switches import fabric_configs, refusals, render, zero_touch
from rackwright.export.switches.switch_config import SwitchConfig
from rackwright.model.design import Design


def configs(design: Design, request: ExportRequest) -> list[SwitchConfig]:
    """Every switch of the fabrics that `request` means, once where two fabrics share it. Raises `ProblemsError` with everything that keeps one from being written."""
    by_name = {fabric.name: fabric for fabric in design.site.fabrics}
    owners = dict.fromkeys(fabric.owner for fabric in export_request.switched(design, request))
    some = [fabric_configs.of_fabric(design, by_name[owner], request) for owner in owners]
    problems = [problem for fabric in some for problem in fabric.problems]
    if problems:
        raise ProblemsError(problems)
    return [config for fabric in some for config in fabric.configs]


def export(design: Design, request: ExportRequest) -> list[ExportFile]:
    """The files of every switch, in a folder with its name; with a URL in `request` also what the listed switches start by."""
    switches_ = configs(design, request)
    by_system = {config.system.name: refusals.templates(design, config.system.name) for config in switches_}
    files = {file.name: file for config in switches_ for file in render.files(config, by_system[config.system.name])}
    if request.url:
        files |= {file.name: file for file in zero_touch.export(design, switches_, request)}
    return list(files.values())
