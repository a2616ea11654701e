"""Renders a unit for people and scripts: ``systemctl show``, ``status`` and ``list-units``.

Source: systemctl(1) of systemd 252, its output in a booted Debian 12 (tests/cases/collectors/services).
"""

from __future__ import annotations

import os
import time

from . import install, process
from .service import Service

LISTS = ("Requires", "Wants", "BindsTo", "PartOf", "After", "Before", "Conflicts")
PLAIN = ("User", "Group", "Restart", "KillMode", "WorkingDirectory", "UMask", "PIDFile")
LOG_LINES = 10


def properties(service: Service, name: str) -> dict[str, str]:
    """Every property that is known of a unit."""
    unit = service.unit
    state = install.state(name if unit.load_state == "not-found" else unit.name)
    values = {
        "Id": unit.name,
        "Names": unit.name,
        "Description": unit.last("Unit", "Description", unit.name),
        "LoadState": unit.load_state,
        "ActiveState": service.active,
        "SubState": service.sub,
        "FragmentPath": unit.path,
        "DropInPaths": " ".join(unit.drop_ins),
        "UnitFileState": state,
        "Type": service.kind,
        "Result": service.result,
        "MainPID": str(service.main_pid),
        "ExecMainPID": str(service.main_pid),
        "ExecMainStatus": str(abs(service.exit_code)),
        "NRestarts": str(service.restarts),
        "RemainAfterExit": "yes" if unit.flag("Service", "RemainAfterExit") else "no",
        "StatusText": service.status_text,
        "InvocationID": service.invocation,
        "ConditionResult": "yes" if service.condition else "no",
        "ActiveEnterTimestamp": _moment(service.since) if service.active == "active" else "",
        "CanStart": "yes",
        "CanStop": "yes",
        "CanReload": "yes" if unit.all("Service", "ExecReload") else "no",
        "NeedDaemonReload": "no",
    }
    values.update({key: unit.last("Service", key) for key in PLAIN})
    values.update({key: " ".join(unit.words("Unit", key)) for key in LISTS})
    values["Environment"] = " ".join(unit.all("Service", "Environment"))
    limits = {
        key: value for (section, key), value in unit.values.items() if section == "Service" and key[:5] == "Limit"
    }
    values.update({key: value[-1] for key, value in limits.items() if value})
    for key in ("ExecStartPre", "ExecStart", "ExecReload", "ExecStop"):
        lines = unit.all("Service", key)
        if lines:
            values[key] = " ; ".join(f"{{ path={line.split()[0]} ; argv[]={line} }}" for line in lines)
    return values


def of_the_manager() -> dict[str, str]:
    """What ``systemctl show`` says without a unit."""
    return {"Version": "252", "SystemState": "running", "DefaultStandardOutput": "journal"}


def render(block: dict[str, str], names: list[str], *, values: bool) -> str:
    """`block` as ``Key=value`` lines, or values alone; with `names` only those, and no unknown one."""
    keys = [key for key in names if key in block] if names else list(block)
    return "".join(f"{block[key]}\n" if values else f"{key}={block[key]}\n" for key in keys)


def status(service: Service) -> str:
    """The lines of ``systemctl status`` with the end of the unit's log."""
    unit = service.unit
    mark = "●" if service.active == "active" else "×" if service.active == "failed" else "○"
    since = f" since {_moment(service.since)}" if service.since else ""
    lines = [
        f"{mark} {unit.name} - {unit.last('Unit', 'Description', unit.name)}",
        f"     Loaded: {unit.load_state} ({unit.path}; {install.state(unit.name)})",
        f"     Active: {service.active} ({service.sub}){since}",
    ]
    if service.main_pid:
        lines.append(f"   Main PID: {service.main_pid}")
    if service.status_text:
        lines.append(f'     Status: "{service.status_text}"')
    if service.active == "failed":
        lines.append(f"     Result: {service.result}, exit code {service.exit_code}")
    return "\n".join([*lines, "", *_log(unit.name)]) + "\n"


def row(service: Service) -> str:
    """One line of ``systemctl list-units``."""
    unit = service.unit
    text = unit.last("Unit", "Description", unit.name)
    return f"{unit.name:<36} {unit.load_state:<9} {service.active:<8} {service.sub:<10} {text}\n"


def _log(name: str) -> list[str]:
    path = os.path.join(process.LOGS, name)
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8", errors="replace") as log:
        return [line.rstrip("\n") for line in log.readlines()[-LOG_LINES:]]


def _moment(seconds: float) -> str:
    return time.strftime("%a %Y-%m-%d %H:%M:%S UTC", time.gmtime(seconds))
