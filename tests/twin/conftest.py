from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.shell import Shell


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
