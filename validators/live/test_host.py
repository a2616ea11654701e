"""What a node looks like after onboarding, asked of the live host; every expected value is of the design or of the limits."""

from __future__ import annotations

from testinfra.host import Host

from rackwright import compare
from rackwright.model.check import Expectation


def words(promised: Expectation, metric: str, **key: str) -> list[str]:
    """The words of a limit of this node; none where no row holds."""
    row = compare.limit(promised, metric, **key)
    return compare.words(row) if row is not None else []


def test_it_is_the_node_that_the_design_means(host: Host, promised: Expectation) -> None:
    assert host.check_output("hostname -s") == promised.node.name


def test_its_services_run_and_start_at_boot(host: Host, promised: Expectation) -> None:
    parts = ["base", f"scheduler {promised.node.scheduler}", f"role {promised.node.role}"]
    parts += ["accelerator"] if promised.node.accelerator is not None else []
    parts += ["fabric_manager"] if promised.node.server.fabric_manager else []
    units = [unit for part in parts for unit in words(promised, "host.services", part=part)]
    assert units, "no limit says which services this node needs"
    states = {unit: (host.service(unit).is_running, host.service(unit).is_enabled) for unit in units}
    assert states == dict.fromkeys(units, (True, True))


def test_its_packages_are_those_of_the_bill(host: Host, promised: Expectation) -> None:
    shown = host.check_output("dpkg-query -W -f '${db:Status-Status} ${Package} ${Version}\\n'").splitlines()
    found = {name: version for state, name, version in (line.split(" ", 2) for line in shown) if state == "installed"}
    bill = promised.software
    for component in ("driver", "fabric_manager", "nccl", "dcgm", "container_toolkit"):
        declared = str(getattr(bill, component, "") or "")
        patterns = words(promised, "software.package", component=component)
        if declared and patterns:
            packages = {name: version for name, version in found.items() if compare.matches(name, patterns)}
            assert packages, f"{component} is not installed"
            start = compare.version(declared)
            assert {
                name: version
                for name, version in packages.items()
                if compare.version(compare.upstream(version))[: len(start)] != start
            } == {}, f"{component} {declared} is what the site declares"


def test_its_kernel_settings_are_in_force(host: Host, promised: Expectation) -> None:
    wanted = dict(setting.split("=", 1) for setting in words(promised, "host.sysctl"))
    assert {key: " ".join(host.check_output(f"sysctl -n {key}").split()) for key in wanted} == wanted


def test_its_local_drives_are_mounted(host: Host, promised: Expectation) -> None:
    if promised.node.server.local_storage is None or promised.node.accelerator is None:
        return
    asked = promised.software.options.get("local_nvme_mount")
    targets = [str(asked)] if asked else words(promised, "storage.local_mount")[:1]
    assert targets, "no limit says where the local drives are mounted"
    mounted = host.mount_point(targets[0])
    assert mounted.exists, f"{targets[0]} is not mounted"
    assert "rw" in mounted.options


def test_its_clock_follows_a_reference(host: Host, promised: Expectation) -> None:
    status = host.check_output("chronyc -c tracking").split(",")[-1]
    assert status in words(promised, "clock.leap_status")
