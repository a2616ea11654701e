"""The load that the probe carries, without an accelerator: what it says when it cannot run, and its arithmetic on a pretended device."""

from __future__ import annotations

import array
import ctypes
import json
import struct
import subprocess
import sys

import pytest

from rackwright.collect import collector, probe_build, wire
from rackwright.collect.output import Ask
from rackwright.collect.probe.burn import blas, drive, gemm, hbm, main, numbers, patterns, shared
from rackwright.collect.probe.burn.cuda import Cuda, normal
from rackwright.collect.probe.burn.failure import Missing
from tests.patience import PATIENCE


@pytest.fixture(scope="module")
def zipapp(tmp_path_factory):
    return probe_build.build_probe(tmp_path_factory.mktemp("probe"))


def ran(zipapp, *words):
    return subprocess.run([sys.executable, "-I", "-S", str(zipapp), "burn", *words], capture_output=True, text=True)


def test_without_a_driver_it_says_so_and_blames_nothing(zipapp):
    done = ran(zipapp, "gemm", "--seconds", "10")
    assert done.returncode == main.CANNOT
    assert done.stdout == ""
    assert "rackwright-burn: no CUDA driver on this node" in done.stderr


def test_unknown_words_are_refused(zipapp):
    done = ran(zipapp, "melt")
    assert done.returncode == main.USAGE
    assert "gemm --seconds N" in done.stderr


def test_the_probe_finds_it_in_itself(zipapp):
    asks = [Ask("hbm_bandwidth", 20, ("rackwright-burn", "hbm"))]
    done = subprocess.run(
        ["sh", "-c", wire.COMMAND],
        input=wire.probe_bytes(zipapp.read_bytes(), asks),
        capture_output=True,
        timeout=PATIENCE,
    )
    (output,) = [answer for line in done.stdout.splitlines() if (answer := wire.answer("here", asks, line))]
    assert (output.error, output.rc) == ("", main.CANNOT)
    assert b"no CUDA driver" in output.stderr


@pytest.mark.parametrize(
    "identity", [i for i, entry in collector.library().items() if "rackwright-burn" in entry.command]
)
def test_every_verb_that_a_collector_asks_is_known(identity):
    verb = collector.library()[identity].command[1]
    assert verb in {"gemm", "fio", *main.DRIVERS, *main.DOCUMENTS, *main.BURNS, *main.JOBS}


def test_a_tool_that_is_not_installed_is_missing():
    with pytest.raises(Missing, match="no-such-tool is not installed"):
        drive.tool("no-such-tool")


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(patterns, "CHUNK", 1 << 20)


class Driver:
    """A pretended libcuda with one device whose memory is of this process; `flip` changes a byte of what a kernel writes."""

    def __init__(self, memory=1 << 23, flip=None):
        self.room = (ctypes.c_char * memory)()
        self.base = ctypes.addressof(self.room)
        self.used, self.total, self.flip = 0, memory, flip

    def __getattr__(self, name):
        return lambda *_words: 0

    def cuDeviceGetCount(self, count):  # noqa: N802
        count._obj.value = 1
        return 0

    def cuDeviceGetPCIBusId(self, text, _size, _device):  # noqa: N802
        text.value = b"0000:1B:00.0"
        return 0

    def cuDeviceGetAttribute(self, value, which, _device):  # noqa: N802
        value._obj.value = 9 if which == 75 else 0
        return 0

    def cuMemGetInfo_v2(self, free, total):  # noqa: N802
        free._obj.value = total._obj.value = self.total - self.used
        return 0

    def cuMemAlloc_v2(self, address, size):  # noqa: N802
        address._obj.value = self.base + self.used
        self.used += size.value
        return 0

    def cuModuleGetFunction(self, function, _module, name):  # noqa: N802
        function._obj.value = 1 + ["write", "compare"].index(name.decode())
        return 0

    def cuLaunchKernel(self, kernel, *words):  # noqa: N802
        """What kernels.py says of its two; tests/gpu prove their text."""
        values = [ctypes.c_uint64.from_address(place).value for place in words[-2]]
        memory, count, first, step = values[:4]
        pattern = array.array("Q", [first] * count if not step else range(first, first + count * step, step))
        expected = pattern.tobytes()
        if kernel.value == 1:
            ctypes.memmove(memory, expected, len(expected))
            if self.flip is not None:
                self.room[memory - self.base + self.flip] = b"\x07"
            return 0
        read = ctypes.string_at(memory, len(expected))
        offsets = range(0, len(read), 4) if read != expected else ()
        changed = [at for at in offsets if read[at : at + 4] != expected[at : at + 4]]
        ctypes.memmove(values[4], struct.pack("<QQ", len(changed), min(changed, default=patterns.NOWHERE)), 16)
        return 0

    def cuMemFree_v2(self, _address):  # noqa: N802
        self.used = 0
        return 0

    def cuMemcpyHtoD_v2(self, address, data, size):  # noqa: N802
        ctypes.memmove(address.value, data, size.value)
        return 0

    def cuMemcpyDtoH_v2(self, data, address, size):  # noqa: N802
        ctypes.memmove(data, address.value, size.value)
        return 0

    def cuMemcpyDtoDAsync_v2(self, target, source, size, _stream):  # noqa: N802
        ctypes.memmove(target.value, source.value, size.value)
        return 0

    def cuMemsetD32_v2(self, address, word, count):  # noqa: N802
        ctypes.memset(address.value, word.value & 0xFF, count.value * 4)
        return 0


def device(**change):
    (first,) = Cuda(Driver(**change)).devices
    return first


def test_places_are_written_as_in_every_record():
    assert normal("0000:1B:00.0") == normal("00000000:1b:00.0") == device().bus_id == "00000000:1b:00.0"


def test_patterns_find_nothing_in_good_memory():
    result = patterns._test(device())
    assert [run["pattern"] for run in result["runs"]] == list(patterns.PATTERNS)
    assert {run["mismatches"] for run in result["runs"]} == {0}
    assert result["runs"][0]["bytes"] >= 0.7 * result["memory_bytes"]


def test_patterns_find_a_byte_that_changes():
    result = patterns._test(device(flip=(3 << 20) + 5))
    hit = [run for run in result["runs"] if run["mismatches"]]
    assert {run["first_address"] for run in hit} == {(3 << 20) + 4}
    assert all(run["mismatches"] == 1 for run in hit)


def test_copies_count_what_is_read_and_what_is_written():
    result = hbm._measure(device())
    assert len(result["copy_gbytes_per_s"]) == hbm.REPETITIONS
    assert all(rate > 0 for rate in result["copy_gbytes_per_s"])


def test_no_free_memory_is_no_verdict():
    with pytest.raises(Missing, match="something else runs there"):
        patterns._test(device(memory=4096))


def test_matrices_shrink_with_the_memory():
    assert gemm.edge(80 << 30, 2, 2) == gemm.LARGEST
    assert gemm.edge(1 << 30, 2, 2) < gemm.LARGEST
    assert gemm.edge(0, 2, 2) == gemm.SMALLEST


@pytest.mark.parametrize("precision", ["bf16", "fp16", "fp8", "tf32", "fp64"])
def test_numbers_are_the_same_every_time_and_fill_a_block(precision):
    block = numbers.block(precision)
    assert block == numbers.block(precision)
    assert len(block) == numbers.BLOCK * blas.KINDS[precision][4]


def test_numbers_of_half_precision_are_of_moderate_size():
    words = struct.unpack(f"<{numbers.BLOCK}H", numbers.block("bf16"))
    values = [struct.unpack("<f", struct.pack("<I", word << 16))[0] for word in words]
    assert 0.1 < min(map(abs, values)) <= max(map(abs, values)) < 2
    assert min(values) < 0 < max(values)


def test_spreading_repeats_the_block():
    device_under_test = device()
    address = device_under_test.allocate(1000)
    gemm._fill_with_block(device_under_test, address, 1000, b"abc")
    assert ctypes.string_at(address, 1000) == (b"abc" * 334)[:1000]


def test_results_that_differ_are_counted():
    reference, newest = (ctypes.c_char * 4096)(), (ctypes.c_char * 4096)()
    assert gemm.differing(reference, newest, 4096, 2) == 0
    newest[8], newest[4095] = b"x", b"y"
    assert gemm.differing(reference, newest, 4096, 2) == 2


class Lt:
    """A pretended cublasLt: every call succeeds, and one algorithm is found unless told otherwise."""

    def __init__(self, count=1, status=0):
        self.found, self.status = count, status

    def __getattr__(self, name):
        return lambda *_words: self.status

    def cublasLtMatmulAlgoGetHeuristic(self, *words):  # noqa: N802
        words[-1]._obj.value = self.found
        return 0


@pytest.mark.parametrize(
    ("library", "says"),
    [(Lt(count=0), "no algorithm for this precision"), (Lt(status=7), "cublasLtCreate ended with status 7")],
)
def test_what_the_library_refuses_is_no_verdict(library, says):
    with pytest.raises(Missing, match=says):
        blas.Product(library, "fp8", 4096)


def test_the_size_of_the_heuristic_is_that_of_the_header():
    assert ctypes.sizeof(blas.Heuristic) == 96


def test_metadata_of_a_folder(tmp_path):
    rates = shared.metadata(str(tmp_path))
    assert set(rates) == {"creates_per_s", "stats_per_s", "removes_per_s"}
    assert all(rate > 0 for rate in rates.values())


def test_no_shared_file_system(tmp_path, monkeypatch):
    mounts = tmp_path / "mounts"
    mounts.write_text("/dev/sda1 / ext4 rw 0 0\n")
    monkeypatch.setattr(shared, "MOUNTS", str(mounts))
    with pytest.raises(Missing, match="no shared file system"):
        shared.mount()
    mounts.write_text("/dev/sda1 / ext4 rw 0 0\n10.64.8.10@o2ib:/s /scratch lustre rw 0 0\n")
    assert shared.mount() == ("/scratch", "lustre")


def test_the_document_is_what_the_collector_reads():
    tested = {**patterns._test(device()), "index": 0, "uuid": "GPU-1", "serial": "1", "pci_bus_id": "00000000:1b:00.0"}
    record = collector.library()["sdc"].parse(json.dumps({"tool": "t", "devices": [tested]}))
    assert record.devices[0].runs[5].pattern == "address"
