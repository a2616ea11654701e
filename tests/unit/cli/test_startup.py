"""What a verb imports: clients of machines take longer to import than most verbs run, so verbs that query none do without."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.rotation import of_this_run

CLIENTS = ("aiohttp", "asyncssh", "grpc", "kr8s", "paramiko", "pulumi")
"""Third-party packages that query machines or run the engine."""
BY_SSH = {"gate": ("paramiko",)}
"""The gate asks Slurm on its controller."""
STEPS = {
    "judge": "import rackwright.flow.fleet_judgement; rackwright.flow.fleet_judgement.collect.library()",
    "gate": "import rackwright.flow.fleet_gate, rackwright.flow.pipeline",
    "repair": "",
    "report": "",
    "check": "import rackwright.onboard.role_refusals",
}


@pytest.mark.parametrize("verb", of_this_run(sorted(STEPS), 2))
def test_a_verb_that_queries_no_machine_imports_no_client(verb: str) -> None:
    program = f"""
import sys
from rackwright.cli.main import load_verb
load_verb({verb!r})
{STEPS[verb]}
print(*sorted(set({CLIENTS!r}) & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) <= set(BY_SSH.get(verb, ()))


def test_who_asks_many_nodes_at_once_imports_one_client_of_ssh() -> None:
    program = f"import sys, rackwright.collect.transports.fleet; print(*set({CLIENTS!r}) & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["asyncssh"]
