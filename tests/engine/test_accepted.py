"""A stack that waits for acceptance, by the real engine and a real `rackwright serve`."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rackwright.plugin.acceptance import TOKEN_VARIABLE
from rackwright.provision import engine
from tests.patience import PATIENCE
from tests.unit.serve.conftest import NODES, Site, empty_ledger, site  # noqa: F401 - fixtures

pytestmark = pytest.mark.engine
PROGRAM = """
import os
import pulumi
from rackwright.model.resource import AcceptedSubject
from rackwright.provision.components.accepted import AcceptedResource

subject = AcceptedSubject(kind="unit", name="train-su1", server=os.environ["SERVER"])
timeouts = pulumi.CustomTimeouts(create="2s", update="2s")
unit = AcceptedResource("unit", subject, pulumi.ResourceOptions(custom_timeouts=timeouts))
pulumi.export("state", unit.state)
"""


@contextmanager
def served(awaited: Site) -> Iterator[None]:
    """The server in a thread, until the block ends."""
    loop, ready = asyncio.new_event_loop(), threading.Event()
    end = asyncio.Event()

    async def run() -> None:
        async with awaited.serving():
            ready.set()
            await end.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(run()))
    thread.start()
    assert ready.wait(PATIENCE)
    try:
        yield
    finally:
        loop.call_soon_threadsafe(end.set)
        thread.join()


def test_a_stack_waits_for_a_unit_and_never_changes_its_gate(site: Site, tmp_path: Path) -> None:  # noqa: F811
    program = engine.require_engine()
    private = tmp_path / "engine" / "bin"
    private.mkdir(parents=True)
    (private / "pulumi").symlink_to(program)
    installed = engine.install_language_host(private)
    stack = tmp_path / "stack"
    stack.mkdir()
    (stack / "Pulumi.yaml").write_text("name: waits\nruntime: python\n")
    (stack / "__main__.py").write_text(PROGRAM)
    python = Path(sys.executable).parent
    environment = {
        **os.environ,
        "PATH": os.pathsep.join([str(private), str(installed.parent), str(python), os.environ["PATH"]]),
        "VIRTUAL_ENV": str(python.parent), "PULUMI_HOME": str(tmp_path / "home"),
        "PULUMI_BACKEND_URL": f"file://{tmp_path}", "PULUMI_CONFIG_PASSPHRASE": "x", "PULUMI_SKIP_UPDATE_CHECK": "true",
        TOKEN_VARIABLE: site.token(),
    }  # fmt: skip

    def pulumi(*arguments: str) -> tuple[int, str]:
        call = ["pulumi", "--non-interactive", "--color", "never", *arguments]
        done = subprocess.run(call, cwd=stack, env=environment, capture_output=True, text=True, check=False)
        assert "Traceback" not in done.stdout + done.stderr
        return done.returncode, done.stdout + done.stderr

    site.decide(refused=NODES[:1])
    with served(site):
        environment["SERVER"] = f"http://127.0.0.1:{site.port}"
        assert pulumi("stack", "init", "test")[0] == 0
        code, text = pulumi("up", "--yes", "--skip-preview")
        assert code != 0
        assert "unit train-su1 is not released after 2 s: 30 of 31 nodes are released, 31 needed" in text, text
        site.decide()
        code, text = pulumi("up", "--yes", "--skip-preview")
        assert (code, 'state: "released"' in text) == (0, True), text
        site.decide(refused=NODES[:1])
        code, text = pulumi("up", "--yes", "--skip-preview", "--refresh")
        assert (code != 0, "waits: 30 of 31 nodes are released" in text) == (True, True), text
        head = site.ledger.head()
        code, text = pulumi("destroy", "--yes", "--skip-preview")
        assert (code, "the gate is left as it is" in text) == (0, True), text
        assert site.ledger.head() == head
