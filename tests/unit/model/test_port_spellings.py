"""Names of ports where large sites are judged: in processes that were forked."""

from __future__ import annotations

import multiprocessing

from rackwright.model.port_spellings import PortSpellings
from tests import build
from tests.patience import PATIENCE


def test_a_forked_process_finds_names() -> None:
    """Threads of Polars are not there after a fork: whoever waits for one waits for ever."""
    design = build.site_design()
    switch, port = next(
        (device, name) for device, name in design.ports.select("device", "port").iter_rows() if name == "swp3"
    )
    design.ports.filter(device=switch)  # starts the threads here
    context = multiprocessing.get_context("fork")
    names = context.SimpleQueue()
    spellings = PortSpellings(design)
    child = context.Process(target=lambda: names.put((spellings.named(switch, "etp3"), spellings.named(switch, "x"))))
    child.start()
    child.join(PATIENCE)
    alive = child.is_alive()
    child.kill()
    assert not alive
    assert names.get() == (port, None)
