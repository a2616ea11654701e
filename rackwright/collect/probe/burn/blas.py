"""Square matrix products by cublasLt: one call for every precision, FP8 included.

Constants: cublasLt.h, cublas_api.h, library_types.h (CUDA 11.8 to 13). FP8 requires the first matrix transposed, so all
products use that.
"""

from __future__ import annotations

import ctypes
from typing import Any

from .failure import Missing

LIBRARIES = ("libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so.11", "libcublasLt.so")
FOLDERS = (
    "",
    "/usr/local/cuda/lib64/",
    "/usr/local/cuda/targets/x86_64-linux/lib/",
    "/usr/local/cuda/targets/sbsa-linux/lib/",
)
TRANSA, TRANSPOSE, WORKSPACE = 3, 1, 1
"""CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES."""
WORKSPACE_BYTES = 64 << 20
R32F, R64F, R16F, R16BF, E4M3 = 0, 1, 2, 14, 28
"""cudaDataType_t."""
C32F, C64F, CTF32 = 68, 70, 77
"""cublasComputeType_t."""
KINDS = {
    "bf16": (R16BF, R16BF, C32F, R32F, 2, 2),
    "fp16": (R16F, R16F, C32F, R32F, 2, 2),
    "fp8": (E4M3, R16BF, C32F, R32F, 1, 2),
    "tf32": (R32F, R32F, CTF32, R32F, 4, 4),
    "fp32": (R32F, R32F, C32F, R32F, 4, 4),
    "fp64": (R64F, R64F, C64F, R64F, 8, 8),
}
"""Precision -> types of the inputs, the result, the arithmetic and the factors; bytes of an input and of a result."""


class Heuristic(ctypes.Structure):
    """cublasLtMatmulHeuristicResult_t."""

    _fields_ = (
        ("algo", ctypes.c_uint64 * 8),
        ("workspace", ctypes.c_size_t),
        ("state", ctypes.c_int),
        ("waves", ctypes.c_float),
        ("reserved", ctypes.c_int * 4),
    )


def load() -> Any:
    """The library; Missing if no version of it can be opened."""
    for folder in FOLDERS:
        for name in LIBRARIES:
            try:
                return ctypes.CDLL(folder + name)
            except OSError:
                continue
    raise Missing("no cuBLAS on this node (libcublasLt of the CUDA toolkit 11.8 or later)")


def version(library: Any) -> str:
    """Version of the library: 130002 is 13.0.2 (since 12), 110803 is 11.8.3."""
    library.cublasLtGetVersion.restype = ctypes.c_size_t
    code = library.cublasLtGetVersion()
    return f"{code // 10000}.{code // 100 % 100}.{code % 100}"


class Product:
    """``result = first^T x second`` of `size` x `size` matrices of one precision on the current device."""

    def __init__(self, library: Any, precision: str, size: int) -> None:
        self._lib = library
        entry, self._result, compute, scale, self.entry_bytes, self.result_bytes = KINDS[precision]
        self._handle = self._make("cublasLtCreate")
        self._operation = self._make("cublasLtMatmulDescCreate", compute, scale)
        flag = ctypes.c_int(TRANSPOSE)
        words = self._operation, TRANSA, ctypes.byref(flag), ctypes.c_size_t(ctypes.sizeof(flag))
        self._call_checked("cublasLtMatmulDescSetAttribute", *words)
        self._inputs = self._layout(entry, size)
        self._outputs = self._layout(self._result, size)
        factor = ctypes.c_double if scale == R64F else ctypes.c_float
        self._one, self._zero = factor(1.0), factor(0.0)
        self._algorithm = self._fastest_algorithm()

    def _fastest_algorithm(self) -> Heuristic:
        """The algorithm that the library ranks fastest; always the same for the same shape and device."""
        wish = self._make("cublasLtMatmulPreferenceCreate")
        room = ctypes.c_uint64(WORKSPACE_BYTES)
        words = wish, WORKSPACE, ctypes.byref(room), ctypes.c_size_t(ctypes.sizeof(room))
        self._call_checked("cublasLtMatmulPreferenceSetAttribute", *words)
        heuristic, count = Heuristic(), ctypes.c_int()
        layouts = self._inputs, self._inputs, self._outputs, self._outputs
        self._call_checked(
            "cublasLtMatmulAlgoGetHeuristic",
            self._handle, self._operation, *layouts, wish, 1, ctypes.byref(heuristic), ctypes.byref(count),
        )  # fmt: skip
        if not count.value or heuristic.state:
            raise Missing("cuBLAS has no algorithm for this precision on this device")
        return heuristic

    def run(self, first: int, second: int, result: int, workspace: int) -> None:
        """Start one product; all arguments are addresses on the device."""
        a, b, c, room = (ctypes.c_void_p(address) for address in (first, second, result, workspace))
        self._call_checked(
            "cublasLtMatmul",
            self._handle, self._operation, ctypes.byref(self._one), a, self._inputs, b, self._inputs,
            ctypes.byref(self._zero), c, self._outputs, c, self._outputs,
            ctypes.byref(self._algorithm), room, ctypes.c_size_t(WORKSPACE_BYTES), None,
        )  # fmt: skip

    def _layout(self, kind: int, size: int) -> ctypes.c_void_p:
        edge = ctypes.c_uint64(size)
        return self._make("cublasLtMatrixLayoutCreate", kind, edge, edge, ctypes.c_int64(size))

    def _make(self, name: str, *words: Any) -> ctypes.c_void_p:
        handle = ctypes.c_void_p()
        self._call_checked(name, ctypes.byref(handle), *words)
        return handle

    def _call_checked(self, name: str, *words: Any) -> None:
        status = getattr(self._lib, name)(*words)
        if status:
            raise Missing(f"{name} ended with status {status} (cublasStatus_t)")
