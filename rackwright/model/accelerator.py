"""Catalog record of an accelerator, and the share of it that one of its devices has."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from rackwright.model.base import Record
from rackwright.model.capability import Capability
from rackwright.model.sourced import Sku
from rackwright.model.texts import Label, LabelOrNothing, Line, VendorName

Precision = Literal["fp64", "fp32", "tf32", "bf16", "fp16", "fp8", "fp6", "fp4", "int8", "int4"]


class Throughput(Record):
    """Peak arithmetic rate of one precision; dense and sparse figures are never compared with each other."""

    precision: Precision
    sparsity: Literal["dense", "sparse"]
    tflops: float
    """Tera operations per second for ``int8`` and ``int4``."""


class Accelerator(Sku):
    """An accelerator, vendor-neutral."""

    kind: Literal["accelerator"]
    vendor: VendorName
    """An open word: collectors, limits, roles and the file of the vendor say what follows from it."""
    architecture: Label
    product_name: Line
    """What the management library prints for it (NVML ``nvmlDeviceGetName``)."""
    variants: list[Line] = []
    """What it prints instead for the variants that are sold as this part (910B2 and 910B3 of a 910B)."""
    devices: Annotated[int, Field(ge=1)] = 1
    """Devices that its driver shows of one of it, each with an equal share: 2 where each die is a device of its own (Ascend 910C)."""
    shared_function: bool = False
    """True: its devices stand on the PCI bus as one function (Atlas 300I Duo), not each as one of its own (Ascend 910C)."""
    driver_family: LabelOrNothing = ""
    """Chip in the file names of the vendor's driver packages, where the vendor has one package for each (``310p`` of Huawei's HDK)."""
    memory_gib: float
    memory_gbytes_per_s: int
    tdp_watts: int = 0
    """0 where the vendor states none (cloud only)."""
    bf16_dense_tflops: float | None = None
    """None where no dense BF16 figure is published."""
    throughput: list[Throughput] = []
    """Further published rates."""
    unpublished_rates: dict[Precision, Line] = {}
    """Precisions that users ask for and nobody publishes a rate of, each with what is published instead."""
    nvlink_links: int = 0
    nvlink_gbytes_per_s_per_link: float = 0
    """Per direction."""
    scale_up: Literal["nvlink", "infinity-fabric", "hccs", "ethernet", "ici", "vendor", "none"] = "none"
    """Kind of the links between accelerators of one node or domain."""
    own_port: bool = False
    """Whether each has a network port of its own, which is no device of the host (Ascend 910B and 910C)."""
    scale_up_links: int = 0
    """Scale-up links of an accelerator without NVLink; 0 where none or their number is not published."""
    scale_up_gbytes_per_s_per_link: float = 0
    """Of one of `scale_up_links`, per direction."""
    scale_up_gbytes_per_s: float = 0
    """Sum of an accelerator's scale-up links, per direction."""
    collectives: bool = True
    """False: its maker's library has no collectives for it (HCCL on an Atlas 300I Pro), or nothing shows which way they take (Atlas 300I Duo, whose
    chips have neither links nor network ports to count on)."""
    power_reading: bool = True
    """False: its maker's tool tells no power of it."""
    serial_reading: bool = True
    """False: its maker's tool tells no serial number of it."""
    pcie_generation: int = 0
    """0: not attached over PCIe, or not published."""
    pcie_width: int = 0
    ecc: bool = True
    announced: bool = False
    """True while it is announced and cannot be brought up: no driver is published. `check` refuses a pool of it."""
    capabilities: list[Capability] = []

    @property
    def functions(self) -> int:
        """Number of PCI functions of one accelerator."""
        return 1 if self.shared_function else self.devices

    @property
    def product_names(self) -> tuple[str, ...]:
        """Every name that the management library may print for it."""
        return (self.product_name, *self.variants)

    def per_device(self) -> Accelerator:
        """The record of one device, as nodes, schedulers and tools count them; figures of the part are divided evenly among its devices."""
        if self.devices == 1:
            return self
        shared = {name: getattr(self, name) / self.devices for name in _SHARED if getattr(self, name) is not None}
        integers = {name: int(shared.pop(name)) for name in _SHARED_WHOLE}
        rates = [rate.model_copy(update={"tflops": rate.tflops / self.devices}) for rate in self.throughput]
        return self.model_copy(update={**shared, **integers, "throughput": rates})


_SHARED_WHOLE = ("memory_gbytes_per_s", "tdp_watts", "scale_up_links")
_SHARED = ("memory_gib", "bf16_dense_tflops", "scale_up_gbytes_per_s", *_SHARED_WHOLE)
"""Fields of an accelerator that its devices share; links of NVLink and the host link are those of a device."""
