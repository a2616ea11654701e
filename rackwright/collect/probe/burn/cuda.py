"""The CUDA driver by ctypes: devices, memory, copies.

Names and types: cuda.h (CUDA 11 to 13, the ``_v2`` symbols if they exist).
"""

from __future__ import annotations

import ctypes
from typing import Any

from .failure import Missing

MAJOR, MINOR = 75, 76
"""CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR and _MINOR."""
BLOCKS, THREADS = 4096, 256
"""Blocks, and threads of a block, of a kernel that passes over its memory in strides: several blocks for every
multiprocessor of any device.
"""


class Cuda:
    """The initialised driver. Missing if there is no driver or no device."""

    def __init__(self, library: Any = None) -> None:
        try:
            self._lib = library or ctypes.CDLL("libcuda.so.1")
        except OSError as error:
            raise Missing(f"no CUDA driver on this node: {error}") from None
        self._call_checked("cuInit", 0)
        count = ctypes.c_int()
        self._call_checked("cuDeviceGetCount", ctypes.byref(count))
        if not count.value:
            raise Missing("the CUDA driver shows no device")
        self.devices = [CudaDevice(self, index) for index in range(count.value)]

    def _call_checked(self, name: str, *words: Any) -> None:
        code = getattr(self._lib, name)(*words)
        if code:
            text = ctypes.c_char_p()
            self._lib.cuGetErrorName(code, ctypes.byref(text))
            raise Missing(f"{name} failed: {(text.value or str(code).encode()).decode()}")

    call = _call_checked


class CudaDevice:
    """One device with its primary context; a thread must call `use` first."""

    def __init__(self, cuda: Cuda, ordinal: int) -> None:
        self._cuda = cuda
        handle = ctypes.c_int()
        cuda.call("cuDeviceGet", ctypes.byref(handle), ordinal)
        self._handle = handle.value
        bus = ctypes.create_string_buffer(32)
        cuda.call("cuDeviceGetPCIBusId", bus, len(bus), self._handle)
        self.bus_id = normal(bus.value.decode())
        self.capability = (self._attribute(MAJOR), self._attribute(MINOR))
        self._context = ctypes.c_void_p()

    def _attribute(self, which: int) -> int:
        value = ctypes.c_int()
        self._cuda.call("cuDeviceGetAttribute", ctypes.byref(value), which, self._handle)
        return value.value

    def use(self) -> None:
        """Make the device current in this thread."""
        if not self._context:
            self._cuda.call("cuDevicePrimaryCtxRetain", ctypes.byref(self._context), self._handle)
        self._cuda.call("cuCtxSetCurrent", self._context)

    def release(self) -> None:
        """Release the context with all its memory."""
        self._cuda.call("cuDevicePrimaryCtxRelease_v2", self._handle)
        self._context = ctypes.c_void_p()

    def memory(self) -> tuple[int, int]:
        """Free and total bytes."""
        free, total = ctypes.c_size_t(), ctypes.c_size_t()
        self._cuda.call("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
        return free.value, total.value

    def allocate(self, size: int) -> int:
        """Address of `size` bytes on the device."""
        address = ctypes.c_uint64()
        self._cuda.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(size))
        return address.value

    def free(self, address: int) -> None:
        """Free memory."""
        self._cuda.call("cuMemFree_v2", ctypes.c_uint64(address))

    def upload(self, address: int, data: Any, size: int) -> None:
        """Copy to the device and wait."""
        self._cuda.call("cuMemcpyHtoD_v2", ctypes.c_uint64(address), data, ctypes.c_size_t(size))

    def download(self, data: Any, address: int, size: int) -> None:
        """Copy from the device and wait."""
        self._cuda.call("cuMemcpyDtoH_v2", data, ctypes.c_uint64(address), ctypes.c_size_t(size))

    def copy(self, target: int, source: int, size: int) -> None:
        """Copy within the device; returns before it is done."""
        words = ctypes.c_uint64(target), ctypes.c_uint64(source), ctypes.c_size_t(size)
        self._cuda.call("cuMemcpyDtoDAsync_v2", *words, None)

    def fill(self, address: int, word: int, count: int) -> None:
        """Write `count` words of four bytes."""
        self._cuda.call("cuMemsetD32_v2", ctypes.c_uint64(address), ctypes.c_uint(word), ctypes.c_size_t(count))

    def kernels(self, text: str, *names: str) -> dict[str, Any]:
        """The kernels of a PTX text, compiled for this device; they live as long as the context."""
        module = ctypes.c_void_p()
        self._cuda.call("cuModuleLoadData", ctypes.byref(module), text.encode() + b"\0")
        functions = {name: ctypes.c_void_p() for name in names}
        for name, function in functions.items():
            self._cuda.call("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
        return functions

    def launch(self, kernel: Any, *words: int) -> None:
        """Start a kernel whose parameters are words of eight bytes; returns before it has ended."""
        values = [ctypes.c_uint64(word) for word in words]
        parameters = (ctypes.c_void_p * len(values))(*(ctypes.addressof(value) for value in values))
        self._cuda.call("cuLaunchKernel", kernel, BLOCKS, 1, 1, THREADS, 1, 1, 0, None, parameters, None)

    def wait(self) -> None:
        """Wait until the device has completed all its work."""
        self._cuda.call("cuCtxSynchronize")


def normal(bus_id: str) -> str:
    """A PCI address in the notation of records: ``00000000:1b:00.0`` for ``0000:1b:00.0`` and ``00000000:1B:00.0``."""
    domain, rest = bus_id.lower().split(":", 1)
    return f"{int(domain, 16):08x}:{rest}"
