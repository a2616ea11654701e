"""Prints the links of drives as the command of `drive_links` does: a controller, then `file:value` for every reading."""

from rackwright.model.evidence.drives import DriveLink, DriveLinks

SPEEDS = {
    1: "2.5 GT/s PCIe",
    2: "5.0 GT/s PCIe",
    3: "8.0 GT/s PCIe",
    4: "16.0 GT/s PCIe",
    5: "32.0 GT/s PCIe",
    6: "64.0 GT/s PCIe",
}


def render(seen: DriveLinks) -> bytes:
    """The lines whose parse is `seen`; what is None is left out."""
    return "".join(line for one in seen.links for line in _lines(one)).encode()


def _lines(one: DriveLink) -> list[str]:
    device = f"/sys/class/nvme/{one.name}/device"
    readings = {
        "current_link_speed": SPEEDS.get(one.generation or 0),
        "current_link_width": one.width,
        "max_link_speed": SPEEDS.get(one.most_generation or 0),
        "max_link_width": one.most_width,
        "../max_link_speed": SPEEDS.get(one.slot_generation or 0),
        "../max_link_width": one.slot_width,
    }
    shown = [f"{device}/{name}:{value}\n" for name, value in readings.items() if value is not None]
    return [f"/sys/class/nvme/{one.name}\n", *shown]
