"""The reason for every part of a sized site, by field path, and what the reader should replace."""

from __future__ import annotations

from rackwright.catalog import sizing_practice
from rackwright.design.power.capacity import usable_watts
from rackwright.design.sizing.fit import Sized
from rackwright.design.sizing.power_caps import left_after_loss
from rackwright.model.site import Site


def comments(sized: Sized) -> dict[str, str]:
    """Comments of the whole file."""
    site, frame = sized.design.site, sized.frame
    calibrated = "Name who answers for the limits; `rackwright judge SITE --learn FILE --calibrate SERVER` makes them."
    by_path = {
        "": _header(sized),
        "acceptance.calibrations": calibrated if site.acceptance.calibrations else "",
        "facility": "Where machines stand and what feeds them.",
        "facility.halls": f"Rows and halls hold every rack; a hall draws {_hall_kw(sized):,.0f} kW at most.",
        "facility.power.feeds": _feeds(sized),
        "facility.power.caps": "Limits to set on BMCs or accelerators: without them feeds, shelves or busbars would be too weak.",
        "facility.power.feed_kw": "What a feed carries when another is lost, rounded up.",
        "facility.power.circuit": _circuit(site),
        "facility.power.ups": "One module more than needed in every feed.",
        "facility.liquid": "Each hall has one CDU more than its heat and flow need, at the approach to its facility water.",
        "facility.air": "Each hall has one air handler more than its heat and airflow need.",
        "facility.routes": "Cable routes between halls in a square grid: planning values, to be measured.",
        "pools": "Equal servers with one purpose. Nodes are called train-001, train-002, ...",
        "fabrics": "Networks. `role` says which ports of the servers are connected.",
        "fabrics.compute": frame.preset.says,
        "fabrics.inband": "No pools: every pool and the control servers. The first 15 addresses are kept; .2 serves time and packages.",
        "fabrics.oob": "BMCs and the management ports of the switches.",
        "storage": f"What storage must deliver: level {frame.ask.storage} of the reference design for so many nodes.",
        "control": "Control planes. Keys and passwords never stand in this file.",
        "control.kubernetes": (
            "Address and hash of your cluster's CA: `kubeadm token create --print-join-command` prints both. A rehearsal brings its own cluster."
        ),
        "software": "Exact versions; what a server does not run is not installed on it. Replace them by those you tested.",
    }
    return {path: text for path, text in by_path.items() if text}


def _header(sized: Sized) -> str:
    frame = sized.frame
    ask = frame.ask
    options = f"--accelerators {ask.accelerators} --server {ask.server} --fabric {ask.fabric} --storage {ask.storage}"
    system = f" --os {ask.system}" if ask.system else ""
    system += "".join(f" --version {name}={version}" for name, version in ask.versions.items())
    system += f" --site-folder {ask.site_folder}" if ask.site_folder else ""
    lines = [
        f"{ask.site}: {frame.accelerators} accelerators in {frame.nodes} x {frame.server.sku}, sized backwards by",
        f"`rackwright size {options} --scheduler {ask.scheduler}{system}`.",
        "Every design rule passes. Places, feeds, plant and routes are planning values until your building replaces them.",
        *sized.notes,
    ]
    return "\n".join(lines)


def _hall_kw(sized: Sized) -> float:
    sums: dict[str, int] = {}
    for hall, watts in sized.design.racks.select("hall", "peak_watts").iter_rows():
        sums[hall] = sums.get(hall, 0) + watts
    return max(sums.values()) / 1000


def _feeds(sized: Sized) -> str:
    psus = sized.frame.server.psus
    if not psus.count:
        return "Power shelves of a rack are dealt over the feeds; half of them carry it."
    remaining = left_after_loss(psus, sized.knobs.feeds)
    needed = f"and {psus.needed} are needed" + (
        " at full power: the cap takes the rest" if remaining < psus.needed else ""
    )
    return (
        f"The {psus.count} power supplies of a node are dealt over the feeds: losing one leaves {remaining}, {needed}."
    )


def _circuit(site: Site) -> str:
    circuit = site.facility.power.circuit
    kilowatts = usable_watts(circuit) / 1000
    choices = ", ".join(f"{option.volts} V {option.amps} A" for option in sizing_practice.load().circuits)
    return (
        f"Every rack gets one circuit per feed, more where one is not enough: 1.732 x {circuit.volts} V x {circuit.amps} A x "
        f"{circuit.derating:g} x {circuit.power_factor:g} = {kilowatts:.1f} kW (chosen from {choices})."
    )
