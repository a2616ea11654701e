"""gpu-burn overwrites its progress line thousands of times: the last whole one counts."""

import pytest

from rackwright.collect.collector import library

HEAD = "GPU 0: Tesla T4 (UUID: GPU-1)\nInitialized device 0 with 15109 MB of memory, using FLOATS\n"
END = "\nKilling processes.. done\n\nTested 1 GPUs:\n\tGPU 0: OK\n"


def line(done: int, rate: int, errors: str = "0") -> str:
    return f"{done / 10:.1f}%  proc'd: {done} ({rate} Gflop/s)   errors: {errors}   temps: 75 C \r"


def parsed(progress: str):
    (device,) = library()["gpu_burn"].parse(HEAD + progress + END).devices
    return device.gflops, device.errors, device.temperature_celsius


def test_the_last_line_counts():
    assert parsed("".join(line(done, done) for done in range(1, 1000))) == (999.0, 0, 75)


def test_errors_of_the_last_line_count():
    assert parsed(line(1, 3484) + line(2, 3485, "2 (WARNING!)")) == (3485.0, 2, 75)


@pytest.mark.parametrize("length", [9, 20, 30, 45])
def test_a_line_that_is_cut_off_does_not_count(length):
    assert parsed(line(1, 3484) + line(2, 3485)[:length]) == (3484.0, 0, 75)


def test_without_progress_nothing_was_measured():
    assert parsed("") == (None, None, None)
