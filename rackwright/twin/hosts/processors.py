"""Content of /proc/cpuinfo on a host: the processors of the declared server.

Programs on a host still share the processors of the machine below: `nproc` asks the kernel (sched_getaffinity(2)), and /sys/devices/system/cpu stays
that of the machine, because the C library counts there how many threads a program may start (glibc 2.35 and newer, sysconf(_SC_NPROCESSORS_ONLN)).
Form: proc_cpuinfo(5).
"""

from __future__ import annotations

from rackwright.twin.hardware.parts.system import SystemReadings

ARM = "0x"
"""How the maker of an Arm processor begins, a number (`SystemReadings.cpu_maker`)."""


def cpuinfo(readings: SystemReadings) -> str:
    """The text of /proc/cpuinfo; first threads of all cores come first."""
    count = readings.sockets * readings.cores_per_socket * readings.threads_per_core
    return "\n\n".join(_processor(readings, number) for number in range(count))


def _processor(readings: SystemReadings, number: int) -> str:
    if readings.cpu_maker.startswith(ARM):
        return f"processor\t: {number}\nCPU implementer\t: {readings.cpu_maker}"
    cores = readings.cores_per_socket
    rows = {
        "processor\t": number,
        "vendor_id\t": readings.cpu_maker,
        "physical id\t": number % (readings.sockets * cores) // cores,
        "siblings\t": cores * readings.threads_per_core,
        "core id\t\t": number % cores,
        "cpu cores\t": cores,
    }
    return "\n".join(f"{name}: {value}" for name, value in rows.items())
