"""Worker mode: every node runs its own play, by ``ansible-runner transmit | worker | process``."""

from __future__ import annotations

import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from rackwright.base import concurrency
from rackwright.base.workspace import Workspace
from rackwright.model.inventory import Inventory, Recap
from rackwright.onboard import interrupt, played_roles, runner, worker_bundle, worker_payload, worker_stream
from rackwright.onboard.play_results import OnEvent, PlayResults
from rackwright.onboard.worker_link import WorkerLink, WorkerOutcome, explained

LOOK_SECONDS = 0.5
"""How often an interruption is looked for."""


def run(
    inventory: Inventory,
    workspace: Workspace,
    on_event: OnEvent,
    *,
    check: bool = False,
    diff: bool = False,
) -> Recap:
    """As `runner.run_playbook`, with the play on the nodes themselves. KeyboardInterrupt ends the plays of all nodes first."""
    folder = workspace.folder("ansible").absolute()
    project = played_roles.project(inventory.roots)
    playbook = project / "roles" / "site.yml"
    tally = PlayResults(on_event, *runner.playbook_shape(playbook))
    names = list(inventory.hosts)
    started = time.monotonic()
    sender = _Sender(
        inventory=inventory,
        tally=tally,
        bundle=worker_bundle.build_bundle(folder),
        project=worker_payload.Project.of(playbook, project / "templates"),
        artifacts=folder / "artifacts" / datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%f"),
        secrets=workspace.folder("secrets").absolute(),
        cmdline=" ".join(runner.playbook_arguments(check, diff)),
    )
    with interrupt.watch_signals() as interruption:
        _serve_links(
            sender, {name: WorkerLink({**inventory.variables, **inventory.hosts[name]}) for name in names}, interruption
        )
    runner.forget_old(folder / "artifacts")
    return tally.recap(round(time.monotonic() - started, 3), names)


def _serve_links(sender: _Sender, links: dict[str, WorkerLink], interruption: interrupt.Interruption) -> None:
    with ThreadPoolExecutor(concurrency.at_once("worker_nodes"), thread_name_prefix="worker") as pool:
        waiting: set[Future[None]] = {pool.submit(sender.send, name, link) for name, link in links.items()}
        while waiting:
            done, waiting = wait(waiting, LOOK_SECONDS, FIRST_COMPLETED)
            for link in links.values():
                link.stop_if_silent()
                if interruption.came():
                    link.stop("interrupted")
            for future in done:
                future.result()


@dataclass(frozen=True)
class _Sender:
    """What all nodes of one run share."""

    inventory: Inventory
    tally: PlayResults
    bundle: worker_bundle.WorkerBundle
    project: worker_payload.Project
    artifacts: Path
    secrets: Path
    cmdline: str

    def send(self, name: str, link: WorkerLink) -> None:
        """Have one node play; whatever becomes of it is in the tally."""
        stream = worker_payload.stream(self.project, name, self.inventory, self.secrets, self.cmdline)
        mine = self.artifacts / name
        outcome = link.play(
            self.bundle, stream, lambda back: worker_stream.process(back, name, self.tally.handle, mine)
        )
        if outcome.why or not self.tally.counted(name):
            self._lost(name, outcome, mine)

    def _lost(self, name: str, outcome: WorkerOutcome, artifacts: Path) -> None:
        why = outcome.why or explained(artifacts) or "the worker ended without a result"
        self.tally.lost(name, f"worker: {why}", unreachable=outcome.unreachable)
