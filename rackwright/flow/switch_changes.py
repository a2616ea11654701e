"""Compares the switches of a site with their configurations and, if requested, applies these wave by wave;
configurations before and after are stored.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from rackwright.base import concurrency
from rackwright.base.errors import ProblemsError, UsageError
from rackwright.catalog import switch_practice
from rackwright.configure import bring, records
from rackwright.configure.bring import Bringing, Connect, SwitchResult
from rackwright.configure.systems import DRIVERS, refusals
from rackwright.configure.waves import waves
from rackwright.export import ExportRequest
from rackwright.export import switches as switch_export
from rackwright.export.switches import refusals as export_refusals
from rackwright.export.switches import render
from rackwright.export.switches.switch_config import SwitchConfig
from rackwright.flow import switch_sessions
from rackwright.flow.job import Job
from rackwright.model.design import Design
from rackwright.model.resource import DeclaredSwitch


def required_switches(design: Design, request: ExportRequest, names: Sequence[str] = ()) -> list[DeclaredSwitch]:
    """The switches of `request`, or those of `names` among them.

    ProblemsError if a configuration cannot be written, or if rackwright does not apply configurations to such a system.
    """
    configs = switch_export.configs(design, request)
    by_name = {config.hostname: config for config in configs}
    if unknown := [name for name in names if name not in by_name]:
        raise UsageError(f"--switch {unknown[0]}: switches are called {configs[0].hostname} to {configs[-1].hostname}")
    chosen = [by_name[name] for name in names] or configs
    if problems := refusals({config.hostname: config.system.name for config in chosen}):
        raise ProblemsError(problems)
    templates = {name: export_refusals.templates(design, name) for name in {config.system.name for config in chosen}}
    return [_required(config, templates[config.system.name], request) for config in chosen]


def _required(config: SwitchConfig, templates: dict[str, str], request: ExportRequest) -> DeclaredSwitch:
    files = {file.name.partition("/")[2]: file.text() for file in render.files(config, templates)}
    listed = request.machines.get(config.hostname)
    return DeclaredSwitch(
        name=config.hostname, address=config.management.address.split("/")[0], system=config.system.name, model=config.model, files=files,
        serial=listed.serial if listed else "", platform=config.system.platform if config.system.name == "sonic" else "",
        sku=config.system.hardware_sku,
    )  # fmt: skip


def run(
    job: Job, required: Sequence[DeclaredSwitch], *, apply: bool, connect: Connect | None = None, pause: Callable[[float], None] = time.sleep
) -> list[SwitchResult]:  # fmt: skip
    """The result of every switch that was visited, in order.

    With `apply`, a wave in which a switch failed is the last.
    """
    practice = switch_practice.load().applying
    folder = job.workspace.folder("switches") / job.run
    connect = connect or switch_sessions.connector(job.design, job.access)
    bringing = Bringing(connect, practice.confirm_seconds, pause, lambda result: records.store(folder, [result]))
    act = bring.bring if apply else bring.compare
    groups = waves(job.design, required, practice.leaves_at_once) if apply else [list(required)]
    results: list[SwitchResult] = []
    with job.step("switches", len(required)) as step:
        for group in groups:
            done = _together(group, lambda switch: act(switch, DRIVERS[switch.system], bringing), job)
            results += done
            if apply and not all(result.well for result in done):
                break
        records.store(folder, results)
        well = sum(result.well for result in results)
        step.end(f"{well} of {len(required)} switches as designed", good=well == len(required))
    return results


def _together(
    group: Sequence[DeclaredSwitch], act: Callable[[DeclaredSwitch], SwitchResult], job: Job
) -> list[SwitchResult]:
    with ThreadPoolExecutor(min(len(group), concurrency.at_once("compared_switches"))) as pool:
        results = []
        for result in pool.map(act, group):
            job.watch.advance(result.name)
            results.append(result)
        return results
