"""A machine with the twin's NVML library and programs, for their tests."""

import pytest

from rackwright.twin.nvml import library
from tests.unit.twin import nvml_bench as bench


@pytest.fixture(scope="session")
def compiled(tmp_path_factory):
    return library.build(tmp_path_factory.mktemp("compiled"), library.Releases((bench.DRIVER, bench.NEWER)))


@pytest.fixture
def node(tmp_path, compiled):
    node = bench.Node(tmp_path, compiled)
    node.show(bench.machine(bench.gpu(0), bench.gpu(1)))
    node.install_library()
    node.install_module()
    yield node
    node.stop_all()
