"""Prints accelerators as `cnmon info` does."""

from rackwright.model.evidence.accelerator import Accelerators, Device

MIB = 2**20


def render(seen: Accelerators) -> bytes:
    """The blocks whose parse is `seen`; powers must be whole watts, memory whole MiB."""
    return "\n".join(_block(seen, one) for one in seen.devices).encode()


def _block(seen: Accelerators, one: Device) -> str:
    lines = [f"Card {one.index}", _pair("Product Name", one.product_name), _pair("UUID", one.uuid)]
    lines += [_pair("Driver", f"v{seen.driver_version}"), _pair("Health State", "")]
    lines += [_deeper("Device", one.health)] if one.health is not None else []
    lines += [
        _pair("Physical Memory Usage", ""),
        _deeper("Total", f"{one.memory_total_bytes // MIB} MiB"),
        _pair("Power", ""),
    ]
    lines += [_deeper("Usage", _watts(one.power_watts)), _deeper("Cap", _watts(one.power_limit_watts))]
    return "\n".join(lines)


def _pair(name: str, value: str) -> str:
    return f"    {name:<31}: {value}"


def _deeper(name: str, value: str | None) -> str:
    return f"        {name:<27}: {value}"


def _watts(value: float | None) -> str:
    return "N/A" if value is None else f"{value:.0f} W"
