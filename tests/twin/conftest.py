from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.shell import Shell
from tests.twin.onboarding import Onboarding


@pytest.fixture(scope="session")
def open_twin(example_site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Shell]]:
    opened: list[Shell] = []

    def start(*arguments: str, work: Path | None = None) -> Shell:
        opened.append(Shell(example_site, work or tmp_path_factory.mktemp("work"), *arguments))
        return opened[-1]

    yield start
    for shell in opened:
        if shell.process.poll() is None:
            shell.end()


@pytest.fixture(scope="session")
def twin(open_twin: Callable[..., Shell]) -> Shell:
    return open_twin("--nodes", "2")


@pytest.fixture(scope="session")
def onboarding(
    open_twin: Callable[..., Shell], example_site: Path, tmp_path_factory: pytest.TempPathFactory
) -> Onboarding:
    """Brought up by workers from the first package on; tests/workers.py keeps the files that share it on one worker, in their order."""
    running = Onboarding(open_twin("--nodes", "2"), example_site, tmp_path_factory.mktemp("onboard"))
    code, recap = running.run("--mode", "worker", "--reboot")
    assert code == 0, recap
    assert all(host["changed"] for host in recap["hosts"].values())
    assert set(recap["task_seconds"]) > {"base", "packages", "nvidia_driver", "nvidia_fabric", "dcgm", "slurm_node"}
    assert recap["waves"][0]["name"] == "control"
    assert recap["hosts"]["train-001"]["roles"]["nccl"]["changed"]
    return running
