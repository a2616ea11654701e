"""Prints a host as the script of `host` does, with the lines around ours that real files have."""

from rackwright.model.evidence.host import Host

KIB = 1024


def render(seen: Host) -> bytes:
    """The sections whose parse is `seen`; memory and limits come in KiB and must be whole ones."""
    limit = "unlimited" if seen.memlock_limit_bytes is None else str(seen.memlock_limit_bytes // KIB)
    sections = {
        "name": [seen.hostname],
        "kernel": [seen.kernel],
        "system": ['PRETTY_NAME="Some Linux 1 (one)"', f"ID={seen.os_id}", f'VERSION_ID="{seen.os_version}"'],
        "cpus": [str(seen.cpus)],
        "memory": [f"MemTotal:       {seen.memory_bytes // KIB} kB", "MemFree:          801340 kB"],
        "modules": [f"{name} 16384 1 - Live 0x0000000000000000" for name in seen.modules],
        "settings": [f"{key} = {value}" for key, value in seen.sysctl.items()],
        "memlock": [limit],
    }
    return "".join(f"== {name}\n" + "".join(f"{line}\n" for line in lines) for name, lines in sections.items()).encode()
