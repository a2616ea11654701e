"""What a node looks like after onboarding, asked of the live host; every expected value is of the design or of the limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from testinfra.host import Host

from rackwright import compare
from rackwright.model.check import Expectation

Agree = Callable[[str, Mapping[str, object], Mapping[str, object]], None]
"""Fails with one line per place where what was found is not what is expected."""


def words(promised: Expectation, metric: str, **key: str) -> list[str]:
    """The words of a limit of this node; none where no row holds."""
    row = compare.limit(promised, metric, **key)
    return compare.words(row) if row is not None else []


def test_it_is_the_node_that_the_design_means(host: Host, promised: Expectation, agree: Agree) -> None:
    agree("host name", {"": host.check_output("hostname -s")}, {"": promised.node.name})


def test_its_services_run_and_start_at_boot(host: Host, promised: Expectation, agree: Agree) -> None:
    parts = [f"system {promised.software.system}", f"scheduler {promised.node.scheduler}", f"role {promised.node.role}"]
    parts += ["accelerator"] if promised.node.accelerator is not None else []
    parts += ["fabric_manager"] if promised.node.server.fabric_manager else []
    units = [unit for part in parts for unit in words(promised, "host.services", part=part)]
    assert units, "no limit says which services this node needs"
    states = {unit: host.service(unit) for unit in units}
    actual = {
        unit: f"{'running' if service.is_running else 'not running'}, {'enabled' if service.is_enabled else 'not enabled'}"
        for unit, service in states.items()
    }
    agree("service", actual, dict.fromkeys(units, "running, enabled"))


LISTED = {
    "dpkg": "dpkg-query -W -f '${db:Status-Status} ${Package} ${Version}\\n'",
    "rpm": "rpm -qa --qf 'installed %{NAME} %{VERSION}-%{RELEASE}\\n'",
}
"""Status, name and version of every package."""


def test_its_packages_are_those_of_the_bill(host: Host, promised: Expectation, agree: Agree) -> None:
    lines = host.check_output(LISTED[promised.software.packager]).splitlines()
    installed = {
        name: version for state, name, version in (line.split(" ", 2) for line in lines) if state == "installed"
    }
    bill, expected, actual = promised.software, {}, {}
    for component in ("driver", "fabric_manager", "nccl", "dcgm", "container_toolkit"):
        declared = str(getattr(bill, component, "") or "")
        patterns = words(promised, "software.package", component=component)
        if declared and patterns:
            packages = [name for name in installed if compare.matches(name, patterns)]
            start = compare.version_numbers(declared)
            for name in packages or [component]:
                expected[name] = declared
                version = installed.get(name, "not installed")
                same = (
                    name in packages
                    and compare.version_numbers(compare.upstream_version(version))[: len(start)] == start
                )
                actual[name] = declared if same else version
    agree("package", actual, expected)


def test_its_kernel_settings_are_in_force(host: Host, promised: Expectation, agree: Agree) -> None:
    settings = dict(setting.split("=", 1) for setting in words(promised, "host.sysctl"))
    agree("setting", {key: " ".join(host.check_output(f"sysctl -n {key}").split()) for key in settings}, settings)


def test_its_local_drives_are_mounted(host: Host, promised: Expectation, agree: Agree) -> None:
    if promised.node.server.local_storage is None or promised.node.accelerator is None:
        return
    mount_option = promised.software.options.get("local_nvme_mount")
    targets = [str(mount_option)] if mount_option else words(promised, "storage.local_mount")[:1]
    assert targets, "no limit says where the local drives are mounted"
    mounted = host.mount_point(targets[0])
    state = "mounted for writing" if mounted.exists and "rw" in mounted.options else "not mounted"
    if mounted.exists and "rw" not in mounted.options:
        state = f"mounted with {','.join(mounted.options)}"
    agree("folder", {targets[0]: state}, {targets[0]: "mounted for writing"})


def test_its_clock_follows_a_reference(host: Host, promised: Expectation, agree: Agree) -> None:
    status, good = host.check_output("chronyc -c tracking").split(",")[-1], words(promised, "clock.leap_status")
    agree("leap status of the clock", {"": status if status not in good else good[0]}, {"": good[0]})
