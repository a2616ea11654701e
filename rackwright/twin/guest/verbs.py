"""The verbs of `systemctl`: one function each, run inside the init.

Source: systemctl(1) of systemd 252, section commands and exit status.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from . import install, show, unitfile
from .manager import UnitManager
from .options import Options

Answer = tuple[int, str, str]
VERSION = "systemd 252 (the init of a rackwright twin)"
JOBS = {
    "start": "start",
    "stop": "stop",
    "restart": "restart",
    "try-restart": "restart",
    "condrestart": "restart",
    "reload": "reload",
    "reload-or-restart": "reload",
    "try-reload-or-restart": "reload",
}
LINKS: dict[str, Callable[[str], list[str]]] = {
    "enable": install.enable,
    "reenable": install.enable,
    "preset": install.enable,
    "disable": install.disable,
    "mask": install.mask,
    "unmask": install.unmask,
}


async def run(manager: UnitManager, words: list[str]) -> Answer:
    """Carry out one call of systemctl."""
    options = Options(words)
    if "--version" in options.flags:
        return 0, VERSION + "\n", ""
    if options.verb in JOBS:
        return await _jobs(manager, options)
    if options.verb in LINKS:
        return await _links(manager, options)
    handler = _OTHER.get(options.verb)
    if handler is None:
        return 1, "", f"Unknown command verb {options.verb}.\n"
    return await handler(manager, options)


async def _jobs(manager: UnitManager, options: Options) -> Answer:
    code, errors = 0, ""
    for name in options.names:
        verb = JOBS[options.verb]
        service = manager.get(name)
        if options.verb.startswith(("try-", "cond")) and service.active != "active":
            continue
        if verb == "reload" and "restart" in options.verb:
            verb = "reload" if service.active == "active" and service.unit.all("Service", "ExecReload") else "restart"
        job = {"start": manager.start, "stop": manager.stop, "restart": manager.restart, "reload": manager.reload}
        status, text = await job[verb](name)
        code, errors = max(code, status), errors + (f"{text}\n" if text else "")
    return code, "", errors


async def _links(manager: UnitManager, options: Options) -> Answer:
    messages: list[str] = []
    for name in options.names:
        if options.verb not in ("mask", "unmask") and unitfile.find(unitfile.full_name(name)) is None:
            text = f"Failed to {options.verb} unit: Unit file {unitfile.full_name(name)} does not exist.\n"
            return 1, "", text
        if options.verb == "enable" and install.state(name).startswith("masked"):
            text = f"Failed to enable unit: Unit file {unitfile.full_name(name)} is masked.\n"
            return 1, "", text
        try:
            messages += LINKS[options.verb](name)
        except OSError as error:
            return 1, "", f"{error}\n"
    manager.forget()
    if "--now" in options.flags and options.verb in ("enable", "disable", "mask"):
        for name in options.names:
            code, text = await (manager.start(name) if options.verb == "enable" else manager.stop(name))
            if code:
                return code, "", text + "\n"
    return 0, "", "".join(f"{line}\n" for line in messages if not options.quiet)


async def _is_active(manager: UnitManager, options: Options) -> Answer:
    states = [manager.get(name).active for name in options.names]
    active = any(state in ("active", "reloading") for state in states)
    return (0 if active else 3), _lines(states, options), ""


async def _is_failed(manager: UnitManager, options: Options) -> Answer:
    states = [manager.get(name).active for name in options.names]
    return (0 if "failed" in states else 1), _lines(states, options), ""


async def _is_enabled(manager: UnitManager, options: Options) -> Answer:
    del manager
    states = {name: install.state(name) for name in options.names}
    missing = [unitfile.full_name(name) for name, state in states.items() if not state]
    errors = "".join(f"Failed to get unit file state for {name}: No such file or directory\n" for name in missing)
    good = {"enabled", "enabled-runtime", "static", "alias", "indirect", "generated"}
    code = 0 if any(state in good for state in states.values()) and not missing else 1
    return code, _lines([state for state in states.values() if state], options), errors


async def _show(manager: UnitManager, options: Options) -> Answer:
    blocks = [show.properties(manager.get(name), name) for name in options.names] or [show.of_the_manager()]
    texts = [show.render(block, options.properties, values="--value" in options.flags) for block in blocks]
    return 0, "\n".join(texts), ""


async def _status(manager: UnitManager, options: Options) -> Answer:
    codes, texts = [0], []
    for name in options.names:
        service = manager.get(name)
        if service.unit.load_state == "not-found":
            return 4, "", f"Unit {unitfile.full_name(name)} could not be found.\n"
        codes.append(0 if service.active in ("active", "activating") else 3)
        texts.append(show.status(service))
    return max(codes), "\n".join(texts), ""


async def _cat(manager: UnitManager, options: Options) -> Answer:
    text = ""
    for name in options.names:
        unit = manager.get(name).unit
        if unit.load_state == "not-found":
            return 1, text, f"No files found for {unit.name}.\n"
        for path in [unit.path, *unit.drop_ins]:
            with open(path, encoding="utf-8", errors="replace") as file:
                text += f"# {path}\n{file.read()}\n"
    return 0, text, ""


async def _kill(manager: UnitManager, options: Options) -> Answer:
    number = options.values.get("signal", options.values.get("s", "SIGTERM"))
    for name in options.names:
        if not manager.get(name).kill(number):
            return 1, "", f"Failed to kill unit {unitfile.full_name(name)}: No main process to kill\n"
    return 0, "", ""


async def _daemon_reload(manager: UnitManager, options: Options) -> Answer:
    del options
    manager.forget()
    return 0, "", ""


async def _reset_failed(manager: UnitManager, options: Options) -> Answer:
    for service in [manager.get(name) for name in options.names] or list(manager.services.values()):
        service.reset()
    return 0, "", ""


async def _list_unit_files(manager: UnitManager, options: Options) -> Answer:
    del manager
    names = [name for name in install.names() if not options.names or _matches(name, options.names)]
    text = "".join(f"{name:<40} {install.state(name):<15} enabled\n" for name in names)
    if "--no-legend" not in options.flags and options.values.get("legend") != "false":
        text = f"{'UNIT FILE':<40} {'STATE':<15} PRESET\n{text}\n{len(names)} unit files listed.\n"
    return (0 if names else 1), text, ""


async def _list_units(manager: UnitManager, options: Options) -> Answer:
    columns = {
        service.unit.name: service
        for service in manager.services.values()
        if service.active != "inactive" or "--all" in options.flags
    }
    if options.names:
        columns = {name: service for name, service in columns.items() if _matches(name, options.names)}
    states = set(filter(None, options.values.get("state", "").split(",")))
    rows = [
        show.row(service)
        for _, service in sorted(columns.items())
        if not states or states & {service.active, service.sub}
    ]
    return 0, "".join(rows), ""


async def _running(manager: UnitManager, options: Options) -> Answer:
    failed = any(service.active == "failed" for service in manager.services.values())
    return (1 if failed else 0), _lines(["degraded" if failed else "running"], options), ""


async def _nothing(manager: UnitManager, options: Options) -> Answer:
    del manager, options
    return 0, "", ""


async def _default_target(manager: UnitManager, options: Options) -> Answer:
    del manager, options
    return 0, "multi-user.target\n", ""


def _lines(words: list[str], options: Options) -> str:
    return "" if options.quiet else "".join(f"{word}\n" for word in words)


def _matches(name: str, patterns: list[str]) -> bool:
    """Shell patterns with a star at the end, and plain names with or without suffix: what scripts use."""
    for pattern in patterns:
        if pattern.endswith("*") and name.startswith(pattern.rstrip("*")):
            return True
        if name in (pattern, unitfile.full_name(pattern)) or (pattern.startswith("*") and name.endswith(pattern[1:])):
            return True
    return False


_OTHER: dict[str, Callable[[UnitManager, Options], Awaitable[Answer]]] = {
    "is-active": _is_active,
    "is-failed": _is_failed,
    "is-enabled": _is_enabled,
    "show": _show,
    "status": _status,
    "cat": _cat,
    "kill": _kill,
    "daemon-reload": _daemon_reload,
    "daemon-reexec": _daemon_reload,
    "reset-failed": _reset_failed,
    "list-unit-files": _list_unit_files,
    "list-units": _list_units,
    "is-system-running": _running,
    "get-default": _default_target,
    "list-timers": _nothing,
    "list-sockets": _nothing,
    "import-environment": _nothing,
    "set-environment": _nothing,
}
