"""What the twin prints of the counters of switches, beside the real ibqueryerrors on the same subnet in ibsim."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from rackwright.base import content
from rackwright.model.evidence.switch_port import SwitchPorts
from rackwright.twin import faults
from rackwright.twin.hardware import fabric, state
from rackwright.twin.tools import switch_ports
from tests.build import site_design
from tests.patience import PATIENCE, until
from tests.unit.export.fabric import client

pytestmark = pytest.mark.fabric
NODES = ["train-001", "train-002", "ufm-01"]
COLLECTOR = content.module("validators", "collectors", "switch_ports")


@pytest.fixture(scope="module")
def broken() -> state.State:
    healthy = state.build(site_design(), NODES)
    return faults.apply_faults(healthy, faults.assign_nodes(["leaf-port-errors", "leaf-port-discards"], NODES))


def console(built: state.State, plan: fabric.FabricPlan) -> str:
    """The commands of ibsim that set the counters of `built`."""
    return "".join(
        f'PerformanceSet "{name}"[{plan.numbers[name, port]}] PortCounters.{counter}={count}\n'
        for name, switch in built.switches.items()
        for port, counters in switch.counters.items()
        for counter, count in counters.items()
    )


def real(built: state.State, plan: fabric.FabricPlan, folder: Path) -> str:
    """What ibqueryerrors prints of the compute subnet with the options of the collector."""
    (folder / "compute.net").write_text(fabric.net_file(built, "compute", plan))
    (folder / "commands").write_text(console(built, plan))
    name = f"switch-ports-{os.getpid()}"
    env = {**os.environ, "IBSIM_SOCKNAME": name, "PATH": f"{os.environ['PATH']}:/usr/sbin"}
    port = fabric.attached(built, built.machines["ufm-01"])["compute"]
    library = str(next(Path("/usr/lib").glob("*/umad2sim/libumad2sim.so")))
    clients = {
        **env,
        "SIM_HOST": f"ufm-01:{port}",
        "LD_PRELOAD": library,
        "OSM_CACHE_DIR": str(folder),
        "OSM_TMP_DIR": str(folder),
    }
    with (folder / "commands").open() as commands, (folder / "log").open("w") as log:
        running = subprocess.Popen(
            ["ibsim", "-s", "compute.net"], cwd=folder, env=env, stdin=commands, stdout=log, stderr=log
        )
        try:
            until(lambda: f"@{name}:ctl" in Path("/proc/net/unix").read_text(), "ibsim did not start")
            client(clients, "opensm", "-o", "-f", str(folder / "opensm.log"))
            options = re.search(r"ibqueryerrors -C \S+ (.*?) 2>&1", COLLECTOR.SCRIPT)
            assert options is not None
            done = subprocess.run(
                ["ibqueryerrors", *options[1].split()], env=clients, capture_output=True, text=True, timeout=PATIENCE
            )
            return f"== {port}\n{done.stdout}{done.stderr}"
        finally:
            running.kill()
            running.wait(PATIENCE)


def test_the_twin_prints_what_the_tool_prints(broken: state.State, tmp_path: Path) -> None:
    plan = fabric.FabricPlan.of(site_design())
    printed = real(broken, plan, tmp_path)
    twin = switch_ports.observe(broken, site_design(), "ufm-01")
    read: SwitchPorts = COLLECTOR.parse(printed)
    assert read.ports
    assert {(port.guid, port.number): port for port in read.ports} == {
        (port.guid, port.number): port for port in twin.ports
    }
    assert read.checked.items() <= twin.checked.items()
    assert not read.unread
    assert COLLECTOR.parse(switch_ports.render(twin).decode()) == twin
