"""Prints accelerators as `nvidia-container-cli info` does."""

from rackwright.model.evidence.container import Container


def render(seen: Container) -> bytes:
    """The report whose parse is `seen`."""
    head = f"NVRM version:   {seen.driver_version}\nCUDA version:   {seen.cuda_version}\n"
    return (head + "".join(_device(number, uuid) for number, uuid in enumerate(seen.uuids))).encode()


def _device(number: int, uuid: str) -> str:
    return (
        f"\nDevice Index:   {number}\nDevice Minor:   {number}\nModel:          NVIDIA H100 80GB HBM3\n"
        f"Brand:          Nvidia\nGPU UUID:       {uuid}\nBus Location:   00000000:{0x1B + number:02x}:00.0\n"
        "Architecture:   9.0\n"
    )
