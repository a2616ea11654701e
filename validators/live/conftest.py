"""Live hosts for testinfra: ``pytest validators/live --site SITE --node NODE``.

Hosts are reached as rackwright reaches them: key and known_hosts of the site, in-band address of the design, host keys strict. The tests
change nothing on a host and open no gate: evidence is taken by ``rackwright collect``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

import paramiko
import pytest
from testinfra.backend.paramiko import ParamikoBackend
from testinfra.host import Host

from rackwright import judge
from rackwright.base import elevation
from rackwright.base.errors import OutsideError
from rackwright.cli import access
from rackwright.collect.transports import ssh
from rackwright.flow.pytest_plugin import expand_site
from rackwright.judge.expect import expectations
from rackwright.model.access import Access
from rackwright.model.check import Expectation


class Reached(ParamikoBackend):
    """testinfra over the connection that rackwright makes itself."""

    def __init__(self, way: Access, address: str) -> None:
        super().__init__(address, sudo=way.ssh_user != elevation.ROOT)
        self._way = way

    @cached_property
    def client(self) -> paramiko.SSHClient:
        """An open connection; OutsideError with one sentence when there is none to be had."""
        return ssh.connect(self._way, self.host.name)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Every test once per node, by name."""
    if "promised" not in metafunc.fixturenames:
        return
    if metafunc.config.getoption("--site") is None:
        raise pytest.UsageError("live hosts need --site SITE, and --node NAME for less than all of them")
    design, names = expand_site(metafunc.config)
    nodes = [node for node in design.nodes() if (node.name in names if names else node.role == "accelerator")]
    promises = list(expectations(design, nodes, judge.load_limits(), {}))
    metafunc.parametrize(
        "promised", promises, ids=[promise.node.name for promise in promises], indirect=True, scope="session"
    )


@pytest.fixture(scope="session")
def promised(request: pytest.FixtureRequest) -> Expectation:
    """What the design promises of the node."""
    expectation: Expectation = request.param
    return expectation


@pytest.fixture(scope="session")
def way(pytestconfig: pytest.Config) -> Access:
    """Key, account and known hosts of the site."""
    return access.to_hosts(expand_site(pytestconfig)[0].site)


@pytest.fixture(scope="session")
def host(promised: Expectation, way: Access) -> Iterator[Host]:
    """The node, reached; a test of a node that is not reached fails with the reason."""
    backend = Reached(way, promised.node.inband_address)
    try:
        _ = backend.client
    except OutsideError as error:
        pytest.fail(str(error), pytrace=False)
    yield Host(backend)
    backend.client.close()


@pytest.fixture
def agree(promised: Expectation) -> Callable[[str, Mapping[str, object], Mapping[str, object]], None]:
    """Fails with one line per place where what was found is not what is expected, and without a trace of our own lines."""

    def check(what: str, actual: Mapping[str, object], expected: Mapping[str, object]) -> None:
        wrong = [
            f"{promised.node.name}, {f'{what} {key}'.strip()}: found {actual.get(key, 'nothing')}, expected {value}"
            for key, value in expected.items()
            if actual.get(key) != value
        ]
        if wrong:
            pytest.fail("\n".join(wrong), pytrace=False)

    return check
