"""Runs ``roles/site.yml`` through ansible-runner.

Hosts that fail or do not answer drop out; the others go on.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml

from rackwright.base import yaml_text
from rackwright.base.errors import OutsideError
from rackwright.base.workspace import Workspace
from rackwright.model.inventory import Inventory, Recap
from rackwright.onboard import interrupt, inventory_file, played_roles, settings
from rackwright.onboard.play_results import OnEvent, PlayResults

RUNS_KEPT = 50
"""Artifacts of as many Ansible runs are kept: some onboardings of a large site, where every wave is one."""
TAIL_LINES = 5
CANCEL_SECONDS = 1
"""How often ansible-runner looks whether the run was interrupted."""


def run_playbook(
    inventory: Inventory,
    workspace: Workspace,
    on_event: OnEvent,
    *,
    check: bool = False,
    diff: bool = False,
) -> Recap:
    """Bring the hosts of `inventory` to what it says; with `check` only say what would change.

    Raises OutsideError when Ansible ends without a result, KeyboardInterrupt when Ctrl-C or `kill` stopped it.
    Events: see `Tally`.
    """
    playbook = played_roles.project(inventory.roots) / "roles" / "site.yml"
    return _play(
        playbook,
        inventory,
        workspace,
        PlayResults(on_event, *playbook_shape(playbook)),
        playbook_arguments(check, diff),
    )


def refusals(inventory: Inventory, workspace: Workspace) -> Recap | None:
    """What the plays before the last one, which touch no host, refuse; None when they refuse nothing."""
    folder = workspace.folder("ansible").absolute()
    site = played_roles.project(inventory.roots) / "roles" / "site.yml"
    plays = yaml_text.load(site.read_text(encoding="utf-8"))[:-1]
    playbook = folder / "refusals.yml"
    playbook.write_text(yaml.safe_dump(plays, sort_keys=False), encoding="utf-8")
    tally = PlayResults(_nobody, str(plays[-1]["name"]))
    recap = _play(playbook, inventory, workspace, tally, [])
    return None if recap.good else recap


def _nobody(kind: str, data: Mapping[str, Any]) -> None:
    """Nobody watches."""


def _play(
    playbook: Path, inventory: Inventory, workspace: Workspace, tally: PlayResults, options: Sequence[str]
) -> Recap:
    folder = workspace.folder("ansible").absolute()
    inventory_file.write_inventory(inventory, folder / "inventory")
    started = time.monotonic()
    with interrupt.watch_signals() as interruption:
        runner = _runner(folder, playbook, inventory, " ".join(options), tally.handle, interruption.came)
        _run(runner)
    if not tally.complete:
        raise OutsideError(
            f"Ansible ended without a result: {_tail(runner)} (all of it: {runner.config.artifact_dir}); "
            "when that is mended, run the same command again: it goes on with what is not as declared"
        )
    return tally.recap(round(time.monotonic() - started, 3), list(inventory.hosts))


def _run(runner: Any) -> None:
    """Run Ansible to its end; what it came to, its events say.

    When Ansible has ended, ansible-runner reads what is left of its output for five seconds. On a loaded machine that is too little, and it
    gives up with an error of pexpect (ansible-runner issue 1343, open; 2.4.3 tried 2026-11-25): its own status is missing then, no event is.
    """
    from pexpect import ExceptionPexpect  # type: ignore[import-untyped]  # only where something is played

    with suppress(ExceptionPexpect):
        runner.run()


def playbook_shape(playbook: Path) -> tuple[str, tuple[str, ...]]:
    """Name of the last play, in which every host must have been, and of those of its tasks that every host has once."""
    last = yaml_text.load(playbook.read_text(encoding="utf-8"))[-1]
    silent = ("include_", "import_", "builtin.meta")
    tasks = [task for task in last.get("tasks", ()) if not any(word in key for key in task for word in silent)]
    return str(last["name"]), tuple(str(task["name"]) for task in tasks)


def playbook_arguments(check: bool, diff: bool) -> list[str]:
    """The words of ``ansible-playbook`` for a run."""
    return ["--check"] * check + ["--diff"] * diff


def forget_old(artifacts: Path) -> None:
    """Keep the artifacts of the newest runs."""
    from ansible_runner.utils import cleanup_artifact_dir  # type: ignore[import-untyped]  # half a second to import

    cleanup_artifact_dir(str(artifacts), RUNS_KEPT)


def _runner(
    folder: Path,
    playbook: Path,
    inventory: Inventory,
    options: str,
    handle: Callable[[dict[str, Any]], bool],
    cancelled: Callable[[], bool],
) -> Any:
    from ansible_runner.interface import init_runner  # type: ignore[import-untyped]  # half a second to import

    (folder / settings.CONFIGURATION).write_text(settings.CONFIGURATION_TEXT, encoding="utf-8")
    runner = init_runner(
        private_data_dir=str(folder),
        ident=datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%f"),
        playbook=str(playbook),
        inventory=str(folder / "inventory"),
        cmdline=options or None,
        rotate_artifacts=RUNS_KEPT,
        event_handler=handle,
        cancel_callback=cancelled,
        settings={"pexpect_timeout": CANCEL_SECONDS},
        fact_cache_type=settings.FACT_CACHE,
        quiet=True,
        suppress_env_files=True,
    )
    roles = played_roles.project(inventory.roots) / "roles"
    # ansible-runner starts from our whole environment and stores it beside the events; what a child needs is much less.
    prepared = {name: value for name, value in runner.config.env.items() if os.environ.get(name) != value}
    runner.config.env = {**prepared, **settings.environment(os.environ, len(inventory.hosts), folder, roles)}
    return runner


def _tail(runner: Any) -> str:
    """What Ansible printed of its errors, else its last lines."""
    try:
        lines = runner.stdout.read().strip().splitlines()
    except OSError:
        lines = []
    errors = [line for line in lines if "error" in line.lower()]
    return " ".join(" ".join((errors or lines)[-TAIL_LINES:]).split()) or f"status {runner.status}"
